/* SPDX-License-Identifier: Apache-2.0 */
/* Postponed products of a function, where their matrices lie, and which of them become one. Used by
 * matrix_tiles.cpp only. Stateless. */
#ifndef SL_KERNELS_LLVM_MATRIX_JOINING_H
#define SL_KERNELS_LLVM_MATRIX_JOINING_H

#include <llvm/IR/Instructions.h>
#include <memory>

#include "llvm/loops/analyses.h"
#include "llvm/matrix_product.h"

namespace sluice::matrix
{

using namespace llvm;

constexpr unsigned rowBytes = 64, halfRow = 32, mostRows = 16;

using Rows = SmallVector<Value *, mostRows>;

bool isPostponed(Instruction &, sl_matrix_product &);

/* A row's load, and which lanes it is of: null is all. */
struct Load {
    Instruction *load = nullptr;
    Value *address = nullptr, *mask = nullptr;

    explicit operator bool() const
    {
        return load;
    }
};

/* Rows of a tile: `stride` bytes apart. */
struct Place {
    Value *base = nullptr, *mask = nullptr;
    const SCEV *stride = nullptr;

    explicit operator bool() const
    {
        return base;
    }
};

Load loadOf(Value *row, unsigned bytes);
/* Of rows that are still in memory at `at`. */
Place placeOf(ScalarEvolution &, ArrayRef<Value *> rows, unsigned bytes, Instruction *at);

/* One or two that became one: of a and b there are the parts that lie behind each other. */
struct Product {
    sl_matrix_product kind;
    CallInst *at;
    SmallVector<Rows, 2> a, b;
    Rows sums, results;
    bool gone = false;
};

struct Function_ {
    Function &f;
    std::unique_ptr<sluice::Analyses> known;
    SmallVector<Product, 16> products;
    SmallVector<CallInst *, 16> calls;

    explicit Function_(Function &function)
        : f(function), known(std::make_unique<sluice::Analyses>(function))
    {
    }
};

void findProducts(Function_ &);
/* Along the sum: twice as long rows of a, twice as many of b. */
void joinChains(Function_ &);
/* Side by side: twice as many rows of a. */
void joinRows(Function_ &);
/* What is left short gets zeros behind it: all products have the same length. */
void evenOut(Function_ &);

} // namespace sluice::matrix

#endif
