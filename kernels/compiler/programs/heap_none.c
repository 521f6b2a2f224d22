/* SPDX-License-Identifier: Apache-2.0 */
/* In place of heap.c: memory is a sanitizer's, which wants to see each block. No state, no lock. */
#include "compiler/programs/heap.h"

void sl_heap_claim(void)
{
}
