/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_cooperative_matrix in tests: the products that the device announces, numbers of all their
 * types as C has them, and texts of modules for spirv_text.h.
 */
#ifndef SPIRV_COOPERATIVE_H
#define SPIRV_COOPERATIVE_H

#include <CL/cl_ext_sluice.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef cl_device_cooperative_matrix_variant_khr variant;
typedef cl_device_cooperative_matrix_component_type_khr component;

enum { MOST_VARIANTS = 256, SUB_GROUP = 16 };

/* Skips the test where the device has no such extension. */
size_t cooperative_variants(variant out[MOST_VARIANTS]);
clGetDeviceCooperativeMatrixInfoKHR_sluice_t *cooperative_query(void);
/* Is it one that takes too long for this run? */
bool cooperative_is_left_out(const variant *);

bool cooperative_is_real(component);
bool cooperative_is_signed(component);
unsigned cooperative_bytes(component);
/* Number `index` of an array of these. Integers fit a double, or are of at most 32 bits. */
double cooperative_get(component, const void *array, size_t index);
/* What an integer or a number that fits is as one of these. */
void cooperative_put(component, void *array, size_t index, double value);

/* Declarations of types: "%e" and its pointer "%p" are of the component, "%uint" and the like of
 * all modules. The caller's text goes on with them. */
extern const char cooperative_head[], cooperative_types[];
/* "%NAME = OpType..." of a component, for a module that has %half, %float, %double, %uchar and so
 * on: their names. */
const char *cooperative_name(component);

#endif
