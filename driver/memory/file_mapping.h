/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are mapped into the process, each once: who asks for one again gets the same
 * addresses, so that what a kernel is given twice is seen to be one memory. That holds for regular
 * files (memfd_create, shm_open and files give those) that have kept their size, and for
 * descriptors that were opened for the same; all else is mapped each time. Any thread; a lock of
 * its own, in which nothing else is called.
 */
#ifndef SL_DRIVER_MEMORY_FILE_MAPPING_H
#define SL_DRIVER_MEMORY_FILE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct sl_file_mapping;

/*
 * At least `bytes` from the start of `file`, of which `about` is what fstat says, for reading and
 * writing; where nobody `writes`, for reading alone if it cannot be written to. NULL: errno says
 * why, as mmap gives it. The descriptor may be closed afterwards.
 */
struct sl_file_mapping *sl_file_mapping_get(int file, const struct stat *about, size_t bytes,
                                            bool writes);
/* Of each that was got. NULL is ignored. */
void sl_file_mapping_put(struct sl_file_mapping *);
void *sl_file_mapping_start(const struct sl_file_mapping *);

#endif
