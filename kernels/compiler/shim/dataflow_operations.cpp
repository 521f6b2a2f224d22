/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of operations, see dataflow_tokens.cpp. Constant tables, no locks. */
#include "dataflow_operations.h"

namespace sluice
{

/* The comma drops address space and qualifiers from the type: what is left is that of a value. */
#define SL_VALUE_TYPE "__typeof__(((void)0, *(__sl_0)))"
#define SL_SIZES "sizeof(__sl_packet), __alignof__(*(__sl_0))"

#define SL_READ                                                                                    \
    "({ " SL_VALUE_TYPE " __sl_packet; __sl_pipe_read((__sl_0), &__sl_packet, " SL_SIZES           \
    "); __sl_packet; })"
#define SL_WRITE                                                                                   \
    "({ " SL_VALUE_TYPE " __sl_packet = (__sl_1); "                                                \
    "__sl_pipe_write((__sl_0), &__sl_packet, " SL_SIZES "); })"
/* Nothing read: zeros. */
#define SL_READ_NB                                                                                 \
    "({ " SL_VALUE_TYPE " __sl_packet = {}; "                                                      \
    "*(__sl_1) = !__sl_pipe_read_nb((__sl_0), &__sl_packet, " SL_SIZES "); __sl_packet; })"
#define SL_WRITE_NB                                                                                \
    "({ " SL_VALUE_TYPE " __sl_packet = (__sl_1); "                                                \
    "(_Bool)!__sl_pipe_write_nb((__sl_0), &__sl_packet, " SL_SIZES "); })"

const Operation operations[] = {
    {"read_channel_intel", true, 1, SL_READ},
    {"read_channel_altera", true, 1, SL_READ},
    {"write_channel_intel", true, 2, SL_WRITE},
    {"write_channel_altera", true, 2, SL_WRITE},
    {"read_channel_nb_intel", true, 2, SL_READ_NB},
    {"read_channel_nb_altera", true, 2, SL_READ_NB},
    {"write_channel_nb_intel", true, 2, SL_WRITE_NB},
    {"write_channel_nb_altera", true, 2, SL_WRITE_NB},
};
const size_t operationCount = sizeof operations / sizeof *operations;

const char operationDeclarations[] =
    "void __sl_pipe_read(const __constant void *, __private void *, unsigned, unsigned);"
    "void __sl_pipe_write(const __constant void *, __private void *, unsigned, unsigned);"
    "int __sl_pipe_read_nb(const __constant void *, __private void *, unsigned, unsigned);"
    "int __sl_pipe_write_nb(const __constant void *, __private void *, unsigned, unsigned);"
    "int __sl_compute_id(int);";

} // namespace sluice
