/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks for devices, refuses those that the driver could not count on, and chooses among them, under
 * the platform's lock. Libraries stay open for as long as a device of theirs is in use.
 */
#include "platform/registry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "platform/built_in_kernels.h"
#include "platform/device_check.h"
#include "platform/hooks.h"
#include "platform/libraries.h"
#include "platform/own_extensions.h"

enum { MAX_DEVICES = sizeof((struct sl_device_list){0}.devices) / sizeof(struct sl_device *) };

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
           : !ops->work_queue_create                         ? "work_queue_create"
           : !ops->work_queue_destroy                        ? "work_queue_destroy"
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

/* A device that may be reported, and the library it came from (NULL: the driver's own). */
struct candidate {
    struct sl_device *device; /* NULL: it went elsewhere */
    struct sl_device_library *library;
};

struct candidates {
    uint32_t count;
    bool complete; /* no device in the tree is missing */
    struct candidate list[MAX_DEVICES];
};

static void drop(struct candidate candidate)
{
    candidate.device->ops->close(candidate.device);
    sl_device_library_release(candidate.library);
}

static bool usable(struct sl_device *device, const char *from)
{
    const struct sl_device_ops *ops = device->ops;
    const size_t least = offsetof(struct sl_device_ops, close) + sizeof ops->close;
    if (!ops || ops->abi != SL_DEVICE_ABI || ops->size < least) {
        sl_library_refuse(from, "a device of it has another version of the interface than %u",
                          SL_DEVICE_ABI);
        return false;
    }
    ops = full_table(ops);
    const char *missing = ops ? missing_row(ops, device->caps.features) : "table";
    if (missing) {
        sl_library_refuse(from, "a device of it has no %s", missing);
        return false;
    }
    device->ops = ops;
    return true;
}

/* In-tree devices are not asked for their facts. */
static bool sound(struct sl_device *device, struct sl_device_library *library, const char *from)
{
    char why[256];
    const char *name = device->caps.name;
    if (!library || (sl_facts_sound(&device->caps, why, sizeof why) &&
                     sl_own_extensions_sound(device, why, sizeof why) &&
                     sl_built_in_kernels_sound(device, why, sizeof why)))
        return true;
    sl_library_refuse(from, "device \"%s\": %s", name ? name : "", why);
    device->ops->close(device);
    return false;
}

static int ask(sl_device_plugin_fn plugin, struct sl_device_library *library, const char *from,
               struct candidates *all)
{
    struct sl_device_list own = {.capacity = MAX_DEVICES};
    int rc = plugin(sl_hooks.host, &own);
    for (uint32_t i = 0; !rc && i < own.count && i < MAX_DEVICES; i++) {
        struct sl_device *device = own.devices[i];
        if (!device || !usable(device, from) || !sound(device, library, from))
            continue;
        if (all->count == MAX_DEVICES) {
            sl_library_refuse(from, "there are %d devices already", MAX_DEVICES);
            device->ops->close(device);
            continue;
        }
        sl_trace(SL_TRACE_DISCOVERY, "device %s \"%s\" from %s", sl_registry_name(device),
                 device->caps.name, from);
        sl_device_library_hold(library);
        all->list[all->count++] = (struct candidate){device, library};
    }
    return rc;
}

static void found(struct sl_device_library *library, sl_device_plugin_fn plugin, const char *path,
                  void *data)
{
    int rc = ask(plugin, library, path, data);
    if (rc)
        sl_library_refuse(path, "it answers %s (%d) when it is asked for devices",
                          sl_error_name(rc), rc);
}

static void take(struct candidate *candidate, struct sl_device_list *out)
{
    out->devices[out->count++] = candidate->device;
    candidate->device = NULL;
}

/* An item of SLUICE_DEVICES: where it begins behind blanks, and its length without those. */
static size_t trim(const char **word)
{
    static const char blanks[] = " \t";
    *word += strspn(*word, blanks);
    size_t length = strcspn(*word, ",");
    while (length && strchr(blanks, (*word)[length - 1]))
        length--;
    return length;
}

static bool is_word(const char *word, const char *name)
{
    size_t length = trim(&word);
    return length && strlen(name) == length && !strncasecmp(name, word, length);
}

static bool is_listed(const char *filter, const char *name)
{
    for (; *filter; filter += strcspn(filter, ","), filter += *filter == ',')
        if (is_word(filter, name))
            return true;
    return false;
}

/* The second and further devices of that name, as fpga2 is of fpga, unless the list has them at
 * places of their own. */
static bool is_further(const char *word, const char *name, const char *names)
{
    size_t length = trim(&word);
    return !strncasecmp(name, word, length) && name[length] && !is_listed(names, name) &&
           !name[length + strspn(name + length, "0123456789")];
}

/* Which devices are left to be named in its place. */
static void refuse_word(const struct candidates *all, const char *word)
{
    char names[160] = "";
    int length = (int)trim(&word);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].device)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", sl_registry_name(all->list[i].device));
    sl_log(SL_LOG_WARN, SL_LOG_SETTING, "SLUICE_DEVICES: no (further) device is called %.*s%s%s",
           length, word, *names ? "; not named yet: " : "", names);
}

/* Moves the devices that `filter` names to `out`, in its order. */
static void choose(struct candidates *all, const char *names, struct sl_device_list *out)
{
    for (const char *filter = names; *filter;) {
        const uint32_t before = out->count;
        size_t length = strcspn(filter, ",");
        bool first = false;
        for (uint32_t i = 0; i < all->count; i++) {
            struct candidate *candidate = &all->list[i];
            const char *name = candidate->device ? sl_registry_name(candidate->device) : "";
            bool same = candidate->device && is_word(filter, name);
            if (same || (first && candidate->device && is_further(filter, name, names)))
                take(candidate, out);
            first |= same;
        }
        if (out->count == before)
            refuse_word(all, filter);
        filter += length + (filter[length] == ',');
    }
}

bool sl_registry_open(struct sl_device_list *out)
{
    struct candidates all = {.complete = true};
    for (size_t i = 0; sl_builtin_devices[i]; i++) {
        int rc = ask(sl_builtin_devices[i], NULL, "libsluice", &all);
        if (rc)
            sl_log(SL_LOG_ERROR, "device", "libsluice: no devices (%d)", rc);
        all.complete &= !rc;
    }
    sl_libraries_search(found, &all);
    const char *filter = sl_config(SL_CONFIG_DEVICES);
    bool filtered = filter && *filter;
    *out = (struct sl_device_list){.capacity = MAX_DEVICES};
    if (filtered)
        choose(&all, filter, out);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!filtered)
            take(&all.list[i], out);
        else if (all.list[i].device)
            drop(all.list[i]);
    }
    if (filtered && !out->count)
        sl_log(SL_LOG_WARN, SL_LOG_SETTING,
               "SLUICE_DEVICES=%s names no known device: the platform is empty", filter);
    return all.complete;
}

void sl_registry_close(void)
{
    sl_libraries_close();
}
