/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver asks of SPIR-V modules: headers and specialization constants, damaged ones too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/base/spirv.h"
#include "spirv_words.h"

/* The module in memory that ends with it, so that a tool sees who reads on. */
static void *exact(const uint32_t *words, size_t bytes, bool swapped)
{
    uint32_t copy[SPIRV_WORDS_MOST];
    void *out = malloc(bytes + !bytes);
    for (size_t i = 0; i < (bytes + 3) / 4; i++)
        copy[i] = swapped ? __builtin_bswap32(words[i]) : words[i];
    memcpy(out, copy, bytes);
    return out;
}

static void test_headers(void **state)
{
    static const struct {
        uint32_t word, value;
        const char *why; /* a part of it; NULL: nothing is wrong */
    } rows[] = {
        {1, 0x00010000, NULL},
        {1, 0x00010600, NULL},
        {1, 0x00010700, "version"},
        {1, 0x00020000, "version"},
        {1, 0x00000000, "version"},
        {1, 0x00010001, "version"},
        {1, 0x01010000, "version"},
        {0, 0, "number"},
        {0, 0x07230204, "number"},
        {2, 0xffffffff, NULL},
        {3, 0, "bound"},
        {3, 0x3fffff, NULL},
        {3, 0x400000, "bound"},
        {3, 1, NULL},
        {3, 0xffffffff, "bound"},
        {4, 1, "schema"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            uint32_t words[SPIRV_WORDS_MOST];
            memcpy(words, spirv_words, sizeof spirv_words);
            words[rows[i].word] = rows[i].value;
            void *bytes = exact(words, sizeof spirv_words, swapped);
            const char *why = sl_spirv_check_header(bytes, sizeof spirv_words);
            if (rows[i].why)
                assert_non_null(strstr(why, rows[i].why));
            else
                assert_null(why);
            free(bytes);
        }
}

static void test_sizes(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 24; size++) {
        void *bytes = exact(spirv_words, size, false);
        assert_int_equal(sl_spirv_check_header(bytes, size) == NULL, size == 24);
        assert_int_equal(sl_spirv_begins(bytes, size), size >= 4);
        free(bytes);
    }
}

static void test_constants(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        void *bytes = exact(spirv_words, sizeof spirv_words, swapped);
        for (size_t i = 0; i < sizeof spirv_constants / sizeof *spirv_constants; i++)
            assert_int_equal(
                sl_spirv_constant_bytes(bytes, sizeof spirv_words, spirv_constants[i].id),
                spirv_constants[i].bytes);
        free(bytes);
    }
}

/* Whatever the words say: no read outside, an end, and an answer that could be one. */
static void test_damaged(void **state)
{
    (void)state;
    srand(32);
    for (int round = 0; round < 20000; round++) {
        uint32_t words[SPIRV_WORDS_MOST];
        memcpy(words, spirv_words, sizeof spirv_words);
        for (int k = rand() % 3; k >= 0; k--)
            words[1 + (size_t)rand() % (sizeof spirv_words / 4 - 1)] =
                rand() % 2 ? (uint32_t)rand() : (uint32_t)rand() % 0x60000;
        size_t size = sizeof spirv_words - (size_t)(rand() % 4 ? 0 : rand() % 100) / 4 * 4;
        void *bytes = exact(words, size, rand() % 2);
        size_t constant = sl_spirv_constant_bytes(bytes, size, (uint32_t)rand() % 20);
        assert_true(constant <= 8 && !(constant & (constant - 1)));
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
