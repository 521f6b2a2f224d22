/* SPDX-License-Identifier: Apache-2.0 */
/* The record of the capture file: read by the design and by the program around it. Included from
 * OpenCL C as well; only fixed-size types, no padding. */
#ifndef PACKET_H
#define PACKET_H

#ifdef __OPENCL_VERSION__
typedef uint packet_u32;
typedef ushort packet_u16;
typedef uchar packet_u8;
#else
#include <stdint.h>
typedef uint32_t packet_u32;
typedef uint16_t packet_u16;
typedef uint8_t packet_u8;
#endif

struct packet {
    packet_u32 time_us, source, target;
    packet_u16 source_port, target_port, length;
    packet_u8 protocol, kind; /* kind 1: the file's header, passed on as it is */
    packet_u8 payload[44];
};

/* A packet matches when all fields agree; what is 0 agrees with all. */
struct rule {
    packet_u32 source, source_mask, target, target_mask;
    packet_u16 first_port, last_port; /* of the target; 0, 0: any */
    packet_u32 protocol, accept;
};
#endif
