/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the table of bad calls: a case for each entry point of the driver's list, in which every
 * error code of the specification is provoked or has a reason why it cannot be. One thread; no
 * lock. */
#include "errors.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Codes that no row provokes, whatever the entry point. */
static const struct {
    cl_int code;
    const char *reason;
} everywhere[] = {
    {CL_OUT_OF_HOST_MEMORY, "unit.exhaust lets every allocation fail"},
    {CL_OUT_OF_RESOURCES, "unit.exhaust; launches that need too much: api.enqueue, lang.negative"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "unit.exhaust; memory of commands is made with the object"},
    {CL_COMPILER_NOT_AVAILABLE, "promises.builds: a machine without our compiler"},
    {CL_LINKER_NOT_AVAILABLE, "promises.builds: a machine without our compiler"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "both devices ask for the same alignment"},
    {CL_IMAGE_FORMAT_NOT_SUPPORTED, "an image is made only if every device of the context has it"},
    {CL_MAP_FAILURE, "all memory lies where the host can reach it"},
};

static const struct {
    const char *entry;
    cl_int codes[24]; /* ends with 0 */
} listed[] = {
#define SL_LISTED(entry, ...) {#entry, {__VA_ARGS__}},
#include "errors_listed.def"
};

/* Room for every query. */
static _Alignas(64) unsigned char word[1024];
static sigjmp_buf row_end;
static int walked, provoked[2048];

static void on_signal(int number)
{
    siglongjmp(row_end, number);
}

/* Other libraries may crash or wait for ever in a row; that is a deviation, not the end. */
static void guard(void (*handler)(int))
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
    for (size_t i = 0; i < LEN(numbers) && !is_sluice(); i++)
        sigaction(numbers[i], &action, NULL);
}

static void judge(const struct error_row *row, const char *how, cl_int got, cl_int want)
{
    if (got == ERRORS_ABSENT)
        return;
    walked++;
    provoked[row - error_rows]++;
    if (got != want)
        check_fail(__FILE__, __LINE__, "%s%s answers %s, not %s", row->text, how, code_name(got),
                   code_name(want));
}

/* The loader reads the dispatch table in the first word; the rest is the application's rubbish. */
static void *forged(unsigned char fill)
{
    static _Alignas(64) unsigned char block[4096];
    memset(block, fill, sizeof block);
    memcpy(block, cl.context, sizeof(void *));
    return block;
}

static void walk_handle(const struct error_row *row)
{
    judge(row, " with NULL", row->u.handle(NULL), row->code);
    if (!wrong_handles_checked())
        return;
    void *wrong = row->code == CL_INVALID_CONTEXT ? (void *)cl.queue : (void *)cl.context;
    judge(row, " with another kind of handle", row->u.handle(wrong), row->code);
    if (!is_sluice())
        return;
    judge(row, " with zeros", row->u.handle(forged(0)), row->code);
    judge(row, " with ones", row->u.handle(forged(0xff)), row->code);
    void *gone = bed_released(row->code);
    if (gone)
        judge(row, " with a released handle", row->u.handle(gone), row->code);
}

static void walk_query(const struct error_row *row)
{
    judge(row, " for an unknown name", row->u.query(0x7777, sizeof word, word), CL_INVALID_VALUE);
    judge(row, " for the name 0", row->u.query(0, sizeof word, word), CL_INVALID_VALUE);
    judge(row, " with 1 byte", row->u.query(row->good, 1, word), CL_INVALID_VALUE);
}

