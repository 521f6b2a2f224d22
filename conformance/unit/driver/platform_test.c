/* SPDX-License-Identifier: Apache-2.0 */
/* Devices by type, sub-devices, contexts and samplers: results, error codes, threads, fork. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/api.h"
#include "base/query/info.h"
#include "base/thread/fork.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/registry.h"
#include "two_devices.h"

static int reset(void **state)
{
    (void)state;
    fake_starts = fake_stops = fake_start_result = 0;
    return 0;
}

/* ---- devices --------------------------------------------------------------------------------- */

static void test_platform_ids(void **state)
{
    (void)state;
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    assert_int_equal(sl_clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetPlatformIDs(0, &platform, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetPlatformIDs(5, &platform, &count), CL_SUCCESS);
    assert_true(count == 1 && platform == sl_platform());
}

/* In a child: the log reads its settings once. */
static void name_no_device(int log)
{
    struct sl_device_list list;
    char text[1024];
    dup2(log, STDERR_FILENO);
    setenv("SLUICE_LOG", "device:warn", 1);
    unsetenv("SLUICE_LOG_FILE");
    setenv("SLUICE_DEVICES", "abacus,cp", 1);
    sl_registry_open(&list);
    ssize_t bytes = pread(log, text, sizeof text - 1, 0);
    text[bytes < 0 ? 0 : bytes] = '\0';
    bool told = strstr(text, "warn setting: SLUICE_DEVICES=abacus,cp ") != NULL;
    _exit(told && !list.count ? 0 : 1);
}

static void test_no_device_is_told(void **state)
{
    (void)state;
    int status;
    FILE *log = tmpfile();
    assert_non_null(log);
    pid_t child = fork();
    if (!child)
        name_no_device(fileno(log));
    assert_int_equal(waitpid(child, &status, 0), child);
    fclose(log);
    assert_int_equal(status, 0);
}

static void test_devices_by_type(void **state)
{
    (void)state;
    const struct {
        cl_device_type type;
        cl_int rc;
        cl_uint count;
        int first;
    } cases[] = {
        {CL_DEVICE_TYPE_ALL, CL_SUCCESS, 2, FAKE_CPU},
        {CL_DEVICE_TYPE_DEFAULT, CL_SUCCESS, 1, FAKE_CPU},
        {CL_DEVICE_TYPE_CPU, CL_SUCCESS, 1, FAKE_CPU},
        {CL_DEVICE_TYPE_ACCELERATOR, CL_SUCCESS, 1, FAKE_FPGA},
        {CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR, CL_SUCCESS, 2, FAKE_CPU},
        {CL_DEVICE_TYPE_GPU, CL_DEVICE_NOT_FOUND, 0, 0},
        {CL_DEVICE_TYPE_CUSTOM, CL_DEVICE_NOT_FOUND, 0, 0},
        {0, CL_INVALID_DEVICE_TYPE, 0, 0},
        {1 << 10, CL_INVALID_DEVICE_TYPE, 0, 0},
    };
    for (size_t i = 0; i < SL_LEN(cases); i++) {
        cl_device_id found[4] = {0};
        cl_uint count = 0;
        cl_int rc = sl_clGetDeviceIDs(sl_platform(), cases[i].type, 4, found, &count);
        assert_int_equal(rc, cases[i].rc);
        assert_int_equal(count, cases[i].count);
        if (count)
            assert_ptr_equal(found[0], fake_device(cases[i].first));
    }
    cl_device_id one[2] = {0};
    assert_int_equal(sl_clGetDeviceIDs(sl_platform(), CL_DEVICE_TYPE_ALL, 1, one, NULL),
                     CL_SUCCESS);
    assert_null(one[1]);
    assert_int_equal(sl_clGetDeviceIDs(sl_platform(), CL_DEVICE_TYPE_ALL, 0, one, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clGetDeviceIDs(sl_platform(), CL_DEVICE_TYPE_ALL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(
        sl_clGetDeviceIDs((cl_platform_id)(void *)one[0], CL_DEVICE_TYPE_ALL, 1, one, NULL),
        CL_INVALID_PLATFORM);
}

static void test_root_devices_are_not_counted(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_CPU);
    cl_uint refs = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(sl_clReleaseDevice(device), CL_SUCCESS);
    assert_int_equal(sl_clRetainDevice(device), CL_SUCCESS);
    sl_clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof refs, &refs, NULL);
    assert_int_equal(refs, 1);
    assert_int_equal(sl_clRetainDevice(NULL), CL_INVALID_DEVICE);
}

static cl_uint units_of(cl_device_id device)
{
    cl_uint units = 0;
    sl_clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    return units;
}

static void check_partition(const cl_device_partition_property *list, size_t entries,
                            cl_uint expected, const cl_uint *units)
{
    cl_device_id parts[4], cpu = fake_device(FAKE_CPU);
    cl_device_partition_property how[16];
    cl_uint count = 0;
    size_t bytes = 0;
    assert_int_equal(sl_clCreateSubDevices(cpu, list, 0, NULL, &count), CL_SUCCESS);
    assert_int_equal(count, expected);
    assert_int_equal(sl_clCreateSubDevices(cpu, list, 4, parts, NULL), CL_SUCCESS);
    for (cl_uint i = 0; i < expected; i++) {
        cl_device_id parent = NULL;
        assert_int_equal(units_of(parts[i]), units[i]);
        sl_clGetDeviceInfo(parts[i], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL);
        assert_ptr_equal(parent, cpu);
        sl_clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_TYPE, sizeof how, how, &bytes);
        assert_int_equal(bytes, entries * sizeof *how);
        assert_memory_equal(how, list, bytes);
        assert_int_equal(sl_clReleaseDevice(parts[i]), CL_SUCCESS);
        assert_int_equal(sl_clReleaseDevice(parts[i]), CL_INVALID_DEVICE);
    }
}

static void test_sub_devices(void **state)
{
    (void)state;
    size_t before = sl_object_count();
    check_partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, 2, 0}, 3, 2,
                    (cl_uint[]){2, 2});
    check_partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, 3, 0}, 3, 1,
                    (cl_uint[]){3});
    check_partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_COUNTS, 1, 3,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0},
                    5, 2, (cl_uint[]){1, 3});
    check_partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                     CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0},
                    3, 2, (cl_uint[]){2, 2});
    check_partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                     CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 0},
                    3, 2, (cl_uint[]){1, 3});
    assert_int_equal(sl_object_count(), before);
}

