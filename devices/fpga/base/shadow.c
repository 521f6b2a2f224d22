/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of a thread's own stack, for AddressSanitizer. No lock: a thread keeps its own. */
#include "fpga/base/shadow.h"

#ifdef SL_SHADOW_ADDRESS
#include <pthread.h>

static struct sl_shadow find_stack(void)
{
    struct sl_shadow stack = {0};
    pthread_attr_t attr;
    void *low;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attr))
        return stack;
    if (!pthread_attr_getstack(&attr, &low, &bytes))
        stack = (struct sl_shadow){.low = low, .bytes = bytes};
    pthread_attr_destroy(&attr);
    return stack;
}

/* Of the first thread the system has to be asked, which takes long. */
void sl_shadow_thread(struct sl_shadow *self)
{
    static _Thread_local struct sl_shadow own;
    if (!own.bytes)
        own = find_stack();
    *self = own;
}
#endif
