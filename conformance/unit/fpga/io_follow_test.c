/* SPDX-License-Identifier: Apache-2.0 */
/* The row files: and the option follow: what names become, and files that grow, are cut, replaced
 * and come late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fpga/stream/io_follow.h"
#include "fpga/stream/io_stream.h"

static char folder[] = "/tmp/sluice-follow-XXXXXX";
static char path[64], other[64];
static int never; /* a descriptor that nobody makes readable */

static void put_text(const char *to, const char *mode, const char *text)
{
    FILE *file = fopen(to, mode);
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* ---- the row --------------------------------------------------------------------------------- */

static void expect_row(const struct sl_io_bindings *b, const char *name, enum sl_io_kind kind,
                       const char *target)
{
    const struct sl_io_binding *row = sl_io_binding_of(b, name);
    assert_non_null(row);
    assert_int_equal(row->kind, kind);
    assert_string_equal(row->target, target);
    assert_true(row->follow == (kind == SL_IO_FILE) && row->append == row->follow);
}

static void test_folder(void **state)
{
    static const char *const never_bound[] = {"", ".", "..", "a/b", "/etc/x", "../x"};
    struct sl_io_bindings b;
    char setting[128];
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(setting, sizeof setting, "files:%s;set=null:;there=pipe:source", folder);
    sl_io_bindings_read(&b, setting);
    assert_string_equal(b.fault, "");
    for (size_t i = 0; i < sizeof never_bound / sizeof *never_bound; i++) {
        sl_io_bindings_cover(&b, never_bound[i]);
        assert_false(sl_io_is_bound(&b, never_bound[i]));
    }
    static const char *const names[] = {"eth0", "file", "set", "source", "eth0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sl_io_bindings_cover(&b, names[i]);
    assert_int_equal(b.count, 4);
    snprintf(setting, sizeof setting, "%s/eth0", folder);
    expect_row(&b, "eth0", SL_IO_FILE, setting);
    expect_row(&b, "file", SL_IO_FIFO, path);
    assert_int_equal(sl_io_binding_of(&b, "set")->kind, SL_IO_NULL);
    assert_null(sl_io_binding_of(&b, "source"));
    sl_io_bindings_finish(&b);
    unlink(path);
}

static void test_rows(void **state)
{
    struct sl_io_bindings b;
    (void)state;
    sl_io_bindings_read(&b, "a=null:");
    sl_io_bindings_cover(&b, "b");
    assert_false(sl_io_is_bound(&b, "b"));
    sl_io_bindings_finish(&b);
    sl_io_bindings_read(&b, " files: ; files:/x; c=file:y,follow; d=file:y,loop,follow");
    assert_non_null(strstr(b.fault, "\"files:/x\": there is such a row already"));
    assert_non_null(strstr(b.fault, "\"d=file:y,loop,follow\": loop and follow"));
    assert_true(sl_io_binding_of(&b, "c")->follow && !sl_io_binding_of(&b, "c")->append);
    sl_io_bindings_cover(&b, "e");
    assert_string_equal(sl_io_binding_of(&b, "e")->target, "./e");
    assert_string_equal(sl_io_binding_of(&b, "e")->row, "e=file:./e");
    sl_io_bindings_finish(&b);
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct sl_io_binding follow(void)
{
    return (struct sl_io_binding){
        .name = (char *)"n", .target = path, .kind = SL_IO_FILE, .append = true, .follow = true};
}

static void expect_read(struct sl_io_stream *s, const char *text, bool fresh_wanted)
{
    char got[64];
    size_t done = 0, count;
    bool fresh, any_fresh = false;
    while (done < strlen(text)) {
        assert_int_equal(sl_io_stream_read(s, got + done, sizeof got - done, &count, &fresh),
                         SL_IO_SOME);
        done += count;
        any_fresh |= fresh;
    }
    assert_int_equal(done, strlen(text));
    assert_memory_equal(got, text, done);
    assert_int_equal(any_fresh, fresh_wanted);
}

/* However many pieces it comes in. */
static void expect_read_all(struct sl_io_stream *s, const char *text)
{
    char got[64];
    size_t count;
    bool fresh;
    for (size_t done = 0; done < strlen(text); done += count) {
        assert_int_equal(sl_io_stream_read(s, got, strlen(text) - done, &count, &fresh),
                         SL_IO_SOME);
        assert_memory_equal(got, text + done, count);
        assert_int_equal(fresh, !strcmp(text + done, "another"));
    }
}

struct later {
    void (*change)(void);
    pthread_t thread;
};

static void *change_later(void *data)
{
    usleep(20000);
    ((struct later *)data)->change();
    return NULL;
}

static void after(struct later *later, void (*change)(void))
{
    later->change = change;
    assert_int_equal(pthread_create(&later->thread, NULL, change_later, later), 0);
}

static void grow(void)
{
    put_text(path, "ae", "more");
}

static void cut(void)
{
    put_text(path, "we", "z");
}

static void replace(void)
{
    put_text(other, "we", "another");
    assert_int_equal(rename(other, path), 0);
}

static void remove_and_make(void)
{
    unlink(path);
    usleep(120000);
    put_text(path, "we", "again");
}

/* Each change while the reader waits at the end. */
static void test_reading(void **state)
{
    static const struct {
        void (*change)(void);
        const char *text;
        bool fresh;
    } rows[] = {{grow, "more", false},
                {cut, "z", true},
                {replace, "another", true},
                {grow, "more", false},
                {remove_and_make, "again", true}};
    struct sl_io_binding b = follow();
    struct sl_io_stream s;
    (void)state;
    put_text(path, "we", "text");
    sl_io_stream_init(&s, &b, true, never, -1);
    expect_read(&s, "text", false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct later later;
        after(&later, rows[i].change);
        expect_read(&s, rows[i].text, rows[i].fresh);
        pthread_join(later.thread, NULL);
    }
    sl_io_stream_finish(&s);
    unlink(path);
}

/* Before the reader waits for the `left`th time. */
struct moment {
    int left;
};

static void change_now(void *data)
{
    struct moment *moment = data;
    if (moment->left-- != 1)
        return;
    grow();
    replace();
}

/* What was appended before the file was replaced comes first, whenever both happened. */
static void test_appended_and_replaced(void **state)
{
    enum { MOMENTS = 6 };
    struct sl_io_binding b = follow();
    (void)state;
    for (int at = 1; at <= MOMENTS; at++) {
        struct moment moment = {at};
        struct sl_io_stream s;
        put_text(path, "we", "text");
        sl_io_stream_init(&s, &b, true, never, -1);
        s.waits = change_now;
        s.data = &moment;
        expect_read_all(&s, "textmoreanother");
        assert_true(moment.left < 1);
        sl_io_stream_finish(&s);
        unlink(path);
    }
}

static void test_comes_late(void **state)
{
    char why[64];
    struct sl_io_binding b = follow();
    struct sl_io_stream s;
    struct later later;
    (void)state;
    assert_true(sl_io_binding_check(&b, true, why, sizeof why));
    sl_io_stream_init(&s, &b, true, never, -1);
    after(&later, grow);
    expect_read(&s, "more", false);
    pthread_join(later.thread, NULL);
    sl_io_stream_finish(&s);
    unlink(path);
}

static void test_stop(void **state)
{
    struct sl_io_binding b = follow();
    struct sl_io_stream s;
    char got[8];
    size_t count;
    bool fresh;
    int stop = eventfd(1, EFD_CLOEXEC);
    (void)state;
    for (int there = 0; there < 2; there++) {
        sl_io_stream_init(&s, &b, true, stop, -1);
        assert_int_equal(sl_io_stream_read(&s, got, sizeof got, &count, &fresh), SL_IO_STOPPED);
        sl_io_stream_finish(&s);
        put_text(path, "we", "");
    }
    close(stop);
    unlink(path);
}

static bool tells(int watch)
{
    enum { PATIENCE_MS = 10000 };
    struct pollfd end = {.fd = watch, .events = POLLIN};
    bool any = poll(&end, 1, PATIENCE_MS) == 1;
    sl_io_follow_seen(watch);
    return any;
}

/* Who waits for a file hears of it at once: it may be taken away again soon. */
static void expect_heard(const char *at)
{
    int watch = sl_io_follow_watch(at);
    assert_true(watch >= 0);
    put_text(path, "we", "a");
    assert_true(tells(watch));
    assert_int_equal(unlink(path), 0);
    put_text(other, "we", "b");
    sl_io_follow_seen(watch);
    assert_int_equal(rename(other, path), 0);
    assert_true(tells(watch));
    assert_int_equal(unlink(path), 0);
    close(watch);
}

static void test_watch(void **state)
{
    (void)state;
    expect_heard(path);
    assert_int_equal(chdir(folder), 0);
    expect_heard("file");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(sl_io_follow_watch("/nowhere/at/all"), -1);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void expect_text(const char *at, const char *wanted)
{
    char got[64] = "";
    FILE *file = fopen(at, "re");
    assert_non_null(file);
    size_t count = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    got[count] = 0;
    assert_string_equal(got, wanted);
}

static void write_text(struct sl_io_stream *s, const char *text)
{
    assert_int_equal(sl_io_stream_write(s, text, strlen(text), 2), SL_IO_SOME);
}

static void test_writing(void **state)
{
    struct sl_io_binding b = follow();
    struct sl_io_stream s;
    (void)state;
    put_text(path, "we", "old.");
    sl_io_stream_init(&s, &b, false, never, -1);
    write_text(&s, "aabb");
    expect_text(path, "old.aabb");
    assert_int_equal(rename(path, other), 0);
    write_text(&s, "cc");
    expect_text(other, "old.aabb");
    expect_text(path, "cc");
    put_text(path, "we", "");
    write_text(&s, "dd");
    expect_text(path, "dd");
    sl_io_stream_finish(&s);
    unlink(path);
    unlink(other);
}

static int set_up(void **state)
{
    (void)state;
    never = eventfd(0, EFD_CLOEXEC);
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(never);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder),     cmocka_unit_test(test_rows),
        cmocka_unit_test(test_reading),    cmocka_unit_test(test_appended_and_replaced),
        cmocka_unit_test(test_comes_late), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_watch),      cmocka_unit_test(test_writing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
