//! Values in the order of their use: each is found by a number, and the one that was not used for the longest time at once.

/// Stands for no value.
const NO_ENTRY: usize = usize::MAX;

/// Values in the order of their use.
pub(super) struct Lru<T> {
    places: Vec<LruLink<T>>,
    /// The first place without a value. Such places are linked by [`LruLink::later`].
    vacant: usize,
    oldest: usize,
    newest: usize,
    len: usize,
}

struct LruLink<T> {
    value: Option<T>,
    /// The place of the value that was used before this one, and of the one that was used after it.
    earlier: usize,
    later: usize,
}

impl<T> Lru<T> {
    pub(super) fn new() -> Lru<T> {
        Lru { places: Vec::new(), vacant: NO_ENTRY, oldest: NO_ENTRY, newest: NO_ENTRY, len: 0 }
    }

    /// Enters a value, which is used now. Gives its number.
    pub(super) fn insert(&mut self, value: T) -> usize {
        let at = match self.places.get_mut(self.vacant) {
            Some(place) => {
                let at = std::mem::replace(&mut self.vacant, place.later);
                place.value = Some(value);
                at
            }
            None => {
                self.places.push(LruLink { value: Some(value), earlier: NO_ENTRY, later: NO_ENTRY });
                self.places.len() - 1
            }
        };
        self.len += 1;
        self.append(at);
        at
    }

    /// Uses the value of a number, if there is one.
    #[inline]
    pub(super) fn used(&mut self, at: usize) -> Option<&mut T> {
        if at != self.newest {
            self.places.get(at)?.value.as_ref()?;
            self.unlink(at);
            self.append(at);
        }
        self.places.get_mut(at)?.value.as_mut()
    }

    /// The value of a number, which is not used by this.
    pub(super) fn get(&self, at: usize) -> Option<&T> {
        self.places.get(at)?.value.as_ref()
    }

    /// Takes the value of a number out.
    pub(super) fn remove(&mut self, at: usize) -> Option<T> {
        let value = self.places.get_mut(at)?.value.take()?;
        self.unlink(at);
        if let Some(place) = self.places.get_mut(at) {
            place.later = std::mem::replace(&mut self.vacant, at);
        }
        self.len -= 1;
        Some(value)
    }

    /// The value that was not used for the longest time.
    pub(super) fn oldest(&self) -> Option<&T> {
        self.get(self.oldest)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Takes all values out.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = T> {
        std::mem::replace(self, Lru::new()).places.into_iter().filter_map(|place| place.value)
    }

    fn unlink(&mut self, at: usize) {
        let Some(&LruLink { earlier, later, .. }) = self.places.get(at) else { return };
        match self.places.get_mut(earlier) {
            Some(place) => place.later = later,
            None => self.oldest = later,
        }
        match self.places.get_mut(later) {
            Some(place) => place.earlier = earlier,
            None => self.newest = earlier,
        }
    }

    fn append(&mut self, at: usize) {
        let earlier = std::mem::replace(&mut self.newest, at);
        if let Some(place) = self.places.get_mut(at) {
            (place.earlier, place.later) = (earlier, NO_ENTRY);
        }
        match self.places.get_mut(earlier) {
            Some(place) => place.later = at,
            None => self.oldest = at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random calls, beside a list in the order of use.
    #[test]
    fn the_order_is_that_of_use() {
        let (mut lru, mut model) = (Lru::new(), Vec::<(usize, u64)>::new());
        let mut random = 7_u64;
        for step in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let choice = random >> 33;
            let some = (!model.is_empty()).then(|| (choice / 8) as usize % model.len());
            match (choice % 8, some) {
                (0..=2, _) if model.len() < 40 => model.push((lru.insert(step), step)),
                (3..=5, Some(some)) => {
                    let (at, value) = model.remove(some);
                    assert_eq!(lru.used(at), Some(&mut { value }));
                    model.push((at, value));
                }
                (6, Some(some)) => {
                    let (at, value) = model.remove(some);
                    assert_eq!((lru.remove(at), lru.remove(at), lru.used(at)), (Some(value), None, None));
                }
                (7, Some(_)) if choice % 400 == 7 => {
                    let mut all: Vec<u64> = lru.take_all().collect();
                    all.sort_unstable();
                    let mut told: Vec<u64> = model.drain(..).map(|(_, value)| value).collect();
                    told.sort_unstable();
                    assert_eq!(all, told);
                }
                _ => {}
            }
            assert_eq!((lru.oldest(), lru.len()), (model.first().map(|(_, value)| value), model.len()));
            assert!(lru.places.len() <= 40 && lru.get(NO_ENTRY).is_none());
        }
    }
}
