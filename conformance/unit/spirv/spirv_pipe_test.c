/* SPDX-License-Identifier: Apache-2.0 */
/* SPIR-V's pipes and clocks as the calls that clang makes of OpenCL C's. */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operands: s a scope (its number follows in `scope`), p a pipe, r a reservation, g a packet, i. */
static const struct {
    uint16_t opcode;
    const char *operands;
    unsigned access, scope;
    char result; /* v nothing, i, r, b */
    const char *expected;
} pipes[] = {
    {OpReadPipe, "pgii", 0, 0, 'i', "call spir_func i32 @__read_pipe_2(target(\"spirv.Pipe\", 0) "},
    {OpWritePipe, "pgii", 1, 0, 'i',
     "call spir_func i32 @__write_pipe_2(target(\"spirv.Pipe\", 1) "},
    {OpReadPipeBlockingINTEL, "pgii", 0, 0, 'v', "call spir_func i32 @__read_pipe_2_bl(target"},
    {OpWritePipeBlockingINTEL, "pgii", 1, 0, 'v', "call spir_func i32 @__write_pipe_2_bl(target"},
    {OpReservedReadPipe, "prigii", 0, 0, 'i', "call spir_func i32 @__read_pipe_4(target"},
    {OpReservedWritePipe, "prigii", 1, 0, 'i', "call spir_func i32 @__write_pipe_4(target"},
    {OpReserveReadPipePackets, "piii", 0, 0, 'r',
     "call spir_func target(\"spirv.ReserveId\") @__reserve_read_pipe(target"},
    {OpReserveWritePipePackets, "piii", 1, 0, 'r',
     "call spir_func target(\"spirv.ReserveId\") @__reserve_write_pipe(target"},
    {OpCommitReadPipe, "prii", 0, 0, 'v', "call spir_func void @__commit_read_pipe(target"},
    {OpCommitWritePipe, "prii", 1, 0, 'v', "call spir_func void @__commit_write_pipe(target"},
    {OpGroupReserveReadPipePackets, "spiii", 0, 2, 'r', "@__work_group_reserve_read_pipe(target"},
    {OpGroupReserveWritePipePackets, "spiii", 1, 3, 'r', "@__sub_group_reserve_write_pipe(target"},
    {OpGroupCommitReadPipe, "sprii", 0, 3, 'v', "@__sub_group_commit_read_pipe(target"},
    {OpGroupCommitWritePipe, "sprii", 1, 2, 'v', "@__work_group_commit_write_pipe(target"},
    {OpGetNumPipePackets, "pii", 0, 0, 'i', "@__get_pipe_num_packets_ro(target"},
    {OpGetMaxPipePackets, "pii", 1, 0, 'i', "@__get_pipe_max_packets_wo(target"},
    {OpIsValidReserveId, "r", 0, 0, 'b',
     "call spir_func zeroext i1 @_Z19is_valid_reserve_id13ocl_reserveid(target"},
};

static uint32_t pipe_type(struct sl_spirv *s, char letter, size_t row)
{
    struct sl_spirv_type pipe = {.kind = SL_SPIRV_PIPE};
    unsigned access = pipes[row].access;
    switch (letter) {
    case 'p':
        pipe.image.access = access;
        pipe.llvm =
            LLVMTargetExtTypeInContext(sl_spirv_context(s), "spirv.Pipe", NULL, 0, &access, 1);
        return fake_spirv_type(s, &pipe);
    case 'r':
        return object_type(s, SL_SPIRV_RESERVE_ID, "spirv.ReserveId");
    case 'g':
        return fake_spirv_pointer(s, fake_spirv_numbers(s, "i", 1), row & 1 ? 0 : 4);
    case 'b':
        return fake_spirv_numbers(s, "b", 1);
    case 'v':
        return 0;
    default:
        return fake_spirv_numbers(s, "i", 1);
    }
}

