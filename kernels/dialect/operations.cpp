/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of operations, see expand.cpp. Constant tables, no locks. */
#include "dialect/operations.h"

namespace sluice
{

const char packetType[] = "__packet_type";

/* The comma drops address space and qualifiers from the type: what is left is that of a value. */
#define SL_TYPE "typedef __typeof__(((void)0, *(__sl_e))) __packet_type; "
#define SL_SIZES "sizeof(__packet_type), __sl_a"

/* What must be a pointer to be used: clang's own error speaks of an indirection nobody wrote. */
#define MUST_BE_POINTER " must be a pointer"
#define SL_POINTER(what, pointer)                                                                  \
    "__auto_type __sl_at = (" pointer "); "                                                        \
    "_Static_assert(__builtin_classify_type(__sl_at) == 5, \"" what MUST_BE_POINTER "\"); "

/* All end in a call, an assignment or __sl_v: clang does not warn when nobody uses these. */
#define SL_READ                                                                                    \
    "({ " SL_TYPE "__packet_type __sl_packet; "                                                    \
    "__sl_pipe_read((__sl_0), &__sl_packet, " SL_SIZES "); __sl_v; })"
#define SL_WRITE                                                                                   \
    "({ " SL_TYPE "__packet_type __sl_packet = (__sl_1); "                                         \
    "__sl_pipe_write((__sl_0), &__sl_packet, " SL_SIZES "); })"
/* Nothing read: zeros. */
#define SL_READ_NB                                                                                 \
    "({ " SL_TYPE SL_POINTER(                                                                      \
        "the second argument of a non-blocking read",                                              \
        "__sl_1") "__packet_type __sl_packet = {}; "                                               \
                  "*__sl_at = !__sl_pipe_read_nb((__sl_0), &__sl_packet, " SL_SIZES                \
                  "); __sl_v; })"
#define SL_WRITE_NB                                                                                \
    "({ " SL_TYPE "__packet_type __sl_packet = (__sl_1); _Bool __sl_done; "                        \
    "__sl_done = !__sl_pipe_write_nb((__sl_0), &__sl_packet, " SL_SIZES "); })"

/* Functions on pipes take any pointer to a packet, of which clang checks the type. */
#define NOT_TO_PACKET_TYPE "the pointer is not to the packet type of the pipe"
#define SL_AT(pointer)                                                                             \
    SL_POINTER("the last argument of a pipe function", pointer)                                    \
    "_Static_assert(__builtin_types_compatible_p(__packet_type, __typeof__(((void)0, *__sl_at)))," \
    "\"" NOT_TO_PACKET_TYPE "\"); "
#define SL_READ_PIPE(call, pointer)                                                                \
    "({ " SL_TYPE SL_AT(                                                                           \
        pointer) "__packet_type __sl_packet; int __sl_result; "                                    \
                 "__sl_result = " call "&__sl_packet, " SL_SIZES "); "                             \
                 "__sl_result = __sl_result ? __sl_result : (*__sl_at = __sl_packet, 0); })"
#define SL_WRITE_PIPE(call, pointer)                                                               \
    "({ " SL_TYPE SL_AT(pointer) "__packet_type __sl_packet = *__sl_at; " call                     \
                                 "&__sl_packet, " SL_SIZES "); })"
/* Those that move no packet themselves. */
#define SL_CALL(name, operands) "({ " SL_TYPE "__sl_" name "(" operands ", " SL_SIZES "); })"
#define SL_ONE(name) {name, false, 1, SL_CALL(name, "(__sl_0)")}
#define SL_TWO(name) {name, false, 2, SL_CALL(name, "(__sl_0), (__sl_1)")}

const Operation operations[] = {
    {"read_channel_intel", true, 1, SL_READ},
    {"read_channel_altera", true, 1, SL_READ},
    {"write_channel_intel", true, 2, SL_WRITE},
    {"write_channel_altera", true, 2, SL_WRITE},
    {"read_channel_nb_intel", true, 2, SL_READ_NB},
    {"read_channel_nb_altera", true, 2, SL_READ_NB},
    {"write_channel_nb_intel", true, 2, SL_WRITE_NB},
    {"write_channel_nb_altera", true, 2, SL_WRITE_NB},
    {"read_pipe", false, 2, SL_READ_PIPE("__sl_read_pipe_2((__sl_0), ", "__sl_1")},
    {"read_pipe", false, 4,
     SL_READ_PIPE("__sl_read_pipe_4((__sl_0), (__sl_1), (__sl_2), ", "__sl_3")},
    {"write_pipe", false, 2, SL_WRITE_PIPE("__sl_write_pipe_2((__sl_0), ", "__sl_1")},
    {"write_pipe", false, 4,
     SL_WRITE_PIPE("__sl_write_pipe_4((__sl_0), (__sl_1), (__sl_2), ", "__sl_3")},
    {"read_pipe_block", false, 2, SL_READ_PIPE("__sl_read_pipe_2_bl((__sl_0), ", "__sl_1")},
    {"write_pipe_block", false, 2, SL_WRITE_PIPE("__sl_write_pipe_2_bl((__sl_0), ", "__sl_1")},
    SL_TWO("reserve_read_pipe"),
    SL_TWO("reserve_write_pipe"),
    SL_TWO("commit_read_pipe"),
    SL_TWO("commit_write_pipe"),
    SL_TWO("work_group_reserve_read_pipe"),
    SL_TWO("work_group_reserve_write_pipe"),
    SL_TWO("work_group_commit_read_pipe"),
    SL_TWO("work_group_commit_write_pipe"),
    SL_TWO("sub_group_reserve_read_pipe"),
    SL_TWO("sub_group_reserve_write_pipe"),
    SL_TWO("sub_group_commit_read_pipe"),
    SL_TWO("sub_group_commit_write_pipe"),
    SL_ONE("get_pipe_num_packets"),
    SL_ONE("get_pipe_max_packets"),
};
const char *const assertionEnds[] = {MUST_BE_POINTER, NOT_TO_PACKET_TYPE};
const size_t assertionEndCount = sizeof assertionEnds / sizeof *assertionEnds;

const size_t operationCount = sizeof operations / sizeof *operations;

#define SL_PIPE "const __constant void *"
#define SL_PACKET "__private void *, unsigned, unsigned);"
#define SL_RESERVE(name) "reserve_id_t __sl_" name "(" SL_PIPE ", unsigned, unsigned, unsigned);"
#define SL_COMMIT(name) "void __sl_" name "(" SL_PIPE ", reserve_id_t, unsigned, unsigned);"

const char operationDeclarations[] =
    "void __sl_pipe_read(" SL_PIPE ", " SL_PACKET "void __sl_pipe_write(" SL_PIPE ", " SL_PACKET
    "int __sl_pipe_read_nb(" SL_PIPE ", " SL_PACKET "int __sl_pipe_write_nb(" SL_PIPE ", " SL_PACKET
    "int __sl_compute_id(int); unsigned __sl_latency(unsigned, int, int, int, unsigned);"
    "int __sl_latency_of(unsigned, int, int, int, int);";

/* clang-format off */
const char pipeDeclarations[] =
    "int __sl_read_pipe_2(" SL_PIPE ", " SL_PACKET
    "int __sl_write_pipe_2(" SL_PIPE ", " SL_PACKET
    "int __sl_read_pipe_2_bl(" SL_PIPE ", " SL_PACKET
    "int __sl_write_pipe_2_bl(" SL_PIPE ", " SL_PACKET
    "int __sl_waits(int);"
    "int __sl_read_pipe_4(" SL_PIPE ", reserve_id_t, unsigned, " SL_PACKET
    "int __sl_write_pipe_4(" SL_PIPE ", reserve_id_t, unsigned, " SL_PACKET
    SL_RESERVE("reserve_read_pipe") SL_RESERVE("reserve_write_pipe")
    SL_RESERVE("work_group_reserve_read_pipe") SL_RESERVE("work_group_reserve_write_pipe")
    SL_RESERVE("sub_group_reserve_read_pipe") SL_RESERVE("sub_group_reserve_write_pipe")
    SL_COMMIT("commit_read_pipe") SL_COMMIT("commit_write_pipe")
    SL_COMMIT("work_group_commit_read_pipe") SL_COMMIT("work_group_commit_write_pipe")
    SL_COMMIT("sub_group_commit_read_pipe") SL_COMMIT("sub_group_commit_write_pipe")
    "unsigned __sl_get_pipe_num_packets(" SL_PIPE ", unsigned, unsigned);"
    "unsigned __sl_get_pipe_max_packets(" SL_PIPE ", unsigned, unsigned);";
/* clang-format on */

const char legacyPipeDeclarations[] =
    "_Bool __attribute__((overloadable)) is_valid_reserve_id(reserve_id_t);";

} // namespace sluice
