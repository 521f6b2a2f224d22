/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disk cache: found again, per key, dependencies, damage in every byte, foreign files, folders
 * that cannot be used, the size limit, many threads and processes at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/object/alloc.h"
#include "program/cache/cache.h"
#include "program/cache/cache_guard.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sluice-cache-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_CACHE", "1", 1);
    setenv("SLUICE_CACHE_MAX_MB", "64", 1);
    return 0;
}

static int remove_folder(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command) ? -1 : 0;
}

static struct sl_hash key_of(unsigned i)
{
    return sl_hash_bytes(&i, sizeof i);
}

static void entry_path(unsigned i, char path[128])
{
    char text[SL_HASH_DIGITS + 1];
    sl_hash_text(key_of(i), text);
    snprintf(path, 128, "%s/%s", folder, text);
}

static void store(unsigned i, const char *dependencies, const char *content)
{
    sl_cache_store(key_of(i), dependencies, strlen(dependencies), (const unsigned char *)content,
                   strlen(content));
}

static bool found(unsigned i, const char *content)
{
    unsigned char *container;
    size_t bytes;
    if (!sl_cache_load(key_of(i), &container, &bytes))
        return false;
    assert_int_equal(bytes, strlen(content));
    assert_memory_equal(container, content, bytes);
    sl_free(container);
    return true;
}

static void test_found_again(void **state)
{
    (void)state;
    assert_false(found(1, "one"));
    store(1, "", "one");
    store(2, "", "two");
    assert_true(found(1, "one"));
    assert_true(found(2, "two"));
    assert_false(found(3, ""));
    store(1, "", "newer");
    assert_true(found(1, "newer"));
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_dependencies(void **state)
{
    char header[128], other[128], lines[512], a[33], b[33];
    (void)state;
    snprintf(header, sizeof header, "%s/a b.h", folder);
    snprintf(other, sizeof other, "%s/other.h", folder);
    write_file(header, "#define A 1");
    write_file(other, "");
    sl_hash_text(sl_hash_bytes("#define A 1", 11), a);
    sl_hash_text(sl_hash_bytes("", 0), b);
    snprintf(lines, sizeof lines, "%s %s\n%s %s\n", a, header, b, other);
    store(1, lines, "one");
    assert_true(found(1, "one"));
    write_file(header, "#define A 2");
    assert_false(found(1, "one"));
    write_file(header, "#define A 1");
    assert_true(found(1, "one"));
    unlink(other);
    assert_false(found(1, "one"));
}

/* Lines for one file that was read, kept under `key` if the guard allows it. */
static bool store_guarded(unsigned key, const char *read, char *const *options, uint32_t count)
{
    char text[256], digits[33], *lines = sl_alloc(512);
    FILE *file = fopen(read, "r");
    assert_non_null(file);
    size_t got = fread(text, 1, sizeof text, file), bytes;
    fclose(file);
    sl_hash_text(sl_hash_bytes(text, got), digits);
    bytes = (size_t)snprintf(lines, 512, "%s %s\n", digits, read);
    bool kept = sl_guard_dependencies(&lines, &bytes, options, count);
    if (kept)
        sl_cache_store(key_of(key), lines, bytes, (const unsigned char *)"x", 1);
    sl_free(lines);
    return kept;
}

/* A file that appears where #include looks earlier makes an entry useless. */
static void test_shadowed(void **state)
{
    char a[128], b[128], path[160], shadow[160], sub[160];
    char *options[] = {a, "-w", b};
    (void)state;
    snprintf(a, sizeof a, "-I%s/a", folder);
    snprintf(b, sizeof b, "-I%s/b/", folder);
    snprintf(sub, sizeof sub, "%s/b/sub", folder);
    mkdir(a + 2, 0700);
    mkdir(b + 2, 0700);
    mkdir(sub, 0700);
    snprintf(path, sizeof path, "%s/b/sub/val.h", folder);
    write_file(path, "#define VAL 2");
    assert_true(store_guarded(1, path, options, 3));
    assert_true(found(1, "x"));
    snprintf(shadow, sizeof shadow, "%s/a/val.h", folder); /* "val.h" from beside, or by -I */
    write_file(shadow, "#define VAL 1");
    assert_false(found(1, "x"));
    assert_true(store_guarded(1, path, options, 3)); /* there, and not what was taken */
    assert_true(found(1, "x"));
    snprintf(shadow, sizeof shadow, "%s/a/sub", folder); /* "sub/val.h" */
    mkdir(shadow, 0700);
    assert_true(found(1, "x"));
    strcat(shadow, "/val.h");
    write_file(shadow, "");
    assert_false(found(1, "x"));
    unlink(shadow);
    assert_true(found(1, "x"));
    write_file(path, "#if __has_include(\"c.h\")\n#endif");
    assert_false(store_guarded(2, path, options, 3));
}

static void test_varies(void **state)
{
    static const char *const rows[] = {"x __TIME__ y", "__DATE__", "#if __has_include_next(<x>)"};
    (void)state;
    assert_false(sl_guard_varies("__LINE__ __FILE__", 17));
    assert_false(sl_guard_varies(NULL, 0));
    assert_true(sl_guard_varies("a\0__TIMESTAMP__", 15));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(sl_guard_varies(rows[i], strlen(rows[i])));
}

static void test_damage(void **state)
{
    char path[128];
    unsigned char bytes[512];
    (void)state;
    store(1, "", "some content of an entry");
    entry_path(1, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 0; i < 2 * size; i++) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        unsigned char copy[512];
        memcpy(copy, bytes, size);
        if (i < size)
            copy[i] ^= 0x40;
        size_t kept = i < size ? size : i - size; /* then: truncated */
        assert_int_equal(write(fd, copy, kept), (ssize_t)kept);
        close(fd);
        assert_false(found(1, ""));
        assert_int_equal(access(path, F_OK), -1); /* removed */
    }
    store(1, "", "again");
    assert_true(found(1, "again"));
}

