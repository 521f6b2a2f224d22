/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_unified_svm: types, allocations and what is known of them, commands, kernels. What is
 * refused is in errors_later.def. */
#include "pointer_sums.h"
#include "reference.h"
#include "unified_svm_help.h"
#include "usm_help.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1003 };

static unsigned char data[SIZE], back[SIZE];

#define CAN(name) ((cl_svm_capabilities_khr)CL_SVM_CAPABILITY_##name##_KHR)

static const cl_svm_capabilities_khr both_ways = CAN(DEVICE_READ) | CAN(DEVICE_WRITE),
                                     on_host = CAN(HOST_READ) | CAN(HOST_WRITE);

/* ---- what there is --------------------------------------------------------------------------- */

/* In the order of this driver: core's two, those of unified shared memory, the process's own. */
static const cl_svm_capabilities_khr kinds[] = {
    CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR,
    CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR | CAN(CONCURRENT_ATOMIC_ACCESS),
    CL_SVM_TYPE_MACRO_DEVICE_KHR | CAN(CONTEXT_ACCESS),
    CL_SVM_TYPE_MACRO_HOST_KHR | CAN(CONCURRENT_ATOMIC_ACCESS),
    CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR | CAN(CONTEXT_ACCESS) | CAN(DEVICE_UNASSOCIATED) |
        CAN(CONCURRENT_ATOMIC_ACCESS),
    CL_SVM_TYPE_MACRO_SYSTEM_KHR,
};
enum { COARSE, FINE, DEVICE, HOST, SHARED, SYSTEM };

static void reported(void)
{
    usvm_need();
    cl_svm_capabilities_khr of_device[USVM_MOST_TYPES], of_platform[USVM_MOST_TYPES];
    const size_t count = usvm_types(of_device);
    size_t bytes = 0, atom = 77;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR,
                               sizeof of_platform, of_platform, &bytes));
    CHECK_EQ(bytes, count * sizeof *of_device);
    for (size_t i = 0; i < count; i++) {
        const cl_svm_capabilities_khr has = of_device[i];
        CHECK(has == 0 || (has & of_platform[i]) == of_platform[i]);
        CHECK(!(has & CAN(DEVICE_OWNED) && has & CAN(DEVICE_UNASSOCIATED)));
        CHECK(!(has & CAN(HOST_OWNED)) || (has & CAN(DEVICE_UNASSOCIATED) && has & on_host));
    }
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR, sizeof atom,
                             &atom, NULL));
    CHECK_EQ(atom, 1);
    if (!is_sluice())
        return;
    CHECK_EQ(count, LEN(kinds));
    for (size_t i = 0; i < count && i < LEN(kinds); i++)
        CHECK_EQ(of_device[i] & kinds[i], kinds[i]);
    CHECK(!(of_device[COARSE] & on_host));
    CHECK(!(of_device[DEVICE] & (on_host | CAN(HOST_MAP) | CAN(HOST_OWNED))));
    for (size_t i = COARSE; i < SYSTEM; i++)
        CHECK(!(of_device[i] & CAN(SYSTEM_ALLOCATED)));
}

static void version(void)
{
    usvm_need();
    static cl_name_version list[256];
    size_t bytes = 0, found = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        found += !strcmp(list[i].name, "cl_khr_unified_svm") &&
                 list[i].version == CL_MAKE_VERSION(0, 9, 0);
    CHECK_EQ(found, 1);
    RELEASE_KERNEL(new_kernel("#ifndef cl_khr_unified_svm\n"
                              "#error no macro\n"
                              "#endif\n"
                              "kernel void it(void) {}",
                              "it", NULL));
}

/* ---- what is known of an allocation ---------------------------------------------------------- */

struct facts {
    cl_uint type;
    cl_svm_capabilities_khr capabilities;
    cl_svm_alloc_access_flags_khr access;
    void *base;
    size_t size;
    cl_device_id device;
};
static const struct facts unknown = {.type = CL_UINT_MAX};

