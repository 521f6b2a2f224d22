/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front end of the dataflow device: what sources with channels, pipes and Intel's attributes
 * become (IR of a compiled object, see kernels/dialect), and what is refused where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/build.h"

#define CHANNELS "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
#define HOST_PIPES "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"

static const char fpga[] = "cl_khr_byte_addressable_store cl_khr_fp64 __opencl_c_int64 "
                           "__opencl_c_fp64 __opencl_c_pipes cl_intel_channels "
                           "cl_intel_fpga_host_pipe";

/* ---- helpers --------------------------------------------------------------------------------- */

struct outcome {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

static void run_build(void *data)
{
    struct outcome *outcome = data;
    outcome->status = sl_compiler_build(&outcome->request, &outcome->result);
}

static void compile(struct outcome *outcome, const char *source, const char *option,
                    const char *extensions)
{
    const char *options[] = {option};
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_COMPILE,
                                            .form = SL_FORM_LL,
                                            .options = options,
                                            .option_count = option != NULL,
                                            .source = {source, strlen(source)},
                                            .source_name = "t.cl",
                                            .extensions = extensions}};
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
    outcome->request.options = NULL;
}

static const char *log_of(const struct outcome *outcome)
{
    return outcome->result.log.data ? outcome->result.log.data : "";
}

static void expect_text(const char *whole, const char *text)
{
    if (!strstr(whole, text))
        fail_msg("\"%s\" is missing in:\n%s", text, whole);
}

/* Compiles silently to IR with these texts, NULL at the end. */
static void expect(const char *source, const char *option, ...)
{
    struct outcome outcome;
    va_list texts;
    compile(&outcome, source, option, fpga);
    if (outcome.status || *log_of(&outcome))
        fail_msg("status %d:\n%s", outcome.status, log_of(&outcome));
    va_start(texts, option);
    for (const char *text; (text = va_arg(texts, const char *));)
        expect_text(outcome.result.binary.data, text);
    va_end(texts);
    sl_build_result_finish(&outcome.result);
}

static void refuse(const char *source, const char *text)
{
    struct outcome outcome;
    compile(&outcome, source, NULL, fpga);
    if (!outcome.status)
        fail_msg("accepted: %s", source);
    expect_text(log_of(&outcome), text);
    sl_build_result_finish(&outcome.result);
}

static void expect_warning(const char *source, const char *text)
{
    struct outcome outcome;
    compile(&outcome, source, NULL, fpga);
    assert_int_equal(outcome.status, 0);
    expect_text(log_of(&outcome), text);
    sl_build_result_finish(&outcome.result);
}

/* ---- channels -------------------------------------------------------------------------------- */

static void channels_are_described(void **state)
{
    (void)state;
    expect(CHANNELS HOST_PIPES
           "typedef struct { int a; char b; } pair;\n"
           "channel int a __attribute__((depth(8))), b, g[4][3] "
           "__attribute__((__depth__(2 * 2)));\n"
           "channel pair p; channel bool t; channel size_t z; channel double16 d;\n"
           "channel float3 f; channel struct S { int x, y; } s; channel half h;\n"
           "channel uchar in __attribute__((io(\"file\")));\n"
           "channel uint hc __attribute__((intel_host_accessible));\n"
           "kernel void k(global int *o) { o[0] = 1; }\n",
           NULL,
           "!{!\"a\", !\"channel\", i32 4, i32 4, i32 8, i32 0, !\"\", !\"int\", !\"t.cl\", "
           "i32 4, i32 0}",
           "!{!\"b\", !\"channel\", i32 4, i32 4, i32 0,",
           "!{!\"g\", !\"channel\", i32 4, i32 4, i32 4, i32 0, !\"\", !\"int\", !\"t.cl\", i32 4, "
           "i32 2, i32 4, i32 3}",
           "!{!\"p\", !\"channel\", i32 8, i32 4, i32 0, i32 0, !\"\", !\"pair\"",
           "!{!\"t\", !\"channel\", i32 1, i32 1,", "!{!\"z\", !\"channel\", i32 8, i32 8,",
           "!{!\"d\", !\"channel\", i32 128, i32 128,", "!{!\"f\", !\"channel\", i32 16, i32 16,",
           "!{!\"s\", !\"channel\", i32 8, i32 4,", "!{!\"h\", !\"channel\", i32 2, i32 2,",
           "!{!\"in\", !\"channel\", i32 1, i32 1, i32 0, i32 0, !\"file\"",
           "!{!\"hc\", !\"channel\", i32 4, i32 4, i32 0, i32 1,", NULL);
}

