/* SPDX-License-Identifier: Apache-2.0 */
/* printf of OpenCL C 6.15.14 on hand-made records, through the device's own print service. */
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/kernel/printf.h"
#include "sluice/module.h"

struct record {
    _Alignas(8) unsigned char bytes[1024];
    uint32_t used, count;
};

static struct record *add(struct record *r, uint16_t kind, uint16_t lanes, uint32_t elem_bytes,
                          const void *value)
{
    const struct sl_print_arg arg = {.kind = kind, .lanes = lanes, .elem_bytes = elem_bytes};
    memcpy(r->bytes + r->used, &arg, sizeof arg);
    memcpy(r->bytes + r->used + sizeof arg, value, (size_t)lanes * elem_bytes);
    r->used += (uint32_t)(sizeof arg + ((size_t)lanes * elem_bytes + 7) / 8 * 8);
    r->count++;
    return r;
}

static struct record one(uint16_t kind, uint16_t lanes, uint32_t elem_bytes, const void *value)
{
    struct record r = {.used = 0};
    return *add(&r, kind, lanes, elem_bytes, value);
}

#define INT(...) one(SL_PRINT_INT, sizeof((int[]){__VA_ARGS__}) / 4, 4, (int[]){__VA_ARGS__})
#define LONG(...) one(SL_PRINT_INT, sizeof((long[]){__VA_ARGS__}) / 8, 8, (long[]){__VA_ARGS__})
#define SHORT(...) one(SL_PRINT_INT, sizeof((short[]){__VA_ARGS__}) / 2, 2, (short[]){__VA_ARGS__})
#define CHAR(...) one(SL_PRINT_INT, sizeof((char[]){__VA_ARGS__}), 1, (char[]){__VA_ARGS__})
#define DOUBLE(...)                                                                                \
    one(SL_PRINT_FLOAT, sizeof((double[]){__VA_ARGS__}) / 8, 8, (double[]){__VA_ARGS__})
#define FLOAT(...)                                                                                 \
    one(SL_PRINT_FLOAT, sizeof((float[]){__VA_ARGS__}) / 4, 4, (float[]){__VA_ARGS__})
#define HALF(...)                                                                                  \
    one(SL_PRINT_FLOAT, sizeof((uint16_t[]){__VA_ARGS__}) / 2, 2, (uint16_t[]){__VA_ARGS__})
#define TEXT(s) one(SL_PRINT_STRING, 1, 8, &(const char *){s})
#define POINTER(p) one(SL_PRINT_POINTER, 1, 8, &(uintptr_t){p})
#define NOTHING ((struct record){.used = 0})

static void check(const char *format, struct record r, int rc, const char *want)
{
    struct sl_printed text;
    sl_printed_init(&text);
    int got = sl_print_format(&text, format, r.bytes, r.used, r.count);
    if (got != rc || text.length != strlen(want) || memcmp(text.at, want, text.length))
        fail_msg("\"%s\": %d \"%.*s\", wanted %d \"%s\"", format, got, (int)text.length, text.at,
                 rc, want);
    sl_printed_finish(&text);
}

static void integers(void **state)
{
    (void)state;
    check("%d", INT(-5), 0, "-5");
    check("%i|", INT(7), 0, "7|");
    check("<%5d>", INT(42), 0, "<   42>");
    check("<%-5d>", INT(42), 0, "<42   >");
    check("<%05d>", INT(-42), 0, "<-0042>");
    check("<%+d>", INT(42), 0, "<+42>");
    check("<% d>", INT(42), 0, "< 42>");
    check("<%.4d>", INT(42), 0, "<0042>");
    check("<%8.4d>", INT(42), 0, "<    0042>");
    check("%u", INT(-1), 0, "4294967295");
    check("%x %%", INT(255), 0, "ff %");
    check("%#X", INT(255), 0, "0XFF");
    check("%#o", INT(8), 0, "010");
    check("%ld", LONG(-5000000000), 0, "-5000000000");
    check("%lu", LONG(-1), 0, "18446744073709551615");
    check("%lx", LONG(1l << 40), 0, "10000000000");
    check("%zu", LONG(-1), 0, "18446744073709551615");
    check("%-+24.15td|", LONG(10000000000), 0, "+000010000000000        |");
    check("%#zx", LONG(1l << 40), 0, "0x10000000000");
    check("%hd", INT(0x12345), 0, "9029");
    check("%hhd", INT(0x1ff), 0, "-1");
    check("%hhu", INT(0x1ff), 0, "255");
    check("%d", LONG(5), 0, "5");
    check("%c%%", INT('q'), 0, "q%");
    check("<%3c>", INT('q'), 0, "<  q>");
}