static void ask(cl_context context, cl_device_id device, const void *at,
                cl_svm_pointer_info_khr name, size_t want, void *to)
{
    size_t size = 99;
    CHECK_OK(usvm.info(context, device, at, name, want, to, &size));
    CHECK_EQ(size, want);
    size = 99;
    CHECK_OK(usvm.info(context, device, at, name, 0, NULL, &size));
    CHECK_EQ(size, want);
}

static void check_facts(cl_context context, cl_device_id device, const void *at,
                        const struct facts *want)
{
    struct facts got;
    memset(&got, 0x5a, sizeof got);
    ask(context, device, at, CL_SVM_INFO_TYPE_INDEX_KHR, sizeof got.type, &got.type);
    ask(context, device, at, CL_SVM_INFO_CAPABILITIES_KHR, sizeof got.capabilities,
        &got.capabilities);
    ask(context, device, at, CL_SVM_INFO_ACCESS_FLAGS_KHR, sizeof got.access, &got.access);
    ask(context, device, at, CL_SVM_INFO_BASE_PTR_KHR, sizeof got.base, &got.base);
    ask(context, device, at, CL_SVM_INFO_SIZE_KHR, sizeof got.size, &got.size);
    ask(context, device, at, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, sizeof(cl_device_id),
        &got.device);
    CHECK_EQ(got.type, want->type);
    CHECK_EQ(got.capabilities, want->capabilities);
    CHECK_EQ(got.access, want->access);
    CHECK(got.base == want->base);
    CHECK_EQ(got.size, want->size);
    CHECK(got.device == want->device);
}

/* Any pointer into an allocation leads to it, and no other one. */
static void info(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    const size_t count = usvm_types(types);
    cl_context away = new_context();
    for (cl_uint type = 0; type < count; type++) {
        if (!types[type])
            continue;
        char *at = usvm_alloc(type, SIZE);
        const struct facts want = {.type = type,
                                   .capabilities = types[type],
                                   .base = at,
                                   .size = SIZE,
                                   .device =
                                       types[type] & CAN(DEVICE_UNASSOCIATED) ? NULL : cl.device};
        static const size_t inside[] = {0, 1, SIZE / 2, SIZE - 1};
        for (size_t i = 0; i < LEN(inside); i++) {
            check_facts(cl.context, NULL, at + inside[i], &want);
            check_facts(cl.context, cl.device, at + inside[i], &want);
        }
        check_facts(cl.context, NULL, at + SIZE, &unknown);
        check_facts(cl.context, cl.device, at - 1, &unknown);
        check_facts(away, NULL, at, &unknown);
        usvm_release(at);
        check_facts(cl.context, NULL, at, &unknown);
    }
    check_facts(cl.context, NULL, NULL, &unknown);
    check_facts(cl.context, cl.device, data, &unknown);
    RELEASE_CONTEXT(away);
}

static void check_properties(const void *at, const cl_svm_alloc_properties_khr *want, size_t count)
{
    cl_svm_alloc_properties_khr got[16] = {0};
    ask(cl.context, NULL, at, CL_SVM_INFO_PROPERTIES_KHR, count * sizeof *got, got);
    CHECK(!count || !memcmp(got, want, count * sizeof *got));
}

/* As they were given, in their order, and nothing for what had no list. */
static void properties(void)
{
    usvm_need();
    const cl_svm_alloc_properties_khr device = (cl_svm_alloc_properties_khr)cl.device,
                                      access = CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR |
                                               CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR,
                                      empty[] = {0},
                                      all[] = {CL_SVM_ALLOC_ALIGNMENT_KHR,
                                               64,
                                               CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                               access,
                                               CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                               device,
                                               0},
                                      none[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, 0, 0};
    static const struct {
        size_t count;
    } counts[] = {{1}, {7}, {3}};
    const cl_svm_alloc_properties_khr *const lists[] = {empty, all, none};
    const cl_uint type = usvm_type(CL_SVM_TYPE_MACRO_HOST_KHR);
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    usvm_types(types);
    for (size_t i = 0; i < LEN(lists); i++) {
        cl_int rc = 12345;
        void *at = usvm.alloc(cl.context, lists[i], type, SIZE, &rc);
        REQUIRE_OK(rc);
        check_properties(at, lists[i], counts[i].count);
        const struct facts want = {.type = type,
                                   .capabilities = types[type],
                                   .access = i == 1 ? access : 0,
                                   .base = at,
                                   .size = SIZE,
                                   .device = i == 1 ? cl.device : NULL};
        check_facts(cl.context, NULL, at, &want);
        usvm_release(at);
    }
    void *plain = usvm.alloc(cl.context, NULL, type, SIZE, NULL),
         *core = clSVMAlloc(cl.context, 0, SIZE, 0);
    REQUIRE(plain && core);
    check_properties(plain, NULL, 0);
    check_properties(core, NULL, 0);
    check_properties(data, NULL, 0);
    usvm_release(plain);
    usvm_release(core);
}

