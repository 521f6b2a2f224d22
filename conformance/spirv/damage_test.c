/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged modules: cut off behind each word, and with words changed in ways that keep most of them
 * sound. The reader gives a module that LLVM's verifier takes, or a reason; nothing else ends it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "spirv/spirv.h"
#include "spirv_cases.h"
#include "spirv_text.h"

enum { MUTANTS = 10000, SECONDS_FOR_ONE = 20 };

static size_t log_bytes;
static char log_text[1024];

static void take_log(void *data, const char *text, size_t bytes)
{
    (void)data;
    size_t room = sizeof log_text - 1 - log_bytes;
    bytes = bytes < room ? bytes : room;
    memcpy(log_text + log_bytes, text, bytes);
    log_bytes += bytes;
    log_text[log_bytes] = 0;
}

/* Whether it was taken. A hang ends the program. */
static bool read_module(const uint32_t *words, size_t bytes)
{
    LLVMContextRef context = LLVMContextCreate();
    struct sl_spirv_input input = {
        .bytes = words, .byte_count = bytes, .name = "damaged", .log = take_log};
    log_bytes = 0;
    log_text[0] = 0;
    alarm(SECONDS_FOR_ONE);
    LLVMModuleRef module = sl_spirv_read(context, &input);
    alarm(0);
    bool taken = module != NULL;
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    assert_true(taken == !log_bytes);
    assert_true(taken || !strncmp(log_text, "error: ", 7));
    assert_true(taken || log_text[log_bytes - 1] == '\n');
    return taken;
}

/* Only sub-groups can run it. */
#define MATRIX(name, element, rows, columns, use)                                                  \
    "%" name " = OpTypeCooperativeMatrixKHR %" element " %c3 %" rows " %" columns " %" use "\n"
static const struct spirv_case matrices = {
    .name = "cooperative matrices",
    .version = 0x10300,
    .before = "OpCapability 6022\nOpExtension \"SPV_KHR_cooperative_matrix\"\n",
    .globals =
        "%c8 = OpConstant %uint 8\n%c16 = OpConstant %uint 16\n%c32 = OpConstant %uint 32\n"
        "%f3 = OpConstant %float 1077936128\n" MATRIX("ta", "uchar", "c8", "c32", "c0")
            MATRIX("tb", "uchar", "c32", "c16", "c1") MATRIX("tc", "uint", "c8", "c16", "c2")
                MATRIX("tf", "float", "c8", "c16", "c2")
                    MATRIX("t1", "uint", "c1", "c16",
                           "c2") "%nc = OpConstantNull %tc\n%fc = OpConstantComposite %tf %f3\n"
                                 "%pc = OpTypePointer 7 %tc\n%ft = OpTypeFunction %tc %tc\n%at = "
                                 "OpTypeArray %t1 %c2\n"
                                 "%pa = OpTypePointer 7 %at\n",
    .functions = "%f = OpFunction %tc 0 %ft\n%fx = OpFunctionParameter %tc\n%fl = OpLabel\n"
                 "%fr = OpSNegate %tc %fx\nOpReturnValue %fr\nOpFunctionEnd\n",
    .body = "%v = OpVariable %pc 7\n%w = OpVariable %pa 7\n"
            "%a = OpCooperativeMatrixLoadKHR %ta %out %c0 %c8\n"
            "%b = OpCooperativeMatrixLoadKHR %tb %out %c1 %x 2 1\n"
            "%m = OpCooperativeMatrixMulAddKHR %tc %a %b %nc 29\n"
            "%n = OpCooperativeMatrixLengthKHR %uint %tc\n%o = OpIAdd %tc %m %m\n"
            "%s = OpConvertSToF %tf %o\n%p = OpFMul %tf %s %fc\n%q = OpConvertFToS %tc %p\n"
            "%r = OpCompositeConstruct %tc %x\n%e = OpCompositeExtract %uint %r 7\n"
            "%g = OpCompositeInsert %tc %e %q 0\n%h = OpFunctionCall %tc %f %g\n"
            "OpStore %v %h\n%i = OpAccessChain %fp %v %n\nOpStore %i %e\n%j = OpLoad %tc %v\n"
            "%k1 = OpAccessChain %fp %w %c1 %c0\nOpStore %k1 %x\n"
            "%t = OpSelect %tc %true %j %nc\n%u = OpMatrixTimesScalar %tc %t %x\n"
            "OpCooperativeMatrixStoreKHR %out %u %c1 %c16\n"
            "OpCooperativeMatrixStoreKHR %out %b %c0 %c16\nOpReturn\nOpFunctionEnd\n",
};

