//! The driver of a context that was reset, as the objects see it that are older than the reset: every call that can fail answers
//! `STALE`, destroys reach the device.

use std::sync::Arc;
use std::time::Duration;

use super::{
    Address, AddressOrigin, Allocated, Attach, AttributeValue, Attributes, ByteModel, CaptureInfo, CaptureProgress,
    Captures, Code, ConditionId, DependencyUpdate, DeviceInfo, Differing, Driver, EdgeData, Edges, EventId,
    EventOptions, Events, ExecEdits, ExecFlags, ExecId, ExecUpdates, Execs, Fft, FftOperands, FftPlanId, FftPlanned,
    Foreign, Global, GraphEdits, GraphId, GraphMemory, GraphNodes, GraphRef, Graphs, GridSources, HostMemory,
    HostMemoryOptions, IpcHandle, KernelId, Kernels, LaunchAttribute, LaunchShape, Lists, Math, Memory, MemoryId,
    MemoryKind, ModuleId, ModuleSource, NodeAttributes, NodeId, Object, Reserved, Retained, Sgemm, SgemmOperands,
    StreamId, StreamOptions, Streams, Submit, SuggestedBlock, Update, Way, Work,
};
use crate::rules::apply_route::Costs;
use crate::rules::CaptureMode;
use graphcap_base::error::{Error, Result, Status};

/// What everything answers that is older than the last reset of its context.
#[cold]
pub fn stale() -> Error {
    Error::new(
        Status::STALE,
        "the object is older than the last reset of its context; destroy it, and make another one in the context",
    )
}

#[cold]
fn over<T>() -> Result<T> {
    Err(stale())
}

/// A driver that refuses what can be refused. What cannot fail, questions about the device among it, goes to the driver itself.
pub struct Superseded(pub Arc<dyn Driver>);

impl Streams for Superseded {
    fn stream_create(&self, _: StreamOptions) -> Result<StreamId> {
        over()
    }
    fn stream_destroy(&self, stream: StreamId) {
        self.0.stream_destroy(stream)
    }
    fn stream_is_over(&self, stream: StreamId) -> bool {
        self.0.stream_is_over(stream)
    }
    fn stream_synchronize(&self, _: StreamId) -> Result<()> {
        over()
    }
    fn stream_synchronize_for(&self, _: StreamId, _: Duration) -> Result<bool> {
        over()
    }
    fn stream_synchronize_eagerly(&self, _: StreamId, _: Duration) -> Result<bool> {
        over()
    }
    fn stream_is_complete(&self, _: StreamId) -> Result<bool> {
        over()
    }
    fn finish_legacy(&self) -> Result<()> {
        over()
    }
}

impl Attributes for Superseded {
    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        over()
    }
    fn stream_is_non_blocking(&self, _: StreamId) -> Result<bool> {
        over()
    }
    fn stream_priority(&self, _: StreamId) -> Result<i32> {
        over()
    }
    fn stream_attribute(&self, _: StreamId, _: u32) -> Result<AttributeValue> {
        over()
    }
    fn stream_set_attribute(&self, _: StreamId, _: u32, _: &AttributeValue) -> Result<()> {
        over()
    }
    fn stream_copy_attributes(&self, _: StreamId, _: StreamId) -> Result<()> {
        over()
    }
    fn stream_attach(&self, _: StreamId, _: Address, _: Attach) -> Result<()> {
        over()
    }
}

impl Events for Superseded {
    fn stream_wait_event(&self, _: StreamId, _: EventId) -> Result<()> {
        over()
    }
    fn event_create(&self, _: EventOptions) -> Result<EventId> {
        over()
    }
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        self.0.event_destroy(event, used_by)
    }
    fn event_record(&self, _: EventId, _: StreamId) -> Result<()> {
        over()
    }
    fn event_is_complete(&self, _: EventId) -> Result<bool> {
        over()
    }
    fn event_synchronize(&self, _: EventId) -> Result<()> {
        over()
    }
    fn event_synchronize_for(&self, _: EventId, _: Duration, _: &dyn Fn(&mut dyn FnMut())) -> Result<bool> {
        over()
    }
    fn event_elapsed_ms(&self, _: EventId, _: EventId) -> Result<f32> {
        over()
    }
    fn event_ipc_handle(&self, _: EventId) -> Result<IpcHandle> {
        over()
    }
    fn event_open_ipc(&self, _: &IpcHandle) -> Result<EventId> {
        over()
    }
}

