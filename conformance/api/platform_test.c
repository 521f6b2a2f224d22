/* SPDX-License-Identifier: Apache-2.0 */
/* Platform discovery and queries. */
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ids(void)
{
    cl_uint count = 0;
    REQUIRE_OK(clGetPlatformIDs(0, NULL, &count));
    CHECK(count >= 1);
    cl_platform_id one;
    CHECK_OK(clGetPlatformIDs(1, &one, NULL));
    CHECK(one != NULL);
    FAILS(CL_INVALID_VALUE, clGetPlatformIDs(0, &one, NULL));
    FAILS(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL));
}

static void strings(void)
{
    static const cl_platform_info names[] = {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION,
                                             CL_PLATFORM_NAME, CL_PLATFORM_VENDOR,
                                             CL_PLATFORM_EXTENSIONS};
    for (size_t i = 0; i < LEN(names); i++) {
        size_t size = 0, again = 0;
        char text[4096];
        CHECK_OK(clGetPlatformInfo(cl.platform, names[i], 0, NULL, &size));
        REQUIRE(size >= 1 && size <= sizeof text);
        memset(text, '?', sizeof text);
        CHECK_OK(clGetPlatformInfo(cl.platform, names[i], size, text, &again));
        CHECK_EQ(again, size);
        CHECK_EQ(strnlen(text, sizeof text), size - 1);
        FAILS(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, names[i], size - 1, text, NULL));
    }
}

/* Of the application's choice, as long as it is set. */
static void name_as_set(void)
{
    static const char name[] = "Intel(R) FPGA SDK for OpenCL(TM)", *const set =
                                                                       "SLUICE_PLATFORM_NAME";
    char text[64] = "";
    size_t size = 0;
    if (!is_sluice())
        check_skip("a setting of Sluice");
    REQUIRE(!setenv(set, name, 1));
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof text, text, &size));
    CHECK_EQ(size, sizeof name);
    CHECK(!strcmp(text, name));
    REQUIRE(!unsetenv(set));
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, "Sluice"));
}

static void version_text(void)
{
    char text[4096] = "";
    int major, minor;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    CHECK_EQ(sscanf(text, "OpenCL %d.%d ", &major, &minor), 2);
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_PROFILE, sizeof text, text, NULL));
    CHECK(!strcmp(text, "FULL_PROFILE") || !strcmp(text, "EMBEDDED_PROFILE"));
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    CHECK(strstr(text, "cl_khr_icd") != NULL);
}

static void extensions_with_version(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    size_t size = 0;
    cl_version version = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version,
                               NULL));
    CHECK(CL_VERSION_MAJOR(version) >= 3);
    REQUIRE_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, NULL, &size));
    CHECK_EQ(size % sizeof(cl_name_version), 0);
    cl_name_version *list = malloc(size);
    REQUIRE(list);
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, size, list, NULL));
    char text[4096];
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    for (size_t i = 0; i < size / sizeof *list; i++) {
        if (!strstr(text, list[i].name))
            check_fail(__FILE__, __LINE__, "%s is in one list only", list[i].name);
    }
    free(list);
}

static void errors(void)
{
    char text[16];
    FAILS(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, 0x1234, sizeof text, text, NULL));
    FAILS(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, 1, text, NULL));
    WRONG(CL_INVALID_PLATFORM,
          clGetPlatformInfo((cl_platform_id)cl.context, CL_PLATFORM_NAME, sizeof text, text, NULL));
}

static void extension_functions(void)
{
    CHECK(!clGetExtensionFunctionAddressForPlatform(cl.platform, "clNoSuchFunctionSLUICE"));
    CHECK(!clGetExtensionFunctionAddressForPlatform(cl.platform, ""));
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
}

static const struct test_case cases[] = {CASE(ids),
                                         CASE(strings),
                                         CASE(name_as_set),
                                         CASE(version_text),
                                         CASE(extensions_with_version),
                                         CASE(errors),
                                         CASE(extension_functions)};
TEST_MAIN("platform", cases)
