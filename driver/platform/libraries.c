/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See libraries.h. A library says in its file's name for which version of the interface it was
 * made: one of another version is named and not opened, since opening runs its constructors.
 */
#include "platform/libraries.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/config/config.h"
#include "base/config/own_folder.h"
#include "base/log/log.h"
#include "base/query/info.h"
#include "sluice/base/environment.h"

enum { MAX_LIBRARIES = 16, NO_VERSION = -1 };

struct sl_device_library {
    void *handle; /* NULL: the row is free */
    dev_t device;
    ino_t file;
    unsigned holds;
};

static struct sl_device_library libraries[MAX_LIBRARIES];
static bool searched; /* once already: all there is to say was said */

struct search {
    sl_device_library_fn *found;
    void *data;
};

void sl_library_refuse(const char *path, const char *fmt, ...)
{
    char why[512], text[PATH_MAX + sizeof why];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    if (searched) {
        sl_log(SL_LOG_ERROR, "device", "%s: not used: %s", path, why);
        return;
    }
    snprintf(text, sizeof text, "%s: not used: %s", path, why);
    sl_log_always("device", text);
}

/* What stands between ".sluice" and ".so" at the end of a name. */
static long version_of(const char *name)
{
    static const char word[] = ".sluice";
    const char *at = NULL;
    for (const char *next = name; (next = strstr(next, word)); next++)
        at = next + sizeof word - 1;
    char *end;
    if (!at || *at < '0' || *at > '9')
        return NO_VERSION;
    long version = strtol(at, &end, 10);
    return strcmp(end, ".so") ? NO_VERSION : version;
}

static bool right_version(const char *path)
{
    const char *slash = strrchr(path, '/');
    long version = version_of(slash ? slash + 1 : path);
    if (version == (long)SL_DEVICE_ABI)
        return true;
    if (version == NO_VERSION)
        sl_library_refuse(path, "the name of a device library ends in " SL_DEVICE_SUFFIX);
    else
        sl_library_refuse(path, "made for version %ld of the device interface, this driver has %u",
                          version, SL_DEVICE_ABI);
    return false;
}

/* A row for the file; NULL if it is open already, or there are too many. */
static struct sl_device_library *new_row(const char *path, const struct stat *file)
{
    struct sl_device_library *row = NULL;
    for (size_t i = 0; i < SL_LEN(libraries); i++) {
        struct sl_device_library *library = &libraries[i];
        if (!library->handle)
            row = row ? row : library;
        else if (library->device == file->st_dev && library->file == file->st_ino)
            return NULL;
    }
    if (row)
        *row = (struct sl_device_library){.device = file->st_dev, .file = file->st_ino};
    else
        sl_library_refuse(path, "there are %d device libraries already", MAX_LIBRARIES);
    return row;
}

static void close_library(struct sl_device_library *library)
{
    if (library->handle)
        dlclose(library->handle);
    library->handle = NULL;
}

static void open_library(const char *path, const struct stat *file, const struct search *search)
{
    struct sl_device_library *library = right_version(path) ? new_row(path, file) : NULL;
    if (!library)
        return;
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        const char *why = dlerror();
        sl_library_refuse(path, "%s", why ? why : "it cannot be loaded");
        return;
    }
    void *symbol = dlsym(library->handle, "sl_device_plugin");
    if (symbol) {
        sl_device_plugin_fn plugin;
        memcpy(&plugin, &symbol, sizeof plugin);
        search->found(library, plugin, path, search->data);
    } else {
        sl_library_refuse(path, "it has no function sl_device_plugin");
    }
    if (!library->holds)
        close_library(library);
}

static int is_library(const struct dirent *entry)
{
    return version_of(entry->d_name) != NO_VERSION;
}

static void search_folder(const char *folder, const struct search *search)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_library, alphasort), error = errno;
    sl_trace(SL_TRACE_DISCOVERY, "searching %s: %d device libraries", folder,
             count < 0 ? 0 : count);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat file;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (length < (int)sizeof path && !stat(path, &file) && S_ISREG(file.st_mode))
            open_library(path, &file, search);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    else
        sl_library_refuse(folder, "%s", strerror(error));
}

/* A library, or a folder of some. */
static void search_place(const char *path, const struct search *search)
{
    struct stat file;
    if (stat(path, &file))
        sl_library_refuse(path, "%s", strerror(errno));
    else if (S_ISDIR(file.st_mode))
        search_folder(path, search);
    else
        open_library(path, &file, search);
}

static void search_path(const char *path, const struct search *search)
{
    while (path && *path) {
        char place[PATH_MAX];
        size_t length = strcspn(path, ":");
        if (length && length < sizeof place) {
            memcpy(place, path, length);
            place[length] = 0;
            search_place(place, search);
        }
        path += length + (path[length] == ':');
    }
}

/* A line of the list: a place, or nothing in front of '#'. */
static void search_line(const char *list, char *line, const struct search *search)
{
    line[strcspn(line, "#\r\n")] = 0;
    line += strspn(line, " \t");
    for (size_t end = strlen(line); end && strchr(" \t", line[end - 1]);)
        line[--end] = 0;
    if (*line && *line != '/')
        sl_library_refuse(line, "%s names it, and only names that begin with / mean something",
                          list);
    else if (*line)
        search_place(line, search);
}

static void search_list(const char *list, const struct search *search)
{
    char line[PATH_MAX];
    FILE *file = *list ? fopen(list, "re") : NULL;
    /* Nobody needs to have the list that nobody named. */
    if (*list && !file &&
        (errno != ENOENT || sl_environment(sl_config_name(SL_CONFIG_PLUGIN_CONFIG))))
        sl_library_refuse(list, "%s", strerror(errno));
    sl_trace(SL_TRACE_DISCOVERY, "list of device libraries %s: %s", list, file ? "read" : "none");
    while (file && fgets(line, sizeof line, file))
        search_line(list, line, search);
    if (file)
        fclose(file);
}

static void search_beside(const struct search *search)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct stat file;
    if (!sl_own_folder(folder))
        return;
    snprintf(path, sizeof path, "%ssluice/devices", folder);
    if (!stat(path, &file) && S_ISDIR(file.st_mode))
        search_folder(path, search);
}

void sl_libraries_search(sl_device_library_fn *found, void *data)
{
    const struct search search = {found, data};
    if (sl_privileged())
        return;
    search_path(sl_config(SL_CONFIG_PLUGIN_PATH), &search);
    search_list(sl_config(SL_CONFIG_PLUGIN_CONFIG), &search);
    search_beside(&search);
    searched = true;
}

void sl_device_library_hold(struct sl_device_library *library)
{
    if (library)
        library->holds++;
}

void sl_device_library_release(struct sl_device_library *library)
{
    if (library && !--library->holds)
        close_library(library);
}

void sl_libraries_close(void)
{
    for (size_t i = 0; i < SL_LEN(libraries); i++)
        close_library(&libraries[i]);
}
