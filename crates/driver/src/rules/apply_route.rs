//! The ways on which an exec comes to do what a graph does, and which of them is the cheapest, as a pure function.

/// A way on which an exec comes to do the work of a graph, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Route {
    /// The exec does it already.
    #[default]
    Nothing = 0,
    /// Single nodes of the exec are set.
    SetNodes = 1,
    /// The exec is updated by the graph as a whole.
    Update = 2,
    /// The graph is instantiated, and the exec is that from then on.
    Anew = 3,
}

/// Ways that may be gone. That of [`Route::Nothing`] may always.
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

/// Costs that were measured on a device, in nanoseconds of the calling thread. What the next launch needs beyond a usual one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// To begin setting nodes; for each node of the exec; and for each node that is set.
    pub set: (u64, u64, u64),
    /// To begin an update, and for each node of the exec.
    pub update: (u64, u64),
    /// Time of the next launch after nodes were set: for each node of the exec, and for each node that was set.
    pub launch_after_set: (u64, u64),
    /// Time of the next launch after an update, for each node of the exec.
    pub launch_after_update: u64,
    /// To instantiate a graph, to upload the exec, and to destroy the old one: at the least; and for each node.
    pub anew: (u64, u64),
    /// The time that a replay takes longer for each kernel of the exec that was changed so that it replays slower; and the least number of
    /// nodes of which that is so.
    pub slower: (u64, usize),
}

/// The replays that are expected behind a change of an exec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// The number of replays; 0 where nothing is known.
    pub replays: u64,
    /// The number of kernels of the exec that replay slower then than those of a new exec.
    pub slower: usize,
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

    /// True where an exec of so many nodes replays slower once kernels of it were changed.
    fn has_slower(self, nodes: usize) -> bool {
        let (of_kernel, least) = self.slower;
        of_kernel > 0 && nodes >= least
    }

    /// True where it takes less time in all to instantiate the graph than to go `route`, with the replays that are expected.
    pub fn pays_anew(self, route: Route, nodes: usize, changed: usize, expected: Expected) -> bool {
        if expected.slower == 0 || !self.has_slower(nodes) {
            return false;
        }
        let of_replay = self.slower.0.saturating_mul(expected.slower as u64);
        let of_call = match route {
            Route::Nothing => 0,
            Route::SetNodes => self.of_sets(nodes, changed),
            Route::Update => self.of_update(nodes),
            Route::Anew => return true,
        };
        let (begin, of_node) = self.anew;
        let of_anew = begin.saturating_add(of_node.saturating_mul(nodes as u64));
        let of_route = of_call.saturating_add(self.of_next_launch(route, nodes, changed));
        of_anew < of_route.saturating_add(of_replay.saturating_mul(expected.replays))
    }

    /// Returns what the next launch needs beyond a usual one.
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

    const COSTS: Costs = Costs {
        set: (100, 10, 475),
        update: (300, 200),
        launch_after_set: (0, 40),
        launch_after_update: 40,
        anew: (10_000, 3_000),
        slower: (100, 190),
    };

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

    #[test]
    fn a_new_exec_pays_where_many_replays_would_be_slower() {
        let pays = |route, nodes, slower, replays| COSTS.pays_anew(route, nodes, slower, Expected { replays, slower });
        // 10,000 + 1000 * 3,000 is 3,010,000; the update and its launch 240,300; a replay 100,000 more.
        assert!(!pays(Route::Update, 1000, 1000, 27));
        assert!(pays(Route::Update, 1000, 1000, 28));
        assert!(!pays(Route::Update, 1000, 0, 1_000_000));
        // Small execs replay as fast as new ones.
        assert!(!pays(Route::Update, 189, 189, 1_000_000));
        // The exec has been slower since an earlier change.
        assert!(pays(Route::Nothing, 1000, 10, 3011));
        assert!(!pays(Route::Nothing, 1000, 10, 3009));
        assert!(!pays(Route::SetNodes, 1000, 1, 0));
        assert!(pays(Route::Update, 1000, 1000, u64::MAX));
        assert!(!Costs { slower: (0, 0), ..COSTS }.pays_anew(
            Route::Update,
            1000,
            1000,
            Expected { replays: u64::MAX, slower: 1000 }
        ));
    }
}
