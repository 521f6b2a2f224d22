/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with I/O pipes made by hand: a kernel that changes what it reads from one and writes it
 * to the other, a file to read, and a place to write to. */
#ifndef SL_UNIT_IO_BED_H
#define SL_UNIT_IO_BED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "flow.h"
#include "fpga/fpga.h"

/* No power of two, so that packets and stretches of a ring never meet. */
enum { PACKET = 5, FILE_PACKETS = 20011, CUT = 3 };

extern const struct sl_pipe_site writes;
extern char folder[], from_path[64], to_path[64];
extern struct sl_device *device;
extern struct sl_work_queue *work_queue;

struct job {
    struct sl_pipe_ring *in, *out;
    int64_t count, errors;
};

/* What the kernel does with a packet; the bytes of the file that it reads, of FILE_PACKETS packets
 * and a cut one. */
void change(unsigned char packet[PACKET]);
unsigned char byte_at(size_t i);
/* The kernel, which takes a struct job *. */
void relay(const void *args, const struct sl_launch *launch, struct sl_group *group);
/* The file at `to_path` holds what so many kernels, one after the other, have made of it. */
void check_output(unsigned rounds);

/* SLUICE_FPGA_IO is set. */
void open_device(const char *setting);
void close_device(void);
/* A program whose kernel 0 reads one I/O pipe and writes the other: loaded. */
struct flow *relay_between(const char *in, const char *out, uint32_t depth, struct job *job);

/* One launch that sends `count` packets to `row`; its status. The program is loaded still. */
struct sending {
    struct flow *flow;
    struct job job, *arg;
    struct fake_work work;
};
/* Opens the device with such a row for the output "b". */
void begin_sending(struct sending *, const char *row, uint32_t depth);
/* The launch's status. */
int send_more(struct sending *, int64_t count);
void end_sending(struct sending *); /* closes the device as well */

uint64_t now_ms(void);

/* Of a group of tests. */
int set_up(void **state);
int tear_down(void **state);

#endif
