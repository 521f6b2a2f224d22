/* SPDX-License-Identifier: Apache-2.0 */
/* What a call may answer while memory is short. One thread; no lock. */
#ifndef SLUICE_TEST_EXHAUST_JUDGE_H
#define SLUICE_TEST_EXHAUST_JUDGE_H

#include <CL/cl.h>
#include <stdbool.h>

/* A new life. `whole`: nothing is to fail, so everything has to work. */
void exhaust_judge_begin(bool whole);
bool exhaust_judge_whole(void);
/* Nothing was wrong since then. */
bool exhaust_judge_good(void);
void exhaust_judge_blame(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* True: the call did what it should. */
bool exhaust_judge(const char *call, cl_int rc);
/* The object, if the call made one and said so. */
void *exhaust_made(const char *call, void *object, cl_int rc);

#define TRY(call) exhaust_judge(#call, call)
/* Of a call that gives an object and sets `rc`; wants `rc` and `made_of` where it stands. */
#define MAKE(call) (rc = 1, made_of = (call), exhaust_made(#call, made_of, rc))
/* What only gives back may not fail. */
#define SURE(call)                                                                                 \
    do {                                                                                           \
        cl_int sure_rc = call;                                                                     \
        if (sure_rc)                                                                               \
            exhaust_judge_blame("%.60s answers %d", #call, sure_rc);                               \
    } while (0)
#endif