static void channel_operations_are_calls(void **state)
{
    (void)state;
    expect(CHANNELS "channel int c; channel float4 g[4];\n"
                    "kernel void k(global int *o, global bool *ok) {\n"
                    "  bool valid; local bool seen;\n"
                    "  o[0] = read_channel_intel(c);\n"
                    "  write_channel_intel(g[o[1]], (float4)(1));\n"
                    "  if (write_channel_nb_intel(c, 2)) o[2] = read_channel_nb_intel(c, &valid);\n"
                    "  o[3] = read_channel_nb_intel(c, ok) + read_channel_nb_intel(c, &seen);\n"
                    "  read_channel_intel(c); write_channel_nb_intel(c, 3);\n"
                    "  mem_fence(CLK_CHANNEL_MEM_FENCE);\n"
                    "}\n",
           NULL, "@c = external addrspace(2) constant [1 x i32]",
           "@g = external addrspace(2) constant [4 x [1 x <4 x float>]]",
           "call spir_func void @__sl_pipe_read(ptr addrspace(2) noundef @c, ptr addrspace(4)",
           "call spir_func void @__sl_pipe_write(", ", i32 noundef 16, i32 noundef 16)",
           "call spir_func i32 @__sl_pipe_write_nb(", "call spir_func i32 @__sl_pipe_read_nb(",
           "DILocation(line: 5, column: 10", "DILocation(line: 6, column: 3",
           "emissionKind: LineTablesOnly", NULL);
}

static void operations_may_be_macros(void **state)
{
    (void)state;
    expect(CHANNELS "#define MAKE(T, name) channel T name __attribute__((depth(3)))\n"
                    "#define PUT(c, v) write_channel_intel(c, v)\n"
                    "#define TWICE(c) (GET(c) + GET(c))\n"
                    "#define GET(c) read_channel_intel(c)\n"
                    "MAKE(int, c);\n"
                    "kernel void k(global int *o) {\n"
                    "  o[0] = TWICE(c); PUT(c, GET(c)); GET(c);\n"
                    "}\n",
           NULL, "!\"int\", !\"t.cl\", i32 6, i32 0}", "DILocation(line: 8, column: 10",
           "DILocation(line: 8, column: 20", NULL);
}

static void channels_are_parameters_of_helpers(void **state)
{
    (void)state;
    expect("#pragma OPENCL EXTENSION cl_altera_channels : enable\n"
           "channel float c, d[2][3];\n"
           "float take(channel float);\n"
           "float take(channel float k) { bool v; float x = read_channel_nb_altera(k, &v);\n"
           "  return v ? x : 0; }\n"
           "float both(channel float k[3]) { return take(k[0]) + read_channel_altera(k[1]); }\n"
           "kernel void k(global float *o) { o[0] = take(c) + both(d[1]) + take(d[1][2]);\n"
           "  write_channel_altera(c, 1); write_channel_nb_altera(c, 2); }\n",
           NULL, "float @take(ptr addrspace(2) noundef", "float @both(ptr addrspace(2) noundef",
           "@take(ptr addrspace(2) noundef @c)", NULL);
}

static void ordinary_names_stay_ordinary(void **state)
{
    static const char source[] =
        "constant int depth = 3;\n"
        "typedef struct { int x; } channel;\n"
        "typedef int pipe;\n"
        "struct io { int channel, pipe, depth; };\n"
        "int get(channel *c, int pipe) { struct io z; z.channel = 1; z.pipe = 2;\n"
        "  return c->x + pipe + z.pipe + z.channel; }\n"
        "kernel void k(global int *o) { channel c; c.x = depth; int io = 1; pipe q = 1;\n"
        "  o[0] = get(&c, io) + q; }\n";
    (void)state;
    expect(source, NULL, "define dso_local spir_kernel void @k(", NULL);
    expect(CHANNELS "channel int c, d;\n"
                    "struct s { int c; };\n"
                    "kernel void k(global int *o, int d) { struct s s; s.c = d; int depth = s.c;\n"
                    "  { float c = 3; c = c + depth; o[1] = c; } o[0] = read_channel_intel(c); }\n",
           NULL, "__sl_pipe_read", NULL);
    expect(CHANNELS
           "channel int c;\n"
           "kernel void k(global int *o) {\n"
           "  { int a = 1, c = 2, b[2], d; d = c; { int c = 3; d += c; } o[1] = c + d + a; }\n"
           "  for (int i = 0, c = 2; i < c; i++) o[i] = c;\n"
           "}\n"
           "kernel void r(global int *o) { o[0] = read_channel_intel(c); }\n",
           NULL, "__sl_pipe_read", NULL);
    expect("struct s { int a, pipe; }; enum pipe { one };\n"
           "kernel void k(global struct s *o) { if (o->pipe) goto pipe; o->a = one; pipe:; }\n",
           "-cl-std=CL1.2", "define dso_local spir_kernel void @k(", NULL);
}

