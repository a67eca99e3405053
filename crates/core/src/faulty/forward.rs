//! Methods of a driver that ask the host device, each written once, as the trait has it. Those that are several other calls by default
//! are left to that, so that each of these calls can fail.

/// Calls that can be told to fail.
macro_rules! forward {
    ($(fn $name:ident(&self $(, $given:ident: $type:ty)* $(,)?) -> $result:ty;)*) => {$(
        fn $name(&self $(, $given: $type)*) -> $result {
            self.call(stringify!($name), || self.host.$name($($given),*))
        }
    )*};
}

/// Questions and notes, which cannot fail.
macro_rules! plain {
    ($(fn $name:ident(&self $(, $given:ident: $type:ty)* $(,)?) $(-> $result:ty)?;)*) => {$(
        fn $name(&self $(, $given: $type)*) $(-> $result)? {
            self.host.$name($($given),*)
        }
    )*};
}

pub(super) use {forward, plain};
