//! State that all versions of a graph exec share, and the draft of the next one.

use std::sync::Arc;

use crate::exec::Exec;
use crate::graph::flat::Places;
use crate::graph::origin::Origin;
use crate::graph::Definition;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{ExecFlags, GraphId, UsedBy, Users};

/// State that the versions of an exec share, beside the order of their launches. Launching reads nothing of it.
pub(crate) struct Lineage {
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
    pub(super) draft: Mutex<Draft, rank::Draft>,
}

/// Origin of an exec.
pub(super) enum MadeOf {
    /// As the first version holds it.
    Definition(Arc<Definition>),
    /// Without what actions hold, which edits supersede.
    Written(Arc<Origin>),
}

/// The next version of an exec. It holds the exec's lineage, until the exec is destroyed.
#[derive(Default)]
pub(super) struct Draft {
    /// The version, if one is edited that no launch has asked for yet. Nobody else has it.
    pub(super) next: Option<Arc<Exec>>,
    /// Stands under the id of the exec meanwhile; made by the first edit.
    pub(super) closed: Option<Arc<Exec>>,
}

impl Draft {
    /// The streams that the version was launched on before it was edited, but for those that are over.
    pub(super) fn users(&self) -> Users {
        self.next.as_ref().map(|next| next.users()).unwrap_or_default()
    }
}

impl Lineage {
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

    /// The exec is destroyed: lets go of a version that nobody will launch. Gives the streams that it was launched on before it was edited.
    pub(crate) fn discard_draft(&self) -> Users {
        let discarded = std::mem::take(&mut *lock(&self.draft));
        discarded.users()
    }
}
