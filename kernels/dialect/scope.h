/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scopes that a walk over tokens passes, and what the names of channels and pipes mean in them:
 * as much of a parser as the rewriting needs. No locks.
 */
#ifndef SL_KERNELS_DIALECT_SCOPE_H
#define SL_KERNELS_DIALECT_SCOPE_H

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <vector>

#include "dialect/token_list.h"

namespace sluice
{

enum class Named : uint8_t { Channel, Pipe, Other };

struct Name { /* of a channel or pipe in scope, or of what hides one */
    Named what;
    unsigned rank; /* dimensions of the array */
};

class Scopes
{
  public:
    explicit Scopes(const TokenList &tokens) : in(tokens)
    {
    }

    /* Each token of the walk, once. */
    void pass(size_t at);

    bool inFile() const
    {
        return braces == 0;
    }
    bool inRecord() const;
    bool inParentheses() const
    {
        return !open.empty() && open.back().kind >= Bracket::Loop;
    }
    bool inTypedef() const
    {
        return typedefBraces == braces + 1;
    }

    void declare(size_t at, const clang::IdentifierInfo *name, Name what);
    /* The word at this place is no use of the channel or pipe of its name: it is a member, a tag or
     * a label, or it names something else from here on. */
    bool hides(size_t at);
    /* What the name stands for at this place; NULL: nothing that is known here. */
    const Name *lookUp(const clang::IdentifierInfo *name, size_t at) const;
    /* What names a channel, or a pipe, there. */
    std::vector<llvm::StringRef> namesOf(Named what, size_t at) const;
    /* A name behind this token is declared. */
    bool endsType(size_t at) const;

  private:
    /* Braces, then parentheses. */
    enum class Bracket : uint8_t { Record, Enumeration, Code, Loop, Other };
    struct Open {
        Bracket kind;
        size_t at;
    };
    struct Binding {
        Name what;
        size_t from, to; /* tokens */
    };

    void close(clang::tok::TokenKind kind);
    Bracket braceAt(size_t at) const;
    bool isDeclarator(size_t open) const;
    size_t endOfScope(size_t level) const;
    bool isOtherSpace(size_t at) const;
    bool isLabel(size_t at) const;
    bool isDeclared(size_t at) const;

    const TokenList &in; /* borrowed */
    llvm::DenseMap<const clang::IdentifierInfo *, llvm::SmallVector<Binding, 1>> names;
    std::vector<Open> open;
    size_t braces = 0;        /* of those that are open */
    size_t typedefBraces = 0; /* 1 + how many were open at "typedef"; 0: none */
};

} // namespace sluice

#endif
