/* SPDX-License-Identifier: Apache-2.0 */
/* See stall_bed.h. */
#include "stall_bed.h"

#define SITE(name, what, at)                                                                       \
    {.pipe = name, .file = "flow.cl", .op = what, .blocking = 1, .line = at, .column = 5}

static const struct sl_pipe_site put_there = SITE("there", SL_PIPE_WRITE, 3);
static const struct sl_pipe_site get_there = SITE("there", SL_PIPE_READ, 11);
static const struct sl_pipe_site put_back = SITE("back", SL_PIPE_WRITE, 12);
static const struct sl_pipe_site get_back = SITE("back", SL_PIPE_READ, 4);

const struct sl_pipe_site try_there = {
    .pipe = "there", .file = "flow.cl", .op = SL_PIPE_READ, .line = 21, .column = 5};

struct sl_device *device;
struct sl_work_queue *work_queue;

void ask(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    for (int i = 0; i < 10; i++)
        flow_write_int(launch, rings->there, &put_there, i);
    flow_read_int(launch, rings->back, &get_back);
}

void answer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    for (;;) {
        int32_t value = flow_read_int(launch, rings->there, &get_there);
        flow_write_int(launch, rings->back, &put_back, value);
    }
}

void feed(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_write_int(launch, rings->there, &put_there, 1);
}

void listen(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_read_int(launch, rings->there, &get_there);
}

void wait_back(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_write_int(launch, rings->back, &put_back, 1);
    flow_write_int(launch, rings->back, &put_back, 2);
}

void try_listen(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    int32_t value;
    (void)group;
    while (flow_read(launch, rings->there, &try_there, &value, sizeof value))
        ;
}

void design_make(struct design *design, sl_group_fn a, sl_group_fn b, uint32_t flags,
                 sl_group_fn third)
{
    memset(design, 0, sizeof *design);
    design->stalls_before = atomic_load(&fake_stalls);
    design->flow = flow_create();
    flow_kernel(design->flow, "ask", a, 0);
    flow_kernel(design->flow, "answer", b, 0);
    if (third)
        flow_kernel(design->flow, "third", third, 0);
    bool reads = flags & SL_PIPE_HOST_READS;
    uint32_t there =
        flow_pipe(design->flow, "there", 4, 2, flags, reads ? -1 : 1, flags && !reads ? -1 : 0);
    uint32_t back = flow_pipe(design->flow, "back", 4, 1, 0, 0, 1);
    design->rings = (struct rings){flow_ring(design->flow, there), flow_ring(design->flow, back)};
    design->args = &design->rings;
    design->flow->pipes[there].io = flags & SL_PIPE_IO ? "left" : NULL;
    flow_load(design->flow, device);
    for (uint32_t i = 0; i < 2; i++)
        flow_work(&design->works[i], design->flow, i, &design->args, 1, 1);
}

void design_init(struct design *design, sl_group_fn a, sl_group_fn b, uint32_t flags)
{
    design_make(design, a, b, flags, NULL);
}

void design_finish(struct design *design)
{
    device->ops->code_unload(design->flow->code);
    flow_destroy(design->flow);
}

void submit(struct design *design, uint32_t kernel)
{
    device->ops->submit(work_queue, &design->works[kernel].work);
}

void expect_end(struct design *design, uint32_t kernel, int status)
{
    fake_sleep_until(&design->works[kernel].finished, 1);
    assert_int_equal(design->works[kernel].status, status);
}

void submit_both(struct design *design)
{
    submit(design, 0);
    submit(design, 1);
}

void expect_both_end(struct design *design, int status)
{
    expect_end(design, 0, status);
    expect_end(design, 1, status);
}

void host_waits(void)
{
    device->ops->host_waits(device, 1);
}

void host_done(struct design *design)
{
    device->ops->host_waits(device, -1);
    design_finish(design);
}

void await_stall(struct design *design)
{
    fake_sleep_until(&fake_stalls, design->stalls_before + 1);
}

void host_waits_until_stall(struct design *design)
{
    host_waits();
    await_stall(design);
}

void expect_stalls(struct design *design, int count)
{
    assert_int_equal(atomic_load(&fake_stalls), design->stalls_before + count);
}

void pause_ms(long ms)
{
    const struct timespec moment = {.tv_nsec = ms * 1000000};
    nanosleep(&moment, NULL);
}

static struct flow *leftover;

void leave_over(struct flow *flow)
{
    leftover = flow;
}

int open_after(const char *stall_ms, const char *on_stall)
{
    fake_set("SLUICE_FPGA_STALL_MS", stall_ms);
    fake_set("SLUICE_FPGA_ON_STALL", on_stall);
    atomic_store(&fake_outlook, SL_OUTLOOK_NOBODY);
    atomic_store(&fake_candidate, NULL);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
    return 0;
}

int open_device(void **state)
{
    return open_after("30", *state);
}

int close_device(void **state)
{
    (void)state;
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    if (leftover)
        flow_destroy(leftover);
    leftover = NULL;
    return 0;
}
