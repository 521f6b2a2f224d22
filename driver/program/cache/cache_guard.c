/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See cache_guard.h. The compiler tells the files it read, not the directives that named them. So
 * each file is looked for by every name a directive may have used, in every -I folder and beside
 * every file that was read; watching a place that is never searched costs a rebuild at worst.
 * No state, no lock.
 */
#include "program/cache/cache_guard.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/object/alloc.h"
#include "base/query/info.h"
#include "sluice/base/hash.h"
#include "sluice/base/io.h"

static_assert(sizeof SL_CACHE_ABSENT == SL_HASH_DIGITS + 1, "stands where a hash does");

#define MAX_TEXT_BYTES ((off_t)64 << 20)
#define MAX_LINES_BYTES ((size_t)1 << 20)

bool sl_guard_varies(const char *text, size_t bytes)
{
    static const char *const words[] = {"__TIME__", "__DATE__", "__TIMESTAMP__", "__has_include",
                                        "__has_embed"};
    for (size_t i = 0; i < SL_LEN(words); i++)
        if (bytes && memmem(text, bytes, words[i], strlen(words[i])))
            return true;
    return false;
}

bool sl_guard_present(const char *path)
{
    struct stat file;
    return !stat(path, &file) && !S_ISDIR(file.st_mode);
}

static bool file_varies(const char *path)
{
    struct stat file;
    bool varies = true;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return true;
    if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size <= MAX_TEXT_BYTES) {
        size_t bytes = (size_t)file.st_size;
        char *text = sl_alloc(bytes + 1);
        varies = !text || !sl_read_all(fd, text, bytes) || sl_guard_varies(text, bytes);
        sl_free(text);
    }
    close(fd);
    return varies;
}

/* ---- names and places ------------------------------------------------------------------------ */

struct slice { /* borrowed text without a NUL */
    const char *at;
    size_t length;
};

struct guard {
    char *const *options;
    uint32_t option_count;
    struct slice *files; /* owned: what the compiler read */
    size_t file_count;
    char *text; /* owned: the lines to add */
    size_t bytes;
    bool fine;
};

static bool same(struct slice a, struct slice b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

static struct slice folder_of(struct slice file)
{
    const char *slash = memrchr(file.at, '/', file.length);
    return (struct slice){file.at, slash ? (size_t)(slash - file.at) : 0};
}

/* The folder of an -I token without slashes at its end; length 0: another option, or the root. */
static struct slice searched_folder(const char *token)
{
    struct slice folder = {token + 2, 0};
    if (strncmp(token, "-I", 2))
        return (struct slice){token, 0};
    folder.length = strlen(folder.at);
    while (folder.length && folder.at[folder.length - 1] == '/')
        folder.length--;
    return folder;
}

/* What follows `folder` in `file`; length 0: it lies elsewhere. */
static struct slice name_below(struct slice file, struct slice folder)
{
    if (file.length <= folder.length || memcmp(file.at, folder.at, folder.length) ||
        file.at[folder.length] != '/')
        return (struct slice){file.at, 0};
    struct slice name = {file.at + folder.length, file.length - folder.length};
    while (name.length && *name.at == '/') {
        name.at++;
        name.length--;
    }
    return name;
}

/* ---- watching -------------------------------------------------------------------------------- */

static void watch(struct guard *guard, struct slice folder, struct slice name)
{
    const size_t head = SL_HASH_DIGITS + 1, path = folder.length + 1 + name.length;
    if (!guard->fine)
        return;
    if (guard->bytes + head + path + 1 > MAX_LINES_BYTES) {
        guard->fine = false;
        return;
    }
    char *line = guard->text + guard->bytes;
    memcpy(line, SL_CACHE_ABSENT " ", head);
    memcpy(line + head, folder.at, folder.length);
    line[head + folder.length] = '/';
    memcpy(line + head + folder.length + 1, name.at, name.length);
    line[head + path] = 0;
    if (sl_guard_present(line + head))
        return; /* it is there and was not taken, or is the file itself */
    line[head + path] = '\n';
    guard->bytes += head + path + 1;
}

static bool folder_seen(const struct guard *guard, size_t file)
{
    for (size_t i = 0; i < file; i++)
        if (same(folder_of(guard->files[i]), folder_of(guard->files[file])))
            return true;
    return false;
}

static void watch_name(struct guard *guard, struct slice name)
{
    for (uint32_t i = 0; i < guard->option_count; i++) {
        struct slice folder = searched_folder(guard->options[i]);
        if (folder.length)
            watch(guard, folder, name);
    }
    for (size_t i = 0; i < guard->file_count && guard->fine; i++)
        if (!folder_seen(guard, i))
            watch(guard, folder_of(guard->files[i]), name);
}

static void watch_file(struct guard *guard, struct slice file)
{
    struct slice folder = folder_of(file), base = name_below(file, folder);
    if (base.length)
        watch_name(guard, base);
    for (uint32_t i = 0; i < guard->option_count && guard->fine; i++) {
        struct slice name = name_below(file, searched_folder(guard->options[i]));
        if (name.length && !same(name, base) && !strncmp(guard->options[i], "-I", 2))
            watch_name(guard, name);
    }
}

/* ---- the lines ------------------------------------------------------------------------------- */

/* Splits the lines; their '\n' are NULs meanwhile. False: unreadable, or a text varies. */
static bool read_files(struct guard *guard, char *lines, size_t bytes)
{
    size_t room = 0;
    for (size_t i = 0; i < bytes; i++)
        room += lines[i] == '\n';
    guard->files = sl_alloc(room * sizeof *guard->files + 1);
    if (!guard->files)
        return false;
    for (char *line = lines, *end; line < lines + bytes; line = end + 1) {
        end = memchr(line, '\n', (size_t)(lines + bytes - line));
        if (!end || end - line <= SL_HASH_DIGITS + 1)
            return false;
        char *path = line + SL_HASH_DIGITS + 1;
        *end = 0;
        bool varies = file_varies(path);
        *end = '\n';
        if (varies)
            return false;
        guard->files[guard->file_count++] = (struct slice){path, (size_t)(end - path)};
    }
    return true;
}

static bool append(char **lines, size_t *bytes, const struct guard *guard)
{
    char *grown = sl_alloc(*bytes + guard->bytes + 1);
    if (!grown)
        return false;
    memcpy(grown, *lines, *bytes);
    memcpy(grown + *bytes, guard->text, guard->bytes);
    sl_free(*lines);
    *lines = grown;
    *bytes += guard->bytes;
    return true;
}

bool sl_guard_dependencies(char **lines, size_t *bytes, char *const *options, uint32_t count)
{
    struct guard guard = {.options = options, .option_count = count};
    if (!*bytes)
        return true;
    guard.text = sl_alloc(MAX_LINES_BYTES);
    guard.fine = guard.text && read_files(&guard, *lines, *bytes);
    for (size_t i = 0; i < guard.file_count && guard.fine; i++)
        watch_file(&guard, guard.files[i]);
    bool kept = guard.fine && append(lines, bytes, &guard);
    sl_free(guard.files);
    sl_free(guard.text);
    return kept;
}
