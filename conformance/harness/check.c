/* SPDX-License-Identifier: Apache-2.0 */
/* Soft checks: they count, print and go on. The counter is atomic because callbacks check too. */
#include "check.h"
#include "codes.h"
#include "runner.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 30 };

_Thread_local cl_int check_err;
static atomic_int failures;

int check_chosen(unsigned of)
{
    static unsigned asked;
    return asked++ % of == 0 || getenv("SLUICE_TEST_ALL");
}

int check_take_failures(void)
{
    return atomic_exchange(&failures, 0);
}

void check_fail(const char *file, int line, const char *format, ...)
{
    int nth = atomic_fetch_add(&failures, 1);
    if (nth >= MOST_LINES)
        return;
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "%s:%d: %s%s\n", file, line, text,
            nth == MOST_LINES - 1 ? " (further failures of this case not shown)" : "");
}

int check_true(const char *file, int line, const char *text, int held)
{
    if (!held)
        check_fail(file, line, "not true: %s", text);
    return held;
}

int check_equal(const char *file, int line, const char *text, long long got, long long want)
{
    if (got != want)
        check_fail(file, line, "%s: expected %lld (0x%llx), got %lld (0x%llx)", text, want, want,
                   got, got);
    return got == want;
}

int check_code(const char *file, int line, const char *text, cl_int got, cl_int want)
{
    if (got != want)
        check_fail(file, line, "%s: expected %s (%d), got %s (%d)", text, code_name(want), want,
                   code_name(got), got);
    return got == want;
}

int check_null(const char *file, int line, const char *text, const void *got, cl_int want)
{
    if (got)
        check_fail(file, line, "%s: expected NULL and %s, got an object", text, code_name(want));
    return check_code(file, line, text, check_err, want) && !got;
}

const char *code_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } rows[] = {CODE_ROWS};
    for (size_t i = 0; i < LEN(rows); i++) {
        if (rows[i].code == code)
            return rows[i].name;
    }
    return code == 12345 ? "(left untouched)" : "(no OpenCL code)";
}
