/* Every kind of parameter that a row of functions.h names: GENERATOR(name, the kind of handle that it takes
 * or gives, or -1). The function generate_NAME() in
 * arguments.c, numbers.c, structs.c or callbacks.c makes a value of it. */

/* Handles. */
GENERATOR(context, CONTEXT)
GENERATOR(stream, STREAM)
GENERATOR(capturing, -1) /* a stream, rather one that is being captured */
GENERATOR(event, EVENT)
GENERATOR(buffer, BUFFER)
GENERATOR(any_buffer, -1) /* of any context */
GENERATOR(managed, -1)    /* a buffer, rather a managed one */
GENERATOR(graph_buffer, GRAPH_BUFFER) /* one that a node allocates */
GENERATOR(waitable, -1)   /* a buffer, rather one for value operations */
GENERATOR(waited_for, -1) /* the same; in rounds that may block one whose words are small */
GENERATOR(host_buffer, HOST_BUFFER)
GENERATOR(pool, POOL)
GENERATOR(module, MODULE)
GENERATOR(kernel, KERNEL)
GENERATOR(graph, GRAPH)
GENERATOR(optional_graph, -1) /* may be NULL */
GENERATOR(cloned, -1)     /* a graph, rather one that a clone was made of */
GENERATOR(clone, -1)      /* a graph, rather a clone of the call's */
GENERATOR(same_child, -1) /* a graph, rather that which the call's child node was made of */
GENERATOR(exec, EXEC)
GENERATOR(capture, CAPTURE)
GENERATOR(cache, CACHE)
GENERATOR(scalar, SCALAR)
GENERATOR(script, SCRIPT)
GENERATOR(kit_actor, KIT_ACTOR)
GENERATOR(future, FUTURE)
GENERATOR(rng, RNG)
GENERATOR(text_future, -1) /* a future, rather one of a text */
GENERATOR(exec_future, -1) /* rather one of a graph exec */
GENERATOR(actor_exec, -1)  /* a graph exec, rather one that an actor made */
GENERATOR(pooled_exec, -1) /* rather one that has a pool */
GENERATOR(fft_plan, FFT_PLAN)
GENERATOR(plan, PLAN)
GENERATOR(record_context, -1) /* never a live one */
GENERATOR(any_object, -1) /* any handle */
GENERATOR(native_object, -1) /* any handle, rather one of an object that the driver has a handle for */
GENERATOR(named, -1) /* any handle, rather one of an object that has a name */

/* New handles. */
GENERATOR(optional_capture_out, -1) /* may be NULL */
GENERATOR(optional_plan_out, -1)
GENERATOR(context_out, CONTEXT)
GENERATOR(stream_out, STREAM)
GENERATOR(event_out, EVENT)
GENERATOR(buffer_out, BUFFER)
GENERATOR(graph_buffer_out, GRAPH_BUFFER)
GENERATOR(host_buffer_out, HOST_BUFFER)
GENERATOR(pool_out, POOL)
GENERATOR(module_out, MODULE)
GENERATOR(kernel_out, KERNEL)
GENERATOR(graph_out, GRAPH)
GENERATOR(exec_out, EXEC)
GENERATOR(capture_out, CAPTURE)
GENERATOR(cache_out, CACHE)
GENERATOR(scalar_out, SCALAR)
GENERATOR(script_out, SCRIPT)
GENERATOR(kit_actor_out, KIT_ACTOR)
GENERATOR(future_out, FUTURE)
GENERATOR(rng_out, RNG)
GENERATOR(fft_plan_out, FFT_PLAN)
GENERATOR(plan_out, PLAN)
GENERATOR(found_buffer, BUFFER) /* one of the two, and the other is NULL */
GENERATOR(found_host_buffer, HOST_BUFFER)

