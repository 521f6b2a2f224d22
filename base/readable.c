/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "sluice/base/readable.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin[] = "_ZN4sycl", end[] = "9m_StorageE", kernel_begin[] = "_ZTS";

/* Up to the comma behind the third argument, or the bracket that closes them all; no blanks around
 * either. */
static void print_pipe(FILE *out, const char *arguments)
{
    int depth = 0, commas = 0;
    fputs("pipe", out);
    for (const char *at = arguments; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        commas += *at == ',' && depth == 1;
        if (!depth || commas == 3)
            break;
        if (*at != ' ' || (at[-1] != ',' && at[1] != '>'))
            putc(*at, out);
    }
    putc('>', out);
}

/* What stands there already may be named again and again: each time the text may be twice as long,
 * which names of pipes are not and forged ones could be. */
static bool may_explode(const char *name, size_t length)
{
    enum { MOST = 12 };
    unsigned again = 0;
    for (size_t i = 0; i + 1 < length; i++)
        again += (name[i] == 'S' || name[i] == 'T') &&
                 (name[i + 1] == '_' || isdigit((unsigned char)name[i + 1]) ||
                  isupper((unsigned char)name[i + 1]));
    return again > MOST;
}

/* NULL: it is no such name, or would be too long. */
static char *demangled(sl_demangle *demangle, const char *name, size_t length)
{
    int status = 0;
    char *symbol = may_explode(name, length) ? NULL : strndup(name, length);
    char *all = symbol ? demangle(symbol, NULL, NULL, &status) : NULL;
    free(symbol);
    return all;
}

static bool print_readable(sl_demangle *demangle, FILE *out, const char *name, size_t length)
{
    char *all = demangled(demangle, name, length);
    const char *pipe = all ? strstr(all, "::pipe<") : NULL;
    if (pipe)
        print_pipe(out, pipe + strlen("::pipe"));
    free(all);
    return pipe != NULL;
}

/* Of a kernel that a class names; those of lambdas say more as they are. */
static bool print_kernel(sl_demangle *demangle, FILE *out, const char *name, size_t length)
{
    enum { LONGEST = 200 };
    static const char before[] = "typeinfo name for ";
    char *all = demangled(demangle, name, length);
    const bool fine = all && !strncmp(all, before, sizeof before - 1) && strlen(all) < LONGEST &&
                      !strpbrk(all, "{}()'\"\\");
    if (fine)
        fputs(all + sizeof before - 1, out);
    free(all);
    return fine;
}

static size_t name_length(const char *text, size_t bytes)
{
    size_t length = 0;
    while (length < bytes && (isalnum((unsigned char)text[length]) || text[length] == '_'))
        length++;
    return length;
}

/* What follows the storage's name is the program's own: objects that are linked have numbers. */
static bool is_storage(const char *name, size_t length)
{
    const size_t tail = sizeof end - 1;
    return length > tail && !memcmp(name + length - tail, end, tail);
}

/* Not in the middle of another name. NULL: there is none. */
static const char *next_name(const char *text, const char *at, const char *stop)
{
    for (; (at = memmem(at, (size_t)(stop - at), "_Z", 2)); at++) {
        const size_t left = (size_t)(stop - at);
        const bool first = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if ((left > sizeof begin && !memcmp(at, begin, sizeof begin - 1)) ||
            (first && left > sizeof kernel_begin &&
             !memcmp(at, kernel_begin, sizeof kernel_begin - 1)))
            return at;
    }
    return NULL;
}

char *sl_readable_names(sl_demangle *demangle, const char *text, size_t bytes, size_t *out_bytes)
{
    char *copy = NULL;
    size_t size;
    FILE *out = open_memstream(&copy, &size);
    const char *at = text, *const stop = text + bytes;
    if (!out)
        return NULL;
    for (const char *name; (name = next_name(text, at, stop));) {
        const size_t length = name_length(name, (size_t)(stop - name));
        const bool kernel = !memcmp(name, kernel_begin, sizeof kernel_begin - 1);
        fwrite(at, 1, (size_t)(name - at), out);
        if (kernel ? !print_kernel(demangle, out, name, length)
                   : !is_storage(name, length) || !print_readable(demangle, out, name, length))
            fwrite(name, 1, length, out);
        at = name + length;
    }
    fwrite(at, 1, (size_t)(stop - at), out);
    const bool failed = ferror(out) != 0;
    if (fclose(out) || failed) {
        free(copy);
        return NULL;
    }
    if (out_bytes)
        *out_bytes = size;
    return copy;
}
