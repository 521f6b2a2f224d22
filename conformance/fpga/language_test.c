/* SPDX-License-Identifier: Apache-2.0 */
/* Odd but legal ways to write designs. In each row kernels pass the numbers 0, 1, 2... on; whatever
 * the source looks like, they must arrive. */
#include "flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 53 };

struct row {
    const char *what, *source;
};

#define SRC(body) "kernel void src(global uint *o, uint n) {\n" body "}\n"
#define DST(body) "kernel void dst(global uint *o, uint n) {\n" body "}\n"
#define LOOP "  for (uint i = 0; i < n; i++) "
#define PUT_TO(c) SRC(LOOP "write_channel_intel(" c ", i);\n")
#define GET_OF(c) DST(LOOP "o[i] = read_channel_intel(" c ");\n")
#define PASS(c) PUT_TO(c) GET_OF(c)

static void expect_numbers(const struct row *row, cl_mem out)
{
    cl_uint *got = take_uints(out, COUNT);
    for (cl_uint i = 0; i < COUNT; i++) {
        if (got[i] != i) {
            check_fail(__FILE__, __LINE__, "%s: number %u came as %u", row->what, i, got[i]);
            break;
        }
    }
    free(got);
}

/* All its kernels at once. Takes the program over. */
static void run_design(const struct row *row, cl_program program)
{
    struct flow *flow = flow_of(program);
    const cl_uint count = COUNT;
    cl_mem out = new_uints(COUNT);
    char names[64];
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    for (char *rest = NULL, *name = strtok_r(names, ";", &rest); name;
         name = strtok_r(NULL, ";", &rest)) {
        cl_kernel kernel = flow_add(flow, name);
        ARG(kernel, 0, out);
        ARG(kernel, 1, count);
    }
    flow_run(flow);
    expect_numbers(row, out);
    RELEASE_MEM(out);
    flow_close(flow);
}

static void run_row(const struct row *row)
{
    cl_program program = new_program(row->source);
    cl_int rc = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
    char *log = build_log(program);
    if (rc || (is_sluice() && strstr(log, "warning")))
        check_fail(__FILE__, __LINE__, "%s: %s\n%.1500s", row->what, code_name(rc), log);
    free(log);
    if (rc)
        RELEASE_PROGRAM(program);
    else
        run_design(row, program);
}

static void run_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        run_row(&rows[i]);
}

/* ---- declarations ---------------------------------------------------------------------------- */

