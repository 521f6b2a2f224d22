/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extensions and OpenCL C features: one row each in extension.def, for the driver, which announces
 * them, and for the offline compiler, which offers what the devices offer. Constant data; any
 * thread.
 */
#ifndef SL_BASE_EXTENSION_H
#define SL_BASE_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

enum sl_extension_scope {
    SL_EXT_PLATFORM = 1, /* named by the platform */
    SL_EXT_DEVICE = 2, /* named by devices that have the features of the row; the compiler's too */
    SL_EXT_LANGUAGE = 4, /* an OpenCL C 3.0 feature macro, not an extension */
    SL_EXT_COMPILER = 8, /* what the compiler shall offer beyond what is announced */
    /* What SL_CHUNK_EXTENSIONS wants. */
    SL_EXT_OFFERED = SL_EXT_DEVICE | SL_EXT_LANGUAGE | SL_EXT_COMPILER,
};

/* What the in-tree devices have: they announce it, and the offline compiler goes by it. */
enum {
    SL_FEATURES_LANGUAGE =
        SL_FEATURE_FP64 | SL_FEATURE_FP16 | SL_FEATURE_INT64_ATOMICS | SL_FEATURE_NATIVE_KERNELS |
        SL_FEATURE_NON_UNIFORM_GROUPS | SL_FEATURE_SVM | SL_FEATURE_GENERIC_ADDRESS_SPACE |
        SL_FEATURE_PROGRAM_GLOBALS | SL_FEATURE_SUB_GROUPS | SL_FEATURE_IL | SL_FEATURE_CLEARS,
    SL_FEATURES_IMAGES = SL_FEATURE_IMAGES | SL_FEATURE_IMAGE_3D_WRITES,
    SL_FEATURES_OF_CPU = SL_FEATURE_PIPES | SL_FEATURE_DEVICE_ENQUEUE | SL_FEATURE_CALLER_RUNS,
    SL_FEATURES_OF_FPGA = SL_FEATURE_PIPES | SL_FEATURE_DATAFLOW,
    SL_FEATURES_CPU = SL_FEATURES_LANGUAGE | SL_FEATURES_IMAGES | SL_FEATURES_OF_CPU,
    SL_FEATURES_FPGA = SL_FEATURES_LANGUAGE | SL_FEATURES_IMAGES | SL_FEATURES_OF_FPGA,
};

struct sl_extension {
    const char *name;
    unsigned major, minor, patch;
    unsigned scopes; /* enum sl_extension_scope */
    uint32_t features;
};

/* NULL behind the last row. */
const struct sl_extension *sl_extension_at(size_t row);
/* Whether it is in one of the scopes, and all that it needs is there. */
bool sl_extension_applies(const struct sl_extension *, unsigned scopes, uint32_t features);

enum {
    SL_EXTENSION_ROWS = 0
#define SL_EXTENSION(...) +1
#include "sluice/base/extension.def"
#undef SL_EXTENSION
    ,
    SL_EXTENSION_BYTES = 1 /* of the names of all rows, each with a space, and a NUL */
#define SL_EXTENSION(name, ...) +sizeof name
#include "sluice/base/extension.def"
#undef SL_EXTENSION
};

/* Names of the rows in `scopes` for a device with `features`, separated by spaces. */
void sl_extension_list(unsigned scopes, uint32_t features, char out[SL_EXTENSION_BYTES]);

SL_END_C

#endif
