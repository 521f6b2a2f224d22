/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of its own draws: it needs Graphviz, which compiling does not. The module reaches it
 * through a memory file. No shared state.
 */
#include "compiler/programs/offline_report.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sluice/base/environment.h"

static const char program[] = "sluice-report";

static int complain(const char *called, const char *what, int error)
{
    fprintf(stderr, "%s: %s: %s\n", called, what, strerror(error));
    return -1;
}

static int memory_file(const struct sl_text *module)
{
    int fd = memfd_create("module", 0); /* inherited */
    for (size_t done = 0; fd >= 0 && done < module->bytes;) {
        ssize_t count = write(fd, module->data + done, module->bytes - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)count;
    }
    return fd;
}

/* Beside this program, or where programs are installed; else whatever PATH has. */
static const char *find_program(char *path, size_t bytes)
{
    static const char *const places[] = {"", SL_BIN_FROM_COMPILER "/"};
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own);
    while (length > 0 && own[length - 1] != '/')
        length--;
    for (size_t i = 0; length > 0 && i < sizeof places / sizeof *places; i++) {
        snprintf(path, bytes, "%.*s%s%s", (int)length, own, places[i], program);
        if (!access(path, X_OK))
            return path;
    }
    return program;
}

/* Of kernels that are bound to wait; the page has its own words for all else. Beyond some lines
 * nobody reads on. */
static void add_warnings(struct sl_strings *args, const char *log)
{
    enum { MOST = 50 };
    for (int count = 0; log && *log && count < MOST;) {
        size_t length = strcspn(log, "\n");
        if (memmem(log, length, ": warning: ", 11) && memmem(log, length, " for ever", 9)) {
            sl_strings_addf(args, "--said=%.*s", (int)length, log);
            count++;
        }
        log += length + (log[length] == '\n');
    }
}

int sl_offline_report(const struct sl_text *module, const char *log, const char *called,
                      const char *title, const char *output)
{
    char path[PATH_MAX + 64], input[32];
    pid_t child;
    int status = -1, fd = memory_file(module);
    if (fd < 0)
        return complain(called, output, errno);
    snprintf(input, sizeof input, "/dev/fd/%d", fd);
    struct sl_strings args = {0};
    sl_strings_addf(&args, "%s", program);
    sl_strings_addf(&args, "%s", input);
    sl_strings_addf(&args, "--title=%s", title);
    add_warnings(&args, log);
    sl_strings_addf(&args, "-o");
    sl_strings_addf(&args, "%s", output);
    char **argv = args.failed ? NULL : calloc(args.count + 1, sizeof(*argv));
    for (size_t i = 0; argv && i < args.count; i++)
        argv[i] = args.items[i];
    int rc = argv ? posix_spawnp(&child, find_program(path, sizeof path), NULL, NULL, argv,
                                 sl_environment_all())
                  : ENOMEM;
    free(argv);
    sl_strings_finish(&args);
    close(fd);
    if (rc == ENOENT)
        fprintf(stderr, "%s: pages are drawn by %s, which is not installed\n", called, program);
    if (rc)
        return rc == ENOENT ? -1 : complain(called, program, rc);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}
