/* SPDX-License-Identifier: Apache-2.0 */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/builtins/library.h"

static struct sl_library *library;

int open_library(void **state)
{
    (void)state;
    char path[4096];
    const char *folder = getenv("SLUICE_LIBRARY_DIR");
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/builtins.slb", folder);
    return sl_library_open(path, &library);
}

int close_library(void **state)
{
    (void)state;
    sl_library_close(library);
    return 0;
}

const char *const reals[] = {"Dh", "f", "d", NULL};
const char *const integers[] = {"c", "s", "i", "l", NULL};
const char *const all_types[] = {"c", "s", "i", "l", "Dh", "f", "d", NULL};
const unsigned widths_of_vectors[6] = {1, 2, 3, 4, 8, 16};

unsigned missing(struct sl_spirv *s)
{
    unsigned count = 0;
    LLVMModuleRef module = sl_spirv_module(s);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (strncmp(name, "_Z", 2) != 0 || sl_library_has(library, name))
            continue;
        fprintf(stderr, "the library has no %s\n", name);
        count++;
    }
    return count;
}

unsigned judge(struct sl_spirv *s, uint16_t opcode, uint32_t type, const uint32_t *operands,
               unsigned count)
{
    int rc = fake_spirv_instruction(s, opcode, type, operands, count);
    if (rc != 1)
        fprintf(stderr, "%u: %s\n", opcode, fake_spirv_error(s));
    unsigned bad = rc != 1 ? 1 : missing(s);
    LLVMValueRef made = rc == 1 && type ? sl_spirv_value(s, fake_spirv_last(s)) : NULL;
    bad += made && LLVMTypeOf(made) != sl_spirv_type(s, type)->llvm;
    free(fake_spirv_print(s));
    fake_spirv_free(s);
    return bad;
}

void expect_text(struct sl_spirv *s, const char *expected)
{
    char *text = fake_spirv_print(s);
    if (!strstr(text, expected))
        fprintf(stderr, "%s\nhas no %s\n", text, expected);
    assert_non_null(strstr(text, expected));
    free(text);
    fake_spirv_free(s);
}

uint32_t pair_of(struct sl_spirv *s, uint32_t type)
{
    LLVMTypeRef element = sl_spirv_type(s, type)->llvm, both[2] = {element, element};
    struct sl_spirv_type pair = {.kind = SL_SPIRV_STRUCT, .count = 2};
    pair.llvm = LLVMStructTypeInContext(sl_spirv_context(s), both, 2, 0);
    return fake_spirv_type(s, &pair);
}

uint32_t object_type(struct sl_spirv *s, enum sl_spirv_type_kind kind, const char *name)
{
    struct sl_spirv_type type = {.kind = kind};
    type.llvm = LLVMTargetExtTypeInContext(sl_spirv_context(s), name, NULL, 0, NULL, 0);
    return fake_spirv_type(s, &type);
}

uint32_t image_type(struct sl_spirv *s, unsigned dim, unsigned arrayed, unsigned depth,
                    unsigned access)
{
    unsigned numbers[] = {dim, depth, arrayed, 0, 0, 0, access};
    LLVMTypeRef none = LLVMVoidTypeInContext(sl_spirv_context(s));
    struct sl_spirv_type type = {.kind = SL_SPIRV_IMAGE};
    type.image.dim = dim;
    type.image.arrayed = arrayed;
    type.image.depth = depth;
    type.image.access = access;
    type.llvm =
        LLVMTargetExtTypeInContext(sl_spirv_context(s), "spirv.Image", &none, 1, numbers, 7);
    return fake_spirv_type(s, &type);
}
