/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatch tables with every entry point behind sl_probe(): the linker sends the doors here
 * (--wrap). Constant after the first call, which comes before the first object. */
#include <string.h>

#include "dispatch.h"
#include "probe.h"
#include "probed_entries.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

const struct sl_dispatch *__real_sl_dispatch_table(bool traced);
const struct sl_dispatch *__wrap_sl_dispatch_table(bool traced);
void *__real_sl_dispatch_lookup(const char *name, bool traced);
void *__wrap_sl_dispatch_lookup(const char *name, bool traced);
cl_int __real_sl_clGetPlatformIDs(cl_uint count, cl_platform_id *list, cl_uint *found);
cl_int __wrap_sl_clGetPlatformIDs(cl_uint count, cl_platform_id *list, cl_uint *found);

typedef void (*any_fn)(void);
static const struct {
    const char *name;
    any_fn probed;
} names[] = {
#define SL_API(name) {#name, (any_fn)sl_probed_##name},
#define SL_API_TAG(name) SL_API(name)
#define SL_API_NONE(name)
#define SL_API_VOID(name, absent)
#define SL_API_EXT(name) SL_API(name)
#define SL_API_EXT_T(name) SL_API(name)
#include "api.def"
#undef SL_API
#undef SL_API_TAG
#undef SL_API_EXT
#undef SL_API_EXT_T
};

const struct sl_dispatch *__wrap_sl_dispatch_table(bool traced)
{
    static struct sl_dispatch table;
    table = *__real_sl_dispatch_table(traced);
#define SL_API(name) table.name = sl_probed_##name;
#define SL_API_TAG(name)
#define SL_API_EXT(name)
#define SL_API_EXT_T(name)
#include "api.def"
    return &table;
}

void *__wrap_sl_dispatch_lookup(const char *name, bool traced)
{
    void *found = __real_sl_dispatch_lookup(name, traced);
    for (size_t i = 0; found && i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return (void *)names[i].probed;
    return found;
}

/* ---- the door that loaders use first --------------------------------------------------------- */

struct platform_ids {
    cl_uint count;
    cl_platform_id *list;
    cl_uint *found;
    cl_int result;
};

static void call_platform_ids(void *at)
{
    struct platform_ids *a = at;
    a->result = __real_sl_clGetPlatformIDs(a->count, a->list, a->found);
}

cl_int __wrap_sl_clGetPlatformIDs(cl_uint count, cl_platform_id *list, cl_uint *found)
{
    struct platform_ids a = {.count = count, .list = list, .found = found};
    sl_probe("clIcdGetPlatformIDsKHR", call_platform_ids, &a);
    return a.result;
}
