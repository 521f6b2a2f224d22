/* SPDX-License-Identifier: Apache-2.0 */
/* I/O bindings and streams: what is accepted and refused, ends of files, reconnection, cut packets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fpga/stream/io_stream.h"

static char folder[] = "/tmp/sluice-io-XXXXXX";
static int never; /* a descriptor that nobody makes readable */

static const char *path_in(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- bindings -------------------------------------------------------------------------------- */

static void read_rows(struct sl_io_bindings *b, const char *text)
{
    sl_io_bindings_read(b, text);
    if (*b->fault)
        fail_msg("%s", b->fault);
}

static void test_rows(void **state)
{
    (void)state;
    struct sl_io_bindings b;
    read_rows(&b, " in = file:/a,b/c.bin,loop ;out=file:x,append\n# nothing\n"
                  "0=tcp:host:80,listen # net\n\nq=pipe:out;z=null:");
    assert_int_equal(b.count, 5);
    const struct sl_io_binding *in = sl_io_binding_of(&b, "in");
    assert_non_null(in);
    assert_int_equal(in->kind, SL_IO_FILE);
    assert_string_equal(in->target, "/a,b/c.bin");
    assert_true(in->loop && !in->append && !in->listen);
    assert_true(sl_io_binding_of(&b, "out")->append);
    assert_true(sl_io_binding_of(&b, "0")->listen);
    assert_string_equal(sl_io_binding_of(&b, "0")->target, "host:80");
    assert_int_equal(sl_io_binding_of(&b, "z")->kind, SL_IO_NULL);
    assert_true(sl_io_is_source(&b, "out"));
    assert_false(sl_io_is_source(&b, "in"));
    assert_null(sl_io_binding_of(&b, "in "));
    sl_io_bindings_finish(&b);
    read_rows(&b, NULL);
    assert_int_equal(b.count, 0);
    read_rows(&b, " \n;;");
    assert_int_equal(b.count, 0);
    sl_io_bindings_finish(&b);
}

static void test_faulty_rows(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *in_reason;
    } rows[] = {
        {"a", "NAME=KIND"},
        {"a=file", "NAME=KIND"},
        {"=file:x", "name is missing"},
        {"a=disk:x", "no kind"},
        {"a=file:", "behind the colon"},
        {"a=file:x,listen", "option"},
        {"a=tcp:80", "HOST:PORT"},
        {"a=file:x;a=file:y", "bound already"},
        {"@/nowhere/at/all", "No such file"},
        {"@/", "Is a directory"},
        {"a=file:x,apend", "no option \"apend\", file has append loop"},
        {"a=tcp:h:80,listn", "no option \"listn\", tcp has listen"},
        {"a=fifo:x,listn", "no option \"listn\", fifo has none"},
        {"a=tcp:h:65536", "no port"},
        {"a=tcp:h:", "no port"},
        {"a=tcp:h:8o", "no port"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_io_bindings b;
        sl_io_bindings_read(&b, rows[i].setting);
        if (!strstr(b.fault, rows[i].in_reason))
            fail_msg("%s: %s", rows[i].setting, b.fault);
        sl_io_bindings_finish(&b);
    }
}

/* Each faulty row is named, and the others stay. */
static void test_some_faulty_rows(void **state)
{
    struct sl_io_bindings b;
    (void)state;
    sl_io_bindings_read(&b, "a=null:;b=disk:x;c=null:\nd=file:;a=null:;e=null:");
    assert_int_equal(b.count, 3);
    assert_non_null(sl_io_binding_of(&b, "e"));
    assert_string_equal(sl_io_binding_of(&b, "c")->row, "c=null:");
    assert_string_equal(b.fault, "\"b=disk:x\": no kind of this name (file, fifo, unix, tcp, pipe, "
                                 "shm, mpi, ucx, null)\n\"d=file:\": nothing behind the colon\n"
                                 "\"a=null:\": this name is bound already");
    sl_io_bindings_finish(&b);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_rows_in_a_file(void **state)
{
    (void)state;
    char setting[300];
    write_text(path_in("rows"), "a=null:\nb=file:/x # comment ; no=row:here\n");
    snprintf(setting, sizeof setting, "@%s", path_in("rows"));
    struct sl_io_bindings b;
    read_rows(&b, setting);
    assert_int_equal(b.count, 2);
    assert_string_equal(sl_io_binding_of(&b, "b")->target, "/x");
    sl_io_bindings_finish(&b);
    write_text(path_in("rows"), "");
    read_rows(&b, setting);
    assert_int_equal(b.count, 0);
    sl_io_bindings_finish(&b);
}

/* ---- streams --------------------------------------------------------------------------------- */

static struct sl_io_binding bind_to(enum sl_io_kind kind, const char *target)
{
    return (struct sl_io_binding){.name = (char *)"n", .target = (char *)target, .kind = kind};
}

static void expect_read(struct sl_io_stream *s, const char *text, bool fresh_wanted)
{
    char got[64];
    size_t done = 0, count;
    bool fresh, any_fresh = false;
    while (done < strlen(text)) {
        assert_int_equal(sl_io_stream_read(s, got + done, strlen(text) - done, &count, &fresh),
                         SL_IO_SOME);
        done += count;
        any_fresh |= fresh;
    }
    assert_memory_equal(got, text, done);
    assert_int_equal(any_fresh, fresh_wanted);
}

static void expect_end(struct sl_io_stream *s, enum sl_io_result wanted)
{
    char got[8];
    size_t count;
    bool fresh;
    assert_int_equal(sl_io_stream_read(s, got, sizeof got, &count, &fresh), wanted);
}

static void test_files(void **state)
{
    (void)state;
    struct sl_io_stream s;
    struct sl_io_binding b = bind_to(SL_IO_FILE, path_in("data"));
    write_text(b.target, "abcdefg");
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_read(&s, "abcdefg", false);
    expect_end(&s, SL_IO_ENDED);
    expect_end(&s, SL_IO_ENDED);
    sl_io_stream_finish(&s);
    b.loop = true;
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_read(&s, "abcdefg", false);
    expect_read(&s, "abc", true);
    expect_read(&s, "defg", false);
    sl_io_stream_finish(&s);
    write_text(b.target, "");
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_end(&s, SL_IO_ENDED); /* no endless search for a first byte */
    sl_io_stream_finish(&s);
    b = bind_to(SL_IO_FILE, "/nowhere/at/all");
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_end(&s, SL_IO_ENDED);
    assert_int_equal(s.error, ENOENT);
    sl_io_stream_finish(&s);
}

static void put_file(bool append, const char *text)
{
    struct sl_io_stream s;
    struct sl_io_binding b = bind_to(SL_IO_FILE, path_in("written"));
    b.append = append;
    sl_io_stream_init(&s, &b, false, never, -1);
    assert_int_equal(sl_io_stream_write(&s, text, strlen(text), 1), SL_IO_SOME);
    sl_io_stream_finish(&s);
}

static void test_written_files(void **state)
{
    (void)state;
    struct sl_io_stream s;
    put_file(false, "long text");
    put_file(false, "new");
    put_file(true, "er");
    struct sl_io_binding b = bind_to(SL_IO_FILE, path_in("written"));
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_read(&s, "newer", false);
    expect_end(&s, SL_IO_ENDED);
    sl_io_stream_finish(&s);
    b = bind_to(SL_IO_FILE, "/dev/full");
    sl_io_stream_init(&s, &b, false, never, -1);
    assert_int_equal(sl_io_stream_write(&s, "x", 1, 1), SL_IO_ENDED);
    assert_int_equal(s.error, ENOSPC);
    sl_io_stream_finish(&s);
}

/* Writers of a named pipe come and go; each may have left half a packet. */
static void *two_writers(void *path)
{
    for (int i = 0; i < 2; i++) {
        int fd = open(path, O_WRONLY);
        assert_int_equal(write(fd, i ? "second" : "first", i ? 6 : 5), i ? 6 : 5);
        close(fd);
        usleep(100000);
    }
    return NULL;
}

static void test_fifo(void **state)
{
    (void)state;
    struct sl_io_stream s;
    pthread_t thread;
    char path[256];
    snprintf(path, sizeof path, "%s", path_in("fifo"));
    assert_int_equal(mkfifo(path, 0600), 0);
    struct sl_io_binding b = bind_to(SL_IO_FIFO, path);
    sl_io_stream_init(&s, &b, true, never, -1);
    pthread_create(&thread, NULL, two_writers, path);
    expect_read(&s, "first", false);
    expect_read(&s, "second", true);
    pthread_join(thread, NULL);
    sl_io_stream_finish(&s);
}

static void test_stop(void **state)
{
    (void)state;
    struct sl_io_stream s;
    int stop = eventfd(1, EFD_CLOEXEC);
    struct sl_io_binding b = bind_to(SL_IO_UNIX, path_in("nobody"));
    for (int listening = 0; listening < 2; listening++) {
        b.listen = listening;
        sl_io_stream_init(&s, &b, true, stop, -1);
        expect_end(&s, SL_IO_STOPPED);
        sl_io_stream_finish(&s);
        sl_io_stream_init(&s, &b, false, stop, -1);
        assert_int_equal(sl_io_stream_write(&s, "x", 1, 1), SL_IO_STOPPED);
        sl_io_stream_finish(&s);
    }
    close(stop);
}

/* What is named a file need not be one, and a long one need not be read to its end. */
static void test_stop_files(void **state)
{
    (void)state;
    struct sl_io_stream s;
    char path[256];
    int stop = eventfd(1, EFD_CLOEXEC);
    snprintf(path, sizeof path, "%s", path_in("stopped"));
    for (int regular = 0; regular < 2; regular++) {
        if (regular)
            write_text(path, "abc");
        else
            assert_int_equal(mkfifo(path, 0600), 0);
        struct sl_io_binding b = bind_to(SL_IO_FILE, path);
        sl_io_stream_init(&s, &b, true, stop, -1);
        expect_end(&s, SL_IO_STOPPED);
        sl_io_stream_finish(&s);
        unlink(path);
    }
    close(stop);
}

/* Takes `bytes` of the first connection, cuts it, and keeps what the second brings. */
struct cutter {
    int listener;
    size_t bytes;
    char second[64];
    atomic_bool done;
};

static void *cut(void *data)
{
    struct cutter *cutter = data;
    char first[64];
    int fd = accept(cutter->listener, NULL, NULL);
    assert_int_equal(recv(fd, first, cutter->bytes, MSG_WAITALL), (ssize_t)cutter->bytes);
    struct linger now = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
    fd = accept(cutter->listener, NULL, NULL);
    ssize_t got = recv(fd, cutter->second, sizeof cutter->second, 0);
    assert_true(got > 0);
    close(fd);
    atomic_store(&cutter->done, true);
    return NULL;
}

static void test_reconnect(void **state)
{
    (void)state;
    struct cutter cutter = {.bytes = 4};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    pthread_t thread;
    char target[64];
    cutter.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(cutter.listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(cutter.listener, 4), 0);
    getsockname(cutter.listener, (struct sockaddr *)&address, &size);
    snprintf(target, sizeof target, "127.0.0.1:%d", ntohs(address.sin_port));
    struct sl_io_binding b = bind_to(SL_IO_TCP, target);
    struct sl_io_stream s;
    sl_io_stream_init(&s, &b, false, never, -1);
    pthread_create(&thread, NULL, cut, &cutter);
    for (int i = 0; i < 100 && !atomic_load(&cutter.done); i++) {
        assert_int_equal(sl_io_stream_write(&s, "1234", 4, 4), SL_IO_SOME);
        usleep(20000);
    }
    pthread_join(thread, NULL);
    assert_memory_equal(cutter.second, "1234", 4); /* a whole packet comes first */
    sl_io_stream_finish(&s);
    close(cutter.listener);
}

/* A listener of that kind on this machine, and its port; -1 where there is none of the kind. */
static int listen_loopback(int family, int *port)
{
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bool six = family == AF_INET6;
    struct sockaddr *address = six ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4;
    socklen_t bytes = six ? sizeof v6 : sizeof v4;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (bind(fd, address, bytes) || listen(fd, 4))) {
        close(fd);
        return -1;
    }
    if (fd >= 0)
        getsockname(fd, address, &bytes);
    *port = ntohs(six ? v6.sin6_port : v4.sin_port);
    return fd;
}

/* Addresses with colons stand in brackets; of a host's addresses that one counts which answers. */
static void test_addresses(void **state)
{
    static const struct {
        int family;
        const char *host;
    } rows[] = {{AF_INET, "127.0.0.1"}, {AF_INET, ""}, {AF_INET6, "[::1]"}, {AF_INET6, ""}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char target[64], got[4];
        struct sl_io_stream s;
        int port, listener = listen_loopback(rows[i].family, &port);
        if (listener < 0)
            continue;
        snprintf(target, sizeof target, "%s:%d", rows[i].host, port);
        struct sl_io_binding b = bind_to(SL_IO_TCP, target);
        sl_io_stream_init(&s, &b, false, never, -1);
        assert_int_equal(sl_io_stream_write(&s, "1234", 4, 4), SL_IO_SOME);
        int fd = accept(listener, NULL, NULL);
        assert_int_equal(recv(fd, got, 4, MSG_WAITALL), 4);
        assert_memory_equal(got, "1234", 4);
        close(fd);
        close(listener);
        sl_io_stream_finish(&s);
    }
}

/* Nobody but this machine is meant where no host is named, by IPv4 at least. */
static void test_listen_addresses(void **state)
{
    static const char *const hosts[] = {"", "[::1]"};
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char target[64];
        struct sl_io_stream s;
        int port, family = *hosts[i] ? AF_INET6 : AF_INET, spare = listen_loopback(family, &port);
        if (spare < 0)
            continue;
        close(spare);
        snprintf(target, sizeof target, "%s:%d", hosts[i], port);
        struct sl_io_binding b = bind_to(SL_IO_TCP, target);
        b.listen = true;
        sl_io_stream_init(&s, &b, true, never, -1);
        sl_io_stream_listen(&s);
        assert_int_equal(s.error, 0);
        struct sockaddr_storage at;
        socklen_t bytes = sizeof at;
        getsockname(s.listener, (struct sockaddr *)&at, &bytes);
        assert_int_equal(at.ss_family, family);
        sl_io_stream_finish(&s);
    }
}

