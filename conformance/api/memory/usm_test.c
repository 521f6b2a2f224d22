/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory: what there is, allocations and what is known of them. What is
 * refused is in errors_later.def. */
#include "reference.h"
#include "usm_help.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

/* ---- what there is --------------------------------------------------------------------------- */

static void reported(void)
{
    usm_need();
    const cl_device_unified_shared_memory_capabilities_intel all =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    for (cl_device_info name = CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
         name <= CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL; name++) {
        cl_device_unified_shared_memory_capabilities_intel has = usm_capabilities(name);
        CHECK(!(has & ~all));
        CHECK(!has || has & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
        if (is_sluice())
            CHECK_EQ(has, all);
    }
    CHECK(usm_capabilities(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) &
          CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    static cl_name_version list[256];
    size_t bytes = 0, found = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        found += !strcmp(list[i].name, "cl_intel_unified_shared_memory") &&
                 list[i].version >= CL_MAKE_VERSION(1, 1, 0);
    CHECK_EQ(found, 1);
}

static void macro(void)
{
    usm_need();
    RELEASE_KERNEL(new_kernel("#ifndef cl_intel_unified_shared_memory\n"
                              "#error no macro\n"
                              "#endif\n"
                              "kernel void it(void) {}",
                              "it", NULL));
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void allocations(void)
{
    usm_need();
    static const size_t sizes[] = {1, 3, 128, 1000003, (size_t)5 << 20};
    unsigned char *all[USM_KINDS][LEN(sizes)][9];
    for (int kind = 0; kind < USM_KINDS; kind++)
        for (size_t s = 0; s < LEN(sizes); s++)
            for (cl_uint a = 0; a < 9; a++) {
                cl_uint align = a ? 1u << (a - 1) : 0;
                cl_int rc = 12345;
                unsigned char *at =
                    kind == 0 ? usm.alloc_host(cl.context, NULL, sizes[s], align, &rc)
                    : kind == 1
                        ? usm.alloc_device(cl.context, cl.device, NULL, sizes[s], align, &rc)
                        : usm.alloc_shared(cl.context, a & 1 ? cl.device : NULL, NULL, sizes[s],
                                           align, &rc);
                REQUIRE_OK(rc);
                CHECK_EQ((uintptr_t)at % (align ? align : sizeof(cl_long16)), 0);
                cl_uchar value = (cl_uchar)(kind * 60 + (int)s * 9 + (int)a);
                CHECK_OK(usm.fill(cl.queue, at, &value, 1, sizes[s], 0, NULL, NULL));
                all[kind][s][a] = at;
            }
    for (int kind = 0; kind < USM_KINDS; kind++)
        for (size_t s = 0; s < LEN(sizes); s++)
            for (cl_uint a = 0; a < 9; a++) {
                unsigned char *at = all[kind][s][a], ends[2];
                usm_copy(&ends[0], at, 1);
                usm_copy(&ends[1], at + sizes[s] - 1, 1);
                CHECK_EQ(ends[0], (cl_uchar)(kind * 60 + (int)s * 9 + (int)a));
                CHECK_EQ(ends[1], ends[0]);
                usm_release(at);
            }
}

/* Host and shared memory is the application's without any command. */
static void host_access(void)
{
    usm_need();
    for (int kind = 0; kind < USM_KINDS; kind += 2) {
        unsigned char *at = usm_alloc(kind, SIZE);
        random_fill(data, SIZE);
        memcpy(at, data, SIZE);
        usm_copy(back, at, SIZE);
        CHECK(!memcmp(back, data, SIZE));
        data[17] ^= 3;
        usm_copy(at, data, SIZE);
        CHECK(!memcmp(at, data, SIZE));
        usm_release(at);
    }
}

/* Any pointer into an allocation leads to it, and no other one. */
static void info(void)
{
    usm_need();
    cl_context away = new_context();
    for (int kind = 0; kind < USM_KINDS; kind++) {
        unsigned char *at = usm_alloc(kind, SIZE);
        const struct usm_facts want = {.type = CL_MEM_TYPE_HOST_INTEL + (cl_uint)kind,
                                       .base = at,
                                       .size = SIZE,
                                       .device = kind ? cl.device : NULL};
        usm_check_facts(cl.context, at, &want);
        usm_check_facts(cl.context, at + 1, &want);
        usm_check_facts(cl.context, at + SIZE / 2, &want);
        usm_check_facts(cl.context, at + SIZE - 1, &want);
        usm_check_facts(cl.context, at + SIZE, &usm_unknown);
        usm_check_facts(cl.context, at - 1, &usm_unknown);
        usm_check_facts(away, at, &usm_unknown);
        usm_release(at);
        usm_check_facts(cl.context, at, &usm_unknown);
    }
    cl_int rc;
    void *nobodys = usm.alloc_shared(cl.context, NULL, NULL, 64, 0, &rc);
    REQUIRE_OK(rc);
    const struct usm_facts shared = {
        .type = CL_MEM_TYPE_SHARED_INTEL, .base = nobodys, .size = 64, .device = NULL};
    usm_check_facts(cl.context, nobodys, &shared);
    usm_release(nobodys);
    usm_check_facts(cl.context, NULL, &usm_unknown);
    usm_check_facts(cl.context, data, &usm_unknown);
    usm_check_facts(cl.context, &rc, &usm_unknown);
    RELEASE_CONTEXT(away);
}

static void check_flags(int kind, cl_mem_alloc_flags_intel flags)
{
    const cl_mem_properties_intel list[] = {CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
    cl_int rc = 12345;
    void *at = kind == 0   ? usm.alloc_host(cl.context, list, 64, 0, &rc)
               : kind == 1 ? usm.alloc_device(cl.context, cl.device, list, 64, 0, &rc)
                           : usm.alloc_shared(cl.context, cl.device, list, 64, 0, &rc);
    REQUIRE_OK(rc);
    const struct usm_facts want = {.type = CL_MEM_TYPE_HOST_INTEL + (cl_uint)kind,
                                   .base = at,
                                   .size = 64,
                                   .device = kind ? cl.device : NULL,
                                   .flags = flags};
    usm_check_facts(cl.context, at, &want);
    usm_copy(at, data, 64);
    usm_release(at);
}

static void flags(void)
{
    usm_need();
    for (int kind = 0; kind < USM_KINDS; kind++) {
        check_flags(kind, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    }
    const cl_mem_properties_intel empty[] = {0};
    cl_int rc;
    void *at = usm.alloc_host(cl.context, empty, 64, 0, &rc);
    REQUIRE_OK(rc);
    usm_release(at);
    at = usm.alloc_host(cl.context, NULL, 64, 0, NULL);
    REQUIRE(at);
    usm_release(at);
}

static void no_flags(void)
{
    usm_need();
    for (int kind = 0; kind < USM_KINDS; kind++)
        check_flags(kind, 0);
}

static void placement(void)
{
    usm_need();
    check_flags(2, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL);
    check_flags(2, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    check_flags(2, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
}

/* Region of memory, for devices that have such things. */
static void buffer_location(void)
{
    usm_need();
    cl_uint location = 77;
    if (!has_extension("cl_intel_mem_alloc_buffer_location")) {
        if (is_sluice())
            FAILS(CL_INVALID_VALUE, usm.info(cl.context, data, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL,
                                             sizeof location, &location, NULL));
        check_skip("no regions of memory");
    }
    const cl_mem_properties_intel list[] = {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 3,
                                            CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    cl_int rc;
    char *at = usm.alloc_device(cl.context, cl.device, list, 64, 0, &rc), *plain = usm_alloc(1, 64);
    REQUIRE_OK(rc);
    usm_ask(cl.context, at + 9, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, sizeof location, &location);
    CHECK_EQ(location, 3);
    usm_ask(cl.context, plain, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, sizeof location, &location);
    CHECK_EQ(location, 0);
    usm_release(at);
    usm_release(plain);
}

/* clSVMAlloc's memory and this is not the same, though both may be given to kernels. */
static void beside_svm(void)
{
    usm_need();
    void *svm = clSVMAlloc(cl.context, 0, 64, 0);
    if (!svm)
        check_skip("no shared virtual memory");
    unsigned char *at = usm_alloc(2, 64);
    usm_check_facts(cl.context, svm, &usm_unknown);
    clSVMFree(cl.context, at); /* not its own: nothing happens */
    const struct usm_facts want = {
        .type = CL_MEM_TYPE_SHARED_INTEL, .base = at, .size = 64, .device = cl.device};
    usm_check_facts(cl.context, at, &want);
    usm_copy(at, data, 64);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, svm, at, 64, 0, NULL, NULL));
    usm_copy(back, svm, 64);
    CHECK(!memcmp(back, data, 64));
    clSVMFree(cl.context, svm);
    usm_release(at);
}

/* What the application forgets goes with the context. */
static void leftovers(void)
{
    usm_need();
    cl_context context = new_context();
    for (size_t i = 1; i < 200; i++)
        REQUIRE(usm_alloc_in(context, cl.device, (int)i % USM_KINDS, i * 37, NULL));
    RELEASE_CONTEXT(context);
}

static void *churn(void *unused)
{
    enum { LIVE = 64, ROUNDS = 3000 };
    static _Thread_local unsigned char *live[LIVE];
    unsigned seed = 17;
    for (unsigned i = 0; i < ROUNDS; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned slot = seed >> 16 & (LIVE - 1);
        if (!live[slot]) {
            live[slot] = usm_alloc_in(cl.context, cl.device, 2, 1 + (seed >> 8 & 1023), NULL);
            if (CHECK(live[slot]))
                *live[slot] = (unsigned char)slot;
            continue;
        }
        void *base = NULL;
        CHECK_EQ(*live[slot], slot);
        CHECK_OK(usm.info(cl.context, live[slot], CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base,
                          NULL));
        CHECK(base == live[slot]);
        CHECK_OK((seed & 256 ? usm.blocking_free : usm.free)(cl.context, live[slot]));
        live[slot] = NULL;
    }
    for (unsigned i = 0; i < LIVE; i++)
        usm_release(live[i]);
    return unused;
}

static void threads(void)
{
    usm_need();
    pthread_t ids[4];
    for (size_t i = 0; i < LEN(ids); i++)
        REQUIRE(!pthread_create(&ids[i], NULL, churn, NULL));
    for (size_t i = 0; i < LEN(ids); i++)
        pthread_join(ids[i], NULL);
}

/* Of this thread, whatever else the machine does. */
static double processor_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

enum { MANY_BYTES = 48 };

/* What it takes to ask for pointers into the first `count` allocations. */
static double ask_among(unsigned char **all, size_t count)
{
    enum { ASKED = 50000 };
    double start = processor_seconds();
    size_t wrong = 0;
    for (size_t i = 0; i < ASKED; i++) {
        unsigned char *want = all[random_below(count)], *got = NULL;
        cl_int rc = usm.info(cl.context, want + random_below(MANY_BYTES),
                             CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof got, &got, NULL);
        wrong += rc || got != want;
    }
    CHECK_EQ(wrong, 0);
    return processor_seconds() - start;
}

/* A pointer is found among many as fast as among few: SYCL asks once per copy. */
static void many(void)
{
    usm_need();
    enum { FEW = 100, COUNT = 100000 };
    unsigned char **all = calloc(COUNT, sizeof *all);
    double few = 0;
    REQUIRE(all);
    for (size_t i = 0; i < COUNT; i++) {
        all[i] = usm_alloc((int)(i % USM_KINDS), MANY_BYTES);
        if (i + 1 == FEW)
            few = ask_among(all, FEW);
    }
    /* In a list a thousand times as much; where memory is slow at times, the best of three. */
    double most = ask_among(all, COUNT);
    for (int again = 0; again < 2 && most >= 200 * few; again++)
        most = fmin(most, ask_among(all, COUNT));
    CHECK(most < 200 * few);
    for (size_t i = 0; i < COUNT; i++)
        usm_release(all[i * 7919 % COUNT]);
    free(all);
}

/* More than there is: refused, and all goes on as before. */
static void exhaustion(void)
{
    usm_need();
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    check_skip("sanitizers need the address space");
#endif
    struct rlimit before, now;
    char statm[64] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file && fgets(statm, sizeof statm, file));
    fclose(file);
    REQUIRE(!getrlimit(RLIMIT_AS, &before));
    now = before;
    now.rlim_cur = strtoul(statm, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)512 << 20);
    const size_t size = (size_t)64 << 20;
    void *all[64] = {0};
    size_t count = 0;
    cl_int rc = CL_SUCCESS;
    REQUIRE(!setrlimit(RLIMIT_AS, &now));
    while (count < LEN(all) &&
           (all[count] = usm_alloc_in(cl.context, cl.device, (int)count % USM_KINDS, size, &rc)))
        count++;
    REQUIRE(!setrlimit(RLIMIT_AS, &before));
    CHECK(count > 0 && count < LEN(all));
    CHECK(rc == CL_OUT_OF_RESOURCES || rc == CL_OUT_OF_HOST_MEMORY);
    for (size_t i = 0; i < count; i++) {
        const struct usm_facts want = {.type = CL_MEM_TYPE_HOST_INTEL + (cl_uint)i % USM_KINDS,
                                       .base = all[i],
                                       .size = size,
                                       .device = i % USM_KINDS ? cl.device : NULL};
        usm_check_facts(cl.context, (char *)all[i] + size - 1, &want);
        usm_release(all[i]);
    }
    usm_release(usm_alloc(1, size));
}

static const struct test_case cases[] = {
    CASE(reported),  CASE(macro),    CASE(allocations), CASE(host_access),     CASE(info),
    CASE(flags),     CASE(no_flags), CASE(placement),   CASE(buffer_location), CASE(beside_svm),
    CASE(leftovers), CASE(threads),  CASE(many),        CASE(exhaustion),
};
TEST_MAIN("usm", cases)
