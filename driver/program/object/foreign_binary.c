/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Constant tables. */
#include "program/object/foreign_binary.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "base/query/info.h"

/* The first word that is in front. */
static const struct {
    const char *begin, *what;
} beginnings[] = {
    {"xclbin", "an xclbin, for a board of AMD's: compile the source with sluicec --device=fpga"},
    {"poclbin", "a binary of PoCL's"},
    {"BC\300\336", "LLVM bitcode"},
    {"\336\300\027\013", "LLVM bitcode"},
    {"\037\213", "compressed with gzip"},
    {"PK\003\004", "a ZIP archive"},
    {"!<arch>\n", "an archive of objects"},
};

/* What processors of others have their code in. */
static const struct {
    uint16_t machine;
    const char *what;
} machines[] = {
    {190, "code for a GPU of NVIDIA's"},
    {205, "code for a GPU of Intel's"},
    {224, "code for a GPU of AMD's"},
};

static bool has(const void *bytes, size_t size, const char *word)
{
    return memmem(bytes, size, word, strlen(word)) != NULL;
}

/* Names of sections are in the file as they are. */
static const char *elf_file(const void *bytes, size_t size)
{
    Elf64_Ehdr head;
    if (has(bytes, size, ".acl."))
        return "an aocx of Intel's, which has no code for a processor: compile the source with "
               "Sluice's aoc";
    if (has(bytes, size, ".ocl.") || has(bytes, size, "OpenCL"))
        return "an ELF file with code for another OpenCL device";
    if (size < sizeof head)
        return "the beginning of an ELF file";
    memcpy(&head, bytes, sizeof head);
    for (size_t i = 0; i < SL_LEN(machines); i++)
        if (head.e_machine == machines[i].machine)
            return machines[i].what;
    return "an ELF file: a program, a library or an object";
}

/* As far as anybody would look: letters and white space, no zeros but at the end. */
static bool is_text(const unsigned char *bytes, size_t size)
{
    enum { LOOKED_AT = 4096 };
    size_t count = size && !bytes[size - 1] ? size - 1 : size;
    count = count < LOOKED_AT ? count : LOOKED_AT;
    bool text = count > 1;
    for (size_t i = 0; text && i < count; i++)
        text = bytes[i] >= 32 || (bytes[i] >= '\t' && bytes[i] <= '\r');
    return text;
}

const char *sl_foreign_binary(const void *bytes, size_t size)
{
    for (size_t i = 0; i < SL_LEN(beginnings); i++) {
        size_t length = strlen(beginnings[i].begin);
        if (size >= length && !memcmp(bytes, beginnings[i].begin, length))
            return beginnings[i].what;
    }
    if (size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG))
        return elf_file(bytes, size);
    if (!is_text(bytes, size))
        return NULL;
    return has(bytes, size, ".address_size") ? "PTX, for a GPU of NVIDIA's"
                                             : "text; sources go to clCreateProgramWithSource";
}
