/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands for the operations on channels and program-scope pipes after rewriting. Constant
 * tables, no locks.
 */
#ifndef SL_KERNELS_DIALECT_OPERATIONS_H
#define SL_KERNELS_DIALECT_OPERATIONS_H

#include <cstddef>
#include <cstdint>

namespace sluice
{

struct Operation {
    const char *name;
    bool channel; /* else on a program-scope pipe */
    uint8_t arguments;
    const char *text;
    /* In it __sl_0, __sl_1... are the arguments, __sl_e a channel like the first, __sl_v the value
     * of __sl_packet, __sl_a the packet's alignment. */
};

/* What the texts call the type of a packet. */
extern const char packetType[];

/* Rows of the same name are neighbours: forms with other numbers of arguments. */
extern const Operation operations[];
extern const size_t operationCount;

/* How messages of assertions in the texts end. */
extern const char *const assertionEnds[];
extern const size_t assertionEndCount;

/* OpenCL C that goes in front of a source that uses any of them; that has pipes; that has pipes
 * although its language version has none. */
extern const char operationDeclarations[], pipeDeclarations[], legacyPipeDeclarations[];

} // namespace sluice

#endif
