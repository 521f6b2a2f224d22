/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The offline compiler offers what the device announces: of each name that any device announces,
 * one kernel exists if its macro does, in a program that the driver builds and in one that sluicec
 * (SLUICE_TEST_SLUICEC) builds.
 */
#include <glob.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl_ext.h>

#include "cl_help.h"
#include "il_modules.h"

enum { MOST_NAMES = 200, TEXT_BYTES = 1 << 16 };

extern char **environ;

struct names {
    char name[MOST_NAMES][CL_NAME_VERSION_MAX_NAME_SIZE];
    size_t count;
};

static int has_name(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->name[i], name))
            return 1;
    return 0;
}

static void add_announced(struct names *names, cl_device_id device, cl_device_info key)
{
    static cl_name_version list[MOST_NAMES];
    size_t bytes = 0;
    REQUIRE_OK(clGetDeviceInfo(device, key, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        if (!has_name(names, list[i].name))
            strcpy(names->name[names->count++], list[i].name);
}

static struct names announced(cl_device_id device)
{
    struct names names = {.count = 0};
    add_announced(&names, device, CL_DEVICE_EXTENSIONS_WITH_VERSION);
    add_announced(&names, device, CL_DEVICE_OPENCL_C_FEATURES);
    return names;
}

/* A kernel for each macro that there is. */
static char *source_of(const struct names *all)
{
    char *text = calloc(1, TEXT_BYTES), *at = text;
    for (size_t i = 0; i < all->count; i++)
        at += sprintf(at, "#ifdef %s\nkernel void has_%s(void) {}\n#endif\n", all->name[i],
                      all->name[i]);
    return text;
}

static int run_sluicec(const char *target, const char *define, const char *source,
                       const char *binary)
{
    char device[32], *path = getenv("SLUICE_TEST_SLUICEC");
    pid_t child;
    int status = -1;
    const char *kind = getenv("SLUICE_TEST_DEVICE");
    snprintf(device, sizeof device, "--device=%s", kind ? kind : "cpu");
    char *const args[] = {path,         device,         (char *)source, (char *)"-cl-std=CL3.0",
                          (char *)"-o", (char *)binary, (char *)target, (char *)define,
                          NULL};
    REQUIRE(posix_spawn(&child, path, NULL, NULL, args, environ) == 0);
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

static int run_offline(const char *source, const char *binary)
{
    return run_sluicec(NULL, NULL, source, binary);
}

static size_t read_whole(const char *path, unsigned char *to, size_t most)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t bytes = fread(to, 1, most, file);
    fclose(file);
    REQUIRE(bytes > 0 && bytes < most);
    return bytes;
}

static cl_program offline_program(const char *source)
{
    enum { MOST_BYTES = 4 << 20 };
    char folder[] = "/tmp/sluice-offline-XXXXXX", text[64], binary[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(text, sizeof text, "%s/a.cl", folder);
    snprintf(binary, sizeof binary, "%s/a.slb", folder);
    FILE *file = fopen(text, "w");
    REQUIRE(file && fputs(source, file) >= 0 && !fclose(file));
    REQUIRE(run_offline(text, binary) == 0);
    unsigned char *bytes = malloc(MOST_BYTES);
    size_t size = read_whole(binary, bytes, MOST_BYTES);
    const unsigned char *at = bytes;
    cl_int rc, status;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &at, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    free(bytes);
    unlink(text);
    unlink(binary);
    rmdir(folder);
    return program;
}

/* `names` and no others have kernels. */
static void has_kernels(cl_program program, const struct names *all, const struct names *names)
{
    static char list[TEXT_BYTES];
    char wanted[CL_NAME_VERSION_MAX_NAME_SIZE + 8];
    list[0] = ';';
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof list - 2, list + 1, NULL));
    strcat(list, ";");
    for (size_t i = 0; i < all->count; i++) {
        snprintf(wanted, sizeof wanted, ";has_%s;", all->name[i]);
        int there = strstr(list, wanted) != NULL;
        if (there != has_name(names, all->name[i]))
            check_fail(__FILE__, __LINE__, "%s is %s", all->name[i],
                       there ? "offered and not announced" : "announced and not offered");
    }
    CHECK_OK(clReleaseProgram(program));
}

static struct names all_names(void)
{
    cl_device_id devices[16];
    cl_uint count;
    struct names all = {.count = 0};
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint i = 0; i < count; i++) {
        add_announced(&all, devices[i], CL_DEVICE_EXTENSIONS_WITH_VERSION);
        add_announced(&all, devices[i], CL_DEVICE_OPENCL_C_FEATURES);
    }
    return all;
}

