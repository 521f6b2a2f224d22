/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How messages write the type of a packet. Operations on pipes are expanded with a name for it
 * (dialect/operations.h) that no source knows: in messages it is the type that the pipe was
 * declared with. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_PACKET_TYPES_H
#define SL_KERNELS_CLANG_PACKET_TYPES_H

#include <clang/AST/ASTConsumer.h>
#include <memory>

/* To be among a build's consumers; from then on its messages write types so. */
std::unique_ptr<clang::ASTConsumer> sl_name_packet_types();

#endif