static cl_device_affinity_domain domains_of(cl_device_id device)
{
    cl_device_affinity_domain domains = 99;
    sl_clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, NULL);
    return domains;
}

static bool partitions_by_domain(cl_device_id device)
{
    cl_device_partition_property list[4] = {0};
    size_t bytes = 0;
    sl_clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof list, list, &bytes);
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        if (list[i] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
            return true;
    return false;
}

/* Memories first, then caches; what does not divide the units is passed over. */
static void test_next_partitionable(void **state)
{
    (void)state;
    const cl_device_partition_property next[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                 CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0},
                                       l1[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                               CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 0},
                                       single[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_partition_property how[3] = {0};
    cl_device_id nodes[2], caches[2], cpu = fake_device(FAKE_CPU);
    assert_int_equal(domains_of(cpu), CL_DEVICE_AFFINITY_DOMAIN_NUMA |
                                          CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                                          CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
    assert_true(partitions_by_domain(cpu));
    assert_int_equal(domains_of(fake_device(FAKE_FPGA)), 0);
    assert_false(partitions_by_domain(fake_device(FAKE_FPGA)));
    assert_false(cpu->bound);
    assert_int_equal(sl_clCreateSubDevices(cpu, next, 2, nodes, NULL), CL_SUCCESS);
    sl_clGetDeviceInfo(nodes[0], CL_DEVICE_PARTITION_TYPE, sizeof how, how, NULL);
    assert_int_equal(how[1], CL_DEVICE_AFFINITY_DOMAIN_NUMA);
    assert_true(nodes[0]->bound && nodes[1]->bound);
    /* the first memory's units have two caches, the second's share one */
    assert_int_equal(domains_of(nodes[0]), CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE |
                                               CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
    assert_int_equal(domains_of(nodes[1]), 0);
    assert_false(partitions_by_domain(nodes[1]));
    assert_int_equal(sl_clCreateSubDevices(nodes[1], next, 2, caches, NULL),
                     CL_DEVICE_PARTITION_FAILED);
    assert_int_equal(sl_clCreateSubDevices(nodes[1], l1, 2, caches, NULL),
                     CL_DEVICE_PARTITION_FAILED);
    assert_int_equal(sl_clCreateSubDevices(nodes[0], next, 2, caches, NULL), CL_SUCCESS);
    sl_clGetDeviceInfo(caches[1], CL_DEVICE_PARTITION_TYPE, sizeof how, how, NULL);
    assert_int_equal(how[1], CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE);
    assert_int_equal(caches[1]->unit_list[0], 1);
    assert_int_equal(sl_clCreateSubDevices(caches[1], next, 2, nodes, NULL),
                     CL_DEVICE_PARTITION_FAILED);
    assert_int_equal(sl_clCreateSubDevices(caches[1], single, 2, nodes, NULL),
                     CL_DEVICE_PARTITION_FAILED);
    sl_clReleaseDevice(caches[0]);
    sl_clReleaseDevice(caches[1]);
    /* what is cut from a domain stays in it */
    assert_int_equal(sl_clCreateSubDevices(nodes[1], single, 2, caches, NULL), CL_SUCCESS);
    assert_true(caches[0]->bound);
    assert_int_equal(sl_device_features(caches[0]), fake_device(FAKE_CPU)->impl->caps.features &
                                                        ~(uint32_t)SL_FEATURE_CALLER_RUNS);
    for (int i = 0; i < 2; i++) {
        sl_clReleaseDevice(caches[i]);
        sl_clReleaseDevice(nodes[i]);
    }
}

static void test_sub_device_units(void **state)
{
    (void)state;
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 2, 0, 0};
    const cl_device_partition_property single[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[2], inner[2];
    assert_int_equal(sl_clCreateSubDevices(fake_device(FAKE_CPU), counts, 2, parts, NULL),
                     CL_SUCCESS);
    assert_int_equal(parts[1]->unit_list[0], 1);
    assert_int_equal(sl_clCreateSubDevices(parts[1], single, 2, inner, NULL), CL_SUCCESS);
    assert_int_equal(inner[1]->unit_list[0], 2);
    assert_ptr_equal(inner[1]->root, fake_device(FAKE_CPU));
    /* The parent stays as long as its parts, and can be had from them. */
    cl_device_id parent;
    assert_int_equal(sl_clReleaseDevice(parts[1]), CL_SUCCESS);
    assert_int_equal(sl_clRetainDevice(parts[1]), CL_INVALID_DEVICE);
    sl_clGetDeviceInfo(inner[0], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL);
    assert_ptr_equal(parent, parts[1]);
    assert_int_equal(units_of(parent), 2);
    sl_clReleaseDevice(inner[0]);
    sl_clReleaseDevice(inner[1]);
    assert_false(sl_valid(parts[1], &sl_device_type));
    sl_clReleaseDevice(parts[0]);
}

static void test_sub_device_errors(void **state)
{
    (void)state;
    const struct {
        cl_device_partition_property list[6];
        int device;
        cl_int rc;
    } cases[] = {
        {{0}, FAKE_CPU, CL_INVALID_VALUE},
        {{0x9999, 1}, FAKE_CPU, CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_EQUALLY, 2, 1}, FAKE_CPU, CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_EQUALLY, 5}, FAKE_CPU, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{CL_DEVICE_PARTITION_EQUALLY, 4}, FAKE_CPU, CL_DEVICE_PARTITION_FAILED},
        {{CL_DEVICE_PARTITION_EQUALLY, 1}, FAKE_FPGA, CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_BY_COUNTS, 3, 2}, FAKE_CPU, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{CL_DEVICE_PARTITION_BY_COUNTS, -1}, FAKE_CPU, CL_INVALID_DEVICE_PARTITION_COUNT},
        {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE},
         FAKE_CPU,
         CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE},
         FAKE_CPU,
         CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
          CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE},
         FAKE_CPU,
         CL_INVALID_VALUE},
        {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0}, FAKE_CPU, CL_INVALID_VALUE},
    };
    cl_device_id parts[4];
    for (size_t i = 0; i < SL_LEN(cases); i++)
        assert_int_equal(
            sl_clCreateSubDevices(fake_device(cases[i].device), cases[i].list, 4, parts, NULL),
            cases[i].rc);
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    assert_int_equal(sl_clCreateSubDevices(NULL, equally, 4, parts, NULL), CL_INVALID_DEVICE);
    assert_int_equal(sl_clCreateSubDevices(fake_device(FAKE_CPU), NULL, 4, parts, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clCreateSubDevices(fake_device(FAKE_CPU), equally, 3, parts, NULL),
                     CL_INVALID_VALUE);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static cl_context one_context(void)
{
    cl_device_id device = fake_device(FAKE_CPU);
    cl_int rc = 1;
    cl_context context = sl_clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_non_null(context);
    return context;
}

static void test_threads_come_and_go(void **state)
{
    (void)state;
    size_t before = sl_object_count();
    cl_context one = one_context(), two = one_context();
    assert_true(fake_starts == 1 && fake_stops == 0);
    assert_int_equal(sl_clRetainContext(one), CL_SUCCESS);
    assert_int_equal(sl_clReleaseContext(one), CL_SUCCESS);
    assert_int_equal(sl_clReleaseContext(one), CL_SUCCESS);
    assert_int_equal(sl_clReleaseContext(one), CL_INVALID_CONTEXT);
    assert_int_equal(fake_stops, 0);
    assert_int_equal(sl_clReleaseContext(two), CL_SUCCESS);
    assert_true(fake_starts == 1 && fake_stops == 1);
    assert_int_equal(sl_clReleaseContext(one_context()), CL_SUCCESS);
    assert_true(fake_starts == 2 && fake_stops == 2);
    assert_int_equal(sl_object_count(), before);
}

static void test_device_that_does_not_start(void **state)
{
    (void)state;
    size_t before = sl_object_count();
    cl_device_id both[] = {fake_device(FAKE_FPGA), fake_device(FAKE_CPU)};
    cl_int rc = 0;
    fake_start_result = CL_OUT_OF_RESOURCES;
    assert_null(sl_clCreateContext(NULL, 2, both, NULL, NULL, &rc));
    assert_int_equal(rc, CL_OUT_OF_RESOURCES);
    assert_int_equal(sl_object_count(), before);
    fake_start_result = 0;
    assert_int_equal(sl_clReleaseContext(one_context()), CL_SUCCESS);
}

static void test_context_errors(void **state)
{
    (void)state;
    cl_device_id device = fake_device(FAKE_CPU), bad = NULL;
    const cl_context_properties platform = (cl_context_properties)sl_platform();
    const struct {
        cl_context_properties list[6];
        cl_int rc;
    } cases[] = {
        {{CL_CONTEXT_PLATFORM, 0, 0}, CL_INVALID_PLATFORM},
        {{CL_CONTEXT_PLATFORM, (cl_context_properties)device, 0}, CL_INVALID_PLATFORM},
        {{0x4242, 1, 0}, CL_INVALID_PROPERTY},
        {{CL_CONTEXT_INTEROP_USER_SYNC, 7, 0}, CL_INVALID_PROPERTY},
        {{CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0}, CL_INVALID_PROPERTY},
    };
    cl_int rc;
    for (size_t i = 0; i < SL_LEN(cases); i++) {
        assert_null(sl_clCreateContext(cases[i].list, 1, &device, NULL, NULL, &rc));
        assert_int_equal(rc, cases[i].rc);
        assert_null(sl_clCreateContextFromType(cases[i].list, CL_DEVICE_TYPE_CPU, NULL, NULL, &rc));
        assert_int_equal(rc, cases[i].rc);
    }
    assert_null(sl_clCreateContext(NULL, 0, &device, NULL, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateContext(NULL, 1, NULL, NULL, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateContext(NULL, 1, &device, NULL, &rc, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateContext(NULL, 1, &bad, NULL, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_DEVICE);
    assert_null(sl_clCreateContextFromType(NULL, 0, NULL, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_DEVICE_TYPE);
    assert_null(sl_clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &rc));
    assert_int_equal(rc, CL_DEVICE_NOT_FOUND);
}

static void test_context_queries(void **state)
{
    (void)state;
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)sl_platform(),
                                          CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    cl_device_id twice[] = {fake_device(FAKE_CPU), fake_device(FAKE_CPU)}, devices[4];
    cl_context_properties back[8];
    cl_uint number = 0;
    size_t bytes = 0;
    cl_context context = sl_clCreateContext(list, 2, twice, NULL, NULL, NULL);
    sl_clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof number, &number, NULL);
    assert_int_equal(number, 1);
    sl_clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes);
    assert_true(bytes == sizeof *devices && devices[0] == twice[0]);
    sl_clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof back, back, &bytes);
    assert_int_equal(bytes, sizeof list);
    assert_memory_equal(back, list, bytes);
    sl_clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof number, &number, NULL);
    assert_int_equal(number, 1);
    sl_clReleaseContext(context);
    assert_int_equal(sl_clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, 4, &number, NULL),
                     CL_INVALID_CONTEXT);
    context = one_context();
    sl_clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof back, back, &bytes);
    assert_int_equal(bytes, 0);
    sl_clReleaseContext(context);
}