static void wrong_channels_are_refused(void **state)
{
    (void)state;
    refuse(
        "channel int c;\nkernel void k() { write_channel_intel(c, 1); }",
        "t.cl:1:1: error: 'channel' needs '#pragma OPENCL EXTENSION cl_intel_channels : enable'");
    refuse(CHANNELS "kernel void k() { channel int c; }",
           "t.cl:2:19: error: a channel must be declared at file scope");
    refuse(CHANNELS "struct s { channel int c; };",
           "error: a channel cannot be a member of a structure");
    refuse(CHANNELS "channel int *c;", "error: a channel cannot carry pointers");
    refuse(CHANNELS "channel global int *c;", "error: a channel cannot carry pointers");
    refuse(CHANNELS "typedef int *ip;\nchannel ip c;", "error: a channel cannot carry pointers");
    refuse(CHANNELS "kernel void k(channel int c) {}",
           "t.cl:2:15: error: a channel cannot be an argument of a kernel");
    refuse(CHANNELS "static channel int c;", "t.cl:2:1: error: a channel belongs to the program");
    refuse(CHANNELS "typedef channel int c;", "error: a channel cannot be in a typedef");
    refuse(CHANNELS "channel int c(int);", "error: a channel is no function");
    refuse(CHANNELS "channel int c = 1;", "error: a channel cannot be initialized");
    refuse(CHANNELS "channel int c, ;", "t.cl:2:16: error: a channel without a name");
    refuse(CHANNELS "channel int c, = 1, d;", "t.cl:2:16: error: a channel without a name");
    refuse("pipe int a, ;", "t.cl:1:13: error: a pipe without a name");
    refuse(CHANNELS "channel int c __attribute__((depth(x)));",
           "t.cl:2:36: error: use of undeclared identifier");
    refuse(CHANNELS "channel int c[];", "t.cl:2:13: error: the array of channels needs a number");
    refuse(CHANNELS "channel int c[2][0];", "t.cl:2:13: error: the array of channels needs a");
    expect_warning(CHANNELS "channel int c __attribute__((depth(-1)));\nkernel void k() {}",
                   "warning: 'depth' ignored");
}

/* Host's ends have an extension of their own, on from the pragma to the end or the next one. */
static void host_ends_need_their_pragma(void **state)
{
    static const char on[] = HOST_PIPES CHANNELS "channel int c __attribute__((HOST));\n"
                                                 "pipe int p __attribute__((HOST));\n"
                                                 "kernel void k(read_only pipe int a "
                                                 "__attribute__((HOST))) {}";
    static const char *const wrong[][2] = {
        {CHANNELS "channel int c __attribute__((HOST));\n", "t.cl:2:30: "},
        {"pipe int c __attribute__((HOST));\n", "t.cl:1:27: "},
        {"pipe int c __attribute__((HOST));\n" HOST_PIPES, "t.cl:1:27: "},
        {"kernel\nvoid k(pipe int p __attribute__((depth(1), HOST))) {}\n", "t.cl:2:44: "},
        {HOST_PIPES "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : disable\n"
                    "pipe int c __attribute__((HOST));\n",
         "t.cl:3:27: "},
    };
    (void)state;
    expect(on, "-DHOST=intel_host_accessible", NULL);
    expect(on, "-DHOST=__intel_host_accessible__", NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct outcome outcome;
        compile(&outcome, wrong[i][0], "-DHOST=intel_host_accessible", fpga);
        assert_int_not_equal(outcome.status, 0);
        expect_text(log_of(&outcome), "error: 'intel_host_accessible' needs '#pragma");
        expect_text(log_of(&outcome), wrong[i][1]);
        sl_build_result_finish(&outcome.result);
    }
}