impl Memory for Superseded {
    fn allocate(&self, _: usize, _: MemoryKind) -> Result<(MemoryId, Address)> {
        over()
    }
    fn adopt(&self, _: Address, _: usize, _: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        over()
    }
    fn lend(&self, _: u32) -> Result<()> {
        over()
    }
    fn borrow(&self, _: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        over()
    }
    fn entrust(&self, _: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        over()
    }
    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        self.0.release(memory, used_by)
    }
    fn reserve(&self, _: Option<usize>, _: &str) -> Result<Reserved> {
        over()
    }
    fn back(&self, _: MemoryId, _: usize, _: usize) -> Result<()> {
        over()
    }
    fn unback(&self, _: MemoryId, _: usize, _: usize) -> Result<usize> {
        over()
    }
    fn carve(&self, _: MemoryId, _: usize, _: usize, _: Box<dyn FnOnce() + Send>) -> Result<(MemoryId, Address)> {
        over()
    }
    fn memory_named(&self, address: Address, name: &str) {
        self.0.memory_named(address, name)
    }
    fn host_number(&self, address: Address, bytes: usize) -> u64 {
        self.0.host_number(address, bytes)
    }
    fn host_set_number(&self, address: Address, number: u64) {
        self.0.host_set_number(address, number)
    }
    fn host_bytes(&self, address: Address, to: &mut [u8]) {
        self.0.host_bytes(address, to)
    }
    fn graph_memory(&self) -> Result<GraphMemory> {
        over()
    }
    fn graph_memory_reset_high(&self) -> Result<()> {
        over()
    }
    fn graph_memory_trim(&self) -> Result<()> {
        over()
    }
    fn address_origin(&self, _: Address) -> Result<Option<AddressOrigin>> {
        over()
    }
    fn host_allocate(&self, _: usize, _: HostMemoryOptions) -> Result<HostMemory> {
        over()
    }
    fn host_register(
        &self,
        _: Address,
        _: usize,
        _: HostMemoryOptions,
        _: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        over()
    }
}

impl Code for Superseded {
    fn module_load(&self, _: ModuleSource<'_>) -> Result<ModuleId> {
        over()
    }
    fn module_unload(&self, module: ModuleId, used_by: &[StreamId]) {
        self.0.module_unload(module, used_by)
    }
    fn module_kernel(&self, _: ModuleId, _: &str) -> Result<KernelId> {
        over()
    }
    fn module_global(&self, _: ModuleId, _: &str, _: Box<dyn FnOnce() + Send>) -> Result<Global> {
        over()
    }
    fn kernel_parameters(&self, _: KernelId) -> Result<Option<Vec<usize>>> {
        over()
    }
    fn check_shape(&self, _: KernelId, _: LaunchShape) -> Result<()> {
        over()
    }
}

impl Kernels for Superseded {
    fn kernel_attribute(&self, _: KernelId, _: u32) -> Result<i32> {
        over()
    }
    fn kernel_set_attribute(&self, _: KernelId, _: u32, _: i32) -> Result<()> {
        over()
    }
    fn max_active_blocks(&self, _: KernelId, _: u32, _: usize) -> Result<u32> {
        over()
    }
    fn suggested_block(&self, _: KernelId, _: usize, _: u32) -> Result<SuggestedBlock> {
        over()
    }
    fn available_shared_memory(&self, _: KernelId, _: u32, _: u32) -> Result<usize> {
        over()
    }
    fn max_active_clusters(&self, _: KernelId, _: LaunchShape, _: &[LaunchAttribute]) -> Result<u32> {
        over()
    }
    fn max_cluster_size(&self, _: KernelId, _: LaunchShape, _: &[LaunchAttribute]) -> Result<u32> {
        over()
    }
}

impl Submit for Superseded {
    fn submit(&self, _: StreamId, _: &Work<'_>) -> Result<()> {
        over()
    }
}

impl Math for Superseded {
    fn sgemm_way(&self, _: &Sgemm) -> Result<Way> {
        over()
    }
    fn sgemm(&self, _: StreamId, _: &Sgemm, _: &SgemmOperands, _: Address) -> Result<()> {
        over()
    }
    fn fft_plan(&self, _: &Fft) -> Result<FftPlanned> {
        over()
    }
    fn fft(&self, _: StreamId, _: FftPlanId, _: &FftOperands) -> Result<()> {
        over()
    }
    fn blas_lend(&self, _: StreamId, _: Address) -> Result<usize> {
        over()
    }
    fn blas_return(&self, native: usize) {
        self.0.blas_return(native)
    }
    fn rand_create(&self) -> Result<usize> {
        over()
    }
    fn rand_lend(&self, _: StreamId, _: usize) -> Result<()> {
        over()
    }
    fn rand_destroy(&self, native: usize, used_by: &[StreamId]) {
        self.0.rand_destroy(native, used_by)
    }
    fn fft_plan_destroy(&self, plan: FftPlanId, used_by: &[StreamId]) {
        self.0.fft_plan_destroy(plan, used_by)
    }
}

