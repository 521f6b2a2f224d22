/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files whose names users give, in a folder of one's own and in one that everybody may write to,
 * where somebody else was there before: links, files with a second name, files of others, FIFOs.
 * What belongs to others needs root to be made.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sluice/base/file.h"

enum { SOMEBODY = 61003 };
static char top[64];

static const char *at(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", top, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *content(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return "(none)";
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* own/ is the user's, all/ is like /tmp, group/ is one that a group shares. */
static int set_up(void **state)
{
    (void)state;
    strcpy(top, "/tmp/sluice-file-XXXXXX");
    if (!mkdtemp(top))
        return -1;
    umask(022);
    return mkdir(at("own"), 0755) || mkdir(at("all"), 0755) || chmod(at("all"), 01777) ||
           mkdir(at("group"), 0755) || chmod(at("group"), 0775);
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", top);
    return system(command);
}

static void appends_and_empties(void **state)
{
    static const char *const folders[] = {"own/x", "all/x", "group/x"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const char *path = at(folders[i]), *why = NULL;
        struct stat status;
        for (int round = 0; round < 2; round++) {
            int fd = sl_output_open(path, O_APPEND, &why);
            assert_true(fd >= 0 && write(fd, "ab", 2) == 2);
            assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
            assert_false(fcntl(fd, F_GETFL) & O_NONBLOCK);
            assert_true(fcntl(fd, F_GETFL) & O_APPEND);
            close(fd);
        }
        assert_string_equal(content(path), "abab");
        assert_true(!stat(path, &status) && (status.st_mode & 0777) == 0644);
        FILE *file = sl_output_stream(path, &why);
        assert_true(file && fputs("c", file) >= 0 && !fclose(file));
        assert_string_equal(content(path), "c");
    }
}

static void refused(const char *path, const char *word)
{
    const char *why = NULL;
    assert_int_equal(sl_output_open(path, O_TRUNC, &why), -1);
    assert_true(errno == EPERM || errno == ELOOP || errno == ENXIO);
    if (!why || !strstr(why, word))
        fail_msg("%s: %s", path, why ? why : "no reason");
    why = NULL;
    assert_null(sl_output_stream(path, &why));
    assert_non_null(why);
}

static void links_among_others(void **state)
{
    const char *why;
    (void)state;
    write_file(at("own/victim"), "mine");
    assert_int_equal(symlink(at("own/victim"), at("all/link")), 0);
    assert_int_equal(symlink(at("own/not-yet"), at("all/dangling")), 0);
    assert_int_equal(link(at("own/victim"), at("all/second")), 0);
    refused(at("all/link"), "link");
    refused(at("all/dangling"), "link");
    refused(at("all/second"), "another name");
    assert_string_equal(content(at("own/victim")), "mine");
    assert_int_equal(access(at("own/not-yet"), F_OK), -1);
    /* one's own links are for oneself to make */
    assert_int_equal(symlink(at("own/victim"), at("own/link")), 0);
    FILE *file = sl_output_stream(at("own/link"), &why);
    assert_true(file && fputs("new", file) >= 0 && !fclose(file));
    assert_string_equal(content(at("own/victim")), "new");
}

static void strange_files(void **state)
{
    const char *why;
    (void)state;
    assert_int_equal(mkfifo(at("all/fifo"), 0666), 0);
    refused(at("all/fifo"), ""); /* nobody reads: it does not wait */
    int fd = sl_output_open("/dev/null", O_APPEND, &why);
    assert_true(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
    assert_int_equal(sl_output_open(at("nowhere/x"), O_TRUNC, &why), -1);
    assert_string_equal(why, strerror(ENOENT));
    assert_int_equal(sl_output_open(at("own"), O_TRUNC, &why), -1);
    assert_int_equal(sl_output_open("", O_TRUNC, &why), -1);
    char *longest = malloc(70000);
    memset(longest, '/', 69999);
    longest[69998] = 'x';
    longest[69999] = 0;
    assert_int_equal(sl_output_open(longest, O_TRUNC, &why), -1);
    assert_int_equal(sl_own_folder_open(longest, &why), -1);
    free(longest);
}

static void files_of_others(void **state)
{
    (void)state;
    if (geteuid())
        skip();
    write_file(at("all/theirs"), "theirs");
    assert_int_equal(chmod(at("all/theirs"), 0666), 0);
    assert_int_equal(chown(at("all/theirs"), SOMEBODY, SOMEBODY), 0);
    refused(at("all/theirs"), "somebody else");
    assert_string_equal(content(at("all/theirs")), "theirs");
}

static void folder_refused(const char *path, const char *word)
{
    const char *why = NULL;
    assert_int_equal(sl_own_folder_open(path, &why), -1);
    if (!why || !strstr(why, word))
        fail_msg("%s: %s", path, why ? why : "no reason");
}

static void own_folders(void **state)
{
    const char *why;
    struct stat status;
    (void)state;
    int folder = sl_own_folder_open(at("all/new///"), &why);
    assert_true(folder >= 0 && !fstat(folder, &status));
    assert_int_equal(status.st_mode & 07777, 0700);
    close(folder);
    folder = sl_own_folder_open(at("own"), &why);
    assert_true(folder >= 0);
    close(folder);
    folder_refused(at("group"), "others may write");
    folder_refused(at("all"), "others may write");
    assert_int_equal(symlink(at("own"), at("all/folder-link")), 0);
    folder_refused(at("all/folder-link"), "link");
    write_file(at("own/file"), "");
    folder_refused(at("own/file"), strerror(ENOTDIR));
    folder_refused(at("no/folder"), strerror(ENOENT));
    assert_int_equal(symlink(at("own"), at("own/folder-link")), 0);
    folder = sl_own_folder_open(at("own/folder-link"), &why);
    assert_true(folder >= 0);
    close(folder);
    if (!geteuid()) {
        assert_int_equal(mkdir(at("all/theirs-too"), 0755), 0);
        assert_int_equal(chown(at("all/theirs-too"), SOMEBODY, SOMEBODY), 0);
        folder_refused(at("all/theirs-too"), "somebody else");
    }
}

/* What has the name goes, and nothing behind it changes. */
static void new_files(void **state)
{
    const char *why;
    (void)state;
    write_file(at("own/kept"), "kept");
    assert_int_equal(symlink(at("own/kept"), at("own/name")), 0);
    int folder = sl_own_folder_open(at("own"), &why);
    for (int round = 0; round < 2; round++) {
        int fd = sl_own_file_create(folder, "name", 0755);
        assert_true(fd >= 0 && write(fd, "new", 3) == 3);
        close(fd);
    }
    assert_string_equal(content(at("own/kept")), "kept");
    assert_string_equal(content(at("own/name")), "new");
    assert_int_equal(mkdir(at("own/name-of-a-folder"), 0755), 0);
    assert_int_equal(sl_own_file_create(folder, "name-of-a-folder", 0755), -1);
    close(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_and_empties), cmocka_unit_test(links_among_others),
        cmocka_unit_test(strange_files),       cmocka_unit_test(files_of_others),
        cmocka_unit_test(own_folders),         cmocka_unit_test(new_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
