/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of open files, for libraries that open everything by name. Linux has such names below
 * /proc, which need not be there: here open() and stat() know them themselves. Any thread.
 */
#ifndef SL_CLANG_DESCRIPTOR_PATH_H
#define SL_CLANG_DESCRIPTOR_PATH_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SL_DESCRIPTOR_PATH_BYTES = 32 };

/* What opens `fd` once more. The new descriptor shares the old one's place in the file. */
void sl_descriptor_path(int fd, char path[SL_DESCRIPTOR_PATH_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