static void *send_hello(void *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", (char *)path);
    for (int i = 0; i < 2; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        while (connect(fd, (struct sockaddr *)&address, sizeof address))
            usleep(1000);
        assert_int_equal(send(fd, "hello", 5, 0), 5);
        close(fd);
    }
    return NULL;
}

static void test_listen(void **state)
{
    (void)state;
    struct sl_io_stream s;
    pthread_t thread;
    char path[256];
    snprintf(path, sizeof path, "%s", path_in("socket"));
    struct sl_io_binding b = bind_to(SL_IO_UNIX, path);
    b.listen = true;
    pthread_create(&thread, NULL, send_hello, path);
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_read(&s, "hello", false);
    expect_read(&s, "hello", true);
    pthread_join(thread, NULL);
    sl_io_stream_finish(&s);
    assert_int_equal(access(path, F_OK), -1); /* cleaned up */
}

/* ---- what cannot work ------------------------------------------------------------------------ */

static void expect_verdict(enum sl_io_kind kind, const char *target, bool input, const char *wanted)
{
    char why[128] = "";
    struct sl_io_binding b = bind_to(kind, target);
    assert_int_equal(sl_io_binding_check(&b, input, why, sizeof why), !*wanted);
    assert_string_equal(why, wanted);
}

static void test_checks(void **state)
{
    static const char none[] = "No such file or directory (ENOENT)";
    char inside[300];
    (void)state;
    write_text(path_in("data"), "x");
    snprintf(inside, sizeof inside, "%s", path_in("none/x"));
    expect_verdict(SL_IO_FILE, path_in("data"), true, "");
    expect_verdict(SL_IO_FILE, path_in("data"), false, "");
    expect_verdict(SL_IO_FILE, path_in("new"), false, "");
    expect_verdict(SL_IO_FILE, path_in("new"), true, none);
    expect_verdict(SL_IO_FILE, inside, false, none);
    expect_verdict(SL_IO_FILE, folder, true, "it is a folder");
    expect_verdict(SL_IO_FILE, folder, false, "it is a folder");
    expect_verdict(SL_IO_FILE, "/dev/full", false, "");
    expect_verdict(SL_IO_FIFO, path_in("data"), true, "it is no named pipe");
    expect_verdict(SL_IO_FIFO, path_in("new"), false, none);
    expect_verdict(SL_IO_FIFO, folder, false, "it is a folder");
    expect_verdict(SL_IO_UNIX, path_in("data"), false, "it is no socket");
    expect_verdict(SL_IO_UNIX, path_in("new"), false, "");
    expect_verdict(SL_IO_TCP, "localhost:1", true, "");
    expect_verdict(SL_IO_NULL, "", true, "");
    if (!geteuid())
        return; /* may open everything */
    chmod(path_in("data"), 0);
    expect_verdict(SL_IO_FILE, path_in("data"), false, "Permission denied (EACCES)");
    expect_verdict(SL_IO_FILE, path_in("data"), true, "Permission denied (EACCES)");
}

