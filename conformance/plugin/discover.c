/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads the driver (argument 1), prints what it has, and unloads it. With a second argument "use"
 * it makes and releases a context for all custom devices before; with "nothing" it asks nothing.
 * discovery_test.py runs it.
 */
#include <CL/cl.h>
#include <CL/cl_ext_sluice.h>
#include <CL/cl_icd.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct _cl_icd_dispatch *calls;

typedef void *(*address_fn)(const char *);
typedef cl_int (*platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);
typedef uint32_t (*units_fn)(void *);

static cl_platform_id open_platform(void *library)
{
    cl_platform_id platform = NULL;
    address_fn address = NULL;
    platforms_fn platforms = NULL;
    *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
    if (address)
        *(void **)&platforms = address("clIcdGetPlatformIDsKHR");
    if (!platforms || platforms(1, &platform, NULL))
        return NULL;
    calls = *(const struct _cl_icd_dispatch **)platform;
    return platform;
}

static void print_own(cl_platform_id platform, cl_device_id device)
{
    cl_name_version versions[256];
    size_t bytes = 0;
    units_fn units = NULL;
    calls->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions, versions,
                           &bytes);
    for (size_t i = 0; i < bytes / sizeof *versions; i++)
        if (strstr(versions[i].name, "nobody"))
            printf("extension %s %x\n", versions[i].name, versions[i].version);
    *(void **)&units =
        calls->clGetExtensionFunctionAddressForPlatform(platform, "clCountUnitsNOBODY");
    if (units)
        printf("units %u, of nothing %u\n", units(device), units(platform));
}

static void print_type(cl_platform_id platform, cl_device_type type)
{
    cl_device_id devices[16];
    cl_uint count = 0;
    char name[256] = "", extensions[8192] = "";
    calls->clGetDeviceIDs(platform, type, 16, devices, &count);
    for (cl_uint i = 0; i < count; i++) {
        calls->clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
        calls->clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof extensions, extensions,
                               NULL);
        cl_bool compiler = CL_TRUE;
        calls->clGetDeviceInfo(devices[i], CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler,
                               NULL);
        printf("device %s%s%s\n", name, strstr(extensions, " cl_nobody_units") ? ", own" : "",
               compiler ? "" : ", no compiler");
        print_own(platform, devices[i]);
    }
}

static void print_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *one; tasks && (one = readdir(tasks));)
        count += one->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    printf("threads %d\n", count);
}

static void print_version(cl_platform_id platform)
{
    cl_uint version = 0;
    calls->clGetPlatformInfo(platform, CL_PLATFORM_DEVICE_INTERFACE_VERSION_SLUICE, sizeof version,
                             &version, NULL);
    printf("interface %u\n", version);
}

static void print_devices(cl_platform_id platform)
{
    print_type(platform, CL_DEVICE_TYPE_CUSTOM); /* "all" does not name these */
    print_type(platform, CL_DEVICE_TYPE_ALL);
}

static cl_int build(cl_context context)
{
    const char *text = "kernel void k(void) {}";
    cl_program program = calls->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_int rc = calls->clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    calls->clReleaseProgram(program);
    return rc;
}

static int use(cl_platform_id platform)
{
    cl_device_id devices[16];
    cl_uint count = 0;
    cl_int rc = calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 16, devices, &count);
    cl_context context = rc ? NULL : calls->clCreateContext(NULL, count, devices, NULL, NULL, &rc);
    printf("context %d\n", rc);
    if (context)
        printf("build %d\n", build(context));
    return context ? calls->clReleaseContext(context) : rc;
}

static int print_end(void *library)
{
    int rc = dlclose(library);
    printf("unloaded\n");
    return rc;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library && argc > 2 && !strcmp(argv[2], "nothing"))
        return print_end(library);
    cl_platform_id platform = library ? open_platform(library) : NULL;
    if (!platform) {
        fprintf(stderr, "no platform\n");
        return 1;
    }
    print_version(platform);
    print_devices(platform);
    print_threads();
    int rc = argc > 2 && !strcmp(argv[2], "use") ? use(platform) : 0;
    return print_end(library) || rc;
}