/* Memory of clSVMAlloc has a type, too; unified shared memory is something else. */
static void beside_others(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    usvm_types(types);
    char *coarse = clSVMAlloc(cl.context, CL_MEM_READ_ONLY, SIZE, 0),
         *fine = clSVMAlloc(cl.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, SIZE, 0);
    REQUIRE(coarse && fine);
    struct facts want = {
        .type = usvm_type(CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR), .base = coarse, .size = SIZE};
    want.capabilities = types[want.type];
    check_facts(cl.context, NULL, coarse + 1, &want);
    want.type = usvm_type(CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR);
    want.capabilities = types[want.type];
    want.base = fine;
    check_facts(cl.context, cl.device, fine + SIZE - 1, &want);
    usvm_release(fine);
    char *ours = usvm_alloc(usvm_type(CL_SVM_TYPE_MACRO_DEVICE_KHR), SIZE);
    if (usm_find()) {
        char *usm_at = usm_alloc(2, SIZE);
        check_facts(cl.context, NULL, usm_at, &unknown);
        FAILS(CL_INVALID_VALUE, usvm.free(cl.context, NULL, 0, usm_at));
        usm_check_facts(cl.context, ours, &usm_unknown);
        FAILS(CL_INVALID_VALUE, usm.free(cl.context, ours));
        usm_release(usm_at);
    }
    clSVMFree(cl.context, ours);
    check_facts(cl.context, NULL, ours, &unknown);
    clSVMFree(cl.context, coarse);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void write_to(void *at, const void *from, size_t size, cl_svm_capabilities_khr has)
{
    if (has & CAN(HOST_WRITE)) {
        memcpy(at, from, size);
    } else if (has & CAN(HOST_MAP)) {
        CHECK_OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, at, size, 0, NULL, NULL));
        memcpy(at, from, size);
        CHECK_OK(clEnqueueSVMUnmap(cl.queue, at, 0, NULL, NULL));
    } else {
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, at, from, size, 0, NULL, NULL));
    }
}

/* Of each type, aligned as asked; a command and the host see the same. */
static void allocations(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    const size_t count = usvm_types(types);
    for (cl_uint type = 0; type < count; type++)
        for (size_t align = 0; align <= sizeof(cl_long16); align = align ? 2 * align : 1) {
            const cl_svm_alloc_properties_khr list[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, align,
                                                        CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                        (cl_svm_alloc_properties_khr)cl.device, 0};
            const size_t size = SIZE - align;
            cl_int rc = 12345;
            char *at = usvm.alloc(cl.context, list, type, size, &rc);
            REQUIRE_OK(rc);
            CHECK_EQ((uintptr_t)at % (align ? align : sizeof(cl_long16)), 0);
            random_fill(data, SIZE);
            write_to(at, data, size, types[type]);
            memset(back, 0, SIZE);
            CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, size, 0, NULL, NULL));
            CHECK(!memcmp(back, data, size));
            usvm_release(at);
        }
    usvm_release(NULL);
}

