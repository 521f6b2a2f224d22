/* SPDX-License-Identifier: Apache-2.0 */
/* See map.h. The memory object's lock guards its list of maps. */
#include "memory/map.h"

#include <CL/cl_ext_sluice.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "memory/buffer.h"

struct sl_mapping { /* one clEnqueueMap* whose unmap has not ended */
    struct sl_mapping *next;
    void *pointer;
    bool unmapping; /* an unmap is on its way: not to be unmapped again */
};

cl_int sl_check_map_flags(cl_map_flags flags)
{
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (flags & ~known)
        return sl_refuse(CL_INVALID_VALUE, "map flags 0x%llx", (unsigned long long)flags);
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return sl_refuse(CL_INVALID_VALUE, "invalidation excludes reading and writing");
    return CL_SUCCESS;
}

cl_int sl_check_map_access(cl_mem mem, cl_map_flags flags)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & CL_MAP_READ) && (mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return sl_refuse(CL_INVALID_OPERATION, "the host may not read the object");
    if (flags & writes &&
        mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT))
        return sl_refuse(CL_INVALID_OPERATION, "the host may not write the object");
    return CL_SUCCESS;
}

cl_int sl_map_note(cl_mem mem, void *pointer)
{
    struct sl_mapping *map = sl_alloc(sizeof *map);
    if (!map)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a map");
    map->pointer = pointer;
    map->unmapping = false;
    pthread_mutex_lock(&mem->lock);
    map->next = mem->maps;
    mem->maps = map;
    mem->map_count++;
    pthread_mutex_unlock(&mem->lock);
    return CL_SUCCESS;
}

static struct sl_mapping **find_locked(cl_mem mem, const void *pointer, bool unmapping)
{
    struct sl_mapping **at = &mem->maps;
    while (*at && ((*at)->pointer != pointer || (*at)->unmapping != unmapping))
        at = &(*at)->next;
    return at;
}

bool sl_map_is_noted(cl_mem mem, const void *pointer)
{
    pthread_mutex_lock(&mem->lock);
    bool found = *find_locked(mem, pointer, false);
    pthread_mutex_unlock(&mem->lock);
    return found;
}

bool sl_map_mark(cl_mem mem, const void *pointer, bool unmapping)
{
    pthread_mutex_lock(&mem->lock);
    struct sl_mapping *map = *find_locked(mem, pointer, !unmapping);
    if (map)
        map->unmapping = unmapping;
    pthread_mutex_unlock(&mem->lock);
    return map;
}

void sl_map_forget(cl_mem mem, const void *pointer, bool unmapping)
{
    pthread_mutex_lock(&mem->lock);
    struct sl_mapping **at = find_locked(mem, pointer, unmapping);
    if (!*at) /* of a map that failed after its unmap was enqueued */
        at = find_locked(mem, pointer, !unmapping);
    struct sl_mapping *map = *at;
    if (map) {
        *at = map->next;
        mem->map_count--;
    }
    pthread_mutex_unlock(&mem->lock);
    sl_free(map);
}

void sl_map_forget_all(cl_mem mem)
{
    while (mem->maps) {
        struct sl_mapping *map = mem->maps;
        mem->maps = map->next;
        sl_free(map);
    }
}
