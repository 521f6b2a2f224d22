/* SPDX-License-Identifier: Apache-2.0 */
/* No shared state. */
#include "passes/changed.h"

#include <stdint.h>

static uint64_t mixed(uint64_t print, uint64_t word)
{
    print = (print ^ word) * 0x9e3779b97f4a7c15;
    return print ^ print >> 29;
}

static uint64_t with_pointer(uint64_t print, const void *pointer)
{
    return mixed(print, (uint64_t)(uintptr_t)pointer);
}

/* The blocks that a phi's values come from are no operands of it. */
static uint64_t with_origins(uint64_t print, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        print = with_pointer(print, LLVMGetIncomingBlock(phi, i));
    return print;
}

static uint64_t with_instruction(uint64_t print, LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    print = mixed(with_pointer(print, instruction), (uint64_t)opcode);
    print = with_pointer(print, LLVMTypeOf(instruction));
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(instruction); i < n; i++)
        print = with_pointer(print, LLVMGetOperand(instruction, i));
    return opcode == LLVMPHI ? with_origins(print, instruction) : print;
}

static uint64_t print_of(LLVMValueRef function)
{
    uint64_t print = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        print = with_pointer(print, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            print = with_instruction(print, i);
    }
    return print;
}

bool sl_changed_since(struct sl_changed *changed, LLVMValueRef function)
{
    void *print = (void *)(uintptr_t)(print_of(function) | 1); /* NULL means none */
    if (sl_map_get(&changed->prints, function) == print)
        return false;
    sl_map_set(&changed->prints, function, print);
    return true;
}

void sl_changed_finish(struct sl_changed *changed)
{
    sl_map_finish(&changed->prints);
}