impl Captures for Superseded {
    fn begin_capture(&self, _: StreamId, _: CaptureMode) -> Result<u64> {
        over()
    }
    fn begin_capture_to_graph(&self, _: StreamId, _: GraphId, _: &[NodeId], _: CaptureMode) -> Result<u64> {
        over()
    }
    fn end_capture(&self, _: StreamId) -> Result<GraphId> {
        over()
    }
    fn capture_info(&self, _: StreamId) -> Result<CaptureInfo> {
        over()
    }
    fn capture_progress(&self, _: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        over()
    }
    fn capture_graph(&self, _: StreamId) -> Result<GraphId> {
        over()
    }
    fn update_capture_dependencies(&self, _: StreamId, _: &[NodeId], _: DependencyUpdate) -> Result<()> {
        over()
    }
    fn capture_put(&self, _: StreamId, _: GraphId, _: &Work<'_>) -> Result<NodeId> {
        over()
    }
    fn capture_retain(&self, _: StreamId, _: Retained) -> Result<()> {
        over()
    }
}

impl Graphs for Superseded {
    fn graph_create(&self) -> Result<GraphId> {
        over()
    }
    fn graph_retain(&self, _: GraphId, _: Retained) -> Result<()> {
        over()
    }
    fn graph_retained(&self, _: GraphId) -> Result<Vec<Retained>> {
        over()
    }
    fn graph_exchange_retained(&self, _: GraphId, _: &Retained, _: Retained) -> Result<Retained> {
        over()
    }
    fn graph_destroy(&self, graph: GraphId) {
        self.0.graph_destroy(graph)
    }
    fn graph_node_count(&self, _: GraphId) -> Result<usize> {
        over()
    }
    fn graph_edge_count(&self, _: GraphId) -> Result<usize> {
        over()
    }
    fn graph_nodes(&self, _: GraphRef) -> Result<GraphNodes> {
        over()
    }
    fn node_waits(&self, _: GraphId, _: NodeId) -> Result<Vec<NodeId>> {
        over()
    }
    fn node_work(&self, _: GraphRef, _: NodeId, _: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        over()
    }
}

impl GraphEdits for Superseded {
    fn graph_add_node(&self, _: GraphId, _: &[NodeId], _: &Work<'_>) -> Result<NodeId> {
        over()
    }
    fn graph_add_allocation(&self, _: GraphId, _: &[NodeId], _: usize) -> Result<Allocated> {
        over()
    }
    fn node_allocation(&self, _: GraphId, _: NodeId) -> Result<Allocated> {
        over()
    }
    fn graph_remove_node(&self, _: GraphId, _: NodeId) -> Result<()> {
        over()
    }
    fn graph_add_edges(&self, _: GraphId, _: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        over()
    }
    fn graph_remove_edges(&self, _: GraphId, _: &[(NodeId, NodeId)]) -> Result<()> {
        over()
    }
    fn node_set(&self, _: GraphId, _: NodeId, _: &Work<'_>) -> Result<()> {
        over()
    }
    fn node_graphs(&self, _: GraphId, _: NodeId) -> Result<Vec<GraphId>> {
        over()
    }
    fn condition_create(&self, _: GraphId, _: u32) -> Result<ConditionId> {
        over()
    }
    fn are_conditions_marked(&self) -> bool {
        self.0.are_conditions_marked()
    }
    fn graph_clone(&self, _: GraphId) -> Result<GraphId> {
        over()
    }
    fn node_in_clone(&self, _: GraphId, _: NodeId, _: GraphId) -> Result<NodeId> {
        over()
    }
}

impl NodeAttributes for Superseded {
    fn node_attribute(&self, _: GraphId, _: NodeId, _: u32) -> Result<AttributeValue> {
        over()
    }
    fn node_set_attribute(&self, _: GraphId, _: NodeId, _: &LaunchAttribute) -> Result<()> {
        over()
    }
    fn node_set_grid(&self, _: GraphId, _: NodeId, _: GridSources) -> Result<()> {
        over()
    }
    fn node_grid(&self, _: GraphId, _: NodeId) -> Result<GridSources> {
        over()
    }
    fn graph_needs_setters(&self, _: GraphId) -> Result<bool> {
        over()
    }
    fn node_let_kernels_change(&self, _: GraphId, _: NodeId) -> Result<u64> {
        over()
    }
    fn node_copy_attributes(&self, _: GraphId, _: NodeId, _: GraphId, _: NodeId) -> Result<()> {
        over()
    }
}

