//! State that all versions of a graph exec share, and the draft of the next one.

use std::sync::Arc;

use crate::graph::flat::Places;
use crate::graph::origin::Origin;
use crate::graph::Definition;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{ExecFlags, GraphId, UsedBy};

/// State that the versions of an exec share, beside the order of their launches. Launching reads nothing of it. `V` is a version.
pub(crate) struct Lineage<V> {
    /// The graph that the exec was made from.
    pub(crate) graph: GraphId,
    pub(crate) flags: ExecFlags,
    /// The nodes of the exec by their ids in that graph and in those within.
    pub(crate) places: Arc<Places>,
    /// Origin of the first version. Edits and updates change neither its nodes nor its edges.
    pub(super) made_of: Mutex<MadeOf, rank::MadeOf>,
    /// The streams of launches of versions that were superseded.
    pub(super) superseded_on: UsedBy,
    /// Held over each edit, and by launches that meet a closed version.
    pub(super) draft: Mutex<Draft<V>, rank::Draft>,
}

/// Origin of an exec.
pub(super) enum MadeOf {
    /// As the first version holds it.
    Definition(Arc<Definition>),
    /// Without what actions hold, which edits supersede.
    Written(Arc<Origin>),
}

/// The next version of an exec. It holds the exec's lineage, until the exec is destroyed.
pub(super) struct Draft<V> {
    /// The version, if one is edited that no launch has asked for yet. Nobody else has it.
    pub(super) next: Option<Arc<V>>,
    /// Stands under the id of the exec meanwhile; made by the first edit.
    pub(super) closed: Option<Arc<V>>,
}

impl<V> Default for Draft<V> {
    fn default() -> Draft<V> {
        Draft { next: None, closed: None }
    }
}

impl<V> Lineage<V> {
    /// Returns what the exec was made of.
    pub(crate) fn origin(&self) -> Arc<Origin> {
        let mut made_of = lock(&self.made_of);
        let origin = match &*made_of {
            MadeOf::Written(origin) => return Arc::clone(origin),
            MadeOf::Definition(definition) => Arc::new(Origin::of(definition)),
        };
        let before = std::mem::replace(&mut *made_of, MadeOf::Written(Arc::clone(&origin)));
        // Where no lock is held: it may have been the last to hold what actions hold.
        drop(made_of);
        drop(before);
        origin
    }
}
