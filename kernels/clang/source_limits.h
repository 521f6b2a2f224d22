/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds for what a source can make clang do: read files that never end, expand macros without end,
 * look at a token without end. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_SOURCE_LIMITS_H
#define SL_KERNELS_CLANG_SOURCE_LIMITS_H

#include <clang/Frontend/CompilerInstance.h>
#include <functional>
#include <llvm/Support/VirtualFileSystem.h>

/* The real files, without pipes, terminals, devices and what the system makes up when asked. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> sl_plain_files();

/* `abandon` does not return; it is called after a message says why. */
void sl_limit_tokens(clang::CompilerInstance &compiler, const std::function<void()> &abandon);

/* clang moves to a thread of its own after 8 MiB of stack, where nobody catches crashes: it shall
 * first use up the stack that it has. */
void sl_use_whole_stack();

#endif
