/* SPDX-License-Identifier: Apache-2.0 */
#include "through.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cl_help.h"

static unsigned passed, refused; /* programs */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    fwrite(text, 1, strlen(text), file);
    REQUIRE(!fclose(file));
}

/* The caller owns it. */
static unsigned char *read_bytes(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*bytes + 1);
    REQUIRE(data && fread(data, 1, *bytes, file) == *bytes);
    fclose(file);
    return data;
}

static cl_program program_of(const unsigned char *data, size_t bytes)
{
    static const unsigned char magic[] = {3, 2, 0x23, 7};
    cl_int rc, status = 0;
    bool spirv = bytes > 4 && !memcmp(data, magic, 4);
    char version[256] = "";
    clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL);
    if (spirv && !strstr(version, "SPIR-V"))
        check_skip("the device takes no SPIR-V");
    cl_program program =
        spirv ? clCreateProgramWithIL(cl.context, data, bytes, &rc)
              : clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &data, &status, &rc);
    REQUIRE_OK(rc);
    return program;
}

cl_program program_through(const char *source, const char *options)
{
    const char *command = getenv("SLUICE_TEST_THROUGH");
    char folder[] = "/tmp/through-XXXXXX", from[64], to[64], line[8192];
    if (!command)
        return NULL;
    REQUIRE(mkdtemp(folder));
    snprintf(from, sizeof from, "%s/in.cl", folder);
    snprintf(to, sizeof to, "%s/out", folder);
    snprintf(line, sizeof line, "%s %s %s '%s'", command, from, to, options ? options : "");
    write_text(from, source);
    int status = system(line);
    cl_program program = NULL;
    if (!status) {
        size_t bytes;
        unsigned char *data = read_bytes(to, &bytes);
        program = program_of(data, bytes);
        free(data);
    }
    passed += program != NULL;
    refused += program == NULL;
    unlink(from);
    unlink(to);
    rmdir(folder);
    CHECK(!status || (WIFEXITED(status) && WEXITSTATUS(status) == 77));
    return program;
}

enum through went_through(void)
{
    const char *text = getenv("SLUICE_TEST_THROUGH_PERCENT");
    unsigned all = passed + refused, percent = text ? (unsigned)atoi(text) : 0;
    if (!getenv("SLUICE_TEST_THROUGH"))
        return THROUGH_NOT_ASKED;
    printf("through SLUICE_TEST_THROUGH: %u programs; %u it refused\n", passed, refused);
    if (all && 100 * passed < percent * all) {
        printf("too few: %u of 100 programs must go through\n", percent);
        return THROUGH_TOO_FEW;
    }
    return passed ? THROUGH_SOME : THROUGH_NONE;
}