static void floats(void **state)
{
    (void)state;
    check("%f", DOUBLE(1.5), 0, "1.500000");
    check("%f", FLOAT(1.5), 0, "1.500000");
    check("%.2f", DOUBLE(-3.14159), 0, "-3.14");
    check("%10.3e", DOUBLE(12345.678), 0, " 1.235e+04");
    check("%E", DOUBLE(1e-10), 0, "1.000000E-10");
    check("%g", DOUBLE(1e20), 0, "1e+20");
    check("%#g", DOUBLE(1), 0, "1.00000");
    check("%G", DOUBLE(1e-10), 0, "1E-10");
    check("%a", FLOAT(0.1f), 0, "0x1.99999ap-4");
    check("%A", DOUBLE(1), 0, "0X1P+0");
    check("%f", DOUBLE(__builtin_inf()), 0, "inf");
    check("<%05f>", DOUBLE(__builtin_inf()), 0, "<  inf>");
    check("%F", DOUBLE(-__builtin_inf()), 0, "-INF");
    check("%f", DOUBLE(__builtin_nan("")), 0, "nan");
    check("%.1f", HALF(0x3c00), 0, "1.0");
    check("%g", HALF(0x0001), 0, "5.96046e-08");
    check("%g", HALF(0xfc00), 0, "-inf");
    check("%g", HALF(0xc248), 0, "-3.14062");
}

