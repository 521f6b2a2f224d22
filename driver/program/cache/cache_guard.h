/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a compiled container may be kept, and what beyond the files it was made from must stay as
 * it is: no file may appear where #include would find it first. Any thread.
 */
#ifndef SL_DRIVER_PROGRAM_CACHE_GUARD_H
#define SL_DRIVER_PROGRAM_CACHE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In a dependency line, in place of the hash: there must be no file of this name. */
#define SL_CACHE_ABSENT "--------------------------------"

/* The text asks for the time or for files: what is made from it differs from day to day. */
bool sl_guard_varies(const char *text, size_t bytes);
/*
 * `lines`: the compiler's "HASH PATH\n", owned; gets SL_CACHE_ABSENT lines for the places where the
 * same #include directives might find another file. `options`: the build's tokens. False: what was
 * built must not be kept (a file's text varies or cannot be read, too many places, no memory).
 */
bool sl_guard_dependencies(char **lines, size_t *bytes, char *const *options, uint32_t count);
/* There is a file that #include would take. */
bool sl_guard_present(const char *path);

#endif
