/* SPDX-License-Identifier: Apache-2.0 */
/* Where calls are in the source, by debug information. Stateless. */
#ifndef SL_KERNELS_CALL_PLACES_H
#define SL_KERNELS_CALL_PLACES_H

#include <llvm-c/Core.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sl_call_place {
    char *from, *to;  /* names as their author wrote them; owned, NULL: no memory */
    const char *file; /* borrowed from the module; NULL: the module has no places */
    unsigned line, column;
};

/* How many calls of the source this one is: those that were put into each other, outermost first,
 * of which at most `most` are written. */
size_t sl_call_places(LLVMValueRef call, struct sl_call_place *places, size_t most);

#ifdef __cplusplus
}
#endif
#endif
