/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small assembler of SPIR-V for tests. One instruction a line, as the usual assembler writes it,
 * but what the specification has names for beside instructions is a number:
 *
 *     %sum = OpIAdd %int %a %b ; from here on nobody reads
 *
 * Numbers may be of any width below 64 bits; one with an "L" behind it fills two words.
 */
#ifndef SPIRV_TEXT_H
#define SPIRV_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct spirv_module {
    uint32_t *words; /* owned */
    size_t count;
};

/* Version as in the header: 0x10400 is 1.4. Ends the program with the line that is wrong. */
struct spirv_module spirv_assemble(const char *text, uint32_t version);
void spirv_module_finish(struct spirv_module *);

#endif
