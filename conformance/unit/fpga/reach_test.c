/* SPDX-License-Identifier: Apache-2.0 */
/* The rings that a launch can reach: every pipe argument, however many, between others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fpga/cluster/fiber.h"
#include "fpga/cluster/reach.h"

enum { ARGUMENTS = 123 };

static void all_pipe_arguments_are_reached(void **state)
{
    static struct sl_arg_info args[ARGUMENTS];
    static struct sl_pipe_ring rings[ARGUMENTS];
    static struct sl_pipe_ring *block[ARGUMENTS];
    static struct sl_fiber fiber;
    struct sl_kernel_info kernel = {.args = args};
    struct sl_reach reach;
    (void)state;
    for (uint32_t i = 0; i < ARGUMENTS; i++) {
        args[i].kind = i % 3 ? SL_ARG_PIPE : SL_ARG_VALUE;
        args[i].offset = i * (uint32_t)sizeof *block;
        block[i] = &rings[i];
    }
    fiber.kernel = &kernel;
    fiber.args = block;
    for (uint32_t count = 0; count <= ARGUMENTS; count++) {
        uint32_t at = 0;
        kernel.arg_count = count;
        sl_reach_of(&fiber, &reach);
        for (uint32_t i = 0; i < count; i++)
            if (i % 3)
                assert_ptr_equal(sl_reach_ring(&reach, at++), &rings[i]);
        assert_int_equal(reach.count, at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pipe_arguments_are_reached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
