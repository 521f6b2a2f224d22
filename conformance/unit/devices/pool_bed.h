/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of work queues, jobs and worker threads have in common: kernels written by hand,
 * and an open CPU device with one work queue. */
#ifndef SL_UNIT_POOL_BED_H
#define SL_UNIT_POOL_BED_H

#include <stdint.h>

#include "fake_host.h"

struct args {
    _Atomic uint8_t *hits; /* one per work-group or NULL */
    _Atomic uint64_t *groups;
    uint64_t work_ns; /* per work-group */
};

enum { COUNT, MEMORY, TRAP, ROUNDING, HUNGRY, KERNELS };
extern const struct sl_kernel_info bed_kernels[KERNELS];
extern const struct sl_module_info bed_module;

struct bed {
    struct sl_device *device;
    struct sl_code *code;
    struct sl_work_queue *work_queue;
};
int bed_set_up(void **state); /* *state becomes a struct bed */
int bed_set_up_single(void **state);
int bed_set_up_pinned(void **state);
int bed_tear_down(void **state);

#define BED(test) cmocka_unit_test_setup_teardown(test, bed_set_up, bed_tear_down)
#define SINGLE(test) {#test "_single", test, bed_set_up_single, bed_tear_down, NULL}
#define PINNED(test) {#test "_pinned", test, bed_set_up_pinned, bed_tear_down, NULL}

struct fake_work bed_launch(struct bed *, unsigned kernel, const struct args *,
                            const size_t global[3], const size_t local[3]);
struct fake_work bed_launch_1d(struct bed *, unsigned kernel, const struct args *, size_t groups);
void bed_run(struct bed *, struct fake_work *); /* submits and waits */

void burn(uint64_t ns);
/* A kernel that marks each of its groups. */
void count_groups(const void *block, const struct sl_launch *, struct sl_group *);

#endif
