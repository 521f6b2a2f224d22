/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code of builtins that was made with the compiler, once for each level of processors
 * (builtins/tools/choose.h): an archive of object files, code_LEVEL.slb beside the builtins
 * archive. Its functions are called NAME.LEVEL. A build takes those that its own code wants and
 * does not define: functions for rare arguments always (rare_code.h), all of them if it is to be
 * quick.
 */
#ifndef SL_KERNELS_READY_CODE_H
#define SL_KERNELS_READY_CODE_H

#include "compiler/builtins/library.h"
#include "compiler/stage/stage.h"
#include "clang/linker.h"

struct sl_ready_code {
    const char *level;
    const struct sl_library *archive;
};

/* For exactly the features of this build; false: there is none. */
bool sl_ready_code_find(const struct sl_stages *, struct sl_ready_code *out);
/* Of a function of this name (without the level)? `code` is a struct sl_ready_code. */
bool sl_ready_code_has(const void *code, const char *name);
/* May this build leave functions to it that kernels otherwise contain? */
bool sl_ready_code_serves(const struct sl_stages *);

/* Before code generation, when nobody looks for builtins by name any more: what is declared and
 * has code gets that code's name and calling convention. */
void sl_ready_code_rename(struct sl_stages *);

struct sl_ready_objects {
    struct sl_linker_object *rows; /* owned; what they name is not */
    size_t count, room;
};

/* One more; -1: no memory. */
int sl_ready_objects_add(struct sl_ready_objects *, const void *data, size_t bytes);
/* Behind a build's own objects, those with the code that they want and that these want in turn. */
int sl_ready_objects_complete(struct sl_ready_objects *, const struct sl_stages *);

#endif
