/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aocl: what makefiles and people ask Intel's utility of that name, answered for the emulated FPGA.
 * The devices are asked for through the OpenCL loader, as any program does. One thread.
 */
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aoc/library.h"
#include "aoc/list.h"
#include "aoc/run.h"
#include "sluice/base/environment.h"

/* ---- devices --------------------------------------------------------------------------------- */

enum { MOST = 16 };

struct loader {
    void *library;
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    cl_int (*device_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);
};

static int find(struct loader *loader, const char *name, void *out, size_t bytes)
{
    void *symbol = dlsym(loader->library, name);
    memcpy(out, &symbol, bytes);
    return symbol ? 0 : -1;
}

static int open_loader(struct loader *loader)
{
    loader->library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loader->library &&
                   !find(loader, "clGetPlatformIDs", &loader->platforms,
                         sizeof loader->platforms) &&
                   !find(loader, "clGetDeviceIDs", &loader->devices, sizeof loader->devices) &&
                   !find(loader, "clGetDeviceInfo", &loader->device_info,
                         sizeof loader->device_info)
               ? 0
               : -1;
}

/* Prints the accelerators of all platforms; how many there are. */
static unsigned print_devices(const struct loader *loader)
{
    cl_platform_id platforms[MOST];
    cl_uint platform_count = 0, found = 0;
    if (loader->platforms(MOST, platforms, &platform_count))
        return 0;
    for (cl_uint p = 0; p < platform_count && p < MOST; p++) {
        cl_device_id devices[MOST];
        cl_uint count = 0;
        if (loader->devices(platforms[p], CL_DEVICE_TYPE_ACCELERATOR, MOST, devices, &count))
            continue;
        for (cl_uint d = 0; d < count && d < MOST; d++) {
            char name[256] = "", version[256] = "";
            loader->device_info(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
            loader->device_info(devices[d], CL_DRIVER_VERSION, sizeof version, version, NULL);
            printf("acl%u  %s, driver %s: passed\n", found++, name, version);
        }
    }
    return found;
}

static int list_devices(char **args)
{
    struct loader loader = {0};
    (void)args;
    if (open_loader(&loader)) {
        fprintf(stderr, "aocl: the OpenCL loader (libOpenCL.so.1) cannot be opened: %s\n",
                dlerror());
        return 1;
    }
    if (print_devices(&loader))
        return 0;
    fputs("aocl: the OpenCL loader finds no accelerator; is sluice.icd among its vendors?\n",
          stderr);
    return 1;
}

static int diagnose(char **args)
{
    if (args[0] && !strcmp(args[0], "-probe"))
        args++;
    int rc = list_devices(args);
    puts(rc ? "DIAGNOSTIC_FAILED" : "DIAGNOSTIC_PASSED");
    return rc;
}

/* ---- other programs -------------------------------------------------------------------------- */

static int run(const char *name, char **argv)
{
    char path[PATH_MAX];
    int rc = sl_aoc_beside(name, path, sizeof path) ? -1 : sl_aoc_run(path, argv, false);
    if (rc < 0)
        fprintf(stderr, "aocl: %s: %s\n", name, strerror(errno));
    return rc ? 1 : 0;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

/* The vendor's takes the design and the profile of its run: the profile has the design in it. */
static int report(char **args)
{
    struct sl_aoc_list argv = {0};
    const char *input = NULL;
    for (char **at = args; *at; at++)
        if (**at != '-' && !(at > args && !strcmp(at[-1], "-o")) &&
            (!input || ends_in(*at, ".json")))
            input = *at;
    sl_aoc_add(&argv, "sluice-report");
    for (char **at = args; *at; at++) {
        bool design = input && *at != input && ends_in(*at, ".aocx") && ends_in(input, ".json");
        if (!design)
            sl_aoc_add(&argv, "%s", *at);
    }
    int rc = argv.failed ? 1 : run("sluice-report", argv.items);
    sl_aoc_list_finish(&argv);
    return rc;
}

static int version(char **args)
{
    char *argv[] = {(char *)"sluicec", (char *)"--version", NULL};
    (void)args;
    puts("aocl 21.1 (Sluice, emulation only)");
    fflush(stdout);
    return run("sluicec", argv);
}

/* ---- folders --------------------------------------------------------------------------------- */

static bool print_include(const char *below)
{
    char path[PATH_MAX], folder[PATH_MAX];
    const bool there = !sl_aoc_beside(below, path, sizeof path) && realpath(path, folder);
    if (there)
        printf("-I%s ", folder);
    return there;
}

/* Vendors' names for headers, and where this program is installed, or the system's. */
static int compile_config(char **args)
{
    (void)args;
    const bool vendors = print_include("../share/sluice/aoc/host/include");
    if (!print_include("../include") && !vendors)
        fputs("-I/usr/include ", stdout);
    /* What the vendor's CL/cl_version.h says; as most hosts define it: with nothing behind it. */
    return puts(vendors ? "" : "-DCL_USE_DEPRECATED_OPENCL_1_2_APIS=") < 0;
}

/* The loader by its own name first, then the vendor's names, which some makefiles put behind these
 * flags. */
static int print_folders(const char *behind)
{
    static const char *const folders[] = {"", "/host/linux64/lib"};
    char path[PATH_MAX], folder[PATH_MAX];
    if (sl_aoc_beside("../share/sluice/aoc", path, sizeof path) || !realpath(path, folder))
        return puts(behind + (*behind == ' ')) < 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        printf("%s-L%s%s", i ? " " : "", folder, folders[i]);
    return puts(behind) < 0;
}

/* Makefiles have them in front of the objects that need them, too, where linkers that take what is
 * needed so far would leave them out. */
#define LIBRARIES "-Wl,--no-as-needed -lOpenCL"

static int link_config(char **args)
{
    (void)args;
    return print_folders(" " LIBRARIES);
}

static int link_flags(char **args)
{
    (void)args;
    return print_folders("");
}

/* ---- what makefiles ask ---------------------------------------------------------------------- */

static int help(char **args);

struct answer {
    const char *word, *text, *what; /* text: the answer as it is; NULL: `call` gives it */
    int (*call)(char **args);
};

#define NOTHING "aocl: nothing to do: the device is emulated"

static const struct answer answers[] = {
    {"compile-config", NULL, "flags for compiling a host program", compile_config},
    {"cflags", NULL, "the same", compile_config},
    {"link-config", NULL, "flags and libraries for linking a host program", link_config},
    {"linkflags", NULL, "the same", link_config},
    {"ldflags", NULL, "flags for linking a host program", link_flags},
    {"ldlibs", LIBRARIES, "libraries for linking a host program", NULL},
    {"version", NULL, "of this program and the compiler", version},
    {"list-devices", NULL, "the accelerators that the OpenCL loader finds", list_devices},
    {"diagnose", NULL, "the same, with a verdict", diagnose},
    {"report", NULL, "sluice-report; of NAME.aocx and a profile (.json) the profile", report},
    {"library", NULL, "components and libraries for aoc -l", sl_aoc_library},
    {"board-name", "emulator", "the board", NULL},
    {"board-version", "21.1", "its version", NULL},
    {"install", NOTHING, "accepted", NULL},
    {"uninstall", NOTHING, "accepted", NULL},
    {"initialize", NOTHING, "accepted", NULL},
    {"program", NOTHING, "accepted: a host program loads its .aocx itself", NULL},
    {"flash", NOTHING, "accepted", NULL},
    {"help", NULL, "this list", help},
};
enum { ANSWERS = sizeof answers / sizeof *answers };

static int help(char **args)
{
    (void)args;
    puts("Usage: aocl COMMAND\n\nWhat makefiles of FPGA designs ask, for the emulated FPGA.\n");
    for (int i = 0; i < ANSWERS; i++)
        printf("  %-15s %s\n", answers[i].word, answers[i].what);
    return 0;
}

int main(int argc, char **argv)
{
    sl_environment_clean();
    if (argc < 2)
        return (help(argv), 1);
    const char *word = argv[1] + strspn(argv[1], "-");
    for (int i = 0; i < ANSWERS; i++)
        if (!strcmp(word, answers[i].word))
            return answers[i].call ? answers[i].call(argv + 2) : puts(answers[i].text) < 0;
    fprintf(stderr, "aocl: unknown command %s; see aocl help\n", argv[1]);
    return 1;
}
