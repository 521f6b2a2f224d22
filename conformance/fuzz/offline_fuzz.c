/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sluicec (SLUICE_TEST_SLUICEC) on any file: a source, an object, a library or an executable, whose
 * checksum is made right so that the rest is looked at. It ends by itself, with an output or with a
 * reason. The first byte chooses options, and whether a good object comes along. The compiler is
 * another process, so coverage does not guide here: compiler_fuzz.c and link_fuzz.c have it in
 * theirs. One thread; no lock.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "container_sum.h"
#include "link_seed.h"

extern char **environ;

enum { MOST_ARGUMENTS = 16, PATIENCE_S = 60 };
static const char *compiler;
static char folder[] = "/tmp/sluice-offline-fuzz-XXXXXX";
static char input_path[64], good_path[64], output_path[64], page_path[64], errors_path[64];

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file)) {
        perror(path);
        abort();
    }
}

static size_t size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) ? 0 : (size_t)status.st_size;
}

static void remove_all(void)
{
    const char *const paths[] = {input_path, good_path, output_path, page_path, errors_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        unlink(paths[i]);
    rmdir(folder);
}

/* Its status, or -1 if it had to be ended. */
static int run(char *const *args)
{
    posix_spawn_file_actions_t actions;
    struct timespec nap = {0, 2000000};
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors_path,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int rc = posix_spawn(&child, compiler, &actions, NULL, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (rc)
        abort();
    for (time_t end = time(NULL) + PATIENCE_S; !waitpid(child, &status, WNOHANG);) {
        nanosleep(&nap, NULL);
        if (time(NULL) <= end)
            continue;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return -1;
    }
    return status;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const uint8_t *good;
    (void)argc, (void)argv;
    compiler = getenv("SLUICE_TEST_SLUICEC");
    if (!compiler || link_seeds_make())
        return 77;
    if (!mkdtemp(folder))
        return 1;
    snprintf(input_path, sizeof input_path, "%s/in", folder);
    snprintf(good_path, sizeof good_path, "%s/good.slb", folder);
    snprintf(output_path, sizeof output_path, "%s/out.slb", folder);
    snprintf(page_path, sizeof page_path, "%s/page.html", folder);
    snprintf(errors_path, sizeof errors_path, "%s/errors", folder);
    size_t bytes = link_seed(0, &good);
    write_file(good_path, good + 1, bytes - 1);
    atexit(remove_all);
    return 0;
}

size_t fuzz_seed(uint32_t which, const uint8_t **data)
{
    return link_seed(which, data);
}

static void choose(uint8_t choice, char *args[MOST_ARGUMENTS])
{
    static const char *const forms[] = {"--quick", "-c", "--emit=ll", "-cl-std=CL3.0"};
    size_t count = 0;
    args[count++] = (char *)"sluicec";
    if (choice & 1)
        args[count++] = (char *)"--device=fpga";
    if (choice & 2)
        args[count++] = (char *)"-create-library";
    if (choice & 4)
        args[count++] = (char *)forms[choice >> 3 & 3];
    args[count++] = input_path;
    if (choice & 32)
        args[count++] = good_path;
    args[count++] = (char *)"-o";
    args[count++] = output_path;
    if (choice & 64) {
        args[count++] = (char *)"--report";
        args[count++] = page_path;
    }
    args[count] = NULL;
}

static void complain(const char *what, int status)
{
    char text[4096] = "";
    FILE *file = fopen(errors_path, "rb");
    if (file)
        text[fread(text, 1, sizeof text - 1, file)] = 0;
    fprintf(stderr, "sluicec %s: status %#x, and says:\n%s\n", what, status, text);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *args[MOST_ARGUMENTS];
    if (!bytes)
        return 0;
    uint8_t *copy = malloc(bytes);
    if (!copy)
        return 0;
    memcpy(copy, data, bytes);
    container_sum(copy + 1, bytes - 1);
    write_file(input_path, copy + 1, bytes - 1);
    free(copy);
    unlink(output_path);
    choose(data[0], args);
    int status = run(args);
    if (status < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        complain("does not end as it should", status);
    if (!status && !size_of(output_path))
        complain("makes nothing", status);
    if (status && !size_of(errors_path))
        complain("gives no reason", status);
    return 0;
}
