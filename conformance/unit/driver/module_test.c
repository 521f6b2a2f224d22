/* SPDX-License-Identifier: Apache-2.0 */
/* Containers: what is accepted, that every damaged byte is refused, that garbage never crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "container.h"
#include "program/object/module.h"

static unsigned char *make(uint32_t kind, size_t *bytes)
{
    struct container_text text = {.target = "x86_64:test",
                                  .options = "-cl-mad-enable",
                                  .log = "warning: x",
                                  .payload = "BCpayload",
                                  .payload_bytes = 9,
                                  .kind = kind};
    if (kind == SL_BINARY_EXECUTABLE)
        text.payload = container_elf(&text.payload_bytes);
    return container_make(&text, bytes);
}

static cl_int check(const unsigned char *bytes, size_t size, struct sl_module_view *view)
{
    const char *why = NULL;
    cl_int rc = sl_module_check(bytes, size, "x86_64:test", view, &why);
    if (rc)
        assert_non_null(why);
    return rc;
}

static void test_accepts(void **state)
{
    static const uint32_t kinds[] = {SL_BINARY_OBJECT, SL_BINARY_LIBRARY, SL_BINARY_EXECUTABLE};
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t bytes;
        struct sl_module_view view;
        unsigned char *container = make(kinds[i], &bytes);
        assert_int_equal(check(container, bytes, &view), CL_SUCCESS);
        assert_int_equal(view.header.kind, kinds[i]);
        assert_int_equal(sl_module_type(&view), kinds[i]);
        assert_memory_equal(view.options, "-cl-mad-enable", 14);
        assert_memory_equal(view.log, "warning: x", 10);
        assert_int_equal((view.payload - container) % 16, 0);
        if (kinds[i] != SL_BINARY_EXECUTABLE)
            assert_memory_equal(view.payload, "BCpayload", 9);
        free(container);
    }
}

/* An executable without code has the rest of its program behind it; nobody else has. */
static void test_split(void **state)
{
    static const uint32_t first[] = {SL_BINARY_EXECUTABLE, SL_BINARY_EXECUTABLE, SL_BINARY_OBJECT};
    static const uint32_t second[] = {SL_BINARY_REST, SL_BINARY_OBJECT, SL_BINARY_REST};
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t bytes, more;
        struct sl_module_view view;
        unsigned char *container = make(first[i], &bytes), *behind = make(second[i], &more);
        assert_int_equal(sl_container_split(container, bytes), bytes);
        unsigned char *both = malloc(bytes + more);
        memcpy(both, container, bytes);
        memcpy(both + bytes, behind, more);
        assert_int_equal(sl_container_split(both, bytes + more), i ? bytes + more : bytes);
        assert_int_equal(sl_container_split(both, bytes + more - 1), bytes + more - 1);
        assert_int_equal(check(both, bytes + more, &view), CL_INVALID_BINARY);
        if (second[i] == SL_BINARY_REST)
            assert_int_equal(check(behind, more, &view), CL_SUCCESS);
        for (size_t n = 0; n < bytes + more; n += 7)
            assert_true(sl_container_split(both, n) <= n);
        free(both);
        free(behind);
        free(container);
    }
}

static void test_unaligned(void **state)
{
    size_t bytes;
    struct sl_module_view view;
    unsigned char *container = make(SL_BINARY_EXECUTABLE, &bytes), *moved = malloc(bytes + 1);
    (void)state;
    memcpy(moved + 1, container, bytes);
    assert_int_equal(check(moved + 1, bytes, &view), CL_SUCCESS);
    free(moved);
    free(container);
}

static void test_other_target(void **state)
{
    size_t bytes;
    const char *why = NULL;
    struct sl_module_view view;
    unsigned char *container = make(SL_BINARY_OBJECT, &bytes);
    (void)state;
    assert_int_equal(sl_module_check(container, bytes, "x86_64:other", &view, &why),
                     CL_INVALID_BINARY);
    assert_int_equal(sl_module_check(container, bytes, NULL, &view, &why), CL_SUCCESS);
    free(container);
}

static void test_every_byte(void **state)
{
    size_t bytes;
    struct sl_module_view view;
    unsigned char *container = make(SL_BINARY_EXECUTABLE, &bytes);
    (void)state;
    for (size_t i = 0; i < bytes; i++) {
        container[i] ^= 0x21;
        assert_int_equal(check(container, bytes, &view), CL_INVALID_BINARY);
        container[i] ^= 0x21;
    }
    for (size_t size = 0; size < bytes; size++) {
        unsigned char *cut = malloc(size + 1); /* the exact size, for the sanitizer */
        memcpy(cut, container, size);
        assert_int_equal(check(cut, size, &view), CL_INVALID_BINARY);
        free(cut);
    }
    free(container);
}

/* Damage under a right checksum must not lead outside the bytes. */
static void test_summed_garbage(void **state)
{
    size_t bytes;
    struct sl_module_view view;
    unsigned char *container = make(SL_BINARY_EXECUTABLE, &bytes), *copy = malloc(bytes);
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, container, bytes);
        for (int i = 0; i < 4; i++)
            copy[24 + (size_t)rand() % (bytes - 24)] = (unsigned char)rand();
        container_sum(copy, bytes);
        if (!check(copy, bytes, &view)) {
            assert_true(view.payload >= copy && view.payload < copy + bytes);
            assert_true(view.header.payload_bytes <= (size_t)(copy + bytes - view.payload));
        }
    }
    free(copy);
    free(container);
}

static void test_wrong_abi(void **state)
{
    size_t bytes;
    struct sl_module_view view;
    unsigned char *container = make(SL_BINARY_EXECUTABLE, &bytes);
    uint32_t abi = SL_MODULE_ABI + 1;
    (void)state;
    memcpy(container + offsetof(struct sl_binary_header, module_abi), &abi, sizeof abi);
    container_sum(container, bytes);
    assert_int_equal(check(container, bytes, &view), CL_INVALID_BINARY);
    free(container);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepts),        cmocka_unit_test(test_split),
        cmocka_unit_test(test_unaligned),      cmocka_unit_test(test_other_target),
        cmocka_unit_test(test_every_byte),     cmocka_unit_test(test_wrong_abi),
        cmocka_unit_test(test_summed_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