/* Nothing at all is NULL of any type, and no error; so is what nobody writes to or reads. */
static void no_bytes(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    const size_t count = usvm_types(types);
    const cl_svm_alloc_properties_khr ours[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                (cl_svm_alloc_properties_khr)cl.device, 0};
    for (cl_uint type = 0; type < count; type++) {
        cl_int rc = 12345;
        CHECK(!usvm.alloc(cl.context, ours, type, 0, &rc));
        CHECK_OK(rc);
    }
    CHECK(!clSVMAlloc(cl.context, 0, 0, 0));
    cl_event events[5] = {0};
    const void *regions[] = {NULL, NULL};
    const size_t none[] = {0, 0}, some[] = {0, 1};
    void *nowhere = (void *)(uintptr_t)0xdeadbee0, *list[] = {NULL, usvm_alloc(0, SIZE), NULL};
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, NULL, data, 0, 0, NULL, &events[0]));
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, nowhere, NULL, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMemFill(cl.queue, NULL, data, 4, 0, 0, NULL, &events[1]));
    CHECK_OK(clEnqueueSVMMemFill(cl.queue, nowhere, data, 8, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 2, regions, NULL, 0, 0, NULL, &events[2]));
    CHECK_OK(clEnqueueSVMMigrateMem(cl.queue, 2, regions, none, 0, 0, NULL, &events[3]));
    FAILS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(cl.queue, 2, regions, some, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMFree(cl.queue, 3, list, NULL, NULL, 0, NULL, &events[4]));
    static const cl_command_type wanted[] = {CL_COMMAND_SVM_MEMCPY, CL_COMMAND_SVM_MEMFILL,
                                             CL_COMMAND_SVM_MIGRATE_MEM, CL_COMMAND_SVM_MIGRATE_MEM,
                                             CL_COMMAND_SVM_FREE};
    for (size_t i = 0; i < LEN(events); i++)
        usm_check_ended(events[i], wanted[i]);
    check_facts(cl.context, NULL, list[1], &unknown);
}

/* What the application forgets goes with the context. */
static void leftovers(void)
{
    usvm_need();
    cl_context context = new_context();
    const cl_uint type = usvm_type(CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR);
    for (size_t i = 1; i < 200; i++)
        REQUIRE(usvm.alloc(context, NULL, type, i * 37, NULL));
    RELEASE_CONTEXT(context);
}

/* ---- mapping --------------------------------------------------------------------------------- */

/* The types that the host gets at by mapping, and no others. */
static void maps(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    const size_t count = usvm_types(types);
    for (cl_uint type = 0; type < count; type++) {
        char *at = usvm_alloc(type, SIZE);
        const cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE;
        random_fill(data, SIZE);
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, at, data, SIZE, 0, NULL, NULL));
        if (types[type] & CAN(HOST_MAP)) {
            CHECK_OK(clEnqueueSVMMap(cl.queue, CL_TRUE, flags, at + 3, SIZE - 3, 0, NULL, NULL));
            CHECK(!memcmp(at + 3, data + 3, SIZE - 3));
            at[SIZE - 1] ^= 0x55;
            data[SIZE - 1] ^= 0x55;
            CHECK_OK(clEnqueueSVMUnmap(cl.queue, at + 3, 0, NULL, NULL));
        } else {
            FAILS(CL_INVALID_VALUE,
                  clEnqueueSVMMap(cl.queue, CL_TRUE, flags, at + 3, SIZE - 3, 0, NULL, NULL));
            FAILS(CL_INVALID_VALUE, clEnqueueSVMUnmap(cl.queue, at + 3, 0, NULL, NULL));
        }
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, at, SIZE, 0, NULL, NULL));
        CHECK(!memcmp(back, data, SIZE));
        usvm_release(at);
    }
}

/* ---- suggestions ----------------------------------------------------------------------------- */

static cl_uint suggested(cl_svm_capabilities_khr required, cl_svm_capabilities_khr desired,
                         size_t size)
{
    const cl_svm_alloc_properties_khr all[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                               (cl_svm_alloc_properties_khr)cl.device,
                                               CL_SVM_ALLOC_ALIGNMENT_KHR,
                                               32,
                                               CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                               0,
                                               0};
    cl_uint type = 12345, with_device = 12345;
    CHECK_OK(usvm.suggest(cl.context, required, desired, NULL, size, &type));
    CHECK_OK(usvm.suggest(cl.context, required, desired, all, size, &with_device));
    CHECK_EQ(type, with_device);
    return type;
}

