/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources that are nearly OpenCL C, for both devices: a build ends in time, with code or with a
 * log, and the next one works. Kernels are made and asked about, not run. A compiler process that
 * dies fails its build only; its source goes to SLUICE_TEST_CRASH_FOLDER, because it should not
 * have died. One thread; no lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/api.h"
#include "base/object/object.h"
#include "source_text.h"

#define SLACK_S 15 /* of a build that reached its limit, on a machine that is busy */

static cl_context contexts[2];
static cl_device_id devices[2];
static unsigned long crashes, late, builds, good;
static double longest_s;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const cl_device_type types[2] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR};
    cl_platform_id platform;
    cl_uint count;
    cl_int rc;
    (void)argc, (void)argv;
    setenv("SLUICE_LOG_FILE", "/dev/null", 0);
    setenv("SLUICE_CACHE", "0", 0);
    setenv("SLUICE_COMPILE_TIMEOUT", "60", 0);
#ifdef FUZZ_GUIDED
    setenv("SLUICE_COMPILE_MEMORY_MB", "0", 0); /* a sanitizer's own are terabytes */
#endif
    if (sl_clGetPlatformIDs(1, &platform, &count))
        return 1;
    for (int i = 0; i < 2; i++) {
        if (sl_clGetDeviceIDs(platform, types[i], 1, &devices[i], NULL))
            return 1;
        contexts[i] = sl_clCreateContext(NULL, 1, &devices[i], NULL, NULL, &rc);
        if (!contexts[i])
            return 1;
    }
    return 0;
}

static void keep(const char *text, const char *log)
{
    const char *folder = getenv("SLUICE_TEST_CRASH_FOLDER");
    char path[4096];
    crashes++;
    snprintf(path, sizeof path, "%s/crash%lu.cl", folder ? folder : "", crashes);
    FILE *file = folder ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "/* %s */\n%s", log, text);
    fclose(file);
}

static void refuse(const char *what, cl_int rc, const char *log, const char *text)
{
    fprintf(stderr, "%s: %d with the log \"%s\":\n%s\n", what, rc, log, text);
    abort();
}

/* Whatever became of the compiler process, another build of the same context works. */
static void check_next(int which, const char *text)
{
    const char *source = "kernel void k(global int *a) { a[get_global_id(0)] = 1; }";
    cl_int rc;
    cl_program program = sl_clCreateProgramWithSource(contexts[which], 1, &source, NULL, &rc);
    rc = program ? sl_clBuildProgram(program, 0, NULL, "", NULL, NULL) : rc;
    if (rc)
        refuse("the next build fails", rc, "", text);
    sl_clReleaseProgram(program);
}

/* The driver's own words, at the beginning of a line: a fuzzer finds them and puts them into
 * sources, which logs quote. */
static bool says(const char *log, const char *text)
{
    const size_t bytes = strlen(text);
    for (const char *line = log; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, text, bytes))
            return true;
    }
    return false;
}

static void check_failure(cl_program program, int which, cl_int rc, const char *text)
{
    static char log[1 << 16];
    size_t bytes = 0;
    cl_build_status status = CL_BUILD_NONE;
    if (sl_clGetProgramBuildInfo(program, devices[which], CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                 &bytes))
        strcpy(log, "long");
    sl_clGetProgramBuildInfo(program, devices[which], CL_PROGRAM_BUILD_STATUS, sizeof status,
                             &status, NULL);
    if (rc != CL_BUILD_PROGRAM_FAILURE || status != CL_BUILD_ERROR || !log[0])
        refuse("a failed build", rc, log, text);
    const bool silent = says(log, "the compiler did not finish");
    const bool died = says(log, "error: the compiler crashed") ||
                      says(log, "error: the compiler gave up") ||
                      says(log, "the compiler process ended");
    late += silent;
    if (died)
        keep(text, log);
    if (died || silent)
        check_next(which, text);
}

static void ask_kernel(cl_kernel kernel, cl_device_id device)
{
    static char answer[1 << 16];
    cl_uint count = 0;
    for (cl_uint key = CL_KERNEL_FUNCTION_NAME; key <= CL_KERNEL_ATTRIBUTES; key++)
        sl_clGetKernelInfo(kernel, key, sizeof answer, answer, NULL);
    for (cl_uint key = CL_KERNEL_WORK_GROUP_SIZE; key <= CL_KERNEL_GLOBAL_WORK_SIZE; key++)
        sl_clGetKernelWorkGroupInfo(kernel, device, key, sizeof answer, answer, NULL);
    sl_clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    for (cl_uint i = 0; i < count; i++)
        for (cl_uint key = CL_KERNEL_ARG_ADDRESS_QUALIFIER; key <= CL_KERNEL_ARG_NAME; key++)
            sl_clGetKernelArgInfo(kernel, i, key, sizeof answer, answer, NULL);
}

/* A question for the binary completes code that was put off. */
static void check_code(cl_program program, int which, uint8_t choice, const char *text)
{
    enum { MOST = 64 };
    cl_kernel kernels[MOST];
    cl_uint count = 0;
    size_t bytes = 0;
    cl_int rc = sl_clCreateKernelsInProgram(program, 0, NULL, &count);
    if (rc)
        refuse("kernels cannot be counted", rc, "", text);
    if (count && count <= MOST && !sl_clCreateKernelsInProgram(program, MOST, kernels, NULL))
        for (cl_uint i = 0; i < count; i++) {
            ask_kernel(kernels[i], devices[which]);
            sl_clReleaseKernel(kernels[i]);
        }
    if (!(choice & 1))
        return;
    rc = sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    if (rc || !bytes)
        refuse("a program with code has no binary", rc, "", text);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check_time(double seconds, cl_int rc, const char *text)
{
    longest_s = seconds > longest_s ? seconds : longest_s;
    if (seconds > atof(getenv("SLUICE_COMPILE_TIMEOUT")) + SLACK_S)
        refuse("a build did not end in time", rc, "", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes < 2)
        return 0;
    const int which = source_for_fpga(data[0]);
    char *text = source_spell(data + 1, bytes - 1);
    const char *source = text;
    cl_int rc;
    cl_program program =
        text ? sl_clCreateProgramWithSource(contexts[which], 1, &source, NULL, &rc) : NULL;
    if (!program) {
        free(text);
        return 0;
    }
    double start = now_s();
    rc = sl_clBuildProgram(program, 0, NULL, source_option(data[0]), NULL, NULL);
    check_time(now_s() - start, rc, text);
    builds++;
    good += !rc;
    if (rc)
        check_failure(program, which, rc, text);
    else
        check_code(program, which, data[0], text);
    if (getenv("SLUICE_TEST_FUZZ_FIGURES") && builds % 100 == 0)
        printf("%lu builds, %lu with code, %lu died, %lu too late, the longest %.1f s\n", builds,
               good, crashes, late, longest_s);
    sl_clReleaseProgram(program);
    free(text);
    return 0;
}
