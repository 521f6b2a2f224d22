/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing needs a place to write, and nothing needs a compiler, a linker or headers. Where modes
 * are no obstacle (root), places that are no folders and mounts of our own are. */
#include "child.h"
#include "cl_help.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOWHERE "/dev/null/nowhere"

static void job_life(void)
{
    whole_life((unsigned)getpid());
    whole_life((unsigned)getpid()); /* the second may come from a cache, if there is one */
}

static void life_with(const char *const *env, int (*prepare)(void))
{
    child_ends(&(struct child_plan){.job = "job_life", .env = env, .prepare = prepare}, 0);
}

static void no_home(void)
{
    life_with((const char *const[]){"HOME", "XDG_CACHE_HOME", "SLUICE_CACHE_DIR", NULL}, NULL);
    life_with((const char *const[]){"HOME=" NOWHERE, "XDG_CACHE_HOME", "SLUICE_CACHE_DIR", NULL},
              NULL);
    life_with((const char *const[]){"HOME=", "XDG_CACHE_HOME=relative", "SLUICE_CACHE_DIR=", NULL},
              NULL);
}

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

/* A home that there is not does not come to be; what lies in one that there is does. */
static void home_is_not_made(void)
{
    char folder[] = "/tmp/sluice-places-XXXXXX", setting[64], cache[128];
    const char *env[] = {setting, "XDG_CACHE_HOME", "SLUICE_CACHE_DIR", "SLUICE_CACHE", NULL};
    const char *home = setting + strlen("HOME=");
    struct stat status;
    if (!is_sluice())
        check_skip("where others have their cache is not known");
    REQUIRE(mkdtemp(folder));
    snprintf(setting, sizeof setting, "HOME=%s/home", folder);
    snprintf(cache, sizeof cache, "%s/.cache/sluice", home);
    life_with(env, NULL);
    CHECK(stat(home, &status) && errno == ENOENT);
    REQUIRE(!mkdir(home, 0700));
    life_with(env, NULL);
    CHECK(!stat(cache, &status) && S_ISDIR(status.st_mode));
    nftw(folder, drop_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void no_cache_folder(void)
{
    life_with((const char *const[]){"SLUICE_CACHE_DIR=" NOWHERE, NULL}, NULL);
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/dev/null", NULL}, NULL);
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/proc/self", NULL}, NULL);
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/dev/full", NULL}, NULL);
}

static void no_temporary_folder(void)
{
    life_with((const char *const[]){"TMPDIR=" NOWHERE, "TMP=" NOWHERE, "TEMP=" NOWHERE, NULL},
              NULL);
    life_with((const char *const[]){"TMPDIR=", NULL}, NULL);
}

static void no_path(void)
{
    life_with((const char *const[]){"PATH", NULL}, NULL);
    life_with((const char *const[]){"PATH=", "SLUICE_CACHE=0", NULL}, NULL);
}

/* Everything that may be written becomes read-only. */
static int read_only_everywhere(void)
{
    static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/root", "/home"};
    if (!own_mounts())
        return 0;
    for (size_t i = 0; i < LEN(folders); i++) {
        struct stat folder;
        if (stat(folders[i], &folder))
            continue;
        if (mount(folders[i], folders[i], NULL, MS_BIND, NULL) ||
            mount(NULL, folders[i], NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL))
            return 0;
    }
    return 1;
}

static void read_only_folders(void)
{
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/tmp/sluice-read-only", NULL},
              read_only_everywhere);
    life_with((const char *const[]){"SLUICE_CACHE_DIR", "XDG_CACHE_HOME=/tmp", NULL},
              read_only_everywhere);
}

/* A file system that takes folders but no bytes, as the place of the cache. */
static int full_disk(void)
{
    static char block[4096];
    if (!own_mounts() || mount("full", "/mnt", "tmpfs", 0, "size=16k"))
        return 0;
    int fd = open("/mnt/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && write(fd, block, sizeof block) > 0)
        ;
    return fd >= 0 && !close(fd);
}

static void full_disks(void)
{
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/mnt/cache", NULL}, full_disk);
    life_with((const char *const[]){"SLUICE_CACHE_DIR=/mnt", "TMPDIR=/mnt", "SLUICE_DUMP=/mnt",
                                    "SLUICE_TIMELINE=/mnt/t", "SLUICE_TRACE=-1",
                                    "SLUICE_TRACE_FILE=/mnt/trace", "SLUICE_LOG=debug",
                                    "SLUICE_LOG_FILE=/mnt/log", NULL},
              full_disk);
    life_with((const char *const[]){"SLUICE_TIMELINE=/dev/full", "SLUICE_TRACE=-1",
                                    "SLUICE_TRACE_FILE=/dev/full", NULL},
              NULL);
}

/* No program can be found, and no header or compiler's folder be read. */
static int bare_machine(void)
{
    static const char *const folders[] = {
        "/usr/include",
        "/usr/local/include",
        "/usr/lib/gcc",
        "/usr/libexec/gcc",
        "/usr/lib/llvm-22/bin",
        "/usr/lib/llvm-22/include",
        "/usr/lib/clang",
        "/usr/lib/llvm-22/lib/clang",
        "/usr/share/libclc",
        "/usr/local/bin",
        "/usr/sbin",
        "/usr/bin",
        "/usr/lib/clc",
        "/usr/lib/x86_64-linux-gnu/pkgconfig",
    };
    if (!own_mounts())
        return 0;
    for (size_t i = 0; i < LEN(folders); i++)
        if (!hide_folder(folders[i], NULL))
            return 0;
    return access("/usr/bin/ld", F_OK) && access("/usr/include/stdio.h", F_OK);
}

static void no_compiler_linker_or_headers(void)
{
    life_with((const char *const[]){"SLUICE_CACHE=0", "PATH=", NULL}, bare_machine);
}

/* ---- no /proc -------------------------------------------------------------------------------- */

static int hide_proc(void)
{
    return own_mounts() && hide_folder("/proc", NULL);
}

/* Programs and libraries, and the folder that this program is in; no /proc, /sys, /dev or /tmp. */
static int bare_root(void)
{
    static const char *const folders[] = {"/usr", "/lib", "/lib64", "/bin", "/etc"};
    char top[4096], to[4096 + 8];
    ssize_t length = readlink("/proc/self/exe", top, sizeof top - 1);
    if (length <= 0 || !own_mounts() || mount("root", "/mnt", "tmpfs", 0, "size=64k"))
        return 0;
    top[length] = 0;
    *strchrnul(top + 1, '/') = 0;
    for (size_t i = 0; i <= LEN(folders); i++) {
        const char *from = i < LEN(folders) ? folders[i] : top;
        snprintf(to, sizeof to, "/mnt%s", from);
        if (access(from, F_OK) || (mkdir(to, 0755) && errno == EEXIST))
            continue;
        if (mount(from, to, NULL, MS_BIND | MS_REC, NULL))
            return 0;
    }
    return !chroot("/mnt") && !chdir("/") && access("/proc", F_OK) && access("/dev", F_OK);
}

static int bare_root_without_memory_files(void)
{
    return bare_root() && filter_install("bare");
}

static void no_proc(void)
{
    static const char *const no_cache[] = {"SLUICE_CACHE=0", NULL}, *const own_cache[] = {
                                                                        "SLUICE_CACHE_DIR=/cache",
                                                                        NULL};
    life_with(no_cache, hide_proc);
    life_with(no_cache, bare_root);
    life_with(own_cache, bare_root);
    life_with(no_cache, bare_root_without_memory_files);
}

static const struct test_case jobs[] = {CASE(job_life)};
static const struct test_case cases[] = {
    CASE(no_home),         CASE(home_is_not_made),
    CASE(no_cache_folder), CASE(no_temporary_folder),
    CASE(no_path),         CASE(read_only_folders),
    CASE(full_disks),      CASE(no_compiler_linker_or_headers),
    CASE(no_proc),
};
JOBS_MAIN("places", cases, jobs)
