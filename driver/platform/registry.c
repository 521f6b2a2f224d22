/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and opens devices, under the platform's lock. Libraries stay open for as long as their
 * devices.
 */
#include "platform/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "commands/command.h"

/* The interface version is part of the name: a library of another version is not even opened. */
static const char suffix[] = ".sluice1.so";

enum { MAX_DEVICES = sizeof((struct sl_device_list){0}.devices) / sizeof(struct sl_device *) };

static void *libraries[MAX_DEVICES];
static unsigned library_count;

const char *sl_registry_name(const struct sl_device *device)
{
    if (device->caps.short_name)
        return device->caps.short_name;
    switch (device->caps.type & ~(uint64_t)CL_DEVICE_TYPE_DEFAULT) {
    case CL_DEVICE_TYPE_CPU:
        return "cpu";
    case CL_DEVICE_TYPE_GPU:
        return "gpu";
    case CL_DEVICE_TYPE_ACCELERATOR:
        return "accelerator";
    default:
        return "custom";
    }
}

/* Tables of devices that know fewer calls than we do, filled up with NULL rows. Never freed or
 * changed: a device that is closed and opened again may still point here. */
static struct sl_device_ops full_tables[MAX_DEVICES];
static unsigned full_table_count;

/* What the driver calls without asking. The other rows may be NULL. */
static const char *missing_row(const struct sl_device_ops *ops, uint32_t features)
{
    bool pipes = ops->pipe_create && ops->pipe_destroy && ops->pipe_ring;
    bool ends = pipes && ops->code_pipe && ops->pipe_read && ops->pipe_write && ops->pipe_map &&
                ops->pipe_unmap;
    bool queues = ops->queue_create && ops->queue_destroy;
    return !ops->close                                       ? "close"
           : !ops->memory_create                             ? "memory_create"
           : !ops->memory_destroy                            ? "memory_destroy"
           : !ops->memory_host                               ? "memory_host"
           : !ops->lane_create                               ? "lane_create"
           : !ops->lane_destroy                              ? "lane_destroy"
           : !ops->submit                                    ? "submit"
           : ops->code_load && !ops->code_unload             ? "code_unload"
           : features & SL_FEATURE_PIPES && !pipes           ? "its calls for pipes"
           : features & SL_FEATURE_DATAFLOW && !ends         ? "its calls for the ends of pipes"
           : features & SL_FEATURE_DEVICE_ENQUEUE && !queues ? "its calls for queues"
                                                             : NULL;
}

/* The same table, or an equal full one; NULL when there are too many. */
static const struct sl_device_ops *full_table(const struct sl_device_ops *ops)
{
    struct sl_device_ops full = {0};
    if (ops->size >= sizeof *ops)
        return ops;
    memcpy(&full, ops, ops->size);
    full.size = sizeof full;
    for (unsigned i = 0; i < full_table_count; i++)
        if (!memcmp(&full_tables[i], &full, sizeof full))
            return &full_tables[i];
    if (full_table_count == MAX_DEVICES)
        return NULL;
    full_tables[full_table_count] = full;
    return &full_tables[full_table_count++];
}

static bool usable(struct sl_device *device, const char *from)
{
    const struct sl_device_ops *ops = device->ops;
    const size_t least = offsetof(struct sl_device_ops, close) + sizeof ops->close;
    if (!ops || ops->abi != SL_DEVICE_ABI || ops->size < least) {
        sl_log(SL_LOG_ERROR, "device", "%s: device with another interface version ignored", from);
        return false;
    }
    ops = full_table(ops);
    const char *missing = ops ? missing_row(ops, device->caps.features) : "table";
    if (missing) {
        sl_log(SL_LOG_ERROR, "device", "%s: device without %s ignored", from, missing);
        return false;
    }
    device->ops = ops;
    return true;
}

