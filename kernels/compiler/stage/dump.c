/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLUICE_DUMP: one file per stage of each build, named so that they sort in order. What cannot be
 * written is not written, a folder that others may change is refused: a dump never fails a build.
 * No locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/stage/stage.h"
#include "sluice/base/file.h"

static void name_file(struct sl_stages *stages, char *name, size_t bytes, const char *stage,
                      const char *suffix)
{
    snprintf(name, bytes, "%d-%04u-%02u-%s.%s", (int)getpid(), stages->dump_serial,
             stages->dump_count++, stage, suffix);
}

void sl_dump_bytes(struct sl_stages *stages, const char *stage, const char *suffix,
                   const void *data, size_t bytes)
{
    char name[256];
    const char *why;
    if (!stages->dump_folder)
        return;
    int folder = sl_own_folder_open(stages->dump_folder, &why);
    if (folder < 0) {
        sl_text_addf(&stages->result->log, "warning: SLUICE_DUMP=%s: %s\n", stages->dump_folder,
                     why);
        stages->dump_folder = NULL;
        return;
    }
    name_file(stages, name, sizeof name, stage, suffix);
    int fd = sl_own_file_create(folder, name, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wbe");
    if (file) {
        fwrite(data, 1, bytes, file);
        fclose(file);
    }
    close(folder);
}

/* Beside the module, if this machine has a disassembler that reads it. */
static void disassemble(struct sl_stages *stages, unsigned number)
{
    char from[4400], to[sizeof from + 3];
    pid_t pid;
    int status;
    int length = snprintf(from, sizeof from, "%s/%d-%04u-%02u-source.spv", stages->dump_folder,
                          (int)getpid(), stages->dump_serial, number);
    if (length < 0 || (size_t)length >= sizeof from)
        return;
    snprintf(to, sizeof to, "%sasm", from);
    char *const args[] = {"spirv-dis", "--no-color", "-o", to, from, NULL};
    char *const environment[] = {NULL};
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet))
        return;
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!posix_spawnp(&pid, args[0], &quiet, NULL, args, environment))
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&quiet);
}

void sl_dump_spirv(struct sl_stages *stages, const void *words, size_t bytes)
{
    unsigned number = stages->dump_count;
    sl_dump_bytes(stages, "source", "spv", words, bytes);
    if (stages->dump_folder)
        disassemble(stages, number);
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