static const struct spirv_case *case_of(unsigned k)
{
    return k < spirv_case_count ? &spirv_cases[k] : &matrices;
}

static unsigned case_count(void)
{
    return spirv_case_count + 1;
}

static struct spirv_module module_of(unsigned k)
{
    char *text = spirv_case_text(case_of(k));
    struct spirv_module module = spirv_assemble(text, case_of(k)->version);
    free(text);
    return module;
}

static void whole_modules_are_taken(void **state)
{
    (void)state;
    for (unsigned k = 0; k < case_count(); k++) {
        struct spirv_module module = module_of(k);
        if (!read_module(module.words, module.count * 4))
            fail_msg("%s: %s", case_of(k)->name, log_text);
        spirv_module_finish(&module);
    }
}

static const struct {
    const char *before, *globals, *body, *why;
} refused[] = {
    {"OpCapability 1\n", "", "",
     "(OpCapability): capability Shader is not supported: the module is for Vulkan"},
    {"OpCapability 60000\n", "", "", "capability 60000 is not supported"},
    {"%glsl = OpExtInstImport \"GLSL.std.450\"\n", "", "", "\"GLSL.std.450\" are not supported"},
    {"OpMemoryModel 1 2\n", "", "", "(OpMemoryModel): there is more than one"},
    {"OpEntryPoint 5 %k \"other\"\n", "", "", "execution model 5 is not OpenCL's"},
    {"OpEntryPoint 6 %k \"other\"\n", "", "", "one function as two kernels"},
    {"OpExecutionMode %c1 17 1 1 1\n", "", "", "is no kernel"},
    {"OpExecutionMode %k 17 1 1\n", "", "", "(OpExecutionMode): has too few operands"},
    {"OpExecutionMode %k 33\n", "", "", "a kernel that runs when a program comes"},
    {"OpExecutionMode %k 4460 32\n", "", "", "capability DenormFlushToZero"},
    {"OpDecorate %bad 11 9999\n", "%ip = OpTypePointer 1 %uint\n%bad = OpVariable %ip 1\n",
     "%u = OpLoad %uint %bad\nOpStore %out %u\n", "built-in variable 9999 is not OpenCL's"},
    {"", "%odd = OpTypeInt 24 0\n", "", "integers of 24 bits"},
    {"", "%odd = OpTypeVector %uint 17\n", "", "vectors of 17 lanes"},
    {"", "%odd = OpTypePointer 12 %uint\n", "", "storage class 12 is not OpenCL's"},
    {"", "%big = OpConstant %ulong 0x100000000L\n%odd = OpTypeArray %uint %big\n", "", "too large"},
    {"", "%odd = OpConstant %uint 1L\n", "", "2 words for 32 bits"},
    {"", "%odd = OpConstantComposite %v2 %c1\n", "", "1 parts for 2"},
    {"", "%odd = OpSpecConstantOp %uint 61 %c1\n", "", "is no operation on constants"},
    {"", "%lp = OpTypePointer 4 %uint\n%odd = OpVariable %lp 4 %c1\n", "", "no initializer"},
    {"", "", "%a = OpIAdd %uint %x %true\n", "(OpIAdd): operand 2 has the wrong type"},
    {"", "", "%a = OpFAdd %uint %x %x\n", "its result is of the wrong type"},
    {"", "", "%a = OpLoad %uint %x\n", "operand 1 is no pointer"},
    {"", "", "%a = OpLoad %uint %out 2 3\n", "3 is no alignment"},
    {"", "", "%a = OpIAdd %uint %b %x\n%b = OpIAdd %uint %x %x\n", "used where it has no value"},
    {"", "", "%a = OpCompositeExtract %uint %x 0\n", "of what is whole"},
    {"", "", "%a = OpVectorShuffle %v2 %ones %ones 6 0\n", "there is no lane 6"},
    {"", "", "%a = OpFunctionCall %void %k %out %x\n", "is no function to be called"},
    {"", "", "OpBranch %c1\n%l = OpLabel\n", "is no label of this function"},
    {"", "", "OpReturnValue %x\n%l = OpLabel\n", "the function returns nothing"},
    {"", "", "%q = OpPhi %uint %x %start\n%r = OpPhi %uint\n%t = OpLabel\n", "stands"},
    {"", "", "%a = OpExtInst %uint %std 60000 %x\n", "60000"},
    {"", "", "%a = OpImageSampleImplicitLod %v4 %x %x\n", "(OpImageSampleImplicitLod): "},
};

