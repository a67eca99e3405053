//! A cache of execs: it maps keys of the caller's to work, records what it does not have, and launches.
//!
//! No exec leaves the cache, since one that keys share does the work of another key a moment later. The lock of the entries is
//! held for single looks and changes, never over a call of the driver's or of the caller's.

mod checking;
mod entries;
mod lru;
mod recording;
mod shared_exec;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

pub use self::entries::CacheStats;
use self::entries::{Entries, RecordedWork, Served};
use self::recording::{Keys, NextStep};
use self::shared_exec::{Launched, SharedExec, SharedKey};
use super::census::Census;
use super::exec::GraphExec;
use super::graph::Graph;
use crate::captures::checks::asked_by_environment;
use crate::captures::guarded;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::rules::Violated;
use graphcap_driver::{check_caller, Bytes, ExecFlags, NodeKind};

/// Execs by keys. Any thread may use it; dropping it lets queued launches finish.
///
/// # Examples
/// One exec for each size:
///
/// ```
/// use graphcap::core::{Buffer, CacheOptions, Context, GraphCache, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::error::Result;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffer = Buffer::allocate(&context, 1 << 10)?;
/// let cache = GraphCache::create(&context, CacheOptions::default())?;
/// for size in [64_u32, 128, 64, 64] {
///     let record = |stream: &Stream| -> Result<()> { stream.memset(&buffer, 0, 7, 1, size as usize) };
///     cache.launch(&size.to_le_bytes(), &stream, record)?;
/// }
/// stream.synchronize()?;
/// let stats = cache.stats();
/// assert_eq!((stats.recordings, stats.hits, stats.keys), (2, 2, 2));
/// # Ok::<(), graphcap::Error>(())
/// ```
#[derive(Clone)]
pub struct GraphCache(Arc<CacheInner>);

struct CacheInner {
    context: Context,
    options: CacheOptions,
    /// Tells whether the work of a key is recorded anew at each hit, and compared.
    checks: bool,
    /// Called with each graph that was recorded for a key which was not known.
    look: fn(&Graph),
    keys: Keys,
    hits: AtomicU64,
    recordings: AtomicU64,
    updates: AtomicU64,
    instantiations: AtomicU64,
}

/// Options of how a cache records and keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheOptions {
    /// Tells whether keys whose graphs have one topology share an exec, which is updated by the graph of the key that is launched.
    pub shares_execs: bool,
    /// The mode of captures. A global one would have threads that record break each other's captures.
    pub mode: CaptureMode,
    /// Options that execs are made with.
    pub exec_flags: ExecFlags,
    /// The most that graphs and execs may take, by the model of [`ByteModel`](graphcap_driver::ByteModel); `None` for no limit.
    pub max_bytes: Option<u64>,
}

impl Default for CacheOptions {
    fn default() -> CacheOptions {
        let (mode, exec_flags) = (CaptureMode::Relaxed, ExecFlags::default());
        CacheOptions { shares_execs: false, mode, exec_flags, max_bytes: None }
    }
}

impl GraphCache {
    /// Makes a cache without entries.
    ///
    /// # Errors
    /// As [`GraphCache::create_with`].
    pub fn create(context: &Context, options: CacheOptions) -> Result<GraphCache> {
        GraphCache::create_with(context, options, |_| ())
    }

