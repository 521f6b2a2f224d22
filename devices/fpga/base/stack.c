/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks for fibers. No state, no lock. */
#include "fpga/base/stack.h"

#include <sys/mman.h>

#include "common/base/values.h"
#include "fpga/base/shadow.h"

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(low, top) 0
#define VALGRIND_STACK_DEREGISTER(id) (void)(id)
#endif

enum { PAGE = 4096, LINE = 64, COLOUR_LINES = 13 };

int sl_stack_map(struct sl_stack *stack, size_t usable, uint32_t colour)
{
    size_t bytes = usable + 2 * PAGE; /* the guard, and room for the colour */
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (at == MAP_FAILED)
        return SL_OUT_OF_RESOURCES;
    if (mprotect(at, PAGE, PROT_NONE)) {
        munmap(at, bytes);
        return SL_OUT_OF_RESOURCES;
    }
    size_t lowered = (size_t)colour * COLOUR_LINES % (PAGE / LINE) * LINE;
    *stack = (struct sl_stack){.low = (char *)at + PAGE,
                               .top = (char *)at + bytes - lowered,
                               .mapping = at,
                               .bytes = bytes};
    stack->valgrind = VALGRIND_STACK_REGISTER(stack->low, stack->top);
    return 0;
}

void sl_stack_unmap(const struct sl_stack *stack)
{
    struct sl_stack copy = *stack; /* the caller may keep it in the stack itself */
    VALGRIND_STACK_DEREGISTER(copy.valgrind);
    sl_shadow_forget(copy.mapping, copy.bytes);
    munmap(copy.mapping, copy.bytes);
}
