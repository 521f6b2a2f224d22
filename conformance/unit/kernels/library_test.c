/* SPDX-License-Identifier: Apache-2.0 */
/* The builtins archive: pieces unpack to modules, and a damaged archive is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "builtins/archive.h"
#include "compiler/builtins/library.h"

static char *bytes; /* of the archive */
static size_t size;

static int read_archive(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s/builtins.slb", getenv("SLUICE_LIBRARY_DIR"));
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return -1;
    size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size);
    bool whole = bytes && fread(bytes, 1, size, file) == size;
    fclose(file);
    return whole ? 0 : -1;
}

static int drop_archive(void **state)
{
    (void)state;
    free(bytes);
    return 0;
}

/* Of the bytes as they are now. NULL: not an archive. */
static struct sl_library *open_copy(void)
{
    char path[] = "/tmp/sluice-library-XXXXXX";
    struct sl_library *library = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    if (sl_library_open(path, &library))
        library = NULL;
    unlink(path);
    return library;
}

static LLVMModuleRef parse(const struct sl_library *library, uint32_t index, LLVMContextRef context)
{
    struct sl_library_member member;
    return sl_library_member_at(library, index, &member)
               ? sl_library_parse(library, &member, context)
               : NULL;
}

static struct sl_archive_symbol *row_of(uint32_t index)
{
    const struct sl_archive_header *header = (const void *)bytes;
    return (struct sl_archive_symbol *)(void *)(bytes + header->symbols) + index;
}

/* Each defines what it is named after. */
static void test_pieces(void **state)
{
    (void)state;
    struct sl_library *library = open_copy();
    struct sl_library_member member;
    assert_non_null(library);
    uint32_t count = 0;
    for (uint32_t i = 0; sl_library_member_at(library, i, &member); i++, count++) {
        if (i % 97)
            continue;
        LLVMContextRef context = LLVMContextCreate();
        LLVMModuleRef module = sl_library_parse(library, &member, context);
        assert_non_null(module);
        char name[256];
        snprintf(name, sizeof name, "%s", member.name);
        name[strcspn(name, ".")] = 0; /* of versions */
        LLVMValueRef f = LLVMGetNamedFunction(module, member.name);
        f = f ? f : LLVMGetNamedFunction(module, name);
        assert_true(LLVMGetNamedGlobal(module, member.name) || (f && !LLVMIsDeclaration(f)));
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
    }
    assert_int_equal(count, ((const struct sl_archive_header *)(const void *)bytes)->symbol_count);
    assert_true(count > 5000);
    sl_library_close(library);
}

static void damaged_row(struct sl_archive_symbol wrong)
{
    struct sl_archive_symbol *row = row_of(7), right = *row;
    LLVMContextRef context = LLVMContextCreate();
    *row = wrong;
    struct sl_library *library = open_copy();
    assert_non_null(library);
    assert_null(parse(library, 7, context));
    LLVMModuleRef other = parse(library, 8, context);
    assert_non_null(other);
    LLVMDisposeModule(other);
    sl_library_close(library);
    LLVMContextDispose(context);
    *row = right;
}

static void test_damage(void **state)
{
    (void)state;
    struct sl_archive_symbol wrong = *row_of(7);
    wrong.code_bytes /= 2;
    damaged_row(wrong);
    wrong = *row_of(7);
    wrong.plain_bytes += 8;
    damaged_row(wrong);
    wrong.plain_bytes = 8;
    damaged_row(wrong);
    wrong.plain_bytes = UINT64_C(1) << 60;
    damaged_row(wrong);
    wrong = *row_of(7);
    wrong.code = size;
    damaged_row(wrong);
}

static void test_header(void **state)
{
    (void)state;
    struct sl_archive_header *header = (void *)bytes, right = *header;
    header->dictionary_bytes = SL_ARCHIVE_DICTIONARY_MAX + 1;
    assert_null(open_copy());
    *header = right;
    header->dictionary = size;
    assert_null(open_copy());
    *header = right;
    header->magic--;
    assert_null(open_copy());
    *header = right;
    struct sl_library *library = open_copy();
    assert_non_null(library);
    sl_library_close(library);
}

/* The cube root of float is another function in each form, `fabs` the same. */
static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(sl_library_form("x86-64-v2", ""), SL_LIBRARY_PLAIN);
    assert_int_equal(sl_library_form("x86-64-v2", "+fma"), SL_LIBRARY_FMA);
    assert_int_equal(sl_library_form("x86-64-v3", ""), SL_LIBRARY_FMA);
    assert_int_equal(sl_library_form("x86-64-v3", "+avx512f"), SL_LIBRARY_AVX512);
    assert_int_equal(sl_library_form("x86-64-v4", ""), SL_LIBRARY_AVX512);
    struct sl_library *library = open_copy();
    assert_non_null(library);
    static const char *const named[] = {"_Z4cbrtf", "_Z4cbrtf.fma", "_Z4cbrtf.avx512"};
    for (enum sl_library_form form = SL_LIBRARY_PLAIN; form <= SL_LIBRARY_AVX512; form++) {
        struct sl_library_member cube_root, magnitude;
        assert_true(sl_library_member_in_form(library, "_Z4cbrtf", form, &cube_root));
        assert_string_equal(cube_root.name, named[form]);
        assert_true(sl_library_member_in_form(library, "_Z4fabsf", form, &magnitude));
        assert_string_equal(magnitude.name, "_Z4fabsf");
    }
    sl_library_close(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, read_archive, drop_archive);
}
