/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hwloc, loaded by name when there is something to ask it and unloaded afterwards: most processes
 * never need it, and the driver works without.
 */
#ifndef SL_DEVICES_HWLOC_H
#define SL_DEVICES_HWLOC_H

#include <hwloc.h>
#include <stdbool.h>

struct sl_hwloc {
    void *library; /* owned */
    hwloc_topology_t topology;
    __typeof__(hwloc_topology_init) *init;
    __typeof__(hwloc_topology_load) *load;
    __typeof__(hwloc_topology_destroy) *destroy;
    __typeof__(hwloc_get_type_depth) *type_depth;
    __typeof__(hwloc_get_nbobjs_by_depth) *count;
    __typeof__(hwloc_get_obj_by_depth) *object;
    __typeof__(hwloc_bitmap_next) *next;
};

/* False, with nothing to close, when hwloc is not there or cannot tell. */
bool sl_hwloc_open(struct sl_hwloc *);
void sl_hwloc_close(struct sl_hwloc *);
/* Objects of a type and the depth to ask for them at; 0 where there are none or not at one depth.
 */
unsigned sl_hwloc_count(const struct sl_hwloc *, hwloc_obj_type_t, int *depth);

#endif
