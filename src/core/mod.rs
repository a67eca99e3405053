//! The objects of graphcap.
