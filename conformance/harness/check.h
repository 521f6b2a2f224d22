/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that go on after a failure, and the table of cases a test program runs. */
#ifndef SLUICE_TEST_CHECK_H
#define SLUICE_TEST_CHECK_H

#include <CL/cl.h>
#include <stddef.h>

/* Poisoned before each CREATE_FAILS, so that an untouched out-parameter shows. */
extern _Thread_local cl_int check_err;
#define ERR (&check_err)

/* Thread-safe: callbacks may use them. Each returns whether it held. */
int check_true(const char *file, int line, const char *text, int held);
int check_equal(const char *file, int line, const char *text, long long got, long long want);
int check_code(const char *file, int line, const char *text, cl_int got, cl_int want);
int check_null(const char *file, int line, const char *text, const void *got, cl_int want);
void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Leaves the case at once; only from the thread that runs it. */
_Noreturn void check_abandon(void);
/* The case does not apply to this device; counts as passed, with the reason printed. */
_Noreturn void check_skip(const char *why);

/*
 * Whether a combination is tried: each OF-th that this asks of, in order, or with SLUICE_TEST_ALL
 * in the environment all of them. OF and what inner loops vary share no factor. Only from the
 * thread of the case.
 */
int check_chosen(unsigned of);

const char *code_name(cl_int code);

#define CHECK(cond) check_true(__FILE__, __LINE__, #cond, !!(cond))
#define CHECK_EQ(got, want)                                                                        \
    check_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_OK(call) check_code(__FILE__, __LINE__, #call, (call), CL_SUCCESS)
/* One row per bad call: the code the specification asks for, then the call. */
#define FAILS(want, call) check_code(__FILE__, __LINE__, #call, (call), (want))
#define CREATE_FAILS(want, call)                                                                   \
    (check_err = 12345, check_null(__FILE__, __LINE__, #call, (call), (want)))
/* The same with a handle of another kind of object; not tried where that is known to crash. */
int wrong_handles_checked(void);
#define WRONG(want, call) (wrong_handles_checked() ? FAILS(want, call) : 0)
#define CREATE_WRONG(want, call) (wrong_handles_checked() ? CREATE_FAILS(want, call) : 0)
#define REQUIRE(cond) (check_true(__FILE__, __LINE__, #cond, !!(cond)) ? (void)0 : check_abandon())
#define REQUIRE_OK(call)                                                                           \
    (check_code(__FILE__, __LINE__, #call, (call), CL_SUCCESS) ? (void)0 : check_abandon())
#define LEN(array) (sizeof(array) / sizeof *(array))

struct test_case {
    const char *name;
    void (*run)(void);
};
#define CASE(fn) {#fn, fn}

/* suite: the name used in the lists of known failures. setup and teardown may be NULL. */
int run_suite(const char *suite, const struct test_case *cases, size_t count, int argc,
              char **argv);
#define TEST_MAIN(suite, cases)                                                                    \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return run_suite(suite, cases, LEN(cases), argc, argv);                                    \
    }
#endif
