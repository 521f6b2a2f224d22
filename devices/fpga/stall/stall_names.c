/* SPDX-License-Identifier: Apache-2.0 */
/* A program of SYCL knows its pipes and kernels by other names than those that its compiler made of
 * them. Its process has the run-time of C++, which reads them; one without has no such names. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "fpga/stall/stall.h"
#include "sluice/base/readable.h"

void sl_stall_name(char **text)
{
    /* Loaded or not: it is not this library that brings it. */
    static const char *const run_times[] = {"libstdc++.so.6", "libc++abi.so.1"};
    if (!strstr(*text, "_Z"))
        return;
    for (size_t i = 0; i < sizeof run_times / sizeof *run_times; i++) {
        void *library = dlopen(run_times[i], RTLD_LAZY | RTLD_NOLOAD);
        sl_demangle *demangle = NULL;
        if (!library)
            continue;
        *(void **)&demangle = dlsym(library, "__cxa_demangle");
        char *named = demangle ? sl_readable_names(demangle, *text, strlen(*text), NULL) : NULL;
        dlclose(library);
        if (!named)
            continue;
        free(*text);
        *text = named;
        return;
    }
}