/* What has no meaning at the other end, however deep it is hidden. */
static void wrong_packets_are_refused(void **state)
{
    static const char *const types[][2] = {
        {"typedef struct { int a, *p; } T;", "cannot carry pointers"},
        {"typedef struct { struct { local float *p[2]; } in[3]; } T;", "cannot carry pointers"},
        {"typedef union { long a; private char *p; } T;", "see member 'p'"},
        {"typedef event_t T;", "cannot carry events"},
        {"typedef struct { event_t e[2]; } T;", "cannot carry events, see member 'e'"},
        {"typedef int T[4];", "cannot carry arrays"},
    };
    static const char *const uses[] = {
        "channel T t;",
        "channel T t[2][3];",
        "pipe T t;",
        "void f(channel T t) {}",
        "kernel void k(read_only pipe T t) {}",
        "void f(write_only pipe T t) {}",
    };
    char source[300];
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t u = 0; u < sizeof uses / sizeof *uses; u++) {
            snprintf(source, sizeof source, CHANNELS "%s\n%s\n", types[t][0], uses[u]);
            char place[32];
            snprintf(place, sizeof place, "t.cl:3:%d: error: a ",
                     (int)(strrchr(uses[u], 't') - uses[u]) + 1);
            refuse(source, types[t][1]);
            refuse(source, place);
        }
    }
    refuse(CHANNELS "channel image2d_t c;", "t.cl:2:");
    refuse(CHANNELS "channel sampler_t c;", "t.cl:2:");
    refuse(CHANNELS "channel void c;", "t.cl:2:");
    refuse(CHANNELS "struct u;\nchannel struct u c;", "t.cl:3:");
}

static void declarations_agree(void **state)
{
    (void)state;
    expect(CHANNELS "extern channel int c[], d;\n"
                    "channel int c[3] __attribute__((depth(4))), d __attribute__((depth(2)));\n"
                    "extern channel int c[3] __attribute__((depth(2 + 2)));\n"
                    "__attribute__((max_global_work_dim(0))) kernel void k();\n"
                    "__attribute__((max_global_work_dim(0))) kernel void k() {}\n",
           NULL,
           "!{!\"c\", !\"channel\", i32 4, i32 4, i32 4, i32 0, !\"\", !\"int\", !\"t.cl\", "
           "i32 2, i32 1, i32 3}",
           "!{!\"d\", !\"channel\", i32 4, i32 4, i32 2,",
           "\"sl-attributes\"=\"max_global_work_dim(0)\"", NULL);
    refuse(CHANNELS "channel int c __attribute__((depth(4)));\n"
                    "extern channel int c __attribute__((depth(5)));",
           "t.cl:3:37: error: 'depth' contradicts the one at t.cl:2:30");
    refuse(CHANNELS "channel int c __attribute__((depth(4), depth(3)));",
           "t.cl:2:40: error: 'depth' contradicts the one at t.cl:2:30");
    refuse("pipe int p __attribute__((io(\"a\")));\nextern pipe int p __attribute__((io(\"b\")));",
           "t.cl:2:34: error: 'io' contradicts the one at t.cl:1:27");
    refuse("kernel void k(read_only pipe int p __attribute__((depth(2))));\n"
           "kernel void k(read_only pipe int p __attribute__((depth(3)))) {}",
           "t.cl:2:51: error: 'depth' contradicts the one at t.cl:1:51");
    refuse("__attribute__((num_compute_units(2))) kernel void k();\n"
           "__attribute__((num_compute_units(3))) kernel void k() {}",
           "t.cl:2:16: error: 'num_compute_units' contradicts the one at t.cl:1:16");
}

