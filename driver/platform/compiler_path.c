/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file is the compiler, and what is its identity. SLUICE_COMPILER, else a place relative to
 * the library that this code is in: the installed layout, then the build tree's. PATH is never
 * searched. `known.lock` guards the identity of the file seen last.
 */
#include "platform/compiler_path.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/config/own_folder.h"
#include "base/log/log.h"
#include "base/query/info.h"
#include "sluice/base/stack.h"

static const char *const places[] = {
    SL_COMPILER_RELATIVE,
    "../kernels/compiler/sluice-compiler",
    "../../kernels/compiler/sluice-compiler",
};

static struct {
    pthread_mutex_t lock;
    struct stat file; /* st_ino 0: nothing is known */
    struct sl_hash identity;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_program(const char *path)
{
    struct stat file;
    return !stat(path, &file) && S_ISREG(file.st_mode) && !access(path, X_OK);
}

void sl_compiler_check_setting(void)
{
    const char *chosen = sl_config(SL_CONFIG_COMPILER);
    if (chosen && *chosen && !is_program(chosen))
        sl_log(SL_LOG_WARN, SL_LOG_SETTING,
               "%s=%s is no program that can be started: no source is compiled",
               sl_config_name(SL_CONFIG_COMPILER), chosen);
}

void sl_compiler_path(char *path, size_t capacity)
{
    const char *chosen = sl_config(SL_CONFIG_COMPILER);
    char folder[PATH_MAX];
    *path = 0;
    if (chosen && *chosen) {
        if (strlen(chosen) < capacity && is_program(chosen))
            strcpy(path, chosen);
        return;
    }
    if (!sl_own_folder(folder))
        return;
    for (size_t i = 0; i < SL_LEN(places); i++) {
        int length = snprintf(path, capacity, "%s%s", folder, places[i]);
        if (length > 0 && (size_t)length < capacity && is_program(path))
            return;
    }
    *path = 0;
}

static void look(void *found)
{
    char path[PATH_MAX];
    sl_compiler_path(path, sizeof path);
    *(bool *)found = *path;
}

bool sl_compiler_available(void)
{
    bool found;
    return sl_on_stack(look, &found) || found; /* the build will know, if memory is short now */
}

/* Adds the GNU build id, if the file has one. */
static void add_build_id(struct sl_hasher *hasher, int fd)
{
    unsigned char head[4096];
    Elf64_Ehdr elf;
    ssize_t size = pread(fd, head, sizeof head, 0);
    if (size < (ssize_t)sizeof elf)
        return;
    memcpy(&elf, head, sizeof elf);
    if (memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_phentsize != sizeof(Elf64_Phdr))
        return;
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        Elf64_Phdr segment;
        size_t at = (size_t)elf.e_phoff + i * sizeof segment;
        if (at > (size_t)size - sizeof segment)
            return;
        memcpy(&segment, head + at, sizeof segment);
        if (segment.p_type != PT_NOTE || segment.p_filesz > sizeof head ||
            segment.p_offset > (size_t)size - segment.p_filesz)
            continue;
        sl_hasher_add_field(hasher, head + segment.p_offset, segment.p_filesz);
    }
}

static bool identify(const char *path, const struct stat *file, struct sl_hash *out)
{
    struct sl_hasher hasher;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    sl_hasher_init(&hasher);
    sl_hasher_add_field(&hasher, path, strlen(path));
    sl_hasher_add(&hasher, &file->st_size, sizeof file->st_size);
    sl_hasher_add(&hasher, &file->st_mtim, sizeof file->st_mtim);
    add_build_id(&hasher, fd);
    close(fd);
    *out = sl_hasher_finish(&hasher);
    return true;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The files that the compiler links into kernels, where it looks for them itself. */
static void add_resources(struct sl_hasher *hasher, const char *compiler)
{
    static const char *const files[] = {
        SL_COMPILER_LIBRARY "/builtins.slb",
        SL_COMPILER_LIBRARY "/libsluice_kernel_runtime.a",
        SL_COMPILER_LIBRARY "/code_avx512.slb",
        SL_COMPILER_LIBRARY "/code_avx2.slb",
        SL_COMPILER_LIBRARY "/code_sse4.2.slb",
        "../builtins/builtins.slb",
        "../builtins/libsluice_kernel_runtime.a",
        "../builtins/code_avx512.slb",
        "../builtins/code_avx2.slb",
        "../builtins/code_sse4.2.slb",
    };
    const char *slash = strrchr(compiler, '/');
    int folder = slash ? (int)(slash - compiler) : 0;
    for (size_t i = 0; i < SL_LEN(files); i++) {
        char path[PATH_MAX + 128];
        struct stat file;
        snprintf(path, sizeof path, "%.*s/%s", folder, compiler, files[i]);
        if (stat(path, &file))
            continue;
        sl_hasher_add(hasher, &file.st_size, sizeof file.st_size);
        sl_hasher_add(hasher, &file.st_mtim, sizeof file.st_mtim);
    }
}

bool sl_compiler_identity(struct sl_hash *out)
{
    char path[PATH_MAX];
    struct stat file;
    struct sl_hasher hasher;
    sl_compiler_path(path, sizeof path);
    if (!*path || stat(path, &file))
        return false;
    pthread_mutex_lock(&known.lock);
    bool found = known.file.st_ino && same_file(&known.file, &file);
    if (!found && identify(path, &file, &known.identity)) {
        known.file = file;
        found = true;
    }
    sl_hasher_init(&hasher);
    sl_hasher_add(&hasher, &known.identity, sizeof known.identity);
    pthread_mutex_unlock(&known.lock);
    if (!found)
        return false;
    add_resources(&hasher, path);
    *out = sl_hasher_finish(&hasher);
    return true;
}
