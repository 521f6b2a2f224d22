/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLUICE_DUMP: one file per stage of each build, named so that they sort in order. What cannot be
 * written is not written: a dump never fails a build. No locks.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compiler/stage.h"

static void name_file(struct sl_stages *stages, char *path, size_t bytes, const char *stage,
                      const char *suffix)
{
    snprintf(path, bytes, "%s/%d-%04u-%02u-%s.%s", stages->dump_folder, (int)getpid(),
             stages->dump_serial, stages->dump_count++, stage, suffix);
}

void sl_dump_bytes(struct sl_stages *stages, const char *stage, const char *suffix,
                   const void *data, size_t bytes)
{
    char path[4096];
    if (!stages->dump_folder)
        return;
    name_file(stages, path, sizeof path, stage, suffix);
    FILE *file = fopen(path, "wbe");
    if (!file)
        return;
    fwrite(data, 1, bytes, file);
    fclose(file);
}

/* As text first: LLVM's own way to a file ends the process when the disk is full. */
void sl_dump_module(struct sl_stages *stages, const char *stage)
{
    if (!stages->dump_folder || !stages->module)
        return;
    char *text = LLVMPrintModuleToString(stages->module);
    sl_dump_bytes(stages, stage, "ll", text, strlen(text));
    LLVMDisposeMessage(text);
}