static void each_macro_is_where_it_is_announced(void)
{
    struct names all = all_names(), own = announced(cl.device);
    char *source = source_of(&all);
    CHECK(own.count > 40);
    has_kernels(built(source, "-cl-std=CL3.0"), &all, &own);
    if (getenv("SLUICE_TEST_SLUICEC"))
        has_kernels(offline_program(source), &all, &own);
    free(source);
}

/* One of those that the offline compiler lacked. */
static void float_atomics_offline(void)
{
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    cl_program program = offline_program("kernel void k(global atomic_float *a) {\n"
                                         "#ifdef cl_ext_float_atomics\n"
                                         "  atomic_fetch_add(a, 0.5f);\n"
                                         "#endif\n}\n");
    float value = 0;
    cl_mem sum = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, sum);
    run_1d(kernel, 37, 0);
    read_back(sum, sizeof value, &value);
    CHECK(value == 18.5f);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    RELEASE_MEM(sum);
}

/* What is no file is not removed when it cannot be written, as the half of a file would be. */
static void full_device(void)
{
    char folder[] = "/tmp/sluice-offline-XXXXXX", text[64], link[64];
    if (!getenv("SLUICE_TEST_SLUICEC") || access("/dev/full", W_OK))
        check_skip("there is no sluicec, or no device that is full");
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(text, sizeof text, "%s/a.cl", folder);
    snprintf(link, sizeof link, "%s/full", folder);
    FILE *file = fopen(text, "w");
    REQUIRE(file && fputs("kernel void k(void) {}\n", file) >= 0 && !fclose(file));
    REQUIRE(!symlink("/dev/full", link));
    CHECK(run_offline(text, link) != 0);
    CHECK(!unlink(link)); /* it is still there */
    unlink(text);
    rmdir(folder);
}

/* The only file of the name in the folder. */
static size_t read_only_one(const char *folder, const char *name, unsigned char *out, size_t room)
{
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s", folder, name);
    size_t bytes = 0;
    if (!glob(pattern, 0, NULL, &found) && CHECK_EQ(found.gl_pathc, 1))
        bytes = read_whole(found.gl_pathv[0], out, room);
    globfree(&found);
    return bytes;
}

/* SLUICE_DUMP keeps a module as it came, and as text where there is a disassembler. */
static void module_is_kept(void)
{
    char folder[] = "/tmp/sluice-offline-XXXXXX", module[64], binary[64], command[128];
    static unsigned char kept[1 << 16];
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(module, sizeof module, "%s/a.spv", folder);
    snprintf(binary, sizeof binary, "%s/a.slb", folder);
    FILE *file = fopen(module, "wb");
    REQUIRE(file && fwrite(il_constants.words, il_constants.bytes, 1, file) == 1 && !fclose(file));
    setenv("SLUICE_DUMP", folder, 1);
    CHECK(run_offline(module, binary) == 0);
    unsetenv("SLUICE_DUMP");
    CHECK_EQ(read_only_one(folder, "*source.spv", kept, sizeof kept), il_constants.bytes);
    CHECK(!memcmp(kept, il_constants.words, il_constants.bytes));
    size_t bytes = read_only_one(folder, "*source.spvasm", kept, sizeof kept - 1);
    kept[bytes] = 0;
    CHECK(!bytes || strstr((char *)kept, "OpSpecConstantFalse") != NULL);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(!system(command));
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(text, file) >= 0 && !fclose(file));
}

/* ---- PI-13: code for several machines in one binary ------------------------------------------ */

#if defined(__x86_64__)
enum { SSE42, AVX2, AVX512, AVX512ICL, AVX512BF16, AVX512AMX, LEVELS, IMAGE_ROOM = 1 << 20 };

static const char *const level_names[LEVELS] = {"sse4.2",    "avx2",       "avx512",
                                                "avx512icl", "avx512bf16", "avx512amx"};

struct image {
    unsigned char *bytes;
    size_t size;
};

/* What Linux knows of the processor: the line of its flags. */
static bool has_flag(const char *flag)
{
    char line[8192] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "flags", 5))
        ;
    if (file)
        fclose(file);
    return strstr(line, flag);
}

/* That of the device: this machine's, or what SLUICE_CPU says. */
static int level_here(void)
{
    const char *wanted = getenv("SLUICE_CPU");
    int level = SSE42;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        level = AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        level = AVX512;
    if (level == AVX512 && __builtin_cpu_supports("avx512bitalg") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("gfni"))
        level = AVX512ICL;
    if (level == AVX512ICL && has_flag(" avx512_bf16"))
        level = AVX512BF16;
    if (level == AVX512BF16 && has_flag(" amx_int8") && has_flag(" amx_bf16"))
        level = AVX512AMX;
    for (int i = 0; wanted && i < level; i++)
        if (!strcmp(wanted, level_names[i]))
            return i;
    return level;
}