static const struct row declarations[] = {
    {"by a macro", CHANNELS "#define STREAM(T, name, n) channel T name __attribute__((depth(n)))\n"
                            "STREAM(uint, c, 3);\n" PASS("c")},
    {"by pasting", CHANNELS "#define LANE(i) channel uint lane##i __attribute__((depth(i)));\n"
                            "#define LANES(f) f(1) f(2) f(4)\nLANES(LANE)\n" PASS("lane4")},
    {"the word by a macro", CHANNELS "#define stream channel\nstream uint c;\n" PASS("c")},
    {"enabled by _Pragma",
     "#define ON(x) _Pragma(#x)\n"
     "ON(OPENCL EXTENSION cl_intel_channels : enable) channel uint c;\n" PASS("c")},
    {"the pragma twice", CHANNELS CHANNELS "channel uint c;\n" PASS("c")},
    {"attribute in front", CHANNELS "__attribute__((depth(4))) channel uint c;\n" PASS("c")},
    {"attribute behind the word", CHANNELS "channel __attribute__((depth(4))) uint c;\n" PASS("c")},
    {"attribute behind the type", CHANNELS "channel uint __attribute__((depth(4))) c;\n" PASS("c")},
    {"attribute behind dimensions",
     CHANNELS "channel uint c[2][2] __attribute__((__depth__(4)));\n" PASS("c[1][0]")},
    {"attribute for each name", CHANNELS "channel uint __attribute__((depth(2))) a, c "
                                         "__attribute__((depth(2))), b;\n" PASS("c")},
    {"an empty attribute",
     CHANNELS "channel uint c __attribute__(()) __attribute__((,));\n" PASS("c")},
    {"qualified type", CHANNELS "channel const uint c;\n" PASS("c")},
    {"qualifier in front", CHANNELS "const channel uint c;\n" PASS("c")},
    {"type of several words", CHANNELS "channel unsigned long int c;\n" PASS("c")},
    {"words in any order", CHANNELS "channel int unsigned c;\n" PASS("c")},
    {"extern, then defined", CHANNELS "extern channel uint c; channel uint c "
                                      "__attribute__((depth(4)));\n" PASS("c")},
    {"declared again", CHANNELS "channel uint c; channel uint c;\n" PASS("c")},
    {"empty declarations", CHANNELS "; channel uint c;;\n" PASS("c")},
    {"depth computed", CHANNELS
     "enum { A = 2 };\n#define B 3\nconstant int d = 1;\n"
     "channel uint c[A][B] __attribute__((depth((sizeof(int) * A + B) << 1)));\n" PASS("c[1][2]")},
    {"dimension by sizeof",
     CHANNELS "channel uint c[sizeof(uint4)][sizeof(\"abc\")];\n" PASS("c[15][3]")},
    {"structure in place", CHANNELS "channel struct rec { uint a; uchar b[3]; } c;\n" SRC(
                               LOOP "{ struct rec r = {i, {1}}; write_channel_intel(c, r); }\n")
                               DST(LOOP "o[i] = read_channel_intel(c).a;\n")},
    {"structure without name",
     CHANNELS "channel struct { uint a, b; } c;\n" SRC(
         LOOP "{ __typeof__(read_channel_intel(c)) r = {.b = i}; write_channel_intel(c, r); }\n")
         DST(LOOP "o[i] = read_channel_intel(c).b;\n")},
    {"union", CHANNELS "typedef union { uint a; float f; uchar b[4]; } any;\nchannel any c;\n" SRC(
                  LOOP "{ any x; x.a = i; write_channel_intel(c, x); }\n")
                  DST(LOOP "o[i] = read_channel_intel(c).a;\n")},
    {"enumeration", CHANNELS "enum color { RED, GREEN };\nchannel enum color c;\n" SRC(
                        LOOP "write_channel_intel(c, (enum color)i);\n") GET_OF("c")},
    {"array of structures of arrays",
     CHANNELS "typedef struct { struct { uint2 v[2]; } in[2]; } deep;\nchannel deep c[2];\n" SRC(
         LOOP "{ deep d; d.in[1].v[1].y = i; write_channel_intel(c[1], d); }\n")
         DST(LOOP "o[i] = read_channel_intel(c[1]).in[1].v[1].y;\n")},
    {"__typeof__", CHANNELS "uint f(void);\nchannel __typeof__(f()) c;\n" PASS("c")},
    {"packed", CHANNELS
     "typedef struct __attribute__((packed)) { uchar a; uint b; } tight;\nchannel tight c;\n" SRC(
         LOOP "{ tight t = {1, i}; write_channel_intel(c, t); }\n")
         DST(LOOP "o[i] = read_channel_intel(c).b;\n")},
    {"between kernels",
     CHANNELS "kernel void first(global uint *o, uint n) {}\nchannel uint c;\n" PASS("c")},
};

static void odd_declarations(void)
{
    run_rows(declarations, LEN(declarations));
}

/* ---- text ------------------------------------------------------------------------------------ */

