/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of LLVM that most files of C++ here include, read by the compiler once and not by each of
 * them. For CMakeLists.txt alone: a file names what it needs, since where a cache of compilers is
 * in use nothing is precompiled.
 */
#ifndef SL_LLVM_PRECOMPILED_H
#define SL_LLVM_PRECOMPILED_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#endif