static void test_foreign(void **state)
{
    char path[128], other[128];
    (void)state;
    store(1, "", "one");
    entry_path(1, path);
    chmod(path, 0666); /* others could have written it */
    assert_false(found(1, "one"));
    store(1, "", "one");
    entry_path(2, other);
    assert_int_equal(rename(path, other), 0); /* a good entry under another key */
    assert_false(found(2, "one"));
    store(1, "", "one");
    assert_int_equal(symlink(path, other), 0);
    assert_false(found(2, "one"));
    unlink(other);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_false(found(2, "one"));
    store(2, "", "two");
    assert_false(found(2, "two"));
    rmdir(other);
    assert_int_equal(mkfifo(other, 0600), 0); /* must not block */
    assert_false(found(2, "two"));
}

static void test_off(void **state)
{
    (void)state;
    setenv("SLUICE_CACHE", "0", 1);
    assert_false(sl_cache_enabled());
    store(1, "", "one");
    assert_false(found(1, "one"));
    setenv("SLUICE_CACHE", "1", 1);
    assert_true(sl_cache_enabled());
    assert_false(found(1, "one"));
}

static void test_places(void **state)
{
    char path[128];
    (void)state;
    unsetenv("SLUICE_CACHE_DIR");
    setenv("XDG_CACHE_HOME", folder, 1);
    store(1, "", "one");
    snprintf(path, sizeof path, "%s/sluice", folder);
    assert_int_equal(access(path, F_OK), 0);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder, 1);
    store(1, "", "one");
    snprintf(path, sizeof path, "%s/.cache/sluice", folder);
    assert_int_equal(access(path, F_OK), 0);
    assert_true(found(1, "one"));
    setenv("HOME", "/proc/nowhere", 1);
    store(1, "", "one");
    assert_false(found(1, "one"));
    unsetenv("HOME");
    assert_false(sl_cache_enabled());
    store(1, "", "one");
    assert_false(found(1, "one"));
    setenv("SLUICE_CACHE_DIR", "/dev/null", 1);
    store(1, "", "one");
    assert_false(found(1, "one"));
}

/* In a process of its own, for it is said once in each. */
static void test_told_once(void **state)
{
    static const char said[] = "SLUICE_CACHE_DIR=/dev/null: Not a directory";
    char path[128], text[4096] = "";
    int status = -1;
    (void)state;
    snprintf(path, sizeof path, "%s/said", folder);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (!freopen(path, "w", stderr))
            _exit(1);
        setenv("SLUICE_CACHE_DIR", "/dev/null", 1);
        store(1, "", "one");
        store(2, "", "two");
        fflush(stderr);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *first = strstr(text, said);
    assert_non_null(first);
    assert_null(strstr(first + 1, said));
}

static size_t folder_bytes(unsigned *count)
{
    size_t total = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    *count = 0;
    for (struct dirent *item = readdir(dir); item; item = readdir(dir)) {
        struct stat file;
        if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..") ||
            fstatat(dirfd(dir), item->d_name, &file, 0))
            continue;
        total += (size_t)file.st_size;
        ++*count;
    }
    closedir(dir);
    return total;
}

/* A disk that takes only part of an entry: nothing is left behind and nothing fails. */
static void test_full_disk(void **state)
{
    struct rlimit before, small = {4096, 4096};
    char *content = malloc(65536);
    unsigned count;
    (void)state;
    memset(content, 'x', 65535);
    content[65535] = 0;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    store(1, "", content);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(folder_bytes(&count), 0);
    assert_false(found(1, content));
    store(1, "", content);
    assert_true(found(1, content));
    free(content);
}

/* One MiB holds about 30 of these; the ones that are used stay. */
static void test_limit(void **state)
{
    char *content = malloc(32768);
    unsigned count;
    (void)state;
    memset(content, 'x', 32767);
    content[32767] = 0;
    setenv("SLUICE_CACHE_MAX_MB", "1", 1);
    for (unsigned i = 0; i < 100; i++) {
        struct timespec nap = {0, 2000000};
        store(i, "", content);
        nanosleep(&nap, NULL);
        assert_true(found(0, content)); /* used after each */
        assert_true(folder_bytes(&count) <= 1 << 20);
    }
    assert_true(count >= 20);
    assert_true(found(99, content));
    assert_false(found(1, content));
    free(content);
}

static void *hammer(void *data)
{
    unsigned seed = (unsigned)(uintptr_t)data;
    for (int i = 0; i < 300; i++) {
        unsigned key = (unsigned)rand_r(&seed) % 8;
        char content[64];
        snprintf(content, sizeof content, "content %u", key);
        if (rand_r(&seed) % 2)
            store(key, "", content);
        else
            found(key, content); /* checks what it finds */
    }
    return NULL;
}

static void test_shared(void **state)
{
    pthread_t threads[4];
    int status;
    (void)state;
    pid_t child = fork();
    if (!child) {
        hammer((void *)(uintptr_t)99);
        _exit(0);
    }
    for (uintptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)i), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_told_once), TEST(test_found_again), TEST(test_dependencies), TEST(test_shadowed),
        TEST(test_varies),    TEST(test_damage),      TEST(test_foreign),      TEST(test_off),
        TEST(test_full_disk), TEST(test_limit),       TEST(test_shared),       TEST(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