static const struct row texts[] = {
    {"comments", CHANNELS "/**/channel/* a\nb */uint// ;\nc/**/;\n" PASS("/**/c/* , */")},
    {"continued lines", CHANNELS "chan\\\nnel ui\\\nnt \\\n c\\\n;\n" PASS("\\\nc\\\n")},
    {"other line ends", "#pragma OPENCL EXTENSION cl_intel_channels : enable\r\n"
                        "channel uint c;\r\n" PASS("c")},
    {"#line", CHANNELS "#line 4000 \"else where.cl\"\nchannel uint c;\n#line 1\n" PASS("c")},
    {"letters of the world", CHANNELS "/* Kanäle: 通道 */ channel uint c; // ✓\n" PASS("c")},
    {"names of the world", CHANNELS "channel uint gr\xc3\xb6\xc3\x9f"
                                    "e;\n" PASS("gr\xc3\xb6\xc3\x9f"
                                                "e")},
    {"universal character names", CHANNELS "channel uint \\u03b1;\n" PASS("\\u03b1")},
    {"all in one line", CHANNELS "channel uint c; kernel void src(global uint *o, uint n) { for "
                                 "(uint i = 0; i < n; i++) write_channel_intel(c, i); } kernel "
                                 "void dst(global uint *o, uint n) { for (uint i = 0; i < n; i++) "
                                 "o[i] = read_channel_intel(c); }"},
    {"digraphs", CHANNELS "channel uint c<:2:>;\nkernel void src(global uint *o, uint n) <%\n" LOOP
                          "write_channel_intel(c<:1:>, i);\n%>\n" GET_OF("c[1]")},
    {"skipped text", CHANNELS "#if 0\nchannel int *bad; it's\n#endif\nchannel uint c;\n" PASS("c")},
    {"strings", CHANNELS "channel uint c;\nconstant char t[] = \"channel uint c; "
                         "read_channel_intel(c)\";\n" PASS("c")},
    {"GNU words", CHANNELS "channel __signed__ int c;\n"
                           "__extension__ channel uint d;\n" SRC(
                               LOOP "{ write_channel_intel(c, i); write_channel_intel(d, i); }\n")
                               DST(LOOP "{ o[i] = read_channel_intel(c); o[i] += "
                                        "read_channel_intel(d) - i; }\n")},
};

static void odd_texts(void)
{
    run_rows(texts, LEN(texts));
}

/* ---- operations ------------------------------------------------------------------------------ */

#define TWO CHANNELS "channel uint c __attribute__((depth(2))), d[4] __attribute__((depth(2)));\n"

static const struct row operations[] = {
    {"macros around", TWO "#define GET(x) read_channel_intel(x)\n#define PUT(x, ...) "
                          "write_channel_intel(x, __VA_ARGS__)\n" SRC(LOOP "PUT(c, i);\n")
                              DST(LOOP "o[i] = GET(c);\n")},
    {"macros that name", TWO "#define get read_channel_intel\n#define at(i) d[i]\n" PUT_TO("at(2)")
                             DST(LOOP "o[i] = get(at(2));\n")},
    {"macros that make kernels",
     TWO "#define RELAY(name, from, to) kernel void name(global uint *o, uint n) { \\\n"
         "  for (uint i = 0; i < n; i++) write_channel_intel(to, read_channel_intel(from)); }\n"
         "RELAY(one, c, d[0]) RELAY(two, d[0], d[1])\n" PUT_TO("c") GET_OF("d[1]")},
    {"one in another",
     TWO SRC(LOOP "{ write_channel_intel(d[i & 3], i);\n"
                  "write_channel_intel(c, read_channel_intel(d[i & 3])); }\n") GET_OF("c")},
    {"as an index",
     TWO SRC(LOOP "{ write_channel_intel(d[i & 3], (i + 1) & 3);\n"
                  "  write_channel_intel(d[(i + 1) & 3], i);\n"
                  "  write_channel_intel(c, read_channel_intel(d[read_channel_intel(d[i & 3])])); "
                  "}\n") GET_OF("c")},
    {"?:", TWO SRC(LOOP "i & 1 ? write_channel_intel(c, i) : write_channel_intel(c, i);\n")
               DST(LOOP "o[i] = i % 3 ? read_channel_intel(c) + 1 - 1 : read_channel_intel(c);\n")},
    {"comma",
     TWO SRC("  uint i = 0, s = 0;\n  for (; i < n; write_channel_intel(c, (s++, i)), i++);\n")
         DST(LOOP "o[i] = (o[i] = 7, read_channel_intel(c));\n")},
    {"&& and ||", TWO SRC(LOOP "while (!write_channel_nb_intel(c, i) || 0) ;\n") DST(
                      "  bool ok = false;\n" LOOP "{ do { o[i] = read_channel_nb_intel(c, &ok); "
                      "} while (!(ok && true)); }\n")},
    {"not evaluated", TWO SRC("  uint s = sizeof(read_channel_intel(c)) + "
                              "sizeof read_channel_intel(d[0]);\n"
                              "  __typeof__(read_channel_intel(c)) t = s - 8;\n" LOOP
                              "write_channel_intel(c, i + t);\n") GET_OF("c")},
    {"in an initializer",
     TWO PUT_TO("c") DST(LOOP "{ uint a[2] = {read_channel_intel(c), 1}, b = a[0];\n"
                              "  struct { uint x; } s = {.x = b}; o[i] = s.x; }\n")},
    {"in a switch", TWO SRC(LOOP "switch (i & 1) { case 0: write_channel_intel(c, i); break; "
                                 "default: write_channel_intel(c, i); }\n")
                        DST(LOOP "switch (read_channel_intel(c)) { default: o[i] = i; }\n")},
    {"in a return", TWO "uint get(void) { return read_channel_intel(c); }\n" PUT_TO("c")
                        DST(LOOP "o[i] = get();\n")},
    {"in conditions", TWO PUT_TO("c") DST(LOOP "if (read_channel_intel(c) == i) o[i] = i; else "
                                               "o[i] = 99;\n")},
    {"of parts",
     CHANNELS "channel uint4 c;\n" SRC(LOOP "write_channel_intel(c, (uint4)(1, 2, i, 3));\n")
         DST(LOOP "o[i] = read_channel_intel(c).z;\n")},
    {"compound literal", CHANNELS "typedef struct { uint a, b; } two;\nchannel two c;\n" SRC(
                             LOOP "write_channel_intel(c, ((two){.a = 1, .b = i}));\n")
                             DST(LOOP "o[i] = read_channel_intel(c).b;\n")},
    {"statement expression",
     TWO SRC(LOOP "write_channel_intel(c, ({ uint c = i, d = c; d; }));\n") GET_OF("c")},
    {"parentheses", TWO SRC(LOOP "write_channel_intel((((d))[3]), (i));\n")
                        DST(LOOP "o[i] = read_channel_intel((d[(3)]));\n")},
    {"index with effects",
     TWO SRC("  uint k = 0;\n" LOOP "write_channel_intel(d[k++ & 3], i);\n")
         DST("  uint k = 3;\n" LOOP "o[i] = read_channel_intel(d[++k & 3]);\n")},
    {"the fence", TWO SRC(LOOP "{ write_channel_intel(c, i); mem_fence(CLK_CHANNEL_MEM_FENCE | "
                               "CLK_GLOBAL_MEM_FENCE); }\n") GET_OF("c")},
};