static void vectors(void **state)
{
    (void)state;
    check("%v4hld", INT(1, -2, 3, -4), 0, "1,-2,3,-4");
    check("%v2hlx", INT(-1, 16), 0, "ffffffff,10");
    check("<%3v2hld>", INT(1, 2), 0, "<  1,  2>");
    check("<%3d>", INT(1), 0, "<  1>");
    check("<%03v2hld>", INT(1, -2), 0, "<001,-02>");
    check("%v3ld", LONG(1, 2, 3), 0, "1,2,3");
    check("%v3ld", LONG(1, 2, 3, 99), 0, "1,2,3");
    check("%v4hd", SHORT(1, 2, -3, 4), 0, "1,2,-3,4");
    check("%v4hhu", CHAR(1, 2, -3, 4), 0, "1,2,253,4");
    check("%v4hlf", FLOAT(1, 2, 3, 4), 0, "1.000000,2.000000,3.000000,4.000000");
    check("%.2v2hlf", FLOAT(1, 2), 0, "1.00,2.00");
    check("%v2lf", DOUBLE(1, 2), 0, "1.000000,2.000000");
    check("%v2hg", HALF(0x3c00, 0x4000), 0, "1,2");
    check("%v16hhd", CHAR(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), 0,
          "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
}

static void texts_and_pointers(void **state)
{
    (void)state;
    check("plain", NOTHING, 0, "plain");
    check("", NOTHING, 0, "");
    check("100%%", NOTHING, 0, "100%");
    check("<%s>", TEXT("abc"), 0, "<abc>");
    check("<%6s|", TEXT("abc"), 0, "<   abc|");
    check("<%-6s|", TEXT("abc"), 0, "<abc   |");
    check("%.2s", TEXT("abc"), 0, "ab");
    check("%s", TEXT(NULL), 0, "(null)");
    check("%p", POINTER(0x1234), 0, "0x1234");
    struct record r = INT(1);
    add(&r, SL_PRINT_STRING, 1, 8, &(const char *){"two"});
    add(&r, SL_PRINT_FLOAT, 2, 4, (float[]){3, 4});
    check("%d %s %v2hlg.", r, 0, "1 two 3,4.");
    char *big = malloc(100001);
    memset(big, 'x', 100000);
    big[100000] = 0;
    check("%s", TEXT(big), 0, big);
    free(big);
}

static void bad_formats(void **state)
{
    (void)state;
    check("a%", NOTHING, -1, "a%");
    check("%d", NOTHING, -1, "%d");
    check("%n", INT(1), -1, "%n");
    check("%y", INT(1), -1, "%y");
    check("%*d", INT(1), -1, "%*d");
    check("%lld", LONG(1), 0, "1"); /* C's, and what people write */
    check("%llx.", LONG(-1), 0, "ffffffffffffffff.");
    check("a %y b %d c\n", INT(1), -1, "a %y b %d c\n");
    check("%hld", INT(1), -1, "%hld");
    check("%zf", DOUBLE(1), -1, "%zf");
    check("%v2zd", LONG(1, 2), -1, "%v2zd");
    check("%v5d", INT(1, 2, 3, 4), -1, "%v5d");
    check("%v4hld", INT(1, 2), -1, "%v4hld");
    check("%s", INT(1), -1, "%s");
    check("%s", POINTER(1), -1, "%s");
    check("%f", INT(1), -1, "%f");
    check("%d", DOUBLE(1), -1, "%d");
    check("%v2s", TEXT("a"), -1, "%v2s");
    check("%99999999999d", INT(1), -1, "%99999999999d");
    check("%.99999999999d", INT(1), -1, "%.99999999999d");
    check("%---+++   ###000d", INT(1), 0, "+1");
    check("x%d%d", INT(1), -1, "x1%d");
    struct record r = INT(1);
    add(&r, SL_PRINT_INT, 1, 4, (int[]){7});
    check("%f and %d.", r, -1, "%f and 7.");
    r = INT(1);
    r.used = 4; /* a record cut short */
    check("%d", r, -1, "%d");
    r.used = sizeof(struct sl_print_arg) + 2;
    check("%d", r, -1, "%d");
}

static void comma_locales_do_not_matter(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    check("%.1f", DOUBLE(1.5), 0, "1.5");
    setlocale(LC_NUMERIC, "C");
}

/* Sends stdout into a pipe; the result is its reading end. */
static int divert(int *before)
{
    int ends[2];
    *before = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    return ends[0];
}

/* What went into the pipe, up to now; stdout is what it was. */
static void collect(int from, int before, char *got, size_t size)
{
    ssize_t bytes;
    size_t used = 0;
    dup2(before, STDOUT_FILENO);
    close(before);
    while (used < size - 1 && (bytes = read(from, got + used, size - 1 - used)) > 0)
        used += (size_t)bytes;
    got[used] = '\0';
    close(from);
}

/* What is printed reaches the descriptor before the call returns. */
static void printed_at_once(void **state)
{
    (void)state;
    int before, from = divert(&before);
    char got[64];
    struct record r = INT(12);
    int rc = sl_print("n=%d\n", r.bytes, r.used, r.count);
    collect(from, before, got, sizeof got);
    assert_int_equal(rc, 0);
    assert_string_equal(got, "n=12\n");
}

static void follows_what_the_application_printed(void **state)
{
    (void)state;
    int before, from = divert(&before);
    char got[64];
    struct record r = INT(1);
    fputs("first ", stdout);
    sl_print("then %d", r.bytes, r.used, r.count);
    collect(from, before, got, sizeof got);
    assert_string_equal(got, "first then 1");
}

static void *print_lines(void *over)
{
    for (int i = 0; i < 200; i++) {
        struct record r = INT(i, i, i, i);
        sl_print("%v4hld\n", r.bytes, r.used, r.count);
    }
    if (over)
        atomic_store((atomic_int *)over, 1);
    return NULL;
}

/* As an application does that prints a table and calls clFinish between its lines. */
static void application_holds_stdout(void **state)
{
    (void)state;
    const struct timespec moment = {.tv_nsec = 1000000};
    int before, from = divert(&before);
    char got[8192];
    atomic_int over = 0;
    pthread_t thread;
    flockfile(stdout);
    pthread_create(&thread, NULL, print_lines, &over);
    for (int i = 0; i < 5000 && !atomic_load(&over); i++)
        nanosleep(&moment, NULL);
    int in_time = atomic_load(&over);
    funlockfile(stdout);
    pthread_join(thread, NULL);
    collect(from, before, got, sizeof got);
    assert_int_equal(in_time, 1);
    assert_memory_equal(got, "0,0,0,0\n1,1,1,1\n", 16);
}

static void lines_stay_whole(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static char got[65536];
    int before, from = divert(&before), lines = 0;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, print_lines, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    collect(from, before, got, sizeof got);
    for (char *line = strtok(got, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        char want[64];
        int n = atoi(line);
        snprintf(want, sizeof want, "%d,%d,%d,%d", n, n, n, n);
        assert_string_equal(line, want);
    }
    assert_int_equal(lines, THREADS * 200);
}

static void stdout_in_memory(void **state)
{
    (void)state;
    char *bytes = NULL;
    size_t size = 0;
    FILE *before = stdout;
    struct record r = INT(3);
    stdout = open_memstream(&bytes, &size);
    assert_non_null(stdout);
    int rc = sl_print("%d.", r.bytes, r.used, r.count);
    fclose(stdout);
    stdout = before;
    assert_int_equal(rc, 0);
    assert_string_equal(bytes, "3.");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(vectors),
        cmocka_unit_test(texts_and_pointers),
        cmocka_unit_test(bad_formats),
        cmocka_unit_test(comma_locales_do_not_matter),
        cmocka_unit_test(printed_at_once),
        cmocka_unit_test(follows_what_the_application_printed),
        cmocka_unit_test(application_holds_stdout),
        cmocka_unit_test(lines_stay_whole),
        cmocka_unit_test(stdout_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
