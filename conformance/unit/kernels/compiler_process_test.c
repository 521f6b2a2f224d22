/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real compiler process: it answers requests in turn and ends with its application, also while
 * it compiles; between builds one of ordinary size waits for the next request, one that has become
 * huge ends. No driver: the test is the other end of the socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/compiler/wire_format.h"
#include "sluice/module.h"

enum { ANSWER_MS = 60000, IDLE_MS = 300 };

struct server {
    pid_t pid;
    int socket;
};

static struct server start(const char *preload)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    struct server server = {fork(), ends[0]};
    assert_true(server.pid >= 0);
    if (!server.pid) {
        const char *path = getenv("SLUICE_TEST_SERVER");
        if (preload)
            setenv("LD_PRELOAD", preload, 1);
        /* Above all others first: its number may be SL_BUILD_FD already, and close-on-exec. */
        int peer = fcntl(ends[1], F_DUPFD, SL_BUILD_FD + 1);
        if (peer < 0 || dup2(peer, SL_BUILD_FD) < 0)
            _exit(126);
        close(peer);
        execl(path, path, NULL);
        _exit(127);
    }
    close(ends[1]);
    return server;
}

static bool readable(const struct server *server, int ms)
{
    struct pollfd fd = {.fd = server->socket, .events = POLLIN};
    return poll(&fd, 1, ms) == 1;
}

static void receive(const struct server *server, void *to, size_t bytes)
{
    assert_int_equal(recv(server->socket, to, bytes, MSG_WAITALL), (ssize_t)bytes);
}

static void request(const struct server *server, enum sl_build_kind kind, const char *source,
                    uint64_t serial)
{
    struct sl_request request = {0};
    sl_request_begin(&request, kind);
    if (source)
        sl_request_add_text(&request, SL_CHUNK_SOURCE, source);
    assert_true(sl_request_end(&request, serial));
    assert_int_equal(send(server->socket, request.bytes, request.size, MSG_NOSIGNAL),
                     (ssize_t)request.size);
    sl_request_finish(&request);
}

/* The answer to the request `serial`, with this status and, somewhere in it, these bytes. */
static void expect_answer(const struct server *server, uint64_t serial, int status,
                          const void *part, size_t bytes)
{
    struct sl_message_header head;
    assert_true(readable(server, ANSWER_MS));
    receive(server, &head, sizeof head);
    assert_int_equal(head.serial, serial);
    assert_int_equal(head.status, status);
    assert_true(head.bytes > 0);
    void *chunks = malloc(head.bytes);
    assert_non_null(chunks);
    receive(server, chunks, head.bytes);
    assert_non_null(memmem(chunks, head.bytes, part, bytes));
    free(chunks);
}

static void build(const struct server *server, uint64_t serial)
{
    request(server, SL_BUILD_BUILD, "kernel void k(global int *x) { *x = 1; }", serial);
    expect_answer(server, serial, CL_SUCCESS, SL_BINARY_MAGIC, 8);
}

static int end_of(struct server *server)
{
    int status = -1;
    assert_int_equal(waitpid(server->pid, &status, 0), server->pid);
    close(server->socket);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void answers_and_ends(void **state)
{
    (void)state;
    struct server server = start(NULL);
    request(&server, SL_BUILD_HELLO, NULL, 7);
    request(&server, SL_BUILD_BUILD, "kernel void k() { x }", 8);
    expect_answer(&server, 7, CL_SUCCESS, "", 0);
    expect_answer(&server, 8, CL_BUILD_PROGRAM_FAILURE, "undeclared", 10);
    build(&server, 9);
    shutdown(server.socket, SHUT_RDWR);
    assert_int_equal(end_of(&server), 0);
}

static void ends_while_compiling(void **state)
{
    char source[3000];
    size_t at = (size_t)sprintf(source, "#define A0 a[0]++;\n");
    (void)state;
    /* Doubles 40 times: it would compile for hours. */
    for (int i = 1; i < 40; i++)
        at += (size_t)sprintf(source + at, "#define A%d A%d A%d\n", i, i - 1, i - 1);
    sprintf(source + at, "kernel void k(global int *a) { A39 }\n");
    struct server server = start(NULL);
    request(&server, SL_BUILD_BUILD, source, 1);
    assert_false(readable(&server, IDLE_MS));
    shutdown(server.socket, SHUT_RDWR);
    assert_int_not_equal(end_of(&server), -1);
}

static void ordinary_ones_stay(void **state)
{
    (void)state;
    struct server server = start(NULL);
    build(&server, 1);
    assert_false(readable(&server, IDLE_MS)); /* neither an answer nor the end */
    build(&server, 2);
    shutdown(server.socket, SHUT_RDWR);
    assert_int_equal(end_of(&server), 0);
}

static void huge_ones_answer_and_end(void **state)
{
    (void)state;
    char byte;
    if (getenv("SLUICE_TEST_SANITIZED"))
        skip(); /* preloading comes before the sanitizer's own library */
    struct server server = start(getenv("SLUICE_TEST_BALLAST"));
    build(&server, 1);
    assert_true(readable(&server, ANSWER_MS));
    assert_int_equal(recv(server.socket, &byte, 1, 0), 0);
    assert_int_equal(end_of(&server), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_and_ends),
        cmocka_unit_test(ends_while_compiling),
        cmocka_unit_test(ordinary_ones_stay),
        cmocka_unit_test(huge_ones_answer_and_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