static void odd_operations(void)
{
    run_rows(operations, LEN(operations));
}

/* ---- helper functions ------------------------------------------------------------------------ */

static const struct row helpers[] = {
    {"prototype first", TWO
     "void put(channel uint, uint); uint get(channel uint from[]);\n" SRC(LOOP "put(c, i);\n") DST(
         LOOP
         "o[i] = get(d);\n") "kernel void mid(global uint *o, uint n) {\n" LOOP
                             "put(d[1], read_channel_intel(c)); }\n"
                             "void put(channel uint to, uint v) { write_channel_intel(to, v); }\n"
                             "uint get(channel uint from[4]) { return read_channel_intel(from[1]); "
                             "}\n"},
    {"static inline", TWO "static inline __attribute__((always_inline)) void put(channel uint c, "
                          "const uint v)\n{ write_channel_intel(c, v); }\n" SRC(
                              LOOP "put(d[i & 1 ? 2 : 2], i);\n") GET_OF("d[2]")},
    {"overloaded", CHANNELS
     "channel uint c; channel float f;\n"
     "void __attribute__((overloadable)) put(channel uint to, uint v) { write_channel_intel(to, "
     "v); }\n"
     "void __attribute__((overloadable)) put(channel float to, float v) { write_channel_intel(to, "
     "v); }\n" SRC(LOOP "{ put(c, i); put(f, 1.0f); }\n")
         DST(LOOP "o[i] = read_channel_intel(c) * (uint)read_channel_intel(f);\n")},
    {"two channels of one name", TWO
     "uint move(channel uint d, channel uint c[4]) { uint v = read_channel_intel(d);\n"
     "  write_channel_intel(c[0], v); return v; }\n" PUT_TO(
         "c") "kernel void mid(global uint *o, uint n) {\n" LOOP "move(c, d); }\n" GET_OF("d[0]")},
    {"rows of a grid", CHANNELS
     "channel uint g[2][3];\n"
     "uint row(channel uint r[3], int i) { return read_channel_intel(r[i]); }\n" SRC(
         LOOP "write_channel_intel(g[1][i % 3], i);\n") DST(LOOP "o[i] = row(g[1], i % 3);\n")},
    {"nested helpers", TWO
     "uint a(channel uint x) { return read_channel_intel(x); }\n"
     "uint b(channel uint x) { return a(x); }\nuint e(channel uint x) { return b(x); }\n" PUT_TO(
         "c") DST(LOOP "o[i] = e(c);\n")},
    {"valid of the caller",
     TWO "uint get(channel uint x, bool *ok) { return read_channel_nb_intel(x, ok); }\n" PUT_TO("c")
         DST(LOOP "{ bool ok = false; do o[i] = get(c, &ok); while (!ok); }\n")},
};

