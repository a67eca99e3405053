//! The graphs and execs of a context that live, to be told of.

use std::any::Any;
use std::sync::{Arc, Weak};

use graphcap_base::lock::{lock, rank, Mutex};

/// Objects, in the order in which they were made. A leaf among the locks.
pub(crate) struct Roster(Mutex<Entered, rank::Rosters>);

struct Entered {
    objects: Vec<Weak<dyn Any + Send + Sync>>,
    /// Number of objects at which those that are gone are taken out.
    sweep_at: usize,
}

/// Fewer are not worth a sweep.
const FEW: usize = 64;

impl Default for Roster {
    fn default() -> Roster {
        Roster(Mutex::new(Entered { objects: Vec::new(), sweep_at: FEW }))
    }
}

impl Roster {
    /// Enters an object. It leaves by itself when it is gone, and some are entered after that.
    pub(crate) fn enter(&self, object: Weak<dyn Any + Send + Sync>) {
        let mut entered = lock(&self.0);
        if entered.objects.len() >= entered.sweep_at {
            entered.objects.retain(|object| object.strong_count() > 0);
            entered.sweep_at = FEW.max(2 * entered.objects.len());
        }
        entered.objects.push(object);
    }

    /// The objects that live. To be dropped where no lock is held: each may be the last reference.
    pub(crate) fn live<T: Any + Send + Sync>(&self) -> Vec<Arc<T>> {
        let upgraded: Vec<_> = lock(&self.0).objects.iter().filter_map(Weak::upgrade).collect();
        upgraded.into_iter().filter_map(|object| object.downcast().ok()).collect()
    }

    /// Returns how many are entered, gone or not.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).objects.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_leaves() {
        let roster = Roster::default();
        let enter = |object: &Arc<usize>| {
            let weak: Weak<usize> = Arc::downgrade(object);
            roster.enter(weak);
        };
        let kept: Vec<_> = (0..100).map(Arc::new).collect();
        for (number, object) in kept.iter().enumerate() {
            enter(object);
            (0..50).for_each(|_| enter(&Arc::new(number)));
        }
        assert_eq!(roster.live::<usize>(), kept);
        assert!(roster.len() <= 2 * (kept.len() + FEW), "{}", roster.len());
        assert!(roster.live::<u8>().is_empty());
    }
}