static void wrong_operations_are_refused(void **state)
{
    (void)state;
    refuse(CHANNELS "typedef struct { int a; } S;\nchannel S c;\n"
                    "kernel void k(int x) {\n  write_channel_intel(c, x);\n}",
           "t.cl:5:3: error: initializing");
    refuse(CHANNELS "channel int c;\nkernel void k() { write_channel_intel(c", "t.cl:3:");
    refuse(CHANNELS "channel int c;\nkernel void k(global int *o) { write_channel_intel(c, o[0]; }",
           "t.cl:3:51: error: no ')' closes the '(' of 'write_channel_intel'\n");
    refuse(CHANNELS "channel int c;\nkernel void k(global int *o) { *o = read_channel_intel(c; }",
           "t.cl:3:55: error: no ')' closes the '(' of 'read_channel_intel'\n");
    refuse(CHANNELS "channel int c;\nkernel void k(global int *o) { read_pipe(c, o); }",
           "t.cl:3:32: error: 'read_pipe' is for pipes, 'c' is a channel: see read_channel_intel");
    refuse(CHANNELS "channel int c[2];\nint f(constant int *p);\n"
                    "kernel void k(global int *o) { *o = f(c[1]); }",
           "t.cl:4:39: error: 'c' is a channel, the parameter is not");
    refuse(CHANNELS "int f(constant int *p) { return *p; }\n"
                    "int g(channel int c) { return f(c); }\nkernel void k() {}",
           "'c' is a channel, the parameter is not");
    refuse(CHANNELS "channel int c[3];\nkernel void k() { write_channel_intel(c, 1); }",
           "t.cl:3:19: error: 'c' has 1 array dimension");
    refuse(CHANNELS "kernel void k(global int *g) { write_channel_intel(g, 1); }",
           "t.cl:2:32: error: the first argument of 'write_channel_intel' must be a channel");
    refuse(CHANNELS "channel int c;\nkernel void k() { write_channel_intel(c); }",
           "error: 'write_channel_intel' takes 2 arguments, not 1");
    refuse(CHANNELS "channel int c;\nkernel void k(global int *g) { *g = read_channel_intel(); }",
           "error: 'read_channel_intel' takes 1 argument, not 0");
    refuse(CHANNELS "channel int c;\nkernel void k(global int *g) { g[0] = c; }",
           "t.cl:3:39: error: channel 'c' can only be the argument of a function");
    refuse(CHANNELS "channel int c, d;\nkernel void k() { write_channel_intel(c, d); }",
           "t.cl:3:42: error: channel 'd' can only be the argument of a function");
    static const char *const values[] = {"sizeof c",  "sizeof(c)", "(c)",    "*c",  "&c",
                                         "2 * c",     "-c",        "(int)c", "c++", "c.x",
                                         "1 ? 2 : c", "c ? 1 : 2", "{c}",    "c"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char source[200];
        snprintf(source, sizeof source,
                 CHANNELS "channel int c;\nkernel void k() { for (int c = 0; c < 2; c++) ; int x = "
                          "%s;\n  goto c; c: switch (x) case 3: x = 1; }",
                 values[i]);
        refuse(source, "error: channel 'c' can only be the argument of a function");
    }
}

/* The index of a channel may come from a channel, and so on: each is evaluated once. */
static void operations_nest(void **state)
{
    enum { DEPTH = 40 };
    struct outcome outcome;
    char text[64 * DEPTH] = "";
    size_t bytes = 0;
    (void)state;
    bytes += (size_t)sprintf(text + bytes, CHANNELS "channel int c[4];\nkernel void k() { "
                                                    "write_channel_intel(");
    for (int i = 0; i < DEPTH; i++)
        bytes += (size_t)sprintf(text + bytes, "c[read_channel_intel(");
    bytes += (size_t)sprintf(text + bytes, "c[0]");
    for (int i = 0; i < DEPTH; i++)
        bytes += (size_t)sprintf(text + bytes, ")]");
    sprintf(text + bytes, ", 1); }");
    compile(&outcome, text, NULL, fpga);
    assert_int_equal(outcome.status, 0);
    int reads = 0;
    for (const char *at = outcome.result.binary.data; (at = strstr(at, "void @__sl_pipe_read("));
         at++)
        reads++;
    assert_int_equal(reads, DEPTH + 1); /* one is the declaration */
    sl_build_result_finish(&outcome.result);
}

static void devices_without_channels_know_none(void **state)
{
    struct outcome outcome;
    (void)state;
    compile(&outcome, CHANNELS "channel int c;", NULL, "cl_khr_fp64");
    assert_int_not_equal(outcome.status, 0);
    expect_text(log_of(&outcome), "unknown type name 'channel'");
    sl_build_result_finish(&outcome.result);
    compile(&outcome, "__attribute__((autorun)) kernel void k() {}", NULL, "cl_khr_fp64");
    assert_int_equal(outcome.status, 0);
    expect_text(log_of(&outcome), "unknown attribute 'autorun' ignored");
    sl_build_result_finish(&outcome.result);
}

/* ---- attributes and pragmas ------------------------------------------------------------------ */

static void kernel_attributes_are_told(void **state)
{
    (void)state;
    expect("__attribute__((max_global_work_dim(0))) __attribute__((__autorun__))\n"
           "__attribute__((num_compute_units(4, 2))) kernel void a() { (void)get_compute_id(1); }\n"
           "__attribute__((max_work_group_size(8, 4, 2), uses_global_work_offset(0)))\n"
           "__attribute__((num_simd_work_items(4), scheduler_target_fmax_mhz(300)))\n"
           "__attribute__((use_stall_enable_clusters)) kernel void b() {}\n"
           "__attribute__((max_work_group_size(64), stall_enable)) kernel void c() {}\n"
           "__attribute__((task)) kernel void d() {}\n",
           NULL,
           "\"sl-attributes\"=\"max_global_work_dim(0) autorun num_compute_units(4,2)\" "
           "\"sl-autorun\"",
           "\"sl-max-global-work-dim\"=\"0\"", "\"sl-num-compute-units\"=\"4,2,1\"",
           "\"sl-attributes\"=\"max_work_group_size(8,4,2) uses_global_work_offset(0) "
           "num_simd_work_items(4) scheduler_target_fmax_mhz(300) use_stall_enable_clusters\"",
           "\"sl-max-work-group-size\"=\"8,4,2\"", "\"sl-uses-global-work-offset\"=\"0\"",
           "\"sl-num-simd-work-items\"=\"4\"", "\"sl-max-work-group-size\"=\"64\"",
           "\"sl-attributes\"=\"task\"", "@__sl_compute_id(i32 noundef 1)", NULL);
}

