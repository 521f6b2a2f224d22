/* SPDX-License-Identifier: Apache-2.0 */
/* Names of builtins, against those that clang gives them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spirv/builtins/mangle.h"

#define SCALAR(BASE) {.base = BASE, .lanes = 1}
#define VECTOR(BASE, LANES) {.base = BASE, .lanes = LANES}
#define POINTER(SPACE, BASE, ...) {.base = BASE, .is_pointer = true, .space = SPACE, __VA_ARGS__}

/* What clang 22 calls the declarations of its default header, for spir64. */
static const struct {
    const char *name, *mangled;
    struct sl_mangle_type parameters[7];
    size_t count;
} rows[] = {
    {"get_work_dim", "_Z12get_work_dimv", {{0}}, 0},
    {"sin", "_Z3sinDv4_f", {VECTOR("f", 4)}, 1},
    {"fmax", "_Z4fmaxDv16_dS_", {VECTOR("d", 16), VECTOR("d", 16)}, 2},
    {"fmax", "_Z4fmaxDv16_dd", {VECTOR("d", 16), SCALAR("d")}, 2},
    {"fract", "_Z5fractfPU3AS4f", {SCALAR("f"), POINTER(4, "f")}, 2},
    {"fract", "_Z5fractfPf", {SCALAR("f"), POINTER(0, "f")}, 2},
    {"fract", "_Z5fractDv4_fPU3AS4S_", {VECTOR("f", 4), POINTER(4, "f", .lanes = 4)}, 2},
    {"sincos", "_Z6sincosDv3_DhPS_", {VECTOR("Dh", 3), POINTER(0, "Dh", .lanes = 3)}, 2},
    {"remquo",
     "_Z6remquoDv2_fS_PU3AS1Dv2_i",
     {VECTOR("f", 2), VECTOR("f", 2), POINTER(1, "i", .lanes = 2)},
     3},
    {"vload4", "_Z6vload4mPU3AS4Kf", {SCALAR("m"), POINTER(4, "f", .is_const = true)}, 2},
    {"vload_half4",
     "_Z11vload_half4mPU3AS4KDh",
     {SCALAR("m"), POINTER(4, "Dh", .is_const = true)},
     2},
    {"vload2", "_Z6vload2mPKc", {SCALAR("m"), POINTER(0, "c", .is_const = true)}, 2},
    {"vstorea_half4_rte",
     "_Z17vstorea_half4_rteDv4_fmPU3AS4Dh",
     {VECTOR("f", 4), SCALAR("m"), POINTER(4, "Dh")},
     3},
    {"select", "_Z6selectDv4_fS_Dv4_i", {VECTOR("f", 4), VECTOR("f", 4), VECTOR("i", 4)}, 3},
    {"async_work_group_copy",
     "_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event",
     {POINTER(3, "f", .lanes = 4), POINTER(1, "f", .lanes = 4, .is_const = true), SCALAR("m"),
      SCALAR("9ocl_event")},
     4},
    {"async_work_group_copy",
     "_Z21async_work_group_copyPU3AS1jPU3AS3Kjm9ocl_event",
     {POINTER(1, "j"), POINTER(3, "j", .is_const = true), SCALAR("m"), SCALAR("9ocl_event")},
     4},
    {"wait_group_events",
     "_Z17wait_group_eventsiPU3AS49ocl_event",
     {SCALAR("i"), POINTER(4, "9ocl_event")},
     2},
    {"read_imagef",
     "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i",
     {SCALAR("14ocl_image2d_ro"), SCALAR("11ocl_sampler"), VECTOR("i", 2)},
     3},
    {"write_imageui",
     "_Z13write_imageui20ocl_image2d_array_woDv4_iDv4_j",
     {SCALAR("20ocl_image2d_array_wo"), VECTOR("i", 4), VECTOR("j", 4)},
     3},
    {"write_imagei",
     "_Z12write_imagei14ocl_image3d_woDv4_iS0_",
     {SCALAR("14ocl_image3d_wo"), VECTOR("i", 4), VECTOR("i", 4)},
     3},
    {"enqueue_marker",
     "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
     {SCALAR("9ocl_queue"), SCALAR("j"), POINTER(4, "12ocl_clkevent", .is_const = true),
      POINTER(4, "12ocl_clkevent")},
     4},
    {"atomic_fetch_add_explicit",
     "_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope",
     {POINTER(1, "i", .is_volatile = true, .is_atomic = true), SCALAR("i"),
      SCALAR("12memory_order"), SCALAR("12memory_scope")},
     4},
    {"atomic_compare_exchange_strong_explicit",
     "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_"
     "12memory_scope",
     {POINTER(4, "i", .is_volatile = true, .is_atomic = true), POINTER(4, "i"), SCALAR("i"),
      SCALAR("12memory_order"), SCALAR("12memory_order"), SCALAR("12memory_scope")},
     6},
    {"atomic_work_item_fence",
     "_Z22atomic_work_item_fencej12memory_order12memory_scope",
     {SCALAR("j"), SCALAR("12memory_order"), SCALAR("12memory_scope")},
     3},
};

static void names_are_clangs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[SL_MANGLE_ROOM];
        assert_true(sl_mangle(name, rows[i].name, rows[i].parameters, rows[i].count));
        assert_string_equal(name, rows[i].mangled);
    }
}

static void long_names_are_refused(void **state)
{
    (void)state;
    char name[SL_MANGLE_ROOM], longest[SL_MANGLE_ROOM + 1];
    struct sl_mangle_type odd = SCALAR("99a_name_that_is_longer_than_any_type_of_opencl_c_is");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_false(sl_mangle(name, longest, NULL, 0));
    assert_false(sl_mangle(name, "f", &odd, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_clangs),
        cmocka_unit_test(long_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
