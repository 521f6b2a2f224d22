/* SPDX-License-Identifier: Apache-2.0 */
/* Designs that stand still, for tests of what is said of them: two kernels, `ask` and `answer`, and
 * the pipes `there` and `back` between them; on a device that is opened for each test. */
#ifndef SL_UNIT_STALL_BED_H
#define SL_UNIT_STALL_BED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "flow.h"
#include "fpga/fpga.h"

extern const struct sl_pipe_site try_there;
extern struct sl_device *device;
extern struct sl_work_queue *work_queue;

struct rings {
    struct sl_pipe_ring *there, *back;
};

/* Kernels that take struct rings *. */

/* Fills `there` before it reads the answer. */
void ask(const void *args, const struct sl_launch *launch, struct sl_group *group);
void answer(const void *args, const struct sl_launch *launch, struct sl_group *group);
void feed(const void *args, const struct sl_launch *launch, struct sl_group *group);
/* Needs one packet. */
void listen(const void *args, const struct sl_launch *launch, struct sl_group *group);
/* Nobody reads it. */
void wait_back(const void *args, const struct sl_launch *launch, struct sl_group *group);
/* Asks for ever. */
void try_listen(const void *args, const struct sl_launch *launch, struct sl_group *group);

struct design {
    struct flow *flow;
    struct rings rings, *args;
    struct fake_work works[2];
    int stalls_before; /* reports on the device when it was made */
};

/* `third`: a kernel more, which no pipe names; or NULL. */
void design_make(struct design *, sl_group_fn a, sl_group_fn b, uint32_t flags, sl_group_fn third);
void design_init(struct design *, sl_group_fn a, sl_group_fn b, uint32_t flags);
void design_finish(struct design *);
void submit(struct design *, uint32_t kernel);
void submit_both(struct design *);
void expect_end(struct design *, uint32_t kernel, int status);
void expect_both_end(struct design *, int status);

/* The host waits in the device from here to host_done(), which ends the design as well. */
void host_waits(void);
void host_done(struct design *);
/* Until the first report since the design was made. */
void await_stall(struct design *);
void host_waits_until_stall(struct design *);
void expect_stalls(struct design *, int count);
void pause_ms(long ms);
/* What reports end with, with the stall time of open_device. */
#define ENDS "; the launches end (SLUICE_FPGA_ON_STALL=error)"
#define STILL_30 "\n  nothing there has moved for 30 ms: SLUICE_FPGA_STALL_MS=30" ENDS

/* Set-up and tear-down; *state is the value of SLUICE_FPGA_ON_STALL. */
int open_after(const char *stall_ms, const char *on_stall);
int open_device(void **state);
int close_device(void **state);

/* Of a flow that is to be destroyed once the device has stopped: its fiber is gone then. */
void leave_over(struct flow *);

#define WITH(test, mode)                                                                           \
    cmocka_unit_test_prestate_setup_teardown(test, open_device, close_device,                      \
                                             (void *)(uintptr_t)mode)

#endif
