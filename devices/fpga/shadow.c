/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of a thread's own stack, for AddressSanitizer. No state, no lock. */
#include "fpga/shadow.h"

#ifdef SL_SHADOW_ADDRESS
#include <pthread.h>

void sl_shadow_thread(struct sl_shadow *self)
{
    pthread_attr_t attr;
    void *low;
    size_t bytes;
    *self = (struct sl_shadow){0};
    if (pthread_getattr_np(pthread_self(), &attr))
        return;
    if (!pthread_attr_getstack(&attr, &low, &bytes))
        *self = (struct sl_shadow){.low = low, .bytes = bytes};
    pthread_attr_destroy(&attr);
}
#endif
