/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources that are nearly OpenCL C, for both devices: a build ends, with code or with a log, and
 * the next one works. Kernels are not run. A compiler process that dies fails its build only; its
 * source goes to SLUICE_TEST_CRASH_FOLDER, because it should not have died. One thread; no lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "object.h"
#include "source_text.h"

static cl_context contexts[2];
static cl_device_id devices[2];
static unsigned long crashes, builds, good;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const cl_device_type types[2] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR};
    cl_platform_id platform;
    cl_uint count;
    cl_int rc;
    (void)argc, (void)argv;
    setenv("SLUICE_LOG_FILE", "/dev/null", 0);
    setenv("SLUICE_CACHE", "0", 0);
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

static void check_log(cl_program program, cl_device_id device, cl_int rc, const char *text)
{
    static char log[1 << 16];
    size_t bytes = 0;
    if (sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, &bytes))
        strcpy(log, "long");
    if (rc != CL_BUILD_PROGRAM_FAILURE || !log[0]) {
        fprintf(stderr, "a build answers %d with the log \"%s\":\n%s\n", rc, log, text);
        abort();
    }
    if (strstr(log, "crashed") || strstr(log, "killed"))
        keep(text, log);
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
    rc = sl_clBuildProgram(program, 0, NULL, source_option(data[0]), NULL, NULL);
    builds++;
    good += !rc;
    if (rc)
        check_log(program, devices[which], rc, text);
    if (getenv("SLUICE_TEST_FUZZ_FIGURES") && builds % 100 == 0)
        printf("%lu builds, %lu with code, %lu died\n", builds, good, crashes);
    sl_clReleaseProgram(program);
    free(text);
    return 0;
}