static void suggestions(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES], any = 0;
    const size_t count = usvm_types(types);
    for (cl_uint i = 0; i < count; i++) {
        any |= types[i];
        CHECK_EQ(suggested(types[i], 0, 0), i);
        CHECK_EQ(suggested(types[i], ~(cl_svm_capabilities_khr)0, SIZE) < count, 1);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        const cl_svm_capabilities_khr one = (cl_svm_capabilities_khr)1 << bit;
        const cl_uint type = suggested(one, 0, 16 * 1024);
        CHECK(any & one ? type < count && types[type] & one : type == CL_UINT_MAX);
    }
    CHECK_EQ(suggested(CAN(DEVICE_OWNED) | CAN(HOST_OWNED), 0, 0), CL_UINT_MAX);
    CHECK_EQ(suggested(both_ways, 0, SIZE_MAX), CL_UINT_MAX);
    CHECK_EQ(suggested(both_ways, 0, device_size(CL_DEVICE_MAX_MEM_ALLOC_SIZE)) < count, 1);
    if (!is_sluice())
        return;
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR, 0, 0), COARSE);
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR, 0, 0), FINE);
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_DEVICE_KHR, 0, 0), DEVICE);
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_HOST_KHR, 0, 0), HOST);
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR, 0, 0), SHARED);
    CHECK_EQ(suggested(CL_SVM_TYPE_MACRO_SYSTEM_KHR, 0, 0), SYSTEM);
    CHECK_EQ(suggested(both_ways, CAN(DEVICE_OWNED), 0), DEVICE);
    CHECK_EQ(suggested(both_ways | on_host, CAN(HOST_OWNED), 0), HOST);
    CHECK_EQ(suggested(on_host, CAN(HOST_MAP) | CAN(SYSTEM_ALLOCATED), 0), SYSTEM);
    CHECK_EQ(suggested(both_ways, (cl_svm_capabilities_khr)1 << 40, 0), COARSE);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char *const walk_source = "struct node { global struct node *next; uint number; };\n"
                                       "kernel void walk(global struct node *node, uint add)\n"
                                       "{\n"
                                       "    for (; node; node = node->next)\n"
                                       "        node->number = node->number * 3 + add;\n"
                                       "}\n";

struct node {
    struct node *next;
    cl_uint number;
};

/* A list whose nodes lie in memory of every type; the kernel knows the first one. */
static void indirect(void)
{
    usvm_need();
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    const size_t count = usvm_types(types);
    struct node *nodes[4 * USVM_MOST_TYPES + 1] = {0};
    const cl_uint many = (cl_uint)(4 * count), add = 17;
    const size_t one = 1;
    const cl_bool on = CL_TRUE, off = CL_FALSE;
    cl_kernel kernel = new_kernel(walk_source, "walk", NULL);
    for (cl_uint i = 0; i < many; i++)
        nodes[i] = usvm_alloc(i % (cl_uint)count, sizeof *nodes[i]);
    for (cl_uint i = 0; i < many; i++) {
        const struct node node = {nodes[i + 1], i * i};
        write_to(nodes[i], &node, sizeof node, types[i % count]);
    }
    CHECK_OK(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof on, &on));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, nodes[0]));
    ARG(kernel, 1, add);
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    for (cl_uint i = 0; i < many; i++) {
        struct node got;
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, &got, nodes[i], sizeof got, 0, NULL, NULL));
        CHECK_EQ(got.number, i * i * 3 + add);
        CHECK(got.next == nodes[i + 1]);
        usvm_release(nodes[i]);
    }
    CHECK_OK(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof off, &off));
    RELEASE_KERNEL(kernel);
}

