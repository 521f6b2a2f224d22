/* SPDX-License-Identifier: Apache-2.0 */
/* Modules of SPIR-V with what their kernel "k"(global uint *out, uint x) writes when x is 13. */
#ifndef SPIRV_CASES_H
#define SPIRV_CASES_H

#include <stdint.h>

enum { SPIRV_CASE_VALUES = 16 };

struct spirv_case {
    const char *name;
    uint32_t version;
    const char *before; /* annotations and modes */
    const char *globals, *body, *functions;
    unsigned count;
    uint32_t want[SPIRV_CASE_VALUES];
};

extern const struct spirv_case spirv_cases[];
extern const unsigned spirv_case_count;
/* Pointers to parts of global memory, and casts to spaces that they do not reach. */
extern const struct spirv_case spirv_address_case;
/* Of instructions that OpenCL C has functions for. */
extern const struct spirv_case spirv_builtin_cases[];
extern const unsigned spirv_builtin_case_count;
/* For devices with pipes at program scope. */
extern const struct spirv_case spirv_pipe_cases[];
extern const unsigned spirv_pipe_case_count;
/* Two objects to be linked; kernel "k" of the first is run, the other's is called "m". */
extern const struct spirv_case spirv_linked_cases[2];
/* Peripheral 3 sends 1000, 1007 and so on; peripheral 4 gets each and one. */
extern const struct spirv_case spirv_io_case;
/* By names: what the log of the build that fails says. */
extern const struct spirv_case spirv_pipe_refused[];
extern const unsigned spirv_pipe_refused_count;
/* Kernel "give" writes the numbers of a buffer to a pipe, "k" reads them and adds their place. */
extern const struct spirv_case spirv_apart_cases[];
extern const unsigned spirv_apart_case_count;
/* The same, and "k" names the place where it reads. */
extern const struct spirv_case spirv_placed_cases[];
extern const unsigned spirv_placed_case_count;
/* Latency controls: what is accepted, what has a warning, and what fails, by names as above. */
extern const struct spirv_case spirv_latency_cases[], spirv_latency_dangling;
extern const struct spirv_case spirv_latency_refused[];
extern const unsigned spirv_latency_case_count, spirv_latency_refused_count;
/* The same with a schedule. */
extern const struct spirv_case spirv_scheduled_cases[], spirv_scheduled_refused[];
extern const unsigned spirv_scheduled_case_count, spirv_scheduled_refused_count;

/* The whole module as a text for the assembler; the caller frees it. */
char *spirv_case_text(const struct spirv_case *);

#endif
