/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler process: answers requests on descriptor SL_BUILD_FD, one after the other. The main
 * thread only watches for the driver's end of the socket to close, so that no compile outlives the
 * application; a second thread with a large stack does all else. No locks: they share nothing.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compiler/programs/heap.h"
#include "compiler/programs/programs.h"
#include "compiler/request/message.h"
#include "compiler/stage/crash.h"
#include "sluice/base/environment.h"

static bool request_waits(void)
{
    struct pollfd socket = {.fd = SL_BUILD_FD, .events = POLLIN};
    return poll(&socket, 1, 0) != 0;
}

/* The answer comes first: the driver needs the version even when its cache has the module. */
static int say_hello(const struct sl_message *message)
{
    const struct sl_build_result empty = {0};
    if (sl_message_reply(SL_BUILD_FD, message, 0, &empty, sl_compiler_version()))
        return -1;
    if (!request_waits())
        sl_compiler_warm_up();
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

#define LARGE_MB 512u /* a warm process has 60, a program with a hundred kernels 150 */

/* Without what is mapped from files, which costs nobody anything. */
static unsigned own_memory_mb(void)
{
    unsigned long resident, shared, pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %lu %lu", &resident, &shared) == 2)
        pages = resident - shared;
    fclose(file);
    return (unsigned)(pages * (unsigned long)sysconf(_SC_PAGESIZE) >> 20);
}

/* Between builds the process is a guest in the application's machine: what one huge program took
 * is given back by ending; the driver then starts another process. */
static bool is_too_large(void)
{
    return own_memory_mb() >= LARGE_MB;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What the serving thread works at, for its crash handler; NULL between requests. */
static struct {
    const struct sl_message *message;
    const struct sl_build_result *result;
} current;

static void report_crash(const char *text, size_t bytes)
{
    if (current.message)
        sl_message_last_words(SL_BUILD_FD, current.message,
                              sl_build_failure(current.message->request.kind), &current.result->log,
                              (struct sl_blob){text, bytes});
}

static int answer(const struct sl_message *message)
{
    if (message->request.kind == SL_BUILD_HELLO)
        return say_hello(message);
    struct sl_build_result result = {0};
    current.message = message;
    current.result = &result;
    int status = sl_compiler_build(&message->request, &result);
    current.message = NULL;
    int rc = sl_message_reply(SL_BUILD_FD, message, status, &result, sl_compiler_version());
    bool poisoned = result.poisoned;
    sl_build_result_finish(&result);
    if (!rc && !poisoned && is_too_large())
        _exit(0);
    return poisoned ? -1 : rc;
}

static void *serve(void *unused)
{
    struct sl_message message;
    int rc = 0;
    (void)unused;
    sl_heap_claim();
    sl_crash_watch(report_crash);
    while (!rc && sl_message_receive(SL_BUILD_FD, &message) == 1) {
        rc = answer(&message);
        sl_message_finish(&message);
    }
    _exit(rc ? 1 : 0);
}

static int start_serving(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes))
        return -1;
    int rc = pthread_attr_setstacksize(&attributes, SL_COMPILER_STACK_BYTES);
    if (!rc)
        rc = pthread_create(&thread, &attributes, serve, NULL);
    pthread_attr_destroy(&attributes);
    return rc ? -1 : 0;
}

/* The application's signal settings survive exec: what it blocked or ignored is not ours. */
static void reset_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* the linker's message about `ulimit -f` is better than none */
    signal(SIGINT, SIG_IGN);  /* Control-C is for the application; its end ends us */
}

int sl_server_main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts(sl_compiler_version());
        return 0;
    }
    reset_signals();
    sl_environment_clean();
    struct pollfd socket = {.fd = SL_BUILD_FD, .events = POLLRDHUP};
    if (poll(&socket, 1, 0) < 0 || (socket.revents & POLLNVAL)) {
        fputs("sluice-compiler is started by the Sluice driver; use sluicec instead\n", stderr);
        return 1;
    }
    if (start_serving()) {
        fprintf(stderr, "sluice-compiler: no thread with a stack of %d MiB; is there a limit?\n",
                (int)(SL_COMPILER_STACK_BYTES >> 20));
        return 1;
    }
    while (!(socket.revents & (POLLRDHUP | POLLHUP | POLLERR)))
        poll(&socket, 1, -1);
    _exit(0);
}
