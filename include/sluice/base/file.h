/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are written where users say: logs, traces, dumps, pages, what I/O pipes write. Folders
 * like /tmp belong to everybody, and somebody may have put a link, a file of his or a FIFO where
 * one of ours is expected. No state; any thread. Descriptors are close-on-exec. `why` gets a static
 * text or strerror's on failure.
 */
#ifndef SL_BASE_FILE_H
#define SL_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/*
 * A file to be written; `flags` are O_APPEND or O_TRUNC and, if wanted, O_NONBLOCK and O_NOCTTY. It
 * is made if need be. In a folder that everybody may write to no link is followed, and the file
 * must belong to this process's user or the folder's and have no other name; it is emptied only
 * then. -1: see `why`.
 */
int sl_output_open(const char *path, int flags, const char **why);
/* The same as a stream that begins empty. */
FILE *sl_output_stream(const char *path, const char **why);

/*
 * A folder for what nobody else may change, as code that is loaded from there: it belongs to this
 * process's user, and no other may write to it. Made if it is missing. A descriptor; -1: see `why`.
 */
int sl_own_folder_open(const char *path, const char **why);
/* A new file in such a folder, to be read and written; one that had the name is gone. -1 with
 * errno. */
int sl_own_file_create(int folder, const char *name, unsigned mode);

/* Is it, by the end of its name, a source that somebody wrote (OpenCL C, C++ for OpenCL, SPIR-V)?
 */
bool sl_names_source(const char *path);

SL_END_C

#endif