/* Other outputs: 4, 8 and 64 bytes; texts; arrays of nodes. */
GENERATOR(out4, -1)
GENERATOR(out8, -1)
GENERATOR(out32, -1)
GENERATOR(out64, -1)
GENERATOR(text, -1)
GENERATOR(node_out, -1)
GENERATOR(node_told, -1) /* may be NULL */
GENERATOR(bytes_out, -1)
GENERATOR(kernel_node_params, -1)
GENERATOR(memcpy_node_params, -1)
GENERATOR(memset_node_params, -1)
GENERATOR(mem_op_node_params, -1)
GENERATOR(mem_alloc_node_params, -1)
GENERATOR(mem_free_node_params, -1)
GENERATOR(host_node_params, -1)
GENERATOR(conditional_node_params, -1)
GENERATOR(graph_memory, -1)
GENERATOR(cache_stats, -1)
GENERATOR(nodes_out, -1)
GENERATOR(nodes_out_too, -1)
GENERATOR(edge_data_out, -1) /* as many as before */
GENERATOR(pointers_out, -1)
GENERATOR(reasons_out, -1)
GENERATOR(findings_out, -1)
GENERATOR(ids_out, -1)
GENERATOR(capacity, -1) /* of the text or the arrays before it */
GENERATOR(needed, -1)
GENERATOR(capture_mode_in_out, -1)
GENERATOR(capture_info, -1)
GENERATOR(context_info, -1)
GENERATOR(exec_info, -1)
GENERATOR(check_info, -1) /* filled where memory is gone, too; NULL where nobody asks */
GENERATOR(update_info, -1) /* filled where the call fails, too; NULL where nobody asks */
GENERATOR(apply_report, -1) /* as that */
GENERATOR(optimize_report, -1) /* NULL where nobody asks */
GENERATOR(exec_progress, -1)
GENERATOR(stall_progress, -1)
GENERATOR(verify_report, -1)
GENERATOR(step_report, -1)
GENERATOR(bisect_report, -1)
GENERATOR(script_failure, -1) /* as that */
GENERATOR(failed_index, -1) /* filled where the call fails, and NULL where nobody asks */

/* Numbers: the lists are in arguments.c. */
GENERATOR(status, -1)
GENERATOR(device_kind, -1)
GENERATOR(ordinal, -1)
GENERATOR(nanoseconds, -1)
GENERATOR(size, -1)
GENERATOR(wrapped_size, -1)
GENERATOR(offset, -1)
GENERATOR(bytes, -1)
GENERATOR(elements, -1)
GENERATOR(element_size, -1)
GENERATOR(u32, -1)
GENERATOR(small, -1)
GENERATOR(awaited, -1)
GENERATOR(value_offset, -1)
GENERATOR(parameter_index, -1)
GENERATOR(attribute, -1)
GENERATOR(kernel_attribute, -1)
GENERATOR(set_kernel_attribute, -1)
GENERATOR(buffer_access, -1)
GENERATOR(kernel_concurrency, -1)
GENERATOR(launch_attribute, -1)
GENERATOR(block_size, -1)
GENERATOR(block_limit, -1)
GENERATOR(shared_size, -1)
GENERATOR(capture_mode, -1)
GENERATOR(managed_flags, -1)
GENERATOR(ownership, -1)
GENERATOR(severity, -1)
GENERATOR(log_level, -1)
GENERATOR(log_subjects, -1)
GENERATOR(trace_limit, -1)
GENERATOR(attach_flags, -1)
GENERATOR(host_buffer_flags, -1)
GENERATOR(pool_options, -1)
GENERATOR(pool_memory, -1)
GENERATOR(register_flags, -1)
GENERATOR(dot_flags, -1)
GENERATOR(report_format, -1)
GENERATOR(update_flags, -1)
GENERATOR(apply_reason, -1)
GENERATOR(dependency_flags, -1)
GENERATOR(wait_event_flags, -1)
GENERATOR(record_event_flags, -1)
GENERATOR(write_value_flags, -1)
GENERATOR(wait_value_flags, -1)
GENERATOR(condition, -1)
GENERATOR(condition_value, -1)
GENERATOR(condition_flags, -1)
GENERATOR(conditional_kind, -1)
GENERATOR(body_count, -1)
GENERATOR(no_flags, -1)
GENERATOR(node_state, -1)
GENERATOR(torch_layout, -1)
GENERATOR(own_mode, -1) /* of captures that bar no other thread */
GENERATOR(exec_flags, -1)
GENERATOR(array_size, -1) /* of the array before it */