static void walk_waits(const struct error_row *row)
{
    const cl_event none = NULL, strange = (cl_event)cl.context;
    const cl_event second[] = {bed.done, NULL}, mixed[] = {bed.done, bed.failed};
    const cl_int bad = CL_INVALID_EVENT_WAIT_LIST;
    judge(row, ": n without a list", row->u.waits(1, NULL), bad);
    judge(row, ": a list without n", row->u.waits(0, &bed.done), bad);
    judge(row, ": NULL in the list", row->u.waits(1, &none), bad);
    judge(row, ": NULL second", row->u.waits(2, second), bad);
    if (wrong_handles_checked())
        judge(row, ": another kind of handle", row->u.waits(1, &strange), bad);
    if (is_sluice()) {
        const cl_event gone = bed_released(CL_INVALID_EVENT);
        judge(row, ": a released event", row->u.waits(1, &gone), bad);
    }
    judge(row, ": an event of another context", row->u.waits(1, &bed.away_event),
          CL_INVALID_CONTEXT);
    if (row->kind == WAITS_BLOCKING)
        judge(row, ": a failed event", row->u.waits(2, mixed),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

static void walk_points(const struct error_row *row)
{
    const cl_sync_point_khr none = 0, absent = 0xffffffff, second[] = {1, 0xffffff};
    judge(row, ": n without a list", row->u.points(1, NULL), row->code);
    judge(row, ": a list without n", row->u.points(0, &none), row->code);
    judge(row, ": sync-point 0", row->u.points(1, &none), row->code);
    judge(row, ": no such sync-point", row->u.points(1, &absent), row->code);
    judge(row, ": no such sync-point second", row->u.points(2, second), row->code);
}

bool errors_row_applies(const struct error_row *row)
{
    return bed_has_images() || (!strstr(row->text, "mage") && !strstr(row->text, "ampler"));
}

static void walk_row(const struct error_row *row)
{
    guard(on_signal);
    int died = sigsetjmp(row_end, 1);
    if (died) {
        check_fail(__FILE__, __LINE__, "%s: %s", row->text, strsignal(died));
        guard(SIG_DFL);
        return;
    }
    if (!is_sluice())
        alarm(5);
    switch (row->kind) {
    case BAD:
        judge(row, "", row->u.call(), row->code);
        break;
    case HANDLE:
        walk_handle(row);
        break;
    case QUERY:
        walk_query(row);
        break;
    case WAITS:
    case WAITS_BLOCKING:
        walk_waits(row);
        break;
    case POINTS:
        walk_points(row);
        break;
    case UNPROVOKED:
        break;
    }
    guard(SIG_DFL);
}

static int gives(const struct error_row *row, cl_int code)
{
    if (row->kind == WAITS || row->kind == WAITS_BLOCKING)
        return code == CL_INVALID_EVENT_WAIT_LIST || code == CL_INVALID_CONTEXT ||
               (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
                row->kind == WAITS_BLOCKING);
    return row->code == code;
}

static int has_row(const char *entry, cl_int code)
{
    for (size_t i = 0; i < error_row_count; i++) {
        if (!strcmp(error_rows[i].entry, entry) && gives(&error_rows[i], code))
            return 1;
    }
    for (size_t i = 0; i < LEN(everywhere); i++) {
        if (everywhere[i].code == code)
            return 1;
    }
    return 0;
}

static int is_listed(const char *entry, cl_int code)
{
    for (size_t i = 0; i < LEN(listed); i++) {
        for (size_t j = 0; !strcmp(listed[i].entry, entry) && listed[i].codes[j]; j++) {
            if (listed[i].codes[j] == code)
                return 1;
        }
    }
    return 0;
}

/* Every code of the list has a row or a reason, and no row another code. */
static void compare_with_list(const char *entry)
{
    size_t at = 0;
    while (at < LEN(listed) && strcmp(listed[at].entry, entry))
        at++;
    if (!CHECK(at < LEN(listed))) {
        check_fail(__FILE__, __LINE__, "%s is in no list", entry);
        return;
    }
    for (size_t i = 0; listed[at].codes[i]; i++) {
        if (!has_row(entry, listed[at].codes[i]))
            check_fail(__FILE__, __LINE__, "%s has no row for %s", entry,
                       code_name(listed[at].codes[i]));
    }
    for (size_t i = 0; i < error_row_count; i++) {
        int waits = error_rows[i].kind == WAITS || error_rows[i].kind == WAITS_BLOCKING;
        cl_int code = waits ? CL_INVALID_EVENT_WAIT_LIST : error_rows[i].code;
        if (!strcmp(error_rows[i].entry, entry) && !is_listed(entry, code))
            check_fail(__FILE__, __LINE__, "%s: %s is not in its list", entry, code_name(code));
    }
}

static void open_once(void)
{
    static int opened;
    if (!opened++)
        bed_open();
}

static void walk(const char *entry)
{
    REQUIRE(error_row_count <= LEN(provoked));
    open_once();
    compare_with_list(entry);
    for (size_t i = 0; i < error_row_count; i++) {
        if (!strcmp(error_rows[i].entry, entry) && errors_row_applies(&error_rows[i]))
            walk_row(&error_rows[i]);
    }
}

static void all_names(void)
{
    open_once();
    errors_ask_all_names();
}

/* Last: what was walked, and what was not. */
static void summary(void)
{
    int whole = 0, reasons = 0, absent = 0;
    for (size_t i = 0; i < error_row_count; i++) {
        whole += provoked[i] != 0;
        reasons += error_rows[i].kind == UNPROVOKED;
        absent += error_rows[i].kind != UNPROVOKED && !provoked[i];
        if (error_rows[i].kind == UNPROVOKED)
            printf("not provoked: %s %s: %s\n", error_rows[i].entry, error_rows[i].text,
                   error_rows[i].u.reason);
    }
    for (size_t i = 0; i < LEN(everywhere); i++)
        printf("not provoked: %s: %s\n", code_name(everywhere[i].code), everywhere[i].reason);
    printf("%d rows in %d calls; %d rows do not apply here, %d have a reason\n", whole, walked,
           absent, reasons);
    CHECK(whole > 0);
    CHECK_OK(clFinish(cl.queue));
    bed_close();
}

#define SL_API(entry)                                                                              \
    static void of_##entry(void)                                                                   \
    {                                                                                              \
        walk(#entry);                                                                              \
    }
#define SL_API_TAG SL_API
#define SL_API_EXT SL_API
#define SL_API_EXT_T SL_API
#define SL_API_NONE(entry)
#define SL_API_VOID(entry, stub)
#include "icd/api.def"
#undef SL_API
#define SL_API(entry) {#entry, of_##entry},
static const struct test_case cases[] = {
#include "icd/api.def"
    CASE(all_names),
    CASE(summary),
};
TEST_MAIN("errors", cases)