    /// Makes a cache without entries, which calls `look` with each graph that is recorded for a key, before its launch.
    ///
    /// # Errors
    /// `NOT_PERMITTED` within a host function; `INVALID_VALUE` for a global mode, in which threads that record at once break
    /// each other's captures, and for a malformed `GRAPHCAP_CHECK`.
    pub fn create_with(context: &Context, options: CacheOptions, look: fn(&Graph)) -> Result<GraphCache> {
        check_caller()?;
        context.check_current()?;
        if options.mode == CaptureMode::Global {
            return Err(Error::invalid_value(
                "a cache cannot capture in the global mode, in which one thread that instantiates breaks the capture of another; \
                 take the relaxed or the thread-local mode",
            ));
        }
        Ok(GraphCache(Arc::new(CacheInner {
            context: context.clone(),
            options,
            checks: asked_by_environment()?,
            look,
            keys: Keys::new(Entries::new(options.max_bytes.unwrap_or(u64::MAX))),
            hits: AtomicU64::new(0),
            recordings: AtomicU64::new(0),
            updates: AtomicU64::new(0),
            instantiations: AtomicU64::new(0),
        })))
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Launches the work of `key` on `stream`, of whatever context, if that was recorded and the launch need not wait for other
    /// threads. Whether it did; if not, [`GraphCache::launch`] does.
    ///
    /// # Errors
    /// As [`GraphCache::launch`].
    #[inline]
    pub fn launch_at_once(&self, key: &[u8], stream: &Stream) -> Result<bool> {
        let cache = &*self.0;
        cache.check(stream)?;
        if cache.checks {
            return Ok(false);
        }
        let found = cache.keys.used(key)?;
        let is_launched = match &found {
            Some(Served::Own { exec, .. }) => exec.launch(stream).map(|()| true),
            Some(Served::Shared(member)) => member.launch_at_once(stream),
            None => Ok(false),
        }?;
        if is_launched {
            cache.hits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(is_launched)
    }

    /// Launches the work of `key` on `stream`, of whatever context. Where it was not recorded, `record` is given a stream that is
    /// captured, and submits it there. A thread that needs what another one records waits for that, and records itself where that
    /// failed.
    ///
    /// With `GRAPHCAP_CHECK=1` in the environment `record` is called for each launch, also where the work was recorded. It is then
    /// captured for itself, compared with what was recorded, and dropped.
    ///
    /// # Errors
    /// What `record` answers; else those of the capture, of the instantiation and of [`GraphExec::launch`]. `INVALID_VALUE` where
    /// `record` recorded nothing, or, with `GRAPHCAP_CHECK=1`, other work than at first; `BUSY` within a call of `record` of this cache,
    /// and in one of another cache where it would have to wait.
    pub fn launch<E: From<Error>>(
        &self,
        key: &[u8],
        stream: &Stream,
        record: impl FnOnce(&Stream) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let cache = &*self.0;
        cache.check(stream)?;
        guarded::not_recorded(stream, Violated::Launch)?;
        match cache.keys.turn(key)? {
            NextStep::Recorded(served) => {
                if cache.checks {
                    let anew = cache.keys.record_anew(&cache.context, cache.options.mode, record)?;
                    checking::compare(&served, &anew)?;
                }
                Ok(cache.serve(key, &served, stream)?)
            }
            NextStep::Record(recording) => {
                let graph = recording.record(&cache.context, cache.options.mode, record)?;
                cache.recordings.fetch_add(1, Ordering::Relaxed);
                let (work, launched) = cache.first_launch(graph, stream)?;
                recording.keep(work);
                Ok(launched?)
            }
        }
    }

    /// Forgets the work of `key`, also what is being recorded for it. Launches that were made finish.
    pub fn remove(&self, key: &[u8]) {
        let removed = self.0.keys.take(|entries| entries.take(key));
        drop(removed);
    }

    /// Forgets the work of all keys, also what is being recorded. Launches that were made finish.
    pub fn clear(&self) {
        let removed = self.0.keys.take(Entries::take_all);
        drop(removed);
    }

    /// Returns what it did and has.
    pub fn stats(&self) -> CacheStats {
        let cache = &*self.0;
        let counts = cache.keys.lock().counts();
        CacheStats {
            hits: cache.hits.load(Ordering::Relaxed),
            recordings: cache.recordings.load(Ordering::Relaxed),
            updates: cache.updates.load(Ordering::Relaxed),
            instantiations: cache.instantiations.load(Ordering::Relaxed),
            ..counts
        }
    }
}

impl CacheInner {
    #[inline]
    fn check(&self, stream: &Stream) -> Result<()> {
        check_caller()?;
        stream.context().check_family("the stream", &self.context, "the graph cache")
    }

    /// Launches what was recorded.
    fn serve(&self, key: &[u8], served: &Served, stream: &Stream) -> Result<()> {
        let member = match served {
            Served::Own { exec, .. } => {
                exec.launch(stream)?;
                self.hits.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            Served::Shared(member) => member,
        };
        if self.launch_shared(member, stream)? {
            return Ok(());
        }
        // The exec took an update by a graph that it cannot be updated back from.
        let graph = member.graph();
        let (work, launched) = self.first_launch_of_own(graph, &Census::of(graph)?, stream)?;
        let left = self.keys.lock().replace(key, member, work);
        drop(left);
        launched
    }

    /// Launches a shared exec for `member`. Whether it could be updated for that.
    fn launch_shared(&self, member: &SharedKey, stream: &Stream) -> Result<bool> {
        match member.launch(stream)? {
            Launched::Queued { was_updated: true } => self.updates.fetch_add(1, Ordering::Relaxed),
            Launched::Queued { was_updated: false } => self.hits.fetch_add(1, Ordering::Relaxed),
            Launched::Refused => return Ok(false),
        };
        Ok(true)
    }

    /// Launches a graph that was just recorded: by an exec that can be shared, or a new one. Gives what is to be kept, and what
    /// became of the launch.
    fn first_launch(&self, graph: Graph, stream: &Stream) -> Result<(RecordedWork, Result<()>)> {
        let census = Census::of(&graph)?;
        if census.is_empty() {
            return Err(recorded_nothing());
        }
        (self.look)(&graph);
        // Execs of graphs with allocations and with conditions have something of their own that goes with the graph.
        let has_own =
            [NodeKind::MemAlloc, NodeKind::MemFree, NodeKind::Conditional].iter().any(|&kind| census.has(kind));
        if !self.options.shares_execs || has_own {
            return self.first_launch_of_own(&graph, &census, stream);
        }
        let model = self.context.driver()?.byte_model();
        let bytes = census.graph_bytes(model);
        let alike = self.keys.lock().alike(&census);
        for exec in alike.iter().filter(|exec| exec.can_serve(&graph)) {
            let member = SharedKey::of(exec, graph.clone());
            let launched = match self.launch_shared(&member, stream) {
                Ok(false) => continue,
                Ok(true) => Ok(()),
                Err(error) => Err(error),
            };
            return Ok((RecordedWork { served: Served::Shared(member), bytes }, launched));
        }
        let exec = self.instantiate(&graph)?;
        let launched = exec.launch(stream);
        // The first graph stays with the exec, so it is no key's own.
        let member = SharedExec::with_member(exec, graph, census, census.exec_bytes(model) + bytes);
        Ok((RecordedWork { served: Served::Shared(member), bytes: Bytes::default() }, launched))
    }

    /// Launches a graph by an exec of its own.
    fn first_launch_of_own(
        &self,
        graph: &Graph,
        census: &Census,
        stream: &Stream,
    ) -> Result<(RecordedWork, Result<()>)> {
        let exec = self.instantiate(graph)?;
        let launched = exec.launch(stream);
        let bytes = census.exec_bytes(self.context.driver()?.byte_model());
        let recorded = self.checks.then(|| graph.clone());
        Ok((RecordedWork { served: Served::Own { exec, recorded }, bytes }, launched))
    }

    fn instantiate(&self, graph: &Graph) -> Result<GraphExec> {
        let exec = graph.instantiate_with(self.options.exec_flags, None)?;
        self.instantiations.fetch_add(1, Ordering::Relaxed);
        Ok(exec)
    }
}

#[cold]
fn recorded_nothing() -> Error {
    Error::invalid_value(
        "the recording function submitted nothing to the stream that it was given, so there is nothing to launch; submit to that \
         stream, or to streams that join its capture",
    )
}

impl fmt::Debug for GraphCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GraphCache").field("stats", &self.stats()).finish()
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