/* Memory. */
GENERATOR(wrapped, -1)
GENERATOR(registered, -1)
GENERATOR(host_source, -1)
GENERATOR(host_destination, -1)
GENERATOR(any_address, -1)
GENERATOR(address_number, -1)
GENERATOR(pool_number, -1)
GENERATOR(native_stream, -1)
GENERATOR(native_graph, -1)
GENERATOR(raw_address, -1)

/* Structs, arrays and texts that are read. */
GENERATOR(context_options, -1)
GENERATOR(stream_options, -1)
GENERATOR(event_options, -1)
GENERATOR(instantiate_options, -1)
GENERATOR(apply_options, -1)
GENERATOR(optimize_options, -1)
GENERATOR(verify_options, -1)
GENERATOR(step_options, -1)
GENERATOR(bisect_options, -1)
GENERATOR(accesses, -1) /* true of the kernels of the fuzzer, or refused */
GENERATOR(capture_options, -1)
GENERATOR(cache_options, -1)
GENERATOR(actor_options, -1)
GENERATOR(work, -1)
GENERATOR(works, -1) /* as many as the nodes before */
GENERATOR(rng_uniform_params, -1)
GENERATOR(op_vtable, -1)
GENERATOR(op_data, -1) /* what the functions before it get */
GENERATOR(key, -1)
GENERATOR(key_size, -1) /* of the key before it */
GENERATOR(module_description, -1)
GENERATOR(fft_plan_params, -1)
GENERATOR(launch_config, -1)
GENERATOR(kernel_arguments, -1)
GENERATOR(memcpy_params, -1)
GENERATOR(memcpy_batch, -1)
GENERATOR(memset_params, -1)
GENERATOR(mem_ops, -1)
GENERATOR(nodes, -1)
GENERATOR(node_lists, -1)
GENERATOR(node_list_counts, -1) /* of the lists before */
GENERATOR(nodes_too, -1) /* as many as before */
GENERATOR(node, -1)
GENERATOR(conditional, -1) /* a node, rather a conditional one, of whichever graph */
GENERATOR(dependent, -1) /* of the node before it, for which it takes the first one that has one */
GENERATOR(edge_data, -1) /* as many as before */
GENERATOR(launch_value, -1)
GENERATOR(attribute_value, -1)
GENERATOR(ipc_handle, -1)
GENERATOR(kernel_name, -1)
GENERATOR(name, -1)
GENERATOR(trace_path, -1)
GENERATOR(global_name, -1)
GENERATOR(json, -1)      /* a text of a graph, whole or damaged */
GENERATOR(json_size, -1) /* of the text before it */
GENERATOR(bindings, -1)

/* Scalars: scalars.c. */
GENERATOR(scalar_type, -1)      /* rather that of the call's scalar */
GENERATOR(scalar_value, -1)     /* of the type before it */
GENERATOR(scalar_value_out, -1) /* of the type before it */
GENERATOR(scalar_types, -1)     /* of one new scalar */
GENERATOR(scalar_values, -1)
GENERATOR(one, -1)
GENERATOR(scalars, -1)
GENERATOR(types_of_scalars, -1) /* of the scalars before them */
GENERATOR(values_of_scalars, -1)

/* Callbacks. */
GENERATOR(host_function, -1)
GENERATOR(capture_function, -1)
GENERATOR(future_function, -1)
GENERATOR(stall_function, -1)
GENERATOR(log_function, -1)
GENERATOR(judge_function, -1)
GENERATOR(unused_data, -1)
GENERATOR(user_data, -1)
GENERATOR(capture_data, -1)
GENERATOR(destroy, -1)
