/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aoc's command line, as the makefiles of published designs write it (options.def). Texts are
 * borrowed from argv or owned, as said; one thread.
 */
#ifndef SL_KERNELS_AOC_COMMAND_H
#define SL_KERNELS_AOC_COMMAND_H

#include <stdbool.h>

#include "aoc/list.h"

enum sl_aoc_result { SL_AOC_EXECUTABLE, SL_AOC_OBJECT, SL_AOC_LINKED }; /* .aocx, .aoco, .aocr */
enum sl_aoc_question { SL_AOC_BUILD, SL_AOC_HELP, SL_AOC_VERSION, SL_AOC_BOARDS };

struct sl_aoc_command {
    enum sl_aoc_question question;
    enum sl_aoc_result result;
    const char *output; /* borrowed; NULL: named after the first input */
    bool report, verbose;
    struct sl_aoc_list sources, objects; /* .cl; .aoco, .aocr and libraries */
    struct sl_aoc_list options;          /* for the compiler */
    struct sl_aoc_list dropped;          /* flags that mean nothing in an emulation, as written */
};

/* 0; -1 after saying on stderr what is wrong. sl_aoc_command_finish() in either case. */
int sl_aoc_command_read(struct sl_aoc_command *, int argc, char **argv);
void sl_aoc_command_finish(struct sl_aoc_command *);

#endif
