/* SPDX-License-Identifier: Apache-2.0 */
/* A device's process ends with its device: by itself, or it is killed. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "common/base/peer.h"

static void here(void)
{
}

static int64_t ms_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Milliseconds that the end took. Nothing is left of the process, not even for wait. */
static int64_t stopped_after(const char *request)
{
    struct sl_peer peer;
    char answer = 0;
    assert_int_equal(sl_peer_start(&peer, "peer_worker", here, NULL, 0), 0);
    assert_true(sl_peer_ask(&peer, request, 1, &answer, 1));
    assert_int_equal(answer, *request);
    int64_t before = ms_now();
    sl_peer_stop(&peer);
    int64_t took = ms_now() - before;
    assert_int_equal(kill(peer.process, 0), -1);
    assert_int_equal(errno, ESRCH);
    return took;
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(stopped_after("e") < SL_PEER_GRACE_MS);
}

static void test_is_killed(void **state)
{
    (void)state;
    int64_t took = stopped_after("s");
    assert_true(took >= SL_PEER_GRACE_MS);
    assert_true(took < 8 * SL_PEER_GRACE_MS); /* naps are long where the machine is busy */
}

/* An application may have waited for all its children, or have the system do so. */
static void test_nobody_to_wait_for(void **state)
{
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    assert_true(stopped_after("e") < SL_PEER_GRACE_MS);
    signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_is_killed),
        cmocka_unit_test(test_nobody_to_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