/* By name, with the instruction and its place where one is at fault. */
static void reasons_are_given(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char body[512];
        struct spirv_case c = {.before = refused[k].before,
                               .globals = refused[k].globals,
                               .body = body,
                               .functions = ""};
        snprintf(body, sizeof body, "%sOpReturn\nOpFunctionEnd\n", refused[k].body);
        char *text = spirv_case_text(&c);
        struct spirv_module module = spirv_assemble(text, 0x10000);
        bool taken = read_module(module.words, module.count * 4);
        if (taken || !strstr(log_text, refused[k].why) || !strstr(log_text, "at word "))
            fail_msg("row %zu: \"%s\", not \"%s\"", k, taken ? "" : log_text, refused[k].why);
        spirv_module_finish(&module);
        free(text);
    }
}

/* Headers alone. */
static void headers_are_checked(void **state)
{
    static const struct {
        uint32_t words[5];
        const char *why;
    } rows[] = {
        {{0x07230204, 0x10000, 0, 1, 0}, "first word"},
        {{0x07230203, 0x10700, 0, 1, 0}, "version 1.7"},
        {{0x07230203, 0x20000, 0, 1, 0}, "version 2.0"},
        {{0x07230203, 0x10000, 0, 0, 0}, "bound"},
        {{0x07230203, 0x10000, 0, 0x400000, 0}, "bound"},
        {{0x07230203, 0x10000, 0, 1, 1}, "schema"},
        {{0x07230203, 0x10000, 0, 1, 0}, "no memory model"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_false(read_module(rows[k].words, sizeof rows[k].words));
        assert_non_null(strstr(log_text, rows[k].why));
    }
}

/* Where the kernel is named: what is cut off behind that lacks its end. */
static size_t words_before_kernel(const struct spirv_module *module)
{
    enum { ENTRY_POINT = 15 };
    size_t at = 5;
    while ((module->words[at] & 0xffff) != ENTRY_POINT)
        at += module->words[at] >> 16;
    return at;
}

static void cut_modules_are_refused(void **state)
{
    (void)state;
    for (unsigned k = 0; k < case_count(); k++) {
        struct spirv_module module = module_of(k);
        for (size_t bytes = 0; bytes < module.count * 4; bytes++) {
            uint32_t *exact = malloc(bytes + 1);
            assert_non_null(exact);
            memcpy(exact, module.words, bytes);
            bool taken = read_module(exact, bytes);
            assert_false(taken && (bytes > words_before_kernel(&module) * 4 || bytes % 4));
            free(exact);
        }
        spirv_module_finish(&module);
    }
}

static uint64_t draw_state = 1;

static uint32_t draw(uint32_t below)
{
    uint64_t z = draw_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % below);
}

/* Ids for ids, opcodes for opcodes of as many words, small and odd numbers. */
static void change_word(struct spirv_module *module)
{
    size_t at = 5 + draw((uint32_t)module->count - 5),
           other = 5 + draw((uint32_t)module->count - 5);
    uint32_t *words = module->words;
    switch (draw(6)) {
    case 0:
        words[at] = words[other];
        break;
    case 1:
        words[at] = draw(words[3] + 2);
        break;
    case 2:
        words[at] = (words[at] & 0xffff0000u) | draw(460);
        break;
    case 3:
        words[at] ^= 1u << draw(32);
        break;
    case 4:
        words[at] += draw(3) - 1;
        break;
    default:
        words[at] = draw(2) ? 0xffffffffu >> draw(32) : 1u << draw(32);
    }
}

static void changed_modules_are_read_or_refused(void **state)
{
    (void)state;
    unsigned taken = 0;
    const char *seed = getenv("SLUICE_TEST_SEED");
    draw_state = seed ? strtoull(seed, NULL, 0) : 1;
    for (unsigned n = 0; n < MUTANTS; n++) {
        struct spirv_module module = module_of(n % case_count());
        for (unsigned changes = 1 + draw(3); changes; changes--)
            change_word(&module);
        taken += read_module(module.words, module.count * 4);
        spirv_module_finish(&module);
    }
    printf("%u of %u changed modules were taken\n", taken, (unsigned)MUTANTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_modules_are_taken),
        cmocka_unit_test(reasons_are_given),
        cmocka_unit_test(headers_are_checked),
        cmocka_unit_test(cut_modules_are_refused),
        cmocka_unit_test(changed_modules_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
