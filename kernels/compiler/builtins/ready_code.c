/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread, the archives never change. */
#include "compiler/builtins/ready_code.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/rare_convention.h"
#include "compiler/builtins/resources.h"
#include "sluice/base/level.h"
#include "llvm/llvm_extra.h"

bool sl_ready_code_find(const struct sl_stages *stages, struct sl_ready_code *out)
{
    const struct sl_level *row;
    for (unsigned i = 0; (row = sl_level_at(i)) != NULL; i++)
        if (!strcmp(row->cpu, stages->cpu) && !strcmp(row->features, stages->features)) {
            *out = (struct sl_ready_code){row->code, sl_resources_code(i)};
            return out->archive;
        }
    return false;
}

static bool name_of(const struct sl_ready_code *code, const char *name, char *out, size_t room)
{
    int length = snprintf(out, room, "%s.%s", name, code->level);
    struct sl_library_member member;
    return length > 0 && (size_t)length < room && sl_library_member(code->archive, out, &member);
}

bool sl_ready_code_has(const void *code, const char *name)
{
    char full[256];
    return name_of(code, name, full, sizeof full);
}

/* With denormals flushed a kernel's whole code is looked at (passes/denormals.c). */
static bool flushes(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          SL_FLUSH_ATTRIBUTE, sizeof SL_FLUSH_ATTRIBUTE - 1))
            return true;
    return false;
}

bool sl_ready_code_serves(const struct sl_stages *stages)
{
    return stages->quick && !flushes(stages->module);
}

static void set_convention(LLVMValueRef f, const char *level)
{
    unsigned convention = sl_rare_convention(f, level);
    LLVMSetFunctionCallConv(f, convention);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)))
            LLVMSetInstructionCallConv(LLVMGetUser(u), convention);
}

void sl_ready_code_rename(struct sl_stages *stages)
{
    struct sl_ready_code code;
    if (!sl_ready_code_find(stages, &code))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        char name[256];
        size_t bytes;
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) ||
            !name_of(&code, LLVMGetValueName2(f, &bytes), name, sizeof name))
            continue;
        set_convention(f, code.level);
        LLVMSetValueName2(f, name, strlen(name));
        LLVMSetVisibility(f, LLVMHiddenVisibility);
    }
}

/* ---- objects for the linker ------------------------------------------------------------------ */

int sl_ready_objects_add(struct sl_ready_objects *objects, const void *data, size_t bytes)
{
    if (objects->count == objects->room) {
        size_t room = objects->room ? 2 * objects->room : 32;
        struct sl_linker_object *rows = realloc(objects->rows, room * sizeof *rows);
        if (!rows)
            return -1;
        objects->rows = rows;
        objects->room = room;
    }
    objects->rows[objects->count++] = (struct sl_linker_object){data, bytes};
    return 0;
}

static int add_member(struct sl_ready_objects *objects, const struct sl_library_member *member)
{
    for (size_t i = 0; i < objects->count; i++)
        if (objects->rows[i].data == member->data)
            return 0;
    return sl_ready_objects_add(objects, member->data, member->bytes);
}

/* Objects are LLVM's, this process's or the archive's: their tables are what they should be. */
static int add_wanted(struct sl_ready_objects *objects, struct sl_linker_object object,
                      const struct sl_library *archive)
{
    const char *base = object.data;
    const Elf64_Ehdr *header = object.data;
    const Elf64_Shdr *sections = (const void *)(base + header->e_shoff);
    int rc = 0;
    for (unsigned s = 0; s < header->e_shnum; s++) {
        const Elf64_Sym *symbols = (const void *)(base + sections[s].sh_offset);
        size_t count =
            sections[s].sh_type == SHT_SYMTAB ? sections[s].sh_size / sizeof *symbols : 0;
        const char *names = count ? base + sections[sections[s].sh_link].sh_offset : NULL;
        for (size_t i = 1; i < count && !rc; i++) {
            struct sl_library_member member;
            if (symbols[i].st_shndx == SHN_UNDEF &&
                sl_library_member(archive, names + symbols[i].st_name, &member))
                rc = add_member(objects, &member);
        }
    }
    return rc;
}

int sl_ready_objects_complete(struct sl_ready_objects *objects, const struct sl_stages *stages)
{
    struct sl_ready_code code;
    int rc = 0;
    if (!sl_ready_code_find(stages, &code))
        return 0;
    for (size_t i = 0; i < objects->count && !rc; i++)
        rc = add_wanted(objects, objects->rows[i], code.archive);
    return rc;
}
