/* SPDX-License-Identifier: Apache-2.0 */
/* The names that clang gives overloaded functions of OpenCL C for spir64. Stateless. */
#ifndef SL_KERNELS_SPIRV_MANGLE_H
#define SL_KERNELS_SPIRV_MANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A parameter's type: a scalar or vector, or a pointer to one. */
struct sl_mangle_type {
    const char *base; /* as it is mangled: "f", "Dh", "14ocl_image2d_ro", "12memory_order" */
    uint8_t lanes;    /* of a vector; 0 and 1: none */
    bool is_enum;    /* a name that stands for itself when it comes again, as builtin ones do not */
    bool is_pointer; /* to that; the rest tells how */
    uint8_t space;   /* 0: private, which names do not tell */
    bool is_const, is_volatile, is_atomic;
};

enum { SL_MANGLE_ROOM = 512 };

/*
 * Writes the name of function `name` with these parameters (none: void); at most 12. False: it does
 * not fit.
 */
bool sl_mangle(char out[SL_MANGLE_ROOM], const char *name, const struct sl_mangle_type *parameters,
               size_t count);

#endif
