/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma OPENCL EXTENSION` of what the device offers. C++, for the other files of this folder
 * only.
 */
#ifndef SL_KERNELS_CLANG_EXTENSION_PRAGMA_H
#define SL_KERNELS_CLANG_EXTENSION_PRAGMA_H

#include <clang/Frontend/CompilerInstance.h>

/* No warning for these names (separated by spaces), whatever clang knows of them: many are macros
 * to it and no more, or none before some version of the language. */
void sl_accept_extension_pragmas(clang::CompilerInstance &compiler, llvm::StringRef names);

#endif