/* Any pointer is good as long as nobody follows it. */
static void unused_pointers(void)
{
    usvm_need();
    cl_kernel kernel = new_kernel("kernel void keep(global const int *x, global ulong *y)\n"
                                  "{ *y = (ulong)x; }",
                                  "keep", NULL);
    cl_ulong *result = usvm_alloc(usvm_type(CL_SVM_TYPE_MACRO_HOST_KHR), sizeof *result);
    const void *const pointers[] = {NULL, (const void *)(uintptr_t)0xdeadbeef, result + 1, data};
    const size_t one = 1;
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, result));
    for (size_t i = 0; i < LEN(pointers); i++) {
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, pointers[i]));
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        CHECK(*result == (uintptr_t)pointers[i]);
    }
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    usvm_release(result);
    RELEASE_KERNEL(kernel);
}

/* ---- two devices, and parts of one ----------------------------------------------------------- */

/* Memory of each device of a context, used by the other one. */
static void check_pair(cl_device_id a, cl_device_id b)
{
    const cl_device_id devices[] = {a, b};
    cl_int rc, sums[SIZE], inputs[2][SIZE];
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&sum_source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 2, devices, "", NULL, NULL));
    const cl_uint type = usvm_type(CL_SVM_TYPE_MACRO_DEVICE_KHR | CAN(CONTEXT_ACCESS));
    for (int i = 0; i < 2; i++) {
        const size_t global = SIZE;
        const cl_svm_alloc_properties_khr his[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                   (cl_svm_alloc_properties_khr)devices[i], 0};
        cl_command_queue queue = clCreateCommandQueue(context, devices[!i], 0, &rc);
        REQUIRE_OK(rc);
        cl_kernel kernel = kernel_of(program, "sum");
        for (cl_uint n = 0; n < 3; n++) {
            void *at = usvm.alloc(context, his, type, sizeof sums, &rc);
            REQUIRE_OK(rc);
            struct facts want = {
                .type = type, .base = at, .size = sizeof sums, .device = devices[i]};
            REQUIRE_OK(usvm.info(context, devices[!i], at, CL_SVM_INFO_CAPABILITIES_KHR,
                                 sizeof want.capabilities, &want.capabilities, NULL));
            CHECK(want.capabilities & CAN(CONTEXT_ACCESS));
            check_facts(context, NULL, at, &want);
            CHECK_OK(clSetKernelArgSVMPointer(kernel, n, at));
            if (n < 2) {
                random_fill(inputs[n], sizeof inputs[n]);
                for (int k = 0; k < SIZE; k++)
                    inputs[n][k] &= 0xffff;
                CHECK_OK(
                    clEnqueueSVMMemcpy(queue, CL_TRUE, at, inputs[n], sizeof sums, 0, NULL, NULL));
                continue;
            }
            CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
            CHECK_OK(clEnqueueSVMMemcpy(queue, CL_TRUE, sums, at, sizeof sums, 0, NULL, NULL));
            check_sums(sums, inputs[0], inputs[1], SIZE);
        }
        RELEASE_KERNEL(kernel);
        RELEASE_QUEUE(queue);
    }
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(context); /* and all that memory */
}

static void two_devices(void)
{
    usvm_need();
    cl_device_id list[16];
    cl_uint count = 0, tried = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    for (cl_uint i = 0; i < count && i < LEN(list); i++) {
        size_t bytes = 0;
        if (list[i] == cl.device ||
            clGetDeviceInfo(list[i], CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, 0, NULL, &bytes))
            continue;
        check_pair(cl.device, list[i]);
        tried++;
    }
    if (!tried)
        check_skip("there is no other device");
}

static void parts_of_a_device(void)
{
    usvm_need();
    const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0;
    if (clCreateSubDevices(cl.device, halves, LEN(parts), parts, &count) || count < 2)
        check_skip("the device has no parts");
    check_pair(parts[0], parts[1]);
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
}

static const struct test_case cases[] = {
    CASE(reported),      CASE(version),           CASE(info),     CASE(properties),
    CASE(beside_others), CASE(allocations),       CASE(no_bytes), CASE(leftovers),
    CASE(maps),          CASE(suggestions),       CASE(indirect), CASE(unused_pointers),
    CASE(two_devices),   CASE(parts_of_a_device),
};
TEST_MAIN("unified_svm", cases)
