/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May this process use tiles (AMX)? Linux gives them to who asks, once for all threads, and refuses
 * where a thread's stack for signals has no room for their state: kernels go without them then.
 */
int sl_tiles_allowed(void);

#define ARCH_PRCTL 158
#define ASK_FOR_STATE 0x1023
#define TILE_DATA 18

enum { UNKNOWN, ALLOWED, REFUSED };

static int answer;

#if defined(__x86_64__)
static long ask(void)
{
    long result = ARCH_PRCTL;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"((long)ASK_FOR_STATE), "S"((long)TILE_DATA)
                     : "rcx", "r11", "memory");
    return result;
}
#else
static long ask(void)
{
    return -1;
}
#endif

int sl_tiles_allowed(void)
{
    int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
    if (known == UNKNOWN) {
        known = ask() ? REFUSED : ALLOWED;
        __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
    }
    return known == ALLOWED;
}