static char farewells[8];

static void CL_CALLBACK say(cl_context context, void *user_data)
{
    (void)context;
    strcat(farewells, user_data);
}

static void test_destructor_callbacks(void **state)
{
    (void)state;
    cl_context context = one_context();
    assert_int_equal(sl_clSetContextDestructorCallback(context, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clSetContextDestructorCallback(NULL, say, "x"), CL_INVALID_CONTEXT);
    assert_int_equal(sl_clSetContextDestructorCallback(context, say, "1"), CL_SUCCESS);
    assert_int_equal(sl_clSetContextDestructorCallback(context, say, "2"), CL_SUCCESS);
    assert_string_equal(farewells, "");
    sl_clReleaseContext(context); /* the last context: nothing is left to be called afterwards */
    assert_string_equal(farewells, "21");
}

static void CL_CALLBACK hear(const char *what, const void *info, size_t bytes, void *user_data)
{
    (void)info;
    (void)bytes;
    strcpy(user_data, what);
}

static void test_notification(void **state)
{
    (void)state;
    char heard[64] = "";
    cl_device_id device = fake_device(FAKE_CPU);
    cl_context context = sl_clCreateContext(NULL, 1, &device, hear, heard, NULL);
    sl_context_notify(context, "%d is wrong", 7);
    sl_clReleaseContext(context);
    assert_string_equal(heard, "7 is wrong");
}

static int in_child(void (*body)(cl_context), cl_context context)
{
    pid_t child = fork();
    if (!child) {
        alarm(10);
        body(context);
        _exit(1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void child_with_threads(cl_context context)
{
    cl_device_id device = fake_device(FAKE_CPU);
    cl_int rc = 0;
    bool refused = !sl_clCreateContext(NULL, 1, &device, NULL, NULL, &rc) &&
                   rc == CL_DEVICE_NOT_AVAILABLE && sl_forked();
    /* Releasing what the parent made returns at once and stops nothing. */
    bool released = sl_clReleaseContext(context) == CL_SUCCESS && fake_stops == 0;
    _exit(refused && released ? 0 : 1);
}

static void child_without_threads(cl_context context)
{
    (void)context;
    cl_device_id device = fake_device(FAKE_CPU);
    cl_int rc = 1;
    cl_context own = sl_clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    _exit(rc || sl_clReleaseContext(own) ? 1 : 0);
}

static void test_fork(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); /* it counts the parent's threads as leaks of the child */
#endif
    cl_context context = one_context();
    assert_int_equal(in_child(child_with_threads, context), 0);
    assert_false(sl_forked());
    assert_int_equal(sl_clReleaseContext(context), CL_SUCCESS);
    assert_int_equal(in_child(child_without_threads, NULL), 0);
}

/* ---- samplers -------------------------------------------------------------------------------- */

static void test_samplers(void **state)
{
    (void)state;
    cl_context context = one_context();
    const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler_properties back[8];
    cl_addressing_mode addressing = 0;
    size_t bytes = 0;
    cl_int rc = 1;
    cl_sampler sampler = sl_clCreateSamplerWithProperties(context, list, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    sl_clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing, NULL);
    assert_int_equal(addressing, CL_ADDRESS_CLAMP);
    sl_clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof back, back, &bytes);
    assert_int_equal(bytes, sizeof list);
    assert_memory_equal(back, list, bytes);
    assert_int_equal(sl_clReleaseSampler(sampler), CL_SUCCESS);
    assert_null(sl_clCreateSamplerWithProperties(context, twice, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    sampler = sl_clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    sl_clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &bytes);
    assert_int_equal(bytes, 0);
    assert_int_equal(sl_clReleaseSampler(sampler), CL_SUCCESS);
    assert_int_equal(sl_clReleaseSampler(sampler), CL_INVALID_SAMPLER);
    assert_null(sl_clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateSampler(context, CL_TRUE, 1, CL_FILTER_NEAREST, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &rc));
    assert_int_equal(rc, CL_INVALID_CONTEXT);
    sl_clReleaseContext(context);
}

static void test_samplers_need_images(void **state)
{
    (void)state;
    cl_device_id fpga = fake_device(FAKE_FPGA);
    cl_context context = sl_clCreateContext(NULL, 1, &fpga, NULL, NULL, NULL);
    cl_int rc = 0;
    assert_null(sl_clCreateSampler(context, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &rc));
    assert_int_equal(rc, CL_INVALID_OPERATION);
    sl_clReleaseContext(context);
}

static void test_timers(void **state)
{
    (void)state;
    cl_ulong host = 0, device = 0, both = 0;
    cl_device_id cpu = fake_device(FAKE_CPU);
    assert_int_equal(sl_clGetHostTimer(cpu, &host), CL_SUCCESS);
    assert_int_equal(sl_clGetDeviceAndHostTimer(cpu, &device, &both), CL_SUCCESS);
    assert_true(host && both >= host && device == both);
    assert_int_equal(sl_clGetHostTimer(NULL, &host), CL_INVALID_DEVICE);
    assert_int_equal(sl_clGetHostTimer(cpu, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetDeviceAndHostTimer(cpu, NULL, &both), CL_INVALID_VALUE);
}

/* A device that lacks a call is left out; a table that is short is filled up with NULL. */
static void test_tables(void **state)
{
    (void)state;
    assert_int_equal(sl_platform()->device_count, 2);
    assert_non_null(fake_device(FAKE_FPGA)->impl->ops->submit);
    assert_null(fake_device(FAKE_FPGA)->impl->ops->flush);
    assert_int_equal(fake_device(FAKE_FPGA)->impl->ops->size, sizeof(struct sl_device_ops));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_no_device_is_told,
                               reset), /* before the log reads its settings */
        cmocka_unit_test(test_tables),
        cmocka_unit_test_setup(test_platform_ids, reset),
        cmocka_unit_test_setup(test_devices_by_type, reset),
        cmocka_unit_test_setup(test_root_devices_are_not_counted, reset),
        cmocka_unit_test_setup(test_sub_devices, reset),
        cmocka_unit_test_setup(test_sub_device_units, reset),
        cmocka_unit_test_setup(test_sub_device_errors, reset),
        cmocka_unit_test_setup(test_next_partitionable, reset),
        cmocka_unit_test_setup(test_threads_come_and_go, reset),
        cmocka_unit_test_setup(test_device_that_does_not_start, reset),
        cmocka_unit_test_setup(test_context_errors, reset),
        cmocka_unit_test_setup(test_context_queries, reset),
        cmocka_unit_test_setup(test_destructor_callbacks, reset),
        cmocka_unit_test_setup(test_notification, reset),
        cmocka_unit_test_setup(test_fork, reset),
        cmocka_unit_test_setup(test_samplers, reset),
        cmocka_unit_test_setup(test_samplers_need_images, reset),
        cmocka_unit_test_setup(test_timers, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