static int set_up(void **state)
{
    (void)state;
    never = eventfd(0, EFD_CLOEXEC);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"rows", "data", "written", "fifo"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_in(names[i]));
    close(never);
    return rmdir(folder);
}

/* Another process that listens there first: 0, it heard the only one who came with words. */
static int listen_first(const struct sl_io_binding *b)
{
    struct sl_io_stream s;
    char text[16];
    size_t got = 0;
    bool fresh;
    sl_io_stream_init(&s, b, true, never, -1);
    if (sl_io_stream_read(&s, text, sizeof text, &got, &fresh) != SL_IO_SOME)
        return 1;
    sl_io_stream_finish(&s);
    return got == 5 && !memcmp(text, "hello", 5) ? 0 : 2;
}

/* Two processes bound to one socket: the second is told, the first goes on. */
static void test_second_listener(void **state)
{
    struct sl_io_stream s;
    char path[300];
    int status;
    (void)state;
    snprintf(path, sizeof path, "%s", path_in("shared"));
    struct sl_io_binding b = bind_to(SL_IO_UNIX, path);
    b.listen = true;
    pid_t other = fork();
    assert_true(other >= 0);
    if (!other)
        _exit(listen_first(&b));
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path));
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (int i = 0; i < 5000 && connect(probe, (struct sockaddr *)&address, sizeof address); i++)
        usleep(1000);
    close(probe);
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_end(&s, SL_IO_ENDED);
    assert_int_equal(s.error, EADDRINUSE);
    sl_io_stream_finish(&s);
    probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(probe, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(probe, "hello", 5, MSG_NOSIGNAL), 5);
    assert_int_equal(waitpid(other, &status, 0), other);
    close(probe);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_faulty_rows),
        cmocka_unit_test(test_some_faulty_rows),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_rows_in_a_file),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_written_files),
        cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_reconnect),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_listen_addresses),
        cmocka_unit_test(test_listen),
        cmocka_unit_test(test_stop_files),
        cmocka_unit_test(test_second_listener),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
