/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of command-buffers while replays of theirs wait, run and end, which none of these waits
 * for. Each replay counts in the place that its arguments name, so that no other value can be taken
 * for the right one. */
#include "command_buffer_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static const char source[] =
    "kernel void tick(global uint *counts, uint at) { atomic_inc(&counts[at]); }\n";

enum { PLACES = 64, SIDES = 2, ITEMS = 3 };

static struct {
    cl_program program;
    cl_kernel kernel;
    cl_mem counts[SIDES]; /* one for each command */
    cl_command_queue loose;
    cl_command_buffer_khr buffer;
    cl_mutable_command_khr commands[SIDES];
} bed;

static void set_up(void)
{
    cb_need();
    static const uint32_t zeros[PLACES];
    const cl_uint first = 0;
    bed.program = built(source, NULL);
    bed.kernel = kernel_of(bed.program, "tick");
    bed.loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    bed.buffer =
        cb_new(bed.loose, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    ARG(bed.kernel, 1, first);
    for (int i = 0; i < SIDES; i++) {
        bed.counts[i] = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)(uintptr_t)zeros);
        ARG(bed.kernel, 0, bed.counts[i]);
        bed.commands[i] = cb_mutable(bed.buffer, bed.kernel, ITEMS);
    }
    cb_finalize(bed.buffer);
}

static void tear_down(void)
{
    cb_release(bed.buffer);
    for (int i = 0; i < SIDES; i++)
        RELEASE_MEM(bed.counts[i]);
    RELEASE_KERNEL(bed.kernel);
    RELEASE_PROGRAM(bed.program);
    RELEASE_QUEUE(bed.loose);
}

/* From now on all sides count at this place. */
static void count_at(cl_uint place)
{
    const cl_mutable_dispatch_arg_khr arg = {1, sizeof place, &place};
    cl_mutable_dispatch_config_sluice configs[SIDES];
    cl_command_buffer_update_type_khr types[SIDES];
    const void *list[SIDES];
    for (int i = 0; i < SIDES; i++) {
        configs[i] = (cl_mutable_dispatch_config_sluice){
            .command = bed.commands[i], .num_args = 1, .arg_list = &arg};
        types[i] = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE;
        list[i] = &configs[i];
    }
    CHECK_OK(cb.update(bed.buffer, SIDES, types, list));
}

/* Each enqueue has the arguments of its time, when there are more than are kept ready, too. */
static void between_enqueues(void)
{
    enum { ROUNDS = 6 };
    set_up();
    for (int round = 0; round < ROUNDS; round++) {
        cl_int rc;
        cl_event gate = clCreateUserEvent(cl.context, &rc);
        REQUIRE_OK(rc);
        for (cl_uint place = 0; place < PLACES; place++) {
            const cl_uint waits = place % 3 != 2; /* the others run at once */
            count_at(place);
            for (cl_uint k = 0; k <= place % 4; k++)
                CHECK_OK(cb.enqueue(0, NULL, bed.buffer, waits, waits ? &gate : NULL, NULL));
            if (place == PLACES / 2)
                CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        }
        CHECK_OK(clFinish(bed.loose));
        RELEASE_EVENT(gate);
    }
    for (int i = 0; i < SIDES; i++) {
        uint32_t got[PLACES];
        read_back(bed.counts[i], sizeof got, got);
        for (cl_uint place = 0; place < PLACES; place++)
            CHECK_EQ(got[place], ROUNDS * (place % 4 + 1) * ITEMS);
    }
    tear_down();
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 3, EACH = 300 };
static atomic_int running;

static void *replay_many(void *data)
{
    cl_command_queue queue = data;
    for (int i = 1; i <= EACH; i++) {
        CHECK_OK(cb.enqueue(1, &queue, bed.buffer, 0, NULL, NULL));
        if (i % 7 == 0)
            CHECK_OK(clFinish(queue));
    }
    CHECK_OK(clFinish(queue));
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static void *ask_always(void *unused)
{
    size_t size = 0;
    while (atomic_load(&running)) {
        CHECK_OK(cb.command_info(bed.commands[0], CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
                                 sizeof size, &size, NULL));
        CHECK_EQ(size, ITEMS);
        CHECK_EQ(cb_state(bed.buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    }
    return unused;
}

/* A replay is all of one update's, never half of another's. */
static void threads(void)
{
    set_up();
    pthread_t ids[THREADS + 1];
    cl_command_queue queues[THREADS];
    uint32_t got[SIDES][PLACES], all = 0;
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++) {
        queues[i] = new_queue(i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        REQUIRE(!pthread_create(&ids[i], NULL, replay_many, queues[i]));
    }
    REQUIRE(!pthread_create(&ids[THREADS], NULL, ask_always, NULL));
    for (cl_uint turn = 0; atomic_load(&running); turn++)
        count_at(turn % PLACES);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(ids[i], NULL);
    for (int i = 0; i < SIDES; i++)
        read_back(bed.counts[i], sizeof got[i], got[i]);
    for (cl_uint place = 0; place < PLACES; place++) {
        CHECK_EQ(got[0][place], got[1][place]);
        CHECK_EQ(got[0][place] % ITEMS, 0);
        all += got[0][place];
    }
    CHECK_EQ(all, THREADS * EACH * ITEMS);
    for (int i = 0; i < THREADS; i++)
        RELEASE_QUEUE(queues[i]);
    tear_down();
}

static const struct test_case cases[] = {CASE(between_enqueues), CASE(threads)};
TEST_MAIN("mutable_overlap", cases)