static void odd_helpers(void)
{
    run_rows(helpers, LEN(helpers));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* src makes something else of the name c and then uses the channel; dst is plain. */
#define HIDES(file_scope, code)                                                                    \
    CHANNELS "channel uint c __attribute__((depth(3)));\n" file_scope SRC(                         \
        "  uint s = 0;\n  " code "\n" LOOP "write_channel_intel(c, i + s);\n") GET_OF("c")

static const struct row names[] = {
    {"loop variable", HIDES("", "for (int c = 0; c < 3; c++) s += c; s -= 3;")},
    {"loop variable, block", HIDES("", "for (int c = 0; c < 3; c++) { s += c; } s -= 3;")},
    {"loop variable, second", HIDES("", "for (int a = 0, c = 0; c < 3; c++) s += c; s -= 3;")},
    {"loop variable, nested", HIDES("", "for (int a = 0; a < 2; a++) for (int c = 0; c < 3; c++) "
                                        "if (c) s += c; else { s += 0; } s -= 6;")},
    {"loop in a loop", HIDES("", "for (int c = 0; c < 2; c++) { for (int c = 0; c < 3; c++) s += "
                                 "c; s += c; } s -= 7;")},
    {"loop with do", HIDES("", "for (int c = 0; c < 2; c++) do s += c; while (0); s -= 1;")},
    {"loop with if", HIDES("", "for (int c = 0; c < 2; c++) if (c) s += 1; else if (n) s += 2; "
                               "else s += 3; s -= 3;")},
    {"loop with label", HIDES("", "for (int c = 0; c < 2; c++) again: switch (c) case 1: s += c; s "
                                  "-= 1;")},
    {"loop inside an if", HIDES("", "if (n) for (int c = 0; c < 2; c++) s += c; else s = 9; s -= "
                                    "1;")},
    {"loop with pragma", HIDES("", "\n#pragma unroll 2\nfor (int c = 0; c < 2; c++)\n#pragma "
                                   "unroll\nfor (int j = 0; j < 2; j++) s += c;\ns -= 2;")},
    {"block", HIDES("", "{ int c = 4; s += c; } s -= 4;")},
    {"pointer", HIDES("", "{ uint v = 4, *c = &v; s += *c; } { uint v, *p, *c = &v; *c = 4; s -= "
                          "v; }")},
    {"parentheses", HIDES("", "{ uint (c) = 4; s += c; } { uint v[2], (*c)[2] = &v; (*c)[0] = 4; s "
                              "-= v[0]; }")},
    {"typeof", HIDES("", "{ __typeof__(s) c = 4; s += c; } s -= 4;")},
    {"attribute", HIDES("", "{ uint __attribute__((aligned(8))) c = 4; s += c; } s -= 4;")},
    {"structure variable", HIDES("", "{ struct { uint a; } c = {4}; s += c.a; } s -= 4;")},
    {"enumeration variable", HIDES("", "{ enum { one = 1 } c = one; s += c; } s -= 1;")},
    {"enumerator", HIDES("", "{ enum { a, b, c }; s += c; } { enum { c = 2 }; s -= c; }")},
    {"enumerators", HIDES("", "{ enum { c, d } x = d; s += c + x - d; } { enum e { b, c = 3, f }; "
                              "s += f - c - 1; }")},
    {"label", HIDES("", "goto c; s = 9; c: s += 0;")},
    {"labels", HIDES("", "if (n) { goto c; c: s = 0; } c2: s += 0; if (s == 7) goto c2;")},
    {"member", HIDES("struct m { uint a, c; };\n", "struct m m = {.c = 4}, *p = &m; s += m.c; s -= "
                                                   "p->c;")},
    {"member in a block", HIDES("", "struct { uint c, b; } m = {.b = 1, .c = 4}; s += m.c - 4;")},
    {"offset of a member",
     HIDES("struct m { uint a, c; };\n", "s = __builtin_offsetof(struct m, c) - 4;")},
    {"tag",
     HIDES("struct c { uint x; };\n", "struct c v = {4}; s += v.x; { union c { uint y; } w = "
                                      "{4}; s -= w.y; }")},
    {"tag in a block", HIDES("", "struct c { uint x; } v = {4}; enum c2 { c3 }; s += v.x - 4;")},
    {"type", HIDES("", "{ typedef uint c; c v = 4; s += v; } s -= 4;")},
    {"parameter", HIDES("uint f(uint c) { return c + 1; }\n", "s = f(3) - 4;")},
    {"parameters",
     HIDES("uint f(uint a, const uint *c) { return *c + a; }\n", "s = 1; s = f(3, &s) - 4;")},
    {"prototype", HIDES("uint f(uint c);\nuint f(uint b) { return b; }\n", "s = f(0);")},
    {"prototype in a block", HIDES("uint f(uint b) { return b; }\n", "uint f(uint c); s = f(0);")},
    {"macro", HIDES("#define f(c) ((c) + 1)\n", "s = f(3) - 4;")},
    {"channel parameter", HIDES("uint f(channel uint c); uint g(channel uint c) { return "
                                "read_channel_intel(c); }\n",
                                "if (0) s = g(c);")},
    {"condition", HIDES("", "{ uint c = n ? s : 4, d = 1 ? c : s; s += d; s -= c; }")},
    {"array", HIDES("", "{ uint a = 1, c[2] = {3, 4}, b; b = c[1]; s += b - a; } s -= 3;")},
    {"vector", HIDES("", "{ uint4 a, c; c = (uint4)(1, 2, 3, 4); a = c; s += a.w; } s -= 4;")},
    {"swizzle", HIDES("", "uint2 v = (uint2)(4, 4); struct { struct { uint c; } b; } m; m.b.c = "
                          "v.x; s = m.b.c - v.y;")},
};

static void names_of_channels_elsewhere(void)
{
    run_rows(names, LEN(names));
}

/* A word that means something only where its extension is on. */
static const struct row words[] = {
    {"channel as a name",
     "uint f(uint channel) { struct { uint channel; } s = {channel}; "
     "s.channel += channel; return s.channel - channel; }\n" CHANNELS
     "channel uint c;\n" SRC(LOOP "write_channel_intel(c, f(i));\n") GET_OF("c")},
    {"channel as a name, off again",
     CHANNELS "channel uint c;\n#pragma OPENCL EXTENSION cl_intel_channels : disable\n"
              "uint f(uint channel) { channel = channel * 2; return channel; }\n" CHANNELS SRC(
                  LOOP "write_channel_intel(c, f(i) / 2);\n") GET_OF("c")},
    {"depth and io", CHANNELS "constant uint depth = 3, io = 1, blocking = 2, autorun = 0;\n"
                              "channel uint c __attribute__((depth(3)));\n" SRC(
                                  LOOP "write_channel_intel(c, i + depth - io - blocking - "
                                       "autorun);\n") GET_OF("c")},
    {"operations of another kind",
     "uint read_pipe_(uint a) { return a; }\n"
     "uint write_channel(uint read_channel) { return read_channel; }\n" CHANNELS
     "channel uint c;\n" SRC(LOOP "write_channel_intel(c, "
                                  "write_channel(read_pipe_(i)));\n") GET_OF("c")},
    {"pipe as a name",
     CHANNELS "channel uint c;\nuint f(uint pipe) { uint x = pipe; return x; }\n" SRC(
         LOOP "{ uint pipe = f(i); write_channel_intel(c, pipe); }\n") GET_OF("c")},
};

static void words_as_names(void)
{
    run_rows(words, LEN(words));
}

/* ---- program-scope pipes --------------------------------------------------------------------- */

#define PIPES "pipe uint c __attribute__((blocking)) __attribute__((depth(3)));\n"

static const struct row pipes[] = {
    {"plain", PIPES SRC(LOOP "write_pipe(c, &i);\n") DST(LOOP "read_pipe(c, o + i);\n")},
    {"hidden by a loop variable",
     PIPES SRC("  for (uint c = 0; c < 3; c++) o[c] = 0;\n" LOOP "write_pipe(c, &i);\n")
         DST(LOOP "read_pipe(c, &o[i]);\n")},
    {"by a macro", "#define P(T, n) pipe T n __attribute__((blocking))\nP(uint, c);\n" SRC(
                       LOOP "write_pipe(c, &i);\n") DST(LOOP "read_pipe(c, o + i);\n")},
    {"in an array",
     "pipe uint c[2][2] __attribute__((blocking));\n" SRC(LOOP "write_pipe(c[i & 1][1], &i);\n")
         DST(LOOP "read_pipe(c[i & 1][1], o + i);\n")},
    {"the result used", "pipe uint c;\n" SRC(LOOP "while (write_pipe(c, &i) < 0) ;\n")
                            DST(LOOP "for (int bad = 1; bad; ) bad = read_pipe(c, o + i) ? 1 : "
                                     "0;\n")},
    {"in a helper", PIPES "void put(uint v) { write_pipe(c, &v); }\n" SRC(LOOP "put(i);\n")
                        DST(LOOP "read_pipe(c, o + i);\n")},
    {"const packet", PIPES SRC(LOOP "{ const uint v = i; write_pipe(c, &v); }\n")
                         DST(LOOP "{ uint a[2]; read_pipe(c, a); o[i] = a[0]; }\n")},
    {"channel and pipe",
     CHANNELS PIPES "channel uint d;\n" SRC(
         LOOP "write_channel_intel(d, i);\n") "kernel void mid(global uint *o, uint n) {\n" LOOP
                                              "{ uint v = read_channel_intel(d); write_pipe(c, "
                                              "&v); } }\n" DST(LOOP "read_pipe(c, o + i);\n")},
};

static void pipes_of_the_program(void)
{
    if (!is_sluice())
        check_skip("no program-scope pipes in OpenCL C");
    run_rows(pipes, LEN(pipes));
}

/* ---- headers --------------------------------------------------------------------------------- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fputs(text, file);
    REQUIRE(fclose(file) == 0);
}

/* Found through -I, with the pragma in one of them and the word in the other. */
static void headers(void)
{
    char folder[] = "/tmp/sluice-language-XXXXXX", options[400], command[300];
    REQUIRE(mkdtemp(folder));
    write_file(folder, "on.h", "#ifndef ON_H\n#define ON_H\n" CHANNELS "#endif\n");
    write_file(folder, "design.h",
               "#include \"on.h\"\nchannel uint c __attribute__((depth(DEPTH)));\n");
    snprintf(options, sizeof options, "-I %s -D DEPTH=3", folder);
    cl_program program =
        built("#include <on.h>\n#include \"design.h\"\n#include \"design.h\"\n" PASS("c"), options);
    program_expect(program, "src dst", COUNT, want_same);
    RELEASE_PROGRAM(program);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    REQUIRE(system(command) == 0);
}

/* And as a program object given to clCompileProgram. */
static void embedded_headers(void)
{
    const char *name = "lib/design.h";
    cl_program header = new_program(CHANNELS "channel uint c;\n");
    cl_program main_part = new_program("#include <lib/design.h>\n" PASS("c"));
    CHECK_OK(clCompileProgram(main_part, 1, &cl.device, "", 1, &header, &name, NULL, NULL));
    cl_int rc;
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, "", 1, &main_part, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    program_expect(program, "src dst", COUNT, want_same);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(main_part);
    RELEASE_PROGRAM(header);
}

static const struct test_case cases[] = {
    CASE(odd_declarations),
    CASE(odd_texts),
    CASE(odd_operations),
    CASE(odd_helpers),
    CASE(names_of_channels_elsewhere),
    CASE(words_as_names),
    CASE(pipes_of_the_program),
    CASE(headers),
    CASE(embedded_headers),
};
TEST_MAIN("language", cases)