/* Its kernel tells its level. */
static struct image image_for(int level)
{
    char folder[] = "/tmp/sluice-offline-XXXXXX", text[64], binary[64], target[32], define[32];
    struct image image = {malloc(IMAGE_ROOM), 0};
    REQUIRE(image.bytes && mkdtemp(folder) != NULL);
    snprintf(text, sizeof text, "%s/a.cl", folder);
    snprintf(binary, sizeof binary, "%s/a.slb", folder);
    snprintf(target, sizeof target, "--target=%s", level_names[level]);
    snprintf(define, sizeof define, "-DLEVEL=%d", level);
    write_text(text, "kernel void k(global float *a) { size_t i = get_global_id(0); "
                     "a[i] = sqrt(a[i]) + LEVEL; }\n");
    REQUIRE(run_sluicec(target, define, text, binary) == 0);
    image.size = read_whole(binary, image.bytes, IMAGE_ROOM);
    unlink(text);
    unlink(binary);
    rmdir(folder);
    return image;
}

static cl_program from_images(const struct image *images, const int *which, int count, cl_int want)
{
    unsigned char *all = malloc((size_t)count * IMAGE_ROOM);
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        memcpy(all + size, images[which[i]].bytes, images[which[i]].size);
        size += images[which[i]].size;
    }
    const unsigned char *at = all;
    cl_int rc = 1, status = 1;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &at, &status, &rc);
    CHECK_EQ(rc, want);
    CHECK_EQ(status, want);
    free(all);
    return program;
}

static void check_level(cl_program program, int level)
{
    enum { ITEMS = 77 };
    float data[ITEMS];
    int wrong = 0;
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        data[i] = (float)(i * i);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    run_1d(kernel, ITEMS, 0);
    read_back(mem, sizeof data, data);
    for (int i = 0; i < ITEMS; i++)
        wrong += data[i] != (float)(i + level);
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(mem);
}

/* In whatever order: the machine's own, else the best of those that it runs. Richer code never
 * runs, and is refused where there is no other. */
static void code_for_several_machines(void)
{
    enum { MODULE = LEVELS, SETS = 1 << LEVELS };
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    struct image images[LEVELS + 1] = {
        [MODULE] = {(unsigned char *)(uintptr_t)il_twice.words, il_twice.bytes}};
    int here = level_here();
    for (int i = 0; i < LEVELS; i++)
        images[i] = image_for(i);
    for (int set = 1; set < SETS; set++)
        for (int backwards = 0; backwards < 2; backwards++) {
            int which[LEVELS], count = 0, best = -1;
            for (int i = 0; i < LEVELS; i++) {
                int level = backwards ? LEVELS - 1 - i : i;
                if (set >> level & 1)
                    which[count++] = level;
                if (set >> level & 1 && level <= here && level > best)
                    best = level;
            }
            cl_program program =
                from_images(images, which, count, best < 0 ? CL_INVALID_BINARY : CL_SUCCESS);
            if (program)
                check_level(program, best);
        }
    for (int i = 0; i < LEVELS; i++) { /* a module only where no code is */
        cl_program_binary_type type = 0;
        cl_program program = from_images(images, (const int[]){i, MODULE}, 2, CL_SUCCESS);
        REQUIRE_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BINARY_TYPE, sizeof type,
                                         &type, NULL));
        CHECK_EQ(type, i <= here ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                 : CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
        RELEASE_PROGRAM(program);
        free(images[i].bytes);
    }
}
#endif

/* Builtins that cannot be read are named, and are not functions that nobody defined. */
static void damaged_builtins(void)
{
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    char folder[] = "/tmp/sluice-offline-XXXXXX", text[64], archive[64], command[4500], log[2000];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(text, sizeof text, "%s/a.cl", folder);
    snprintf(archive, sizeof archive, "%s/builtins.slb", folder);
    write_text(text, "kernel void k(global float *a) { *a = sin(*a); }\n");
    write_text(archive, "this is no archive");
    snprintf(command, sizeof command, "SLUICE_LIBRARY_DIR=%s %s -o /dev/null %s 2>&1", folder,
             getenv("SLUICE_TEST_SLUICEC"), text);
    FILE *out = popen(command, "r");
    REQUIRE(out != NULL);
    log[fread(log, 1, sizeof log - 1, out)] = 0;
    CHECK(pclose(out) != 0);
    if (!strstr(log, "cannot read its builtins.slb: Invalid argument") ||
        strstr(log, "undefined function"))
        check_fail(__FILE__, __LINE__, "sluicec says: %s", log);
    unlink(text);
    unlink(archive);
    rmdir(folder);
}

