//! The ways on which an exec comes to do what a graph does, and which of them is the cheapest, as a pure function.

/// A way on which an exec comes to do the work of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Route {
    /// The exec does it already.
    #[default]
    Nothing,
    /// Single nodes of the exec are set.
    SetNodes,
    /// The exec is updated by the graph as a whole.
    Update,
    /// The graph is instantiated, and the exec is that from then on.
    Anew,
}

/// Which ways may be gone. That of [`Route::Nothing`] may always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Routes {
    /// Single nodes may be set.
    pub set_nodes: bool,
    /// The exec may be updated as a whole.
    pub update: bool,
    /// The graph may be instantiated.
    pub anew: bool,
}

impl Routes {
    /// All ways.
    pub const ALL: Routes = Routes { set_nodes: true, update: true, anew: true };
}

/// What a device was measured to need, in nanoseconds of the calling thread. What the next launch needs beyond a usual one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// To begin setting nodes; for each node of the exec; and for each node that is set.
    pub set: (u64, u64, u64),
    /// To begin an update, and for each node of the exec.
    pub update: (u64, u64),
    /// What the next launch needs after nodes were set: for each node of the exec, and for each node that was set.
    pub launch_after_set: (u64, u64),
    /// What the next launch needs after an update, for each node of the exec.
    pub launch_after_update: u64,
}

impl Costs {
    fn of_sets(self, nodes: usize, changed: usize) -> u64 {
        let (begin, of_exec, of_set) = self.set;
        let of_nodes = of_exec.saturating_mul(nodes as u64).saturating_add(of_set.saturating_mul(changed as u64));
        begin.saturating_add(of_nodes)
    }

    fn of_update(self, nodes: usize) -> u64 {
        self.update.0.saturating_add(self.update.1.saturating_mul(nodes as u64))
    }

    /// What the next launch needs beyond a usual one.
    pub fn of_next_launch(self, route: Route, nodes: usize, changed: usize) -> u64 {
        let (nodes, changed) = (nodes as u64, changed as u64);
        let (of_exec, of_set) = self.launch_after_set;
        match route {
            Route::Nothing | Route::Anew => 0,
            Route::SetNodes => of_exec.saturating_mul(nodes).saturating_add(of_set.saturating_mul(changed)),
            Route::Update => self.launch_after_update.saturating_mul(nodes),
        }
    }
}

/// The way to try first for an exec of so many `nodes`, of which `changed` do not do yet what the graph does; `None` where that is not
/// known. Where it cannot be gone, [`Route::Anew`] is left. `None` where no way is allowed.
pub fn choose(nodes: usize, changed: Option<usize>, routes: Routes, costs: Costs) -> Option<Route> {
    if changed == Some(0) {
        return Some(Route::Nothing);
    }
    let sets = changed.filter(|_| routes.set_nodes);
    match sets {
        Some(changed) if !routes.update || costs.of_sets(nodes, changed) <= costs.of_update(nodes) => {
            Some(Route::SetNodes)
        }
        _ if routes.update => Some(Route::Update),
        _ if routes.anew => Some(Route::Anew),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs =
        Costs { set: (100, 10, 475), update: (300, 200), launch_after_set: (0, 40), launch_after_update: 40 };

    #[test]
    fn few_nodes_are_set_and_many_are_updated() {
        let choose = |changed| choose(1000, changed, Routes::ALL, COSTS).unwrap();
        assert_eq!(choose(Some(0)), Route::Nothing);
        assert_eq!(choose(Some(1)), Route::SetNodes);
        // 100 + 1000 * 10 + 400 * 475 is 200,100, and 300 + 1000 * 200 is 200,300.
        assert_eq!(choose(Some(400)), Route::SetNodes);
        assert_eq!(choose(Some(401)), Route::Update);
        assert_eq!(choose(None), Route::Update);
    }

    #[test]
    fn a_way_that_is_not_allowed_is_not_gone() {
        let choose =
            |changed, set_nodes, update, anew| choose(1000, changed, Routes { set_nodes, update, anew }, COSTS);
        assert_eq!(choose(Some(1), false, true, true), Some(Route::Update));
        assert_eq!(choose(Some(1), false, false, true), Some(Route::Anew));
        assert_eq!(choose(Some(900), true, false, true), Some(Route::SetNodes));
        assert_eq!(choose(None, true, false, true), Some(Route::Anew));
        assert_eq!(choose(None, true, false, false), None);
        assert_eq!(choose(Some(0), false, false, false), Some(Route::Nothing));
    }

    #[test]
    fn the_next_launch_counts_for_what_was_changed() {
        assert_eq!(COSTS.of_next_launch(Route::Nothing, 1000, 0), 0);
        assert_eq!(COSTS.of_next_launch(Route::SetNodes, 1000, 3), 120);
        assert_eq!(COSTS.of_next_launch(Route::Update, 1000, 3), 40_000);
        assert_eq!(COSTS.of_next_launch(Route::Anew, 1000, 1000), 0);
        // A device that prepares all nodes anew, whatever was set.
        let of_all = Costs { launch_after_set: (80, 0), launch_after_update: 80, ..COSTS };
        assert_eq!(of_all.of_next_launch(Route::SetNodes, 1000, 1), 80_000);
        assert_eq!(of_all.of_next_launch(Route::Update, 1000, 1), 80_000);
    }
}
