/* SPDX-License-Identifier: Apache-2.0 */
/* See stack.h. Thread-local data, no lock. */
#include "sluice/base/stack.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ENOUGH_BYTES = 64 << 10, OWN_BYTES = 256 << 10, GUARD_BYTES = 64 << 10 };
/* The kernel keeps at least this much free below the first thread's stack, whatever its limit. */
static const size_t most_growth = (size_t)100 << 20;

static _Thread_local struct {
    uintptr_t low, high; /* high 0: not found yet */
} stack;

/* ---- how much there is ----------------------------------------------------------------------- */

/* It grows up to a limit that may change. glibc reads /proc for this, which takes long and may not
 * be there; the kernel's random bytes lie above the stack's first frame. */
static void find_first(void)
{
    struct rlimit limit;
    uintptr_t high = getauxval(AT_RANDOM);
    if (!high || getrlimit(RLIMIT_STACK, &limit))
        return;
    size_t bytes = limit.rlim_cur < most_growth ? (size_t)limit.rlim_cur : most_growth;
    stack.low = high - bytes;
    stack.high = high;
}

static void find(void)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t bytes = 0;
    if (gettid() == getpid()) {
        find_first();
        return;
    }
    if (pthread_getattr_np(pthread_self(), &attr))
        return; /* memory is short: it may be there the next time */
    if (!pthread_attr_getstack(&attr, &low, &bytes)) {
        stack.low = (uintptr_t)low;
        stack.high = (uintptr_t)low + bytes;
    }
    pthread_attr_destroy(&attr);
}

size_t sl_stack_left(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!stack.high)
        find();
    return here > stack.low && here < stack.high ? here - stack.low : 0;
}

/* What is loaded at run time has its data elsewhere, and counts nevertheless. */
static int add_thread_local(struct dl_phdr_info *module, size_t size, void *data)
{
    size_t *sum = data;
    (void)size;
    for (int i = 0; i < module->dlpi_phnum; i++)
        if (module->dlpi_phdr[i].p_type == PT_TLS)
            *sum += module->dlpi_phdr[i].p_memsz + module->dlpi_phdr[i].p_align;
    return 0;
}

int sl_stack_attr(pthread_attr_t *attr, size_t bytes)
{
    enum { PAGE = 4096 };
    size_t usual = 0, own = bytes ? bytes : OWN_BYTES;
    int rc = pthread_attr_init(attr);
    if (rc)
        return rc;
    dl_iterate_phdr(add_thread_local, &own);
    own = (own + PAGE - 1) & -(size_t)PAGE;
    if (bytes || pthread_attr_getstacksize(attr, &usual) || usual < own)
        rc = pthread_attr_setstacksize(attr, own);
    if (rc)
        pthread_attr_destroy(attr);
    return rc;
}

/* ---- another one ----------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STAYS 1 /* a sanitizer would have to be told */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STAYS 1
#endif
#endif

#if defined(STAYS)
static void call_on(void *top, void (*run)(void *), void *data)
{
    (void)top;
    run(data);
}
#elif defined(__x86_64__)
/* Debuggers find the way back by the frame pointer, which this file is compiled with. */
__attribute__((noinline)) static void call_on(void *top, void (*run)(void *), void *data)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "call *%[run]\n\t"
                     "movq %%rbx, %%rsp"
                     : [run] "+r"(run), "+D"(data), [top] "+r"(top)
                     :
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}
#elif defined(__aarch64__)
__attribute__((noinline)) static void call_on(void *top, void (*run)(void *), void *data)
{
    register void *argument __asm__("x0") = data;
    register void (*target)(void *) __asm__("x20") = run;
    register void *sp __asm__("x21") = top;
    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, %[sp]\n\t"
                     "blr %[target]\n\t"
                     "mov sp, x19"
                     : "+r"(argument)
                     : [target] "r"(target), [sp] "r"(sp)
                     : "x19", "x30", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10",
                       "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "v0", "v1", "v2",
                       "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                       "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
                       "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");
}
#else
#error "say here how a function is called on another stack"
#endif

int sl_on_stack(void (*run)(void *), void *data)
{
    if (sl_stack_left() >= ENOUGH_BYTES) {
        run(data);
        return 0;
    }
    char *low = mmap(NULL, GUARD_BYTES + OWN_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED)
        return ENOMEM;
    int rc = mprotect(low, GUARD_BYTES, PROT_NONE) ? ENOMEM : 0;
    if (!rc)
        call_on(low + GUARD_BYTES + OWN_BYTES, run, data);
    munmap(low, GUARD_BYTES + OWN_BYTES);
    return rc;
}