/* A copy of sluicec, alone but for what `folder`/lib has. The caller owns the log. */
static char *log_of_lonely_compiler(const char *folder)
{
    static const char script[] =
        "cd %s && mkdir -p bin && for f in sluicec sluice-compiler; do f=$(dirname %s)/$f; "
        "ln -f $f bin 2>/dev/null || cp $f bin; done; "
        "SLUICE_LIBRARY_DIR=%s/lib bin/sluicec -o /dev/null a.cl 2>&1; echo ends with $?";
    char command[9000], *log = calloc(1, 8000);
    snprintf(command, sizeof command, script, folder, getenv("SLUICE_TEST_SLUICEC"), folder);
    FILE *out = popen(command, "r");
    REQUIRE(log && out);
    log[fread(log, 1, 7999, out)] = 0;
    pclose(out);
    return log;
}

/* Unless an installation on this machine serves. */
static void expect_missing(char *log, const char *what, const char *places)
{
    if (!strstr(log, "ends with 0") && !(strstr(log, what) && strstr(log, places)))
        check_fail(__FILE__, __LINE__, "not \"%s\": %s", what, log);
    free(log);
}

/* Files of the compiler's that are not there are named, with the folders that were looked through.
 */
static void missing_files(void)
{
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    static const char text[] =
        "kernel void k(global char *a, int n) { char t[99]; for (int i = 0; i < n; i++) t[i] = 0;"
        " for (int i = 0; i < 99; i++) a[i] = t[a[i]]; }\n";
    char folder[] = "/tmp/sluice-offline-XXXXXX", path[64], places[99], command[9000];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.cl", folder);
    snprintf(places, sizeof places, "%s/lib, %s/bin/../../", folder, folder);
    write_text(path, text);
    char *log = log_of_lonely_compiler(folder);
    expect_missing(log,
                   "cannot read its builtins.slb: No such file or directory; it was looked for in ",
                   places);
    snprintf(command, sizeof command,
             "mkdir %s/lib && ln -s $(dirname %s)/../builtins/*.slb %s/lib", folder,
             getenv("SLUICE_TEST_SLUICEC"), folder);
    REQUIRE(!system(command));
    log = log_of_lonely_compiler(folder);
    expect_missing(log, "cannot be linked without libsluice_kernel_runtime.a, which is in none of ",
                   places);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(!system(command));
}

/* What `sluicec --extensions=LIST` says and ends with. */
static char *log_of_extensions(const char *list)
{
    char command[4500], *log = calloc(1, 4000);
    snprintf(command, sizeof command,
             "echo 'kernel void k(void) {}' | %s '--extensions=%s' -o /dev/null - 2>&1; "
             "echo ends with $?",
             getenv("SLUICE_TEST_SLUICEC"), list);
    FILE *out = popen(command, "r");
    REQUIRE(log && out);
    log[fread(log, 1, 3999, out)] = 0;
    pclose(out);
    return log;
}

/* A name that no device here has is said, and nothing else is. */
static void unknown_extensions(void)
{
    static const char warning[] = "sluicec: warning: --extensions: neither the CPU device nor the "
                                  "emulated FPGA has ";
    char want[600];
    if (!getenv("SLUICE_TEST_SLUICEC"))
        check_skip("there is no sluicec");
    snprintf(want, sizeof want,
             "%s'foo'\n%s'cl_khr_fp46'; it is announced to the program all the same\nends with 0\n",
             warning, warning);
    char *log = log_of_extensions("foo cl_khr_fp64  cl_khr_fp46 cl_intel_channels");
    if (strcmp(log, want) != 0)
        check_fail(__FILE__, __LINE__, "not \"%s\" but \"%s\"", want, log);
    free(log);
    log = log_of_extensions(" cl_khr_fp64 __opencl_c_fp64 cl_khr_int64_base_atomics ");
    if (strcmp(log, "ends with 0\n") != 0)
        check_fail(__FILE__, __LINE__, "for what there is: \"%s\"", log);
    free(log);
}

static const struct test_case cases[] = {
    CASE(unknown_extensions),
    CASE(each_macro_is_where_it_is_announced),
    CASE(float_atomics_offline),
    CASE(full_device),
    CASE(module_is_kept),
    CASE(damaged_builtins),
    CASE(missing_files),
#if defined(__x86_64__)
    CASE(code_for_several_machines),
#endif
};

TEST_MAIN("offline", cases)
