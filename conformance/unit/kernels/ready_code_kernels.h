/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of an archive of machine code, by their mangled names, and kernels that call them. */
#ifndef READY_CODE_KERNELS_H
#define READY_CODE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    MOST_PARAMETERS = 3,
    SLOT = 16 /* bytes of an argument or a result */
};

struct type {
    char element; /* as it is mangled */
    unsigned count;
};

struct function {
    const char *symbol; /* NAME.LEVEL; borrowed from the archive */
    char name[64];
    struct type parameters[MOST_PARAMETERS];
    unsigned parameter_count;
    struct type target; /* of the pointer that comes last; element '\0': there is none */
    char space;         /* of this: p, 1, 3 or 4 */
};

/* False: no program can call it, or only with an image or with a range. */
bool read_function(const char *symbol, struct function *);

/* Bytes of an element. */
unsigned element_size(char element);

struct text {
    char *data; /* owned */
    size_t bytes;
};

/* Kernels k0, k1...(global const uchar *in, global uchar *out): item i calls the function with
 * MOST_PARAMETERS slots of `in`, of which it reads as many as there are, and puts the result and
 * what the function puts behind its pointer into two slots of `out`. */
struct text print_program(const struct function *, size_t count);

#endif
