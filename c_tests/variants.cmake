# Which programs run once more under memcheck, and on guarded memory, where a change has to pass them (GRAPHCAP_TEST_SET is
# "change"). With "all", as make soak has it, every program runs in every variant. A variant is worth its time where the
# program exercises what the variant looks at: memcheck at memory of the caller's that graphcap reads and writes, at what
# raw copies touch, and at what is released and when; guarded memory at what work touches of buffers. A variant that found a
# defect stays.

set(
  graphcap_memcheck
  # Arrays, texts, structs of every size and outputs of the caller's are read and written; each handle is wrong once.
  boundary callback_calls capture_info device graph_inspect graph_text hpp hpp_graph hpp_memory names rows_read_back structs
  # Raw copies and kernels: what they read and write of memory that the host device allocated.
  buffer copy copy_batch host_buffer host_memory launch managed module_global pool pool_memory scalar small_stack value
  # Ops, whose scratch memory is graphcap's, and scripts, whose arrays are read during the call alone.
  actor actor_fft random script torch_state
  # What is kept and released, by whom and in which order.
  cache edit_launches exec_update exit fork future graph_edit graph_memory host_fail host_func no_memory others_memory peer random_lifetimes
  kept replace_buffer reset retention
  # Threads: what the last one to leave releases, and where two meet.
  cache_threads crossing ended_threads thread_end threads value_end value_threads
  # Programs made at random.
  random_graphs random_programs random_updates
  # The CUDA device: structs for the driver, answers of it, and what goes back to it when a call fails.
  drivers faults libraries pool_direct questions strangers failures_applying failures_building failures_capture_graphs
  failures_memory failures_objects failures_random failures_scripts
)

# The subjects whose programs run on guarded memory too: those with work on buffers. The rules of captures and the checks
# of arguments touch none.
set(graphcap_guard_subjects object work graph kit lifetime)

# Not what these programs are about, which wait for seconds for threads.
set(graphcap_guard_without exit housekeeping)

# The tests that take longest, the longest first. They begin first, so that none of them runs alone at the end.
set(
  graphcap_long_tests
  consumer.all stand_in.failures_pools header.matrix stand_in.missing stand_in.no_memory valgrind.crossing fuzz.alone
  stand_in.failures_execs valgrind.no_memory c11.housekeeping valgrind.exit valgrind.stand_in_exit valgrind.failures_objects
  valgrind.value_end c11.exit stand_in.exit stand_in.capture_scope stand_in.apply_replays valgrind.drivers valgrind.faults
  valgrind.strangers stand_in.failures_verifying valgrind.fork valgrind.boundary c11.elsewhere stand_in.conformance
)