impl Edges for Superseded {
    fn update_capture_dependencies_with_data(
        &self,
        _: StreamId,
        _: &[(NodeId, EdgeData)],
        _: DependencyUpdate,
    ) -> Result<()> {
        over()
    }
}

impl Execs for Superseded {
    fn graph_instantiate_with(
        &self,
        _: GraphId,
        _: ExecFlags,
        _: Option<StreamId>,
        _: Option<KernelId>,
    ) -> Result<(ExecId, usize)> {
        over()
    }
    fn exec_flags(&self, _: ExecId) -> Result<ExecFlags> {
        over()
    }
    fn byte_model(&self) -> ByteModel {
        self.0.byte_model()
    }
    fn gains_by_ends(&self) -> bool {
        self.0.gains_by_ends()
    }
    fn marks_by_events(&self) -> bool {
        self.0.marks_by_events()
    }
    fn exec_destroy(&self, exec: ExecId) {
        self.0.exec_destroy(exec)
    }
    fn exec_upload(&self, _: ExecId, _: StreamId) -> Result<()> {
        over()
    }
    fn exec_launch(&self, _: ExecId, _: StreamId) -> Result<()> {
        over()
    }
}

impl ExecEdits for Superseded {
    fn exec_set(&self, _: ExecId, _: NodeId, _: &Work<'_>) -> Result<()> {
        over()
    }
    fn exec_enable(&self, _: ExecId, _: NodeId, _: bool) -> Result<()> {
        over()
    }
    fn exec_is_enabled(&self, _: ExecId, _: NodeId) -> Result<bool> {
        over()
    }
    fn exec_retained(&self, _: ExecId) -> Result<Vec<Retained>> {
        over()
    }
    fn exec_keeps(&self, _: ExecId) -> Result<Vec<Retained>> {
        over()
    }
    fn exec_retain(&self, _: ExecId, _: Retained) -> Result<()> {
        over()
    }
    fn exec_exchange_retained(&self, _: ExecId, _: &Retained, _: Retained) -> Result<Retained> {
        over()
    }
    fn exec_let_go(&self, exec: ExecId, superseded: Retained) {
        self.0.exec_let_go(exec, superseded)
    }
}

impl ExecUpdates for Superseded {
    fn exec_update(&self, _: ExecId, _: GraphId, _: Differing) -> Result<Update> {
        over()
    }
    fn exec_update_nodes(&self, _: ExecId, _: GraphId, _: &[NodeId]) -> Result<Update> {
        over()
    }
    fn exec_can_update(&self, _: ExecId, _: GraphId) -> Result<Update> {
        over()
    }
    fn exec_was_updated(&self, exec: ExecId, superseded: Lists) {
        self.0.exec_was_updated(exec, superseded)
    }
    fn exec_counterparts(&self, _: ExecId, _: GraphId) -> Result<Option<Vec<(NodeId, NodeId)>>> {
        over()
    }
    fn exec_go_behind(&self, _: ExecId, _: ExecId) -> Result<()> {
        over()
    }
    fn update_costs(&self) -> Costs {
        self.0.update_costs()
    }
}

impl Foreign for Superseded {
    fn shares_streams(&self) -> bool {
        self.0.shares_streams()
    }
    fn native(&self, _: Object) -> Result<usize> {
        over()
    }
    fn stream_wrap(&self, _: usize) -> Result<StreamId> {
        over()
    }
    fn native_capture(&self, _: usize) -> Result<CaptureInfo> {
        over()
    }
}

impl Driver for Superseded {
    fn device(&self) -> &DeviceInfo {
        self.0.device()
    }
    fn family(&self) -> usize {
        self.0.family()
    }
    fn synchronize(&self) -> Result<()> {
        over()
    }
    fn synchronize_for(&self, _: Duration) -> Result<bool> {
        over()
    }
    fn shares_device(&self) -> bool {
        self.0.shares_device()
    }
    fn collect(&self) -> Result<()> {
        over()
    }
    fn renew(&self) -> Result<Option<Arc<dyn Driver>>> {
        over()
    }
    fn leave(&self) {
        self.0.leave()
    }
}
