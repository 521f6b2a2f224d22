/* SPDX-License-Identifier: Apache-2.0 */
/* See flow.h. No lock: a program is built before it is loaded. */
#include "flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "fpga/fpga.h"

struct flow *flow_create(void)
{
    struct flow *flow = calloc(1, sizeof *flow);
    assert_non_null(flow);
    flow->rings = aligned_alloc(64, FLOW_PIPES * sizeof *flow->rings);
    assert_non_null(flow->rings);
    memset(flow->rings, 0, FLOW_PIPES * sizeof *flow->rings);
    flow->info = (struct sl_module_info){.abi = SL_MODULE_ABI,
                                         .size = sizeof flow->info,
                                         .kernels = flow->kernels,
                                         .pipes = flow->pipes,
                                         .rings = flow->rings};
    return flow;
}

void flow_destroy(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->info.pipe_count; i++)
        free(flow->slots[i]);
    free(flow->rings);
    free(flow);
}

uint32_t flow_kernel(struct flow *flow, const char *name, sl_group_fn run, uint32_t flags)
{
    uint32_t row = flow->info.kernel_count++;
    assert_true(row < FLOW_KERNELS);
    flow->kernels[row] = (struct sl_kernel_info){.name = name,
                                                 .run = run,
                                                 .attributes = "",
                                                 .vec_type_hint = "",
                                                 .flags = SL_KERNEL_USES_PIPES | flags,
                                                 .vector_width = 1};
    return row;
}

uint32_t flow_pipe(struct flow *flow, const char *name, uint32_t packet_bytes, uint32_t depth,
                   uint32_t flags, int32_t reader, int32_t writer)
{
    uint32_t row = flow->info.pipe_count++;
    assert_true(row < FLOW_PIPES);
    uint64_t count = 1;
    while (count < depth)
        count *= 2;
    flow->slots[row] = aligned_alloc(64, (count * packet_bytes + 63) / 64 * 64);
    assert_non_null(flow->slots[row]);
    struct sl_pipe_info *pipe = &flow->pipes[row];
    *pipe = (struct sl_pipe_info){.name = name,
                                  .type_name = "packet",
                                  .file = "flow.cl",
                                  .ring = &flow->rings[row],
                                  .packet_bytes = packet_bytes,
                                  .packet_align = 1,
                                  .declared_depth = depth,
                                  .depth = depth,
                                  .flags = flags,
                                  .line = 1,
                                  .reader = reader,
                                  .writer = writer};
    *pipe->ring = (struct sl_pipe_ring){.write_limit = depth,
                                        .slots = flow->slots[row],
                                        .mask = count - 1,
                                        .packet_bytes = packet_bytes,
                                        .depth = depth,
                                        .flags = flags,
                                        .info = pipe};
    return row;
}

void flow_load(struct flow *flow, struct sl_device *device)
{
    flow->code = sl_code_around(&flow->info);
    assert_non_null(flow->code);
    assert_int_equal(sl_fpga_attach(device, flow->code), 0);
}

void flow_work(struct fake_work *work, struct flow *flow, uint32_t kernel, const void *args,
               size_t items, size_t local)
{
    *work =
        (struct fake_work){.work = {.kind = SL_WORK_KERNEL,
                                    .u.kernel = {.code = flow->code,
                                                 .kernel_index = kernel,
                                                 .args = args,
                                                 .work_dim = 1,
                                                 .local_bytes = flow->kernels[kernel].local_bytes,
                                                 .global_size = {items, 1, 1},
                                                 .local_size = {local, 1, 1}}}};
}
