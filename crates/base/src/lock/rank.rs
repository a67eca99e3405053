//! The order of all locks: a lock further down may be taken while one further up is held, never the other way round. Locks in one
//! row are never held together. `order.rs` checks this in debug builds.
//!
//! NVIDIA's driver has locks too, and may hold some while it calls back. So what it calls back takes no lock of graphcap's that is
//! held over a call of the driver's: it leaves lists to `deferred.rs`, or hands them to a callback thread.
//!
//! Dropping an object may run code of the caller's and may lock queues. Collect what is to be dropped, and drop it after the lock.

/// A lock's place in the order. The types that implement it are names alone.
#[cfg_attr(not(debug_assertions), allow(dead_code, reason = "read where the order is checked"))]
pub trait Rank {
    /// Grows from the locks that are taken first to those that are taken last.
    const LEVEL: u8;
    /// The lock, for messages.
    const NAME: &'static str;
    /// Tells whether several locks of this rank are held together, taken by their addresses.
    const SEVERAL: bool;
}

macro_rules! ranks {
    (level $level:expr;) => {};
    (level $level:expr; [$($(#[$attribute:meta])* $rank:ident $name:literal $($several:ident)?),+ $(,)?] $($below:tt)*) => {
        $(
            $(#[$attribute])*
            #[doc = concat!("The rank of ", $name, ".")]
            pub enum $rank {}

            $(#[$attribute])*
            impl Rank for $rank {
                const LEVEL: u8 = $level;
                const NAME: &'static str = $name;
                const SEVERAL: bool = false $(|| stringify!($several).len() > 0)?;
            }
        )+
        ranks! { level $level + 1; $($below)* }
    };
}

ranks! {
    level 1;

    // What is held while the caller's code runs, which may call what gives back and asks.
    [
        /// Of a stream of the host device. Held while the stream is run, by the thread that made it `Running`. That one waits at
        /// most for the thread before it to return.
        Batch "Stream.batch"
    ]
    [
        /// Of a replay of the host device. Held while a lane works on the replay. Only tried.
        Seat "Seat.deque"
    ]

    // The C boundary.
    [
        /// Decides who drops an object whose handle was destroyed. Held while it is settled, and while the object is handed to a callback
        /// thread.
        Parting "a handle's Parting",
        /// The handles of a kind whose objects a reset took. Held over one look or change.
        Stale "Table.stale"
    ]

    // The core.
    [
        /// Held over one change of a pool, and while the device gives it addresses or memory. A device that is short of memory drops
        /// what graphs let go of meanwhile.
        PoolState "Pool.state"
    ]
    [
        /// Capture that has taken numbers of a generator. Held while a capture takes some: over edits of its graph, and while the
        /// device gives memory.
        Reservations "Rng.reservations"
    ]
    [
        /// Of an exec that keys of a cache share. Held over an update and the launch that follows.
        SharedExec "SharedExec.serves"
    ]
    [
        /// Held while it is found out what an exec lacks of a graph, and made to do that.
        Applying "GraphExec.applying"
    ]
    [
        /// Held while a graph or an exec of others is made known, or is found to be known.
        Wrapping "WRAPPING"
    ]
    [
        /// For reading: each launch, upload and edit of an exec. For writing: while another exec of the driver's takes its place.
        ExecMade "GraphExec.made"
    ]
    [
        /// Held over a launch that shares memory of a pool, or the place of its random numbers, the wait before it and the event behind
        /// it.
        LaunchOrder "LaunchOrder.latest" by_address
    ]
    [
        /// Held over the driver's upload.
        Uploading "GraphExec.uploading"
    ]
    [
        /// Held while one of graphcap's own kernels is loaded, and then while its module is made or found.
        BuiltIn "Context.built_in"
    ]
    [
        /// The memory that values of scalars are read to. Held while it is taken out and put back.
        Staging "a scalar's staging"
    ]
    [
        /// Held while a loan is made: the driver's `borrow`, [`Loans`] and [`Addresses`].
        Lending "Lending.loans"
    ]
    [
        /// Held over an edit of the exec. Comes before the graph that it was made from, and before one that becomes a child.
        ExecEdits "GraphExec.edits"
    ]
    [
        /// Of a graph and those within it. Held over an edit of one of them, an instantiation, a copy, and while a graph is read
        /// for a text: finding what nodes keep, the driver's call, and the change of that.
        GraphEdits "Root.edits" by_address
    ]
    [
        /// Work of the nodes of an exec, where that is not what those of its graph do. Looked at while the graph is edited.
        ExecWork "Made.work"
    ]
    [
        /// Held over the driver's record and wait, and over a question of a wait with a limit.
        Marker "Event.marker" by_address
    ]
    [
        /// Held over the driver's begin, join and end, the questions that belong to them, and while the list of a stream is
        /// attached that is given out.
        Transition "Membership.transition"
    ]
    [
        /// For reading: looking at captures and at the streams that they were begun on. For writing, with no other lock: a
        /// stream's destroy, before it returns.
        Examining "EXAMINING"
    ]
    [
        /// Held over one change, and while a stream that records for the first time is looked at.
        CaptureRuns "CaptureState.runs"
    ]
    [
        /// The threads that have used a per-thread stream.
        Threads "PerThread.threads"
    ]
    [
        /// Captures that a stream was in.
        History "Membership.history"
    ]
    [
        /// Held over one change, and while the list is attached.
        RecordList "Record.list"
    ]
    [
        /// Held over one change, and while a graph is given out.
        GraphKept "Root.kept"
    ]
    [
        /// Held over one change of the latest list of a capture, while all lists of it get something late, and while one is
        /// copied.
        Lists "Line.lists"
    ]
    [
        /// Lists of what graphs and execs keep. Held over one change, and while it is told of launches.
        Listed "a list that graphs and execs keep"
    ]

    // The CUDA device.
    [
        /// Held while a context is given back or its memory looked at, while the captures of a thread end that ends, and while
        /// something is held there for another context.
        Open "Life.open"
    ]
    [
        /// For writing, that of the context and those of contexts whose streams can be in its captures: the end of a capture. For
        /// reading, that of the context: looking at the graph of a capture that goes on, and attaching to it.
        Ends "CAPTURE_END_LOCK" by_address
    ]
    [
        /// Held while it is found out how far the special streams are.
        Looking "LOOKING"
    ]
    [
        /// Held over the launch of an exec whose nodes are timed by events.
        ExecTimed "TimedNodes.launch"
    ]
    [
        /// For reading: the begin of a capture, and a wait that may join one. For writing: a look at the legacy stream.
        Begins "BEGINS"
    ]
    [
        /// Held while a kernel is looked up, and while the kernels of a module are forgotten.
        ModuleKernels "Module.kernels"
    ]
    [
        /// Held while it is decided whether a range goes back, while uses are marked and marks looked at, and over the driver's
        /// frees. What is run of the caller's comes after.
        MemoryState "Memory.state"
    ]
    [
        /// Held over the driver's calls that map and unmap a buffer of guarded memory, and that look at what is beside it.
        GuardedBuffers "Guard"
    ]
    [
        /// Held over the driver's begin, join and end, the launch of an exec, the submission of a host function, and while a list
        /// is attached or a use marked.
        StreamTransition "Stream.transition"
    ]
    [
        /// Held over the first launch of an exec that took the place of another one.
        ExecBehind "Exec.behind"
    ]
    [
        /// Of the outermost graph. Held over each call of the driver's on the graph, on graphs within it and on its execs, and
        /// over the begin and the end of a capture into it. Two are held while one is put into the other.
        GraphRoot "Graph.root" by_address
    ]
    [
        /// The names of the nodes of a capture that makes a graph of its own. Held while such nodes are found and read.
        CapturedNames "a table of CAPTURES"
    ]
    [
        /// Held over one call of a library's, which may wait for the device.
        Blas "Mathematics.blas",
        CudaFftPlans "Mathematics.plans"
    ]
    [
        /// Held over calls of the driver's that begin and end captures, or use a graph that is captured into: `captures/gate.rs`.
        CaptureGate "Gate.turn"
    ]
    [
        /// Held while the stream of uploads is made, and over one upload.
        Uploads "Uploads"
    ]
    [
        /// Held over one call of the driver's, which may let go of what the caller gave to a graph, on the calling thread.
        Related "RELATED"
    ]

    // The host device.
    [
        /// Held over an edit of an exec, and over a launch or upload that follows one, until it is queued.
        Draft "Lineage.draft"
    ]
    [
        /// Held while the event is recorded or waited for, and while a launch with event nodes is queued.
        Latest "EventPoint.latest" by_address
    ]
    [
        /// Held while an event is recorded in a capture, and while a stream joins a capture by it.
        EventMark "Event.mark"
    ]
    [
        /// Held while a launch is queued with nodes that allocate or free.
        Launching "LAUNCHING"
    ]
    [
        /// Held while it is looked whether streams of contexts that are gone are complete.
        Left "StreamLists.left"
    ]
    [
        /// Held while streams are added, removed and listed, and while a per-thread one is looked up.
        HostStreams "HostContext.streams"
    ]
    [
        /// Held while work is submitted or recorded. The legacy stream's comes after those of the blocking streams.
        Queue "Stream.queue" by_address
    ]
    [
        /// Each of these is held over one change.
        Recording "Capture.recording",
        /// As [`Recording`].
        Ongoing "OngoingCaptures.all",
        /// As [`Recording`].
        LegacyTail "LegacyOrder.tail",
    ]
    [
        /// Held while the waits for values are looked through, and while one is added.
        Waits "Waits.list"
    ]
    [
        /// A graph of the host device. Held over one change or look.
        HostGraph "Located.root" by_address
    ]
    [
        /// Held while lanes sleep and are woken. Comes below the queues: a submission to the legacy stream holds several of
        /// these while it hands the first streams to the lanes.
        Sleepers "Lanes.sleepers"
    ]
    [
        /// Held over one change.
        Ready "Ready.streams",
        /// As [`Ready`].
        Offers "Lanes.offers",
    ]

    // What drivers ask of that which they keep, under locks of theirs.
    [
        #[cfg(any(test, feature = "testing"))]
        FaultyState "Faulty.state"
    ]
    [
        /// Objects that the nodes of a graph or an exec keep. Held over one change.
        ByPlace "Holdings.by_place"
    ]
    [
        /// As [`ByPlace`].
        Whole "Holdings.whole"
    ]

    [
        /// By what a trace is told what runs on a GPU. Not held while CUPTI is loaded and asked, since it waits for work.
        Profiler "PROFILER.source"
    ]

    // The leaves: no other lock is taken while one of these is held.
    [
        // Before there is anything else to lock: the driver is loaded, and the process asks to be told of forks.
        Loading "a library's functions",
        Watching "WATCHING",

        // The C boundary.
        CompletedFutures "Completed.answered",

        // All layers.
        Callbacks "the state of the callbacks",
        FailedFunctions "Failures.first",
        Names "a name",
        Users "UsedBy.users",
        Vacant "Numbers",

        // The core.
        Addresses "Context.memory",
        Answers "Context.answers",
        CacheEntries "GraphCache.entries",
        CaptureKernels "the kernels that a StreamCapture found",
        CaptureOpen "StreamCapture.open",
        CaptureReuse "Reuse.state",
        Ended "ENDED",
        ExecDescribed "GraphExec.described",
        GoingOn "GOING_ON",
        KeptBlocks "KeptBlocks",
        KernelNames "ModuleInner.kernels",
        KnownOutside "KNOWN_OUTSIDE",
        MemoryBlocks "memory_blocks::BLOCKS",
        GivenNames "GivenNames",
        LentUsers "Lent.used_by",
        Loans "Context.loans",
        PerThreadStream "Context.per_thread_stream",
        PoolBlocks "Space.blocks",
        PoolLeaving "Leaving.parts",
        PoolRaw "Pool.raw",
        PoolRegistry "pools::REGISTRY",
        RawOwners "raw_blocks::BLOCK_OWNERS",
        Rosters "Roster",
        CaptureMembers "CaptureState.members",
        CaptureOthers "CaptureState.others",
        StrictFailed "StrictLog.failed",
        Suspected "CaptureLog.suspected",
        Violation "CaptureLog.violation",
        Workspaces "Stream.workspace",

        // The kit. Each over one change.
        FutureState "a Future's state",
        Mailbox "Actor.mailbox",
        Stalls "StallWatch.state",
        ScriptOps "Script.entries",

        // The CUDA device. Over one call of the driver's: `Raising`, `ReachedBy`.
        Behind "DeferredAction.then",
        CaptureRegistry "CAPTURES",
        CudaEvents "ObjectTables.events",
        CudaExecs "ObjectTables.execs",
        CudaGraphs "ObjectTables.graphs",
        CudaStreams "ObjectTables.streams",
        ExecCalls "Exec.calls",
        ExecMemories "Exec.memories",
        ExecRelaunched "Exec.relaunched",
        Found "FOUND",
        GoneExecs "Names.gone",
        HistoryKernels "Names.kernels",
        NodeMemories "NodeMemories",
        OnRequest "DeferredRelease.on_request",
        OpenContexts "Contexts.open",
        OwnedMemory "ObjectTables.owned",
        Raising "RAISING",
        ReachedBy "Pool.reached_by",
        RecordedCalls "RECORDED",
        ToDrop "DeferredRelease.to_drop",
        Watched "WATCHED",

        // The host device.
        Accounts "ACCOUNTS",
        ExecNames "Places.names",
        AfterWaits "Spread.after_waits",
        Elsewhere "Capture.elsewhere",
        EventNodes "EventNodes.current",
        FftPlans "PLANS",
        GridFault "SharedGrid.fault",
        KnownMemory "KNOWN",
        MadeOf "Lineage.made_of",
        MemoryNodes "NodeMemory.nodes",
        OnRelease "what is told when a range goes",
        Ranges "RANGES",
        SpreadStream "Spread.stream",
        /// Statements about a kernel. Held over one look or change.
        StatedAccesses "Kernel.accesses",
        StreamAttributes "Stream.attributes",
        StreamLists "StreamLists.all",
        StreamWaiting "Stream.waiting",
        Turns "LaunchOrder.waiting",
        Waiting "Completion.waiting",
        Writers "Cancellation.writers",

        // The driver of unit tests.
        #[cfg(any(test, feature = "testing"))]
        FaultyTurn "faulty::TURN",
        #[cfg(any(test, feature = "testing"))]
        Told "what a test was told",
    ]
    [
        /// The managed memory of the CUDA device. Held over one look or change, where that of what is unused may be held.
        ManagedMemory "blocking::MANAGED",
        /// Held over each change of what may be touched of guarded memory. A block may be freed while some of the leaves are held.
        GuardedBlocks "guard::LIVE"
    ]
    [
        /// The threads that graphcap started. Held while one starts, for which some of the leaves are held.
        StartedThreads "STARTED",
        /// The tool that takes ranges. Held while the first call of the process loads it.
        RangesTool "nvtx::TOOL"
    ]
    [
        /// Messages that wait to be delivered. Messages are made under locks of any rank.
        Log "LOG.state",
        /// The trace that goes on, and its texts. Looked at under locks of any rank.
        Trace "TRACE.ongoing"
    ]
}

/// Of unit tests that run one at a time. Held over all that a test does.
#[cfg(any(test, feature = "testing"))]
pub enum Alone {}

#[cfg(any(test, feature = "testing"))]
impl Rank for Alone {
    const LEVEL: u8 = 0;
    const NAME: &'static str = "a test's turn";
    const SEVERAL: bool = false;
}
