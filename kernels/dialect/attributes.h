/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributes of Intel's FPGA compilers that clang does not know. They are registered with clang
 * for the whole process; what a compilation meets lands in the table of its thread. Without a table
 * (the device has no channels) clang treats them as unknown. No locks.
 */
#ifndef SL_KERNELS_DIALECT_ATTRIBUTES_H
#define SL_KERNELS_DIALECT_ATTRIBUTES_H

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceLocation.h>
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <string>

namespace sluice
{

enum class Word : uint8_t {
    /* of pipes and channels; the first three are put there by the token rewriting */
    Channel,
    Pipe,
    Defined, /* without "extern" */
    Depth,
    Io,
    Blocking,
    HostAccessible,
    /* of kernels */
    Autorun,
    MaxGlobalWorkDim,
    NumComputeUnits,
    MaxWorkGroupSize,
    UsesGlobalWorkOffset,
    NoGlobalWorkOffset, /* the same as one that does not use it */
    NumSimdWorkItems,
    Task,       /* one work-item is what it is made for; more are no error */
    KernelHint, /* for the scheduler of the hardware only */
    Dataflow,   /* of functions and loops */
    /* of kernels, functions, loops and blocks: how the hardware may run them */
    CodeHint,
    /* of variables: geometry of a memory that does not exist here */
    SinglePump,
    DoublePump,
    MemoryHint,
    Concurrency, /* of kernels, too */
};

struct Attribute {
    Word word;
    clang::SourceLocation place;
    std::string name;                      /* as written, without underscores around it */
    llvm::SmallVector<int64_t, 3> numbers; /* where the word takes numbers */
    std::string text;                      /* where it takes a string */
};

/* Names of all of them, and of those that clang has for OpenCL C. */
llvm::SmallVector<llvm::StringRef, 0> attributeNames();

class AttributeTable
{
  public:
    /* This thread's compilation from now on; NULL: none. */
    static void use(AttributeTable *);
    static AttributeTable *current();

    void add(const clang::Decl *, Attribute);
    /* Those of this declaration alone; NULL if it has none. */
    const llvm::SmallVector<Attribute, 2> *of(const clang::Decl *) const;
    const Attribute *find(const clang::Decl *, Word) const;

    /* Of all declarations of the same thing. */
    const Attribute *findAny(const clang::Decl *, Word) const;
    llvm::SmallVector<const Attribute *, 4> all(const clang::Decl *) const;
    /* The same of a parameter, in all declarations of its function. */
    const Attribute *findAny(const clang::FunctionDecl *, unsigned parameter, Word) const;
    llvm::SmallVector<const Attribute *, 4> all(const clang::FunctionDecl *,
                                                unsigned parameter) const;

  private:
    llvm::DenseMap<const clang::Decl *, llvm::SmallVector<Attribute, 2>> table;
};

} // namespace sluice

#endif
