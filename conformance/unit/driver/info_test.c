/* SPDX-License-Identifier: Apache-2.0 */
/* The query engine and its rules, then every key that platform and devices know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <cmocka.h>

#include "base/api.h"
#include "base/query/info.h"
#include "sluice/base/opencl_version.h"
#include "two_devices.h"

struct sample {
    cl_ulong number;
    const char *text, *nothing;
    bool flag;
};
static const struct sample sample = {77, "seven", NULL, true};

static void triple(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_ulong, ((const struct sample *)object)->number * 3);
}

static const struct sl_info_row rows[] = {
    SL_VALUE(1, struct sample, number),
    SL_STRING(2, struct sample, text),
    SL_STRING(3, struct sample, nothing),
    SL_BOOL(4, struct sample, flag),
    SL_CALL(5, triple),
    SL_CONST(6, cl_uint, 9),
    SL_TEXT(7, "abc"),
    SL_EMPTY(8),
};

static cl_int ask(cl_uint key, size_t cap, void *out, size_t *need)
{
    return sl_info(rows, SL_LEN(rows), &sample, key, cap, out, need);
}

static void test_values(void **state)
{
    (void)state;
    cl_ulong number = 0;
    cl_uint small = 0;
    char text[16];
    size_t need = 0;
    assert_int_equal(ask(1, sizeof number, &number, &need), CL_SUCCESS);
    assert_true(number == 77 && need == sizeof number);
    assert_int_equal(ask(5, 100, &number, &need), CL_SUCCESS);
    assert_true(number == 231 && need == sizeof number);
    assert_int_equal(ask(4, sizeof small, &small, &need), CL_SUCCESS);
    assert_true(small == CL_TRUE && need == sizeof(cl_bool));
    assert_int_equal(ask(6, sizeof small, &small, NULL), CL_SUCCESS);
    assert_int_equal(small, 9);
    assert_int_equal(ask(2, sizeof text, text, &need), CL_SUCCESS);
    assert_string_equal(text, "seven");
    assert_int_equal(need, 6);
    assert_int_equal(ask(3, sizeof text, text, &need), CL_SUCCESS);
    assert_string_equal(text, "");
    assert_int_equal(need, 1);
    assert_int_equal(ask(7, sizeof text, text, &need), CL_SUCCESS);
    assert_string_equal(text, "abc");
}

static void test_rules(void **state)
{
    (void)state;
    cl_ulong number = 5;
    size_t need = 99;
    assert_int_equal(ask(1, 3, NULL, &need), CL_SUCCESS); /* no value: the size is ignored */
    assert_int_equal(need, sizeof number);
    need = 99;
    assert_int_equal(ask(1, 7, &number, &need), CL_INVALID_VALUE);
    assert_true(number == 5 && need == 99); /* nothing is written on failure */
    assert_int_equal(ask(1, 0, &number, NULL), CL_INVALID_VALUE);
    assert_int_equal(ask(99, sizeof number, &number, &need), CL_INVALID_VALUE);
    assert_int_equal(ask(1, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(ask(8, 0, &number, &need), CL_SUCCESS);
    assert_int_equal(need, 0);
}

typedef cl_int (*query)(void *object, cl_uint key, size_t cap, void *out, size_t *need);

static cl_int ask_platform(void *object, cl_uint key, size_t cap, void *out, size_t *need)
{
    return sl_clGetPlatformInfo(object, key, cap, out, need);
}

static cl_int ask_device(void *object, cl_uint key, size_t cap, void *out, size_t *need)
{
    return sl_clGetDeviceInfo(object, key, cap, out, need);
}

/* Size first and then value, twice the same; one byte less is refused. Returns the keys known. */
static int walk(query ask_key, void *object, cl_uint first, cl_uint last)
{
    int known = 0;
    for (cl_uint key = first; key <= last; key++) {
        size_t need = 0, again = 0;
        if (ask_key(object, key, 0, NULL, &need) != CL_SUCCESS)
            continue;
        known++;
        unsigned char *one = malloc(need + 1), *two = malloc(need + 1);
        memset(one, 0xAA, need + 1);
        memset(two, 0x55, need + 1);
        assert_int_equal(ask_key(object, key, need, one, &again), CL_SUCCESS);
        assert_int_equal(again, need);
        assert_int_equal(one[need], 0xAA);
        assert_int_equal(ask_key(object, key, need + 1, two, NULL), CL_SUCCESS);
        assert_memory_equal(one, two, need);
        if (need)
            assert_int_equal(ask_key(object, key, need - 1, one, NULL), CL_INVALID_VALUE);
        free(one);
        free(two);
    }
    return known;
}

static void test_all_keys(void **state)
{
    (void)state;
    assert_int_equal(walk(ask_platform, sl_platform(), 0, 0xFFFF), 15);
    /* 0x1000..0x1075 without a few that belong to other extensions, and those of a few more. */
    assert_in_range(walk(ask_device, fake_device(FAKE_CPU), 0, 0xFFFF), 100, 150);
    assert_int_equal(walk(ask_device, fake_device(FAKE_CPU), 0, 0xFFFF),
                     walk(ask_device, fake_device(FAKE_FPGA), 0, 0xFFFF));
}

static bool has(const char *names, const char *name)
{
    const char *at = strstr(names, name);
    return at && (at == names || at[-1] == ' ') && strchr(" ", at[strlen(name)]) != NULL;
}

/* The string and the array name the same extensions. */
static void compare_extensions(query ask_key, void *object, cl_uint names, cl_uint versions)
{
    char text[2048];
    cl_name_version list[64];
    size_t bytes = 0, total = 0;
    assert_int_equal(ask_key(object, names, sizeof text, text, NULL), CL_SUCCESS);
    assert_int_equal(ask_key(object, versions, sizeof list, list, &bytes), CL_SUCCESS);
    for (size_t i = 0; i < bytes / sizeof *list; i++) {
        assert_true(has(text, list[i].name));
        total += strlen(list[i].name) + 1;
    }
    assert_int_equal(total, strlen(text) + 1);
}

static void test_extensions(void **state)
{
    (void)state;
    char text[2048];
    compare_extensions(ask_platform, sl_platform(), CL_PLATFORM_EXTENSIONS,
                       CL_PLATFORM_EXTENSIONS_WITH_VERSION);
    for (int i = FAKE_CPU; i <= FAKE_FPGA; i++)
        compare_extensions(ask_device, fake_device(i), CL_DEVICE_EXTENSIONS,
                           CL_DEVICE_EXTENSIONS_WITH_VERSION);
    assert_int_equal(
        sl_clGetPlatformInfo(sl_platform(), CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL),
        CL_SUCCESS);
    assert_true(has(text, "cl_khr_icd"));
    assert_false(has(text, "cl_khr_fp64")); /* one of the devices has none */
    assert_int_equal(
        sl_clGetDeviceInfo(fake_device(FAKE_CPU), CL_DEVICE_EXTENSIONS, sizeof text, text, NULL),
        CL_SUCCESS);
    assert_true(has(text, "cl_khr_fp64") && has(text, "cl_khr_int64_base_atomics"));
    assert_false(has(text, "cl_khr_icd"));
    assert_int_equal(
        sl_clGetDeviceInfo(fake_device(FAKE_FPGA), CL_DEVICE_EXTENSIONS, sizeof text, text, NULL),
        CL_SUCCESS);
    assert_true(has(text, "cl_khr_byte_addressable_store"));
    assert_false(has(text, "cl_khr_fp64"));
}

static void test_selected_facts(void **state)
{
    (void)state;
    char text[64];
    size_t sizes[3];
    cl_bool flag;
    cl_device_id cpu = fake_device(FAKE_CPU), fpga = fake_device(FAKE_FPGA);
    sl_clGetDeviceInfo(cpu, CL_DEVICE_VERSION, sizeof text, text, NULL);
    assert_string_equal(text, "OpenCL 3.0 Sluice " SLUICE_VERSION); /* no sub-groups, no SPIR-V */
    sl_clGetDeviceInfo(cpu, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    assert_true(sizes[0] == 1024 && sizes[1] == 512 && sizes[2] == 256);
    sl_clGetDeviceInfo(cpu, CL_DEVICE_IMAGE_SUPPORT, sizeof flag, &flag, NULL);
    assert_int_equal(flag, CL_TRUE);
    sl_clGetDeviceInfo(fpga, CL_DEVICE_IMAGE_SUPPORT, sizeof flag, &flag, NULL);
    assert_int_equal(flag, CL_FALSE);
    assert_int_equal(sl_clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof text, text, NULL),
                     CL_INVALID_DEVICE);
    assert_int_equal(sl_clGetPlatformInfo((cl_platform_id)(void *)cpu, CL_PLATFORM_NAME,
                                          sizeof text, text, NULL),
                     CL_INVALID_PLATFORM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_rules),
        cmocka_unit_test(test_all_keys),       cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_selected_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
