/* SPDX-License-Identifier: Apache-2.0 */
/* Strings in JSON: what is escaped, and bytes that are no text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/base/json.h"

static const struct {
    const char *text, *wanted;
} rows[] = {
    {"", ""},
    {"a b~\x7f", "a b~\x7f"},
    {"\"\\\n\x01", "\\\"\\\\\\u000a\\u0001"},
    {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xe4rger", "?rger"},        /* Latin-1 */
    {"\xc0\xaf", "??"},           /* too long a form */
    {"\xed\xa0\x80", "???"},      /* half of a surrogate pair */
    {"\xf4\x90\x80\x80", "????"}, /* beyond Unicode */
    {"\x80x\xbf", "?x?"},         /* no first byte */
    {"x\xe2\x82", "x??"},         /* cut */
};

static void test_strings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *got, quoted[64];
        size_t bytes;
        FILE *out = open_memstream(&got, &bytes);
        assert_non_null(out);
        sl_json_string(out, rows[i].text);
        assert_int_equal(fclose(out), 0);
        snprintf(quoted, sizeof quoted, "\"%s\"", rows[i].wanted);
        assert_string_equal(got, quoted);
        free(got);
    }
}

/* Nothing is cut in two, whatever the room. */
static void test_room(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t room = 1; room < 64; room++) {
            char got[64], whole[64];
            memset(got, 'x', sizeof got);
            sl_json_escape(whole, sizeof whole, rows[i].text);
            sl_json_escape(got, room, rows[i].text);
            assert_string_equal(whole, rows[i].wanted);
            assert_true(strlen(got) < room);
            assert_memory_equal(got, whole, strlen(got));
            assert_true(((unsigned char)whole[strlen(got)] & 0xc0) != 0x80);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strings), cmocka_unit_test(test_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
