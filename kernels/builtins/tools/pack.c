/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build-time tool: turns split.py's atoms (LLVM IR text, each after a line ";;; NAME") into the
 * builtins archive of archive.h. Single-threaded.
 *
 * usage: pack ATOMS.ll ARCHIVE
 */
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive_writer.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    long size = -1;
    if (!fseek(file, 0, SEEK_END))
        size = ftell(file);
    if (size >= 0 && !fseek(file, 0, SEEK_SET))
        text = malloc((size_t)size + 1);
    if (text) {
        text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    fclose(file);
    return text;
}

static bool is_plain(const char *name)
{
    return !strncmp(name, "sl_", 3);
}

static void rename_plain(LLVMValueRef value)
{
    char own[512];
    size_t bytes;
    const char *name = LLVMGetValueName2(value, &bytes);
    int length = is_plain(name) ? snprintf(own, sizeof own, SL_ARCHIVE_OWN "%s", name) : 0;
    if (length)
        LLVMSetValueName2(value, own, (size_t)length);
}

static void rename_all(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        rename_plain(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        rename_plain(g);
}

/* Each atom gets a fresh context: types and constants of one must not name-clash with the next. */
static bool assemble(struct sl_archive_member *atom, char *text, size_t size)
{
    LLVMContextRef context = LLVMContextCreate();
    char saved = text[size];
    text[size] = '\0';
    LLVMMemoryBufferRef source = LLVMCreateMemoryBufferWithMemoryRange(text, size, atom->name, 1);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    bool failed = LLVMParseIRInContext(context, source, &module, &message);
    text[size] = saved;
    if (failed) {
        fprintf(stderr, "%s: %s\n", atom->name, message);
        LLVMDisposeMessage(message);
    } else {
        LLVMSetModuleIdentifier(module, "", 0);
        LLVMSetSourceFileName(module, "", 0);
        rename_all(module);
        atom->code = LLVMWriteBitcodeToMemoryBuffer(module);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return !failed;
}

static bool read_atoms(char *text, struct sl_archive_members *all)
{
    char *at = strncmp(text, ";;; ", 4) ? NULL : text;
    while (at) {
        char *name = at + 4;
        char *body = strchr(name, '\n');
        if (!body)
            return false;
        char *next = strstr(body, "\n;;; ");
        struct sl_archive_member *atom = sl_archive_add(all);
        if (asprintf(&atom->name, "%s%.*s", is_plain(name) ? SL_ARCHIVE_OWN : "",
                     (int)(body - name), name) < 0)
            atom->name = NULL;
        size_t size = next ? (size_t)(next + 1 - body) : strlen(body);
        if (!atom->name || !assemble(atom, body, size))
            return false;
        at = next ? next + 1 : NULL;
    }
    return all->count > 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: pack ATOMS.ll ARCHIVE\n");
        return 2;
    }
    char *text = read_text(argv[1]);
    struct sl_archive_members all = {0};
    if (!text || !read_atoms(text, &all)) {
        fprintf(stderr, "pack: cannot read %s\n", argv[1]);
        return 1;
    }
    unsigned char *dictionary = malloc(SL_ARCHIVE_DICTIONARY_MAX);
    if (!dictionary || !sl_archive_pack(&all, dictionary) || !sl_archive_write(argv[2], &all)) {
        fprintf(stderr, "pack: cannot write %s\n", argv[2]);
        return 1;
    }
    return 0; /* the process ends here: what it owns goes with it */
}