static int ask(sl_device_plugin_fn plugin, const char *from, struct sl_device_list *all)
{
    struct sl_device_list own = {.capacity = MAX_DEVICES};
    int rc = plugin(&sl_host_ops, &own);
    if (rc)
        sl_log(SL_LOG_ERROR, "device", "%s: no devices (%d)", from, rc);
    for (uint32_t i = 0; !rc && i < own.count && i < MAX_DEVICES; i++) {
        struct sl_device *device = own.devices[i];
        if (!device || !usable(device, from))
            continue;
        if (all->count == all->capacity) {
            device->ops->close(device);
            continue;
        }
        sl_trace(SL_TRACE_DISCOVERY, "device %s \"%s\" from %s", sl_registry_name(device),
                 device->caps.name, from);
        all->devices[all->count++] = device;
    }
    return rc;
}

static void open_library(const char *folder, const char *file, struct sl_device_list *all)
{
    char path[4096];
    if (library_count == MAX_DEVICES ||
        snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "sl_device_plugin") : NULL;
    if (!symbol) {
        sl_log(SL_LOG_ERROR, "device", "%s: %s", path, library ? "no sl_device_plugin" : dlerror());
        if (library)
            dlclose(library);
        return;
    }
    sl_device_plugin_fn plugin;
    memcpy(&plugin, &symbol, sizeof plugin);
    libraries[library_count++] = library;
    ask(plugin, path, all);
}

static int is_library(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length >= sizeof suffix && !strcmp(entry->d_name + length - (sizeof suffix - 1), suffix);
}

static void search_folder(const char *folder, struct sl_device_list *all)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_library, alphasort);
    sl_trace(SL_TRACE_DISCOVERY, "searching %s: %d device libraries", folder,
             count < 0 ? 0 : count);
    for (int i = 0; i < count; i++) {
        open_library(folder, entries[i]->d_name, all);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void search_path(const char *path, struct sl_device_list *all)
{
    while (path && *path) {
        char folder[4096];
        size_t length = strcspn(path, ":");
        if (length && length < sizeof folder) {
            memcpy(folder, path, length);
            folder[length] = 0;
            search_folder(folder, all);
        }
        path += length + (path[length] == ':');
    }
}

/* Moves the devices that `filter` names to `out`, in its order, and closes the others. */
static void choose(struct sl_device_list *all, const char *filter, struct sl_device_list *out)
{
    while (*filter) {
        const uint32_t before = out->count;
        size_t length = strcspn(filter, ",");
        for (uint32_t i = 0; i < all->count; i++) {
            struct sl_device *device = all->devices[i];
            const char *name = device ? sl_registry_name(device) : "";
            if (!length || strlen(name) != length || strncmp(name, filter, length))
                continue;
            out->devices[out->count++] = device;
            all->devices[i] = NULL;
        }
        if (out->count == before)
            sl_log(SL_LOG_WARN, SL_LOG_SETTING,
                   "SLUICE_DEVICES: no (further) device is called %.*s", (int)length, filter);
        filter += length + (filter[length] == ',');
    }
    for (uint32_t i = 0; i < all->count; i++)
        if (all->devices[i])
            all->devices[i]->ops->close(all->devices[i]);
}

bool sl_registry_open(struct sl_device_list *out)
{
    bool complete = true;
    struct sl_device_list all = {.capacity = MAX_DEVICES};
    for (size_t i = 0; sl_builtin_devices[i]; i++)
        complete &= !ask(sl_builtin_devices[i], "libsluice", &all);
    search_path(sl_config(SL_CONFIG_PLUGIN_PATH), &all);
    const char *filter = sl_config(SL_CONFIG_DEVICES);
    *out = (struct sl_device_list){.capacity = MAX_DEVICES};
    if (!filter || !*filter) {
        *out = all;
        return complete;
    }
    choose(&all, filter, out);
    if (!out->count)
        sl_log(SL_LOG_WARN, SL_LOG_SETTING,
               "SLUICE_DEVICES=%s names no known device: the platform is empty", filter);
    return complete;
}

void sl_registry_close(void)
{
    while (library_count)
        dlclose(libraries[--library_count]);
}
