/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How bytes become OpenCL C that is nearly right: the first chooses a device and options, each of
 * the others is itself or, from 128 up, a piece of the language. source_text.c has the seeds.
 */
#ifndef SLUICE_FUZZ_SOURCE_TEXT_H
#define SLUICE_FUZZ_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the first byte says. */
static inline bool source_for_fpga(uint8_t choice)
{
    return choice >> 1 & 1;
}
static inline bool source_is_quick(uint8_t choice)
{
    return choice >> 6 & 1;
}
/* 0: this machine's level of vector instructions; 1 to 3: counted from the best. */
static inline unsigned source_level(uint8_t choice)
{
    return choice >> 4 & 3;
}
/* A constant: one build option, or "". */
const char *source_option(uint8_t choice);

/* The text of all bytes behind the first; free() it. NULL: no memory. */
char *source_spell(const uint8_t *data, size_t bytes);

#endif
