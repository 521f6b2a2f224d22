/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What clang accepts and no kernel can have: refused with its place in the source, before clang
 * makes code of it. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_SOURCE_CHECK_H
#define SL_KERNELS_CLANG_SOURCE_CHECK_H

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <memory>

/* Must be told of each declaration before the code generator is. */
std::unique_ptr<clang::ASTConsumer> sl_make_source_check(clang::CompilerInstance &compiler);

#endif
