/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_FPGA_DEPTH: how many packets a pipe takes that was declared without depth, or with one.
 * The driver hands the word on, the compiler lays pipes of programs out, the device makes those of
 * the host. */
#ifndef SLUICE_DEPTH_MODE_H
#define SLUICE_DEPTH_MODE_H

#include <stdint.h>
#include <string.h>

enum sl_pipe_depth_mode {
    SL_PIPE_DEPTH_STRICT,  /* 1; as declared */
    SL_PIPE_DEPTH_DEFAULT, /* SL_PIPE_DEPTH_DEEP; as declared */
    SL_PIPE_DEPTH_IGNORE,  /* SL_PIPE_DEPTH_DEEP; at least that */
    SL_PIPE_DEPTH_COUNT,
};

#define SL_PIPE_DEPTH_DEEP 256

/* The words, in the order of the modes. */
#define SL_PIPE_DEPTH_WORDS {"strict", "default", "ignore-depth", NULL}

/* SL_PIPE_DEPTH_COUNT: none of the words. Intel's versions spell the last in two ways. */
static inline enum sl_pipe_depth_mode sl_pipe_depth_mode_of(const char *word)
{
    static const char *const words[] = SL_PIPE_DEPTH_WORDS;
    int mode = 0;
    if (!strcmp(word, "ignoredepth"))
        return SL_PIPE_DEPTH_IGNORE;
    while (mode < SL_PIPE_DEPTH_COUNT && strcmp(word, words[mode]) != 0)
        mode++;
    return (enum sl_pipe_depth_mode)mode;
}

/* What a pipe takes in that mode; declared 0: its depth was not declared. */
static inline uint32_t sl_pipe_depth(enum sl_pipe_depth_mode mode, uint32_t declared)
{
    if (!declared)
        return mode == SL_PIPE_DEPTH_STRICT ? 1 : SL_PIPE_DEPTH_DEEP;
    return mode == SL_PIPE_DEPTH_IGNORE && declared < SL_PIPE_DEPTH_DEEP ? SL_PIPE_DEPTH_DEEP
                                                                         : declared;
}

#endif
