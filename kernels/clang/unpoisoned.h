/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In front of each C++ source of a guided fuzzer (SLUICE_FUZZER), which has the address sanitizer
 * while LLVM's libraries have none: what LLVM's headers poison there nobody would make good again.
 */
#ifndef SL_KERNELS_CLANG_UNPOISONED_H
#define SL_KERNELS_CLANG_UNPOISONED_H

#include <llvm/Support/Compiler.h>

#undef LLVM_ADDRESS_SANITIZER_BUILD
#define LLVM_ADDRESS_SANITIZER_BUILD 0
#define __asan_poison_memory_region(memory, bytes)
#define __asan_unpoison_memory_region(memory, bytes)

#endif