static void pipes_are_what_clang_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t operands[6];
        unsigned count = (unsigned)strlen(pipes[i].operands);
        for (unsigned k = 0; k < count; k++) {
            uint32_t type = pipe_type(s, pipes[i].operands[k], i);
            operands[k] = pipes[i].operands[k] == 's' ? fake_spirv_constant(s, type, pipes[i].scope)
                                                      : fake_spirv_value(s, type);
        }
        uint32_t result = pipe_type(s, pipes[i].result, i);
        assert_int_equal(fake_spirv_instruction(s, pipes[i].opcode, result, operands, count), 1);
        expect_text(s, pipes[i].expected);
    }
}

static uint32_t storage(struct sl_spirv *s)
{
    LLVMContextRef context = sl_spirv_context(s);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMValueRef numbers[] = {LLVMConstInt(word, 8, 0), LLVMConstInt(word, 4, 0),
                              LLVMConstInt(word, 5, 0)};
    LLVMValueRef all = LLVMConstStructInContext(context, numbers, 3, 0);
    LLVMValueRef variable =
        LLVMAddGlobalInAddressSpace(sl_spirv_module(s), LLVMTypeOf(all), "stream", 1);
    LLVMSetInitializer(variable, all);
    return fake_spirv_variable(s, fake_spirv_pointer(s, fake_spirv_numbers(s, "i", 1), 1),
                               variable);
}

/* The variable gives its name to what passes know as a pipe; both ends are the same one. */
static void pipes_of_programs_are_described(void **state)
{
    static const char *const expected[] = {
        "@stream = external addrspace(2) constant [1 x i32]",
        "call spir_func i32 @__sl_read_pipe_2(ptr addrspace(2) @stream, ptr addrspace(4) ",
        "call spir_func i32 @__sl_write_pipe_2_bl(ptr addrspace(2) @stream, ptr addrspace(4) ",
        "!sl.pipes = !{!0}",
        "!{!\"stream\", !\"pipe\", i32 8, i32 4, i32 5, i32 0, !\"\", !\"\", !\"\", i32 0, i32 0}"};
    (void)state;
    struct sl_spirv *s = fake_spirv_new();
    uint32_t word = fake_spirv_numbers(s, "i", 1), variable = storage(s), ends[2];
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(fake_spirv_instruction(s, OpCreatePipeFromPipeStorage,
                                                pipe_type(s, 'p', k), &variable, 1),
                         1);
        ends[k] = fake_spirv_last(s);
    }
    uint32_t packet = fake_spirv_value(s, fake_spirv_pointer(s, word, 4));
    uint32_t operands[] = {ends[0], packet, fake_spirv_constant(s, word, 8),
                           fake_spirv_constant(s, word, 4)};
    assert_int_equal(fake_spirv_instruction(s, OpReadPipe, word, operands, 4), 1);
    operands[0] = ends[1];
    assert_int_equal(fake_spirv_instruction(s, OpWritePipeBlockingINTEL, 0, operands, 4), 1);
    char *text = fake_spirv_print(s);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(text, expected[k]))
            fprintf(stderr, "%s\nhas no %s\n", text, expected[k]);
        assert_non_null(strstr(text, expected[k]));
    }
    free(text);
    fake_spirv_free(s);
}

static void clocks_exist(void **state)
{
    (void)state;
    for (unsigned scope = 1; scope <= 3; scope++)
        for (unsigned lanes = 1; lanes <= 2; lanes++) {
            struct sl_spirv *s = fake_spirv_new();
            uint32_t id = fake_spirv_constant(s, fake_spirv_numbers(s, "i", 1), scope);
            uint32_t type = fake_spirv_numbers(s, lanes > 1 ? "i" : "l", lanes);
            assert_int_equal(judge(s, OpReadClockKHR, type, &id, 1), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipes_are_what_clang_calls),
        cmocka_unit_test(pipes_of_programs_are_described),
        cmocka_unit_test(clocks_exist),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
