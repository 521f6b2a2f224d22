/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which machines run the code of a container, by the names of both: an architecture, and behind a
 * colon what the code asks of it or the machine has, with commas between: "x86_64:avx2". A level
 * (level.h) has all below it; "generic" asks for nothing. No state; any thread.
 */
#ifndef SL_BASE_TARGET_H
#define SL_BASE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SL_TARGET_EXACT UINT32_MAX
#define SL_TARGET_GENERIC 1u

/* 0: the machine does not run it. SL_TARGET_EXACT: both are the same. Else it asks for less than
 * there is: the more it asks for, the greater. */
uint32_t sl_target_suits(const char *image, const char *machine);
/* Are they of one architecture, whatever else? */
bool sl_target_akin(const char *image, const char *machine);

#ifdef __cplusplus
}
#endif

#endif
