/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for the reader of SPIR-V: it gives a module that LLVM's verifier takes, or a reason.
 * Changes are of whole words, with ids for ids. One thread; no lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spirv/spirv_cases.h"
#include "../spirv/spirv_text.h"
#include "spirv/spirv.h"

static size_t said;

static void take_log(void *data, const char *text, size_t bytes)
{
    (void)data, (void)text;
    said += bytes;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

/* numbered: for the FPGA device. */
static void read_module(const uint8_t *data, size_t bytes, bool numbered)
{
    LLVMContextRef context = LLVMContextCreate();
    struct sl_spirv_input input = {
        .bytes = data, .byte_count = bytes, .name = "fuzz", .log = take_log, .numbered = numbered};
    said = 0;
    LLVMModuleRef module = sl_spirv_read(context, &input);
    if (!module == !said) {
        fprintf(stderr, module ? "a module, and a complaint\n" : "neither a module nor a reason\n");
        abort();
    }
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    read_module(data, bytes, false);
    read_module(data, bytes, true);
    return 0;
}

/* One word at a time, mostly: bytes that stand askew never come past the first check. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
    size_t count = bytes / 4, at = 5 + seed % 0xffff;
    uint32_t word, other, bound;
    if (count < 8 || seed % 7 == 0)
        return LLVMFuzzerMutate(data, bytes, most);
    at = 5 + at % (count - 5);
    memcpy(&word, data + at * 4, 4);
    memcpy(&other, data + (5 + seed / 0xffff % (count - 5)) * 4, 4);
    memcpy(&bound, data + 12, 4);
    switch (seed >> 8 & 3) {
    case 0:
        word = other;
        break;
    case 1:
        word = bound ? (seed >> 4) % bound : 1;
        break;
    case 2:
        word = (word & 0xffff0000u) | (seed >> 4) % 460;
        break;
    default:
        word ^= 1u << (seed >> 12) % 32;
    }
    memcpy(data + at * 4, &word, 4);
    return bytes;
}

size_t fuzz_seed(uint32_t number, const uint8_t **data)
{
    static struct spirv_module module; /* the last one */
    if (number >= spirv_case_count)
        return 0;
    char *text = spirv_case_text(&spirv_cases[number]);
    spirv_module_finish(&module);
    module = spirv_assemble(text, spirv_cases[number].version);
    free(text);
    *data = (const uint8_t *)module.words;
    return module.count * sizeof *module.words;
}