static void wrong_attributes_are_refused(void **state)
{
    (void)state;
    refuse("__attribute__((autorun)) kernel void a() {}",
           "error: an autorun kernel needs 'max_global_work_dim' or 'reqd_work_group_size'");
    refuse("__attribute__((autorun, max_global_work_dim(0))) kernel void a(int x) {}",
           "error: an autorun kernel cannot have arguments");
    refuse("__attribute__((max_work_group_size(1, 2))) kernel void a() {}",
           "error: 'max_work_group_size' takes one or three arguments");
    refuse("__attribute__((num_compute_units(0))) kernel void a() {}", "must be between 1 and");
    refuse("kernel void a() { int __attribute__((singlepump, doublepump)) x[3]; }",
           "error: 'singlepump' and 'doublepump' exclude each other");
    refuse("typedef int __attribute__((__ap_int(2049))) i2049;",
           "t.cl:1:28: error: '__ap_int(2049)': integers of more than 2048 bits are not supported");
    refuse("kernel void a() {\n#pragma ii 3\n#pragma disable_loop_pipelining\n"
           "  for (int i = 0; i < 3; i++) ; }",
           "t.cl:3:9: error: '#pragma ii' and '#pragma disable_loop_pipelining' exclude");
}

static void hardware_hints_are_silent(void **state)
{
    (void)state;
    expect("kernel void k(global int *o) {\n"
           "#pragma ivdep\n#pragma ii 2\n#pragma unroll 4\n#pragma max_concurrency 3\n"
           "  for (int i = 0; i < 3; i++) o[i] = __fpga_reg(i + 1);\n"
           "#pragma disable_loop_pipelining\n#pragma loop_coalesce 2\n"
           "  for (int i = 0; i < 3; i++) o[i] = i;\n"
           "#pragma ii 1\n#pragma speculated_iterations 2\n#pragma max_interleaving 1\n"
           "#pragma nofusion\n#pragma ivdep array(o) safelen(4)\n#pragma unroll\n"
           "  for (int i = 0; i < 3; i++) o[i] = i;\n"
           "  int __attribute__((register)) a = 1;\n"
           "  int __attribute__((memory(\"MLAB\"), numbanks(4), bankwidth(8), bank_bits(4, 3),\n"
           "    singlepump, merge(\"a\", \"depth\"), max_replicates(2), simple_dual_port,\n"
           "    private_copies(2), __force_pow2_depth__(1))) b[8];\n"
           "  local int __attribute__((memory, doublepump, numports_readonly_writeonly(1, 2)))\n"
           "    c[8];\n"
           "  b[0] = c[0] = a; o[9] = b[0];\n"
           "}\n",
           NULL, "spir_kernel void @k(", NULL);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

static void pipe_arguments_in_every_version(void **state)
{
    static const char source[] = HOST_PIPES
        "void put(write_only pipe int p, int v) { write_pipe(p, &v); }\n"
        "kernel void k(__read_only pipe int in __attribute__((blocking, depth(4))),\n"
        "  write_only pipe char3 __attribute__((__blocking__)) out, write_only pipe int host\n"
        "  __attribute__((intel_host_accessible)), pipe int file,\n"
        "  global int *g) {\n"
        "  int x; char3 c = 1;\n"
        "  while (read_pipe(in, &x)) ;\n"
        "  write_pipe(out, &c); put(host, x);\n"
        "  reserve_id_t id = reserve_read_pipe(file, 3);\n"
        "  if (is_valid_reserve_id(id)) { read_pipe(file, id, 0, g); commit_read_pipe(file, id); "
        "}\n"
        "  id = work_group_reserve_write_pipe(host, 2);\n"
        "  write_pipe(host, id, 1, &x); work_group_commit_write_pipe(host, id);\n"
        "  g[0] = get_pipe_num_packets(in) + get_pipe_max_packets(out);\n"
        "}\n";
    static const char *const versions[] = {NULL, "-cl-std=CL1.1", "-cl-std=CL2.0", "-cl-std=CL3.0"};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        expect(source, versions[i],
               "spir_kernel void @k(target(\"spirv.Pipe\", 0) \"sl-pipe-blocking\" "
               "\"sl-pipe-depth\"=\"4\" \"sl-pipe-name\"=\"in\" "
               "\"sl-pipe-packet-align\"=\"4\" "
               "\"sl-pipe-packet-bytes\"=\"4\"",
               "target(\"spirv.Pipe\", 1) \"sl-pipe-blocking\" \"sl-pipe-name\"=\"out\" "
               "\"sl-pipe-packet-align\"=\"4\" \"sl-pipe-packet-bytes\"=\"4\"",
               "\"sl-pipe-host\"", "@__read_pipe_2(", "@__write_pipe_2(", "@__reserve_read_pipe(",
               "@__read_pipe_4(", "@__commit_read_pipe(",
               "@_Z19is_valid_reserve_id13ocl_reserveid(", "@__work_group_reserve_write_pipe(",
               "@__write_pipe_4(", "@__get_pipe_num_packets_ro(", "@__get_pipe_max_packets_wo(",
               "!\"pipe\"", NULL);
}

/* The language stays what the user asked for. */
static void versions_stay(void **state)
{
    (void)state;
    expect("#if __OPENCL_C_VERSION__ != 120\n#error\n#endif\n"
           "#ifdef __opencl_c_pipes\n#error\n#endif\n"
           "kernel void k(read_only pipe int p, global int *g) { int *x = 0; read_pipe(p, g);\n"
           "  g[0] = x == 0; }\n",
           NULL, "\"uniform-work-group-size\"=\"true\"", "!{i32 1, i32 2}", NULL);
}

static void program_pipes(void **state)
{
    static const char source[] = HOST_PIPES
        "typedef struct { int a; char b; } pair;\n"
        "pipe int p __attribute__((depth(8)));\n"
        "pipe float4 q[4] __attribute__((blocking));\n"
        "pipe pair r[2][3] __attribute__((io(\"x\"))), h __attribute__((intel_host_accessible));\n"
        "void put(int v) { write_pipe(p, &v); }\n"
        "kernel void k(global int *g, global float4 *f) {\n"
        "  pair pairs[2]; int x;\n"
        "  put(3);\n"
        "  if (read_pipe(p, &x) == 0) g[0] = x;\n"
        "  read_pipe(q[g[1]], f + 1); write_pipe(q[2], f); write_pipe(r[1][g[2]], pairs);\n"
        "  reserve_id_t id = reserve_read_pipe(p, 3);\n"
        "  if (is_valid_reserve_id(id)) { read_pipe(p, id, 0, &x); commit_read_pipe(p, id); }\n"
        "  id = work_group_reserve_write_pipe(h, 2);\n"
        "  write_pipe(h, id, 1, pairs); work_group_commit_write_pipe(h, id);\n"
        "  g[3] = get_pipe_num_packets(p) + get_pipe_max_packets(q[0]);\n"
        "}\n";
    static const char *const versions[] = {NULL, "-cl-std=CL2.0", "-cl-std=CL3.0"};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        expect(
            source, versions[i],
            "!{!\"p\", !\"pipe\", i32 4, i32 4, i32 8, i32 0, !\"\", !\"int\", !\"t.cl\", i32 3,",
            "!{!\"q\", !\"pipe\", i32 16, i32 16, i32 0, i32 4, !\"\", !\"float4\", !\"t.cl\", "
            "i32 4, i32 1, i32 4}",
            "!{!\"r\", !\"pipe\", i32 8, i32 4, i32 0, i32 0, !\"x\"",
            "!{!\"h\", !\"pipe\", i32 8, i32 4, i32 0, i32 1,",
            "i32 @__sl_read_pipe_2(ptr addrspace(2) noundef @p, ptr addrspace(4)",
            "@__sl_write_pipe_2(", "@__sl_reserve_read_pipe(ptr addrspace(2) noundef @p",
            "@__sl_read_pipe_4(", "@__sl_commit_read_pipe(", "@__sl_write_pipe_4(",
            "@__sl_work_group_reserve_write_pipe(", "@__sl_work_group_commit_write_pipe(",
            "@__sl_get_pipe_num_packets(", "@__sl_get_pipe_max_packets(", NULL);
}

/* By one error, in words of what was written. */
static void packets_go_by_pointers(void **state)
{
    static const char *const rows[][2] = {
        {"pipe int p;\nkernel void k(global int *g) { read_pipe(p, *g); }",
         "t.cl:2:32: error: the last argument of a pipe function must be a pointer\n"},
        {"pipe int p;\nkernel void k() { write_pipe(p, 3); }",
         "t.cl:2:19: error: the last argument of a pipe function must be a pointer\n"},
        {CHANNELS "channel int c;\nkernel void k() { bool v; read_channel_nb_intel(c, v); }",
         "error: the second argument of a non-blocking read must be a pointer\n"},
        {"pipe int p;\nkernel void k(global float *g) { read_pipe(p, g); }",
         "t.cl:2:34: error: the pointer is not to the packet type of the pipe\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome outcome;
        compile(&outcome, rows[i][0], NULL, fpga);
        assert_int_not_equal(outcome.status, 0);
        expect_text(log_of(&outcome), rows[i][1]);
        const char *first = strstr(log_of(&outcome), "error: ");
        if (strstr(first + 1, "error: ") || strstr(first, "__sl_"))
            fail_msg("more than that:\n%s", log_of(&outcome));
        sl_build_result_finish(&outcome.result);
    }
}

static void wrong_pipes_are_refused(void **state)
{
    (void)state;
    refuse("struct u;\nkernel void k(read_only pipe struct u p) {}",
           "t.cl:2:39: error: a pipe needs packets of a complete type");
    refuse("kernel void k(write_only pipe int p __attribute__((intel_host_accessible))) {}",
           "'intel_host_accessible' needs '#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe");
    refuse("pipe int p;\nkernel void k() { read_pipe(p, nobody); }",
           "t.cl:2:32: error: use of undeclared identifier 'nobody'");
    refuse("pipe int p;\nkernel void k(global int g) { read_pipe(p, g); }", "t.cl:2:26: error: ");
    refuse("pipe int p[2];\nkernel void k(global int *g) { read_pipe(p, g); }",
           "t.cl:2:32: error: 'p' has 1 array dimension");
    refuse("pipe int p;\nkernel void k() { reserve_id_t r = sub_group_reserve_read_pipe(p, 1); }",
           "t.cl:2:36: error: 'sub_group_reserve_read_pipe' needs sub-groups: OpenCL C 3.0");
    refuse("pipe int p;\nkernel void k(reserve_id_t r) { sub_group_commit_write_pipe(p, r); }",
           "'sub_group_commit_write_pipe' needs sub-groups: OpenCL C 3.0");
    refuse("kernel void k(pipe int p) { reserve_id_t r = sub_group_reserve_read_pipe(p, 1); }",
           "t.cl:1:46: error: use of declaration 'sub_group_reserve_read_pipe' requires");
    refuse("pipe int p;\nkernel void k(global int *g) { g[0] = p; }",
           "pipe 'p' of the program can only be the first argument of a pipe function");
    refuse("kernel void k() { pipe int p; }", "can only be used as a function parameter");
    refuse("kernel void k(read_only pipe int p, global int *g) { write_pipe(p, g); }",
           "invalid pipe access modifier");
}

static void messages_name_types_of_packets(void **state)
{
    (void)state;
    refuse(CHANNELS "typedef struct { int a; } sample;\nchannel sample s;\n"
                    "kernel void k() { write_channel_intel(s, 3); }",
           "initializing '__private sample' with an expression of incompatible type 'int'");
    refuse(
        CHANNELS "typedef uint word; struct point { int x; };\n"
                 "channel word c[2]; channel struct point z;\n"
                 "kernel void k() { read_channel_intel(c[1]) + read_channel_intel(z); }",
        "invalid operands to binary expression ('word' (aka 'unsigned int') and 'struct point')");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_are_described),
        cmocka_unit_test(channel_operations_are_calls),
        cmocka_unit_test(operations_may_be_macros),
        cmocka_unit_test(channels_are_parameters_of_helpers),
        cmocka_unit_test(ordinary_names_stay_ordinary),
        cmocka_unit_test(wrong_channels_are_refused),
        cmocka_unit_test(host_ends_need_their_pragma),
        cmocka_unit_test(wrong_packets_are_refused),
        cmocka_unit_test(declarations_agree),
        cmocka_unit_test(wrong_operations_are_refused),
        cmocka_unit_test(operations_nest),
        cmocka_unit_test(devices_without_channels_know_none),
        cmocka_unit_test(kernel_attributes_are_told),
        cmocka_unit_test(wrong_attributes_are_refused),
        cmocka_unit_test(hardware_hints_are_silent),
        cmocka_unit_test(pipe_arguments_in_every_version),
        cmocka_unit_test(versions_stay),
        cmocka_unit_test(program_pipes),
        cmocka_unit_test(packets_go_by_pointers),
        cmocka_unit_test(wrong_pipes_are_refused),
        cmocka_unit_test(messages_name_types_of_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
