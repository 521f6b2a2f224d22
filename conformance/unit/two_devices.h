/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices that do nothing, in place of the in-tree ones: a "cpu" with four compute units on two
 * NUMA nodes that has all features, and an "fpga" with one unit and none, whose table is a short
 * one. A third lacks a call that every device has and must not be seen.
 */
#ifndef SL_UNIT_TWO_DEVICES_H
#define SL_UNIT_TWO_DEVICES_H

#include "platform/platform.h"

extern int fake_starts, fake_stops; /* of the cpu */
extern int fake_start_result;       /* what its next start answers */

enum { FAKE_CPU, FAKE_FPGA, FAKE_LAME };
cl_device_id fake_device(int which);

#endif
