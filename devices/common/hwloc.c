/* SPDX-License-Identifier: Apache-2.0 */
/* See hwloc.h. No state, no lock. */
#include "common/hwloc.h"

#include <dlfcn.h>
#include <stddef.h>

#include "common/fpmode.h"
#include "sluice/base/environment.h"

static bool find_calls(struct sl_hwloc *hw)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {
        {&hw->init, "hwloc_topology_init"},        {&hw->load, "hwloc_topology_load"},
        {&hw->destroy, "hwloc_topology_destroy"},  {&hw->type_depth, "hwloc_get_type_depth"},
        {&hw->count, "hwloc_get_nbobjs_by_depth"}, {&hw->object, "hwloc_get_obj_by_depth"},
        {&hw->next, "hwloc_bitmap_next"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(hw->library, wanted[i].name);
        if (!symbol)
            return false;
        *(void **)wanted[i].to = symbol;
    }
    return true;
}

/* It computes distances in floating point, on a thread of the application. */
static bool load_topology(struct sl_hwloc *hw)
{
    if (hw->init(&hw->topology))
        return false;
    uint64_t mode = sl_fpmode_enter();
    int rc = hw->load(hw->topology);
    sl_fpmode_leave(mode);
    if (!rc)
        return true;
    hw->destroy(hw->topology);
    return false;
}

bool sl_hwloc_open(struct sl_hwloc *hw)
{
    if (sl_privileged()) /* its plug-ins and descriptions of machines come from the environment */
        return false;
    hw->library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (!hw->library)
        return false;
    if (find_calls(hw) && load_topology(hw))
        return true;
    dlclose(hw->library);
    return false;
}

void sl_hwloc_close(struct sl_hwloc *hw)
{
    hw->destroy(hw->topology);
    dlclose(hw->library);
}

unsigned sl_hwloc_count(const struct sl_hwloc *hw, hwloc_obj_type_t type, int *depth)
{
    *depth = hw->type_depth(hw->topology, type);
    if (*depth == HWLOC_TYPE_DEPTH_UNKNOWN || *depth == HWLOC_TYPE_DEPTH_MULTIPLE)
        return 0;
    return hw->count(hw->topology, *depth);
}
