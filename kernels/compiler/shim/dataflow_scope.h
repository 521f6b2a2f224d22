/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens as a list with brackets, and the scopes that a walk over them passes: as much of a parser
 * as the rewriting of channels and pipes needs. No locks.
 */
#ifndef SL_KERNELS_SHIM_DATAFLOW_SCOPE_H
#define SL_KERNELS_SHIM_DATAFLOW_SCOPE_H

#include <clang/Basic/IdentifierTable.h>
#include <clang/Lex/Token.h>
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <vector>

namespace sluice
{

struct Range { /* of tokens, [from, to) */
    size_t from, to;
};

/* NULL for what is neither a name nor a keyword. */
inline const clang::IdentifierInfo *wordOf(const clang::Token &token)
{
    return token.isAnnotation() ? nullptr : token.getIdentifierInfo();
}

class TokenList
{
  public:
    explicit TokenList(std::vector<clang::Token> &tokens) : list(tokens)
    {
    }

    size_t size() const
    {
        return list.size();
    }
    clang::Token &operator[](size_t at) const
    {
        return list[at];
    }
    bool is(size_t at, clang::tok::TokenKind kind) const
    {
        return at < list.size() && list[at].is(kind);
    }
    /* Where the bracket that opens at `open` is closed; the last token if it never is. */
    size_t closing(size_t open) const;
    /* Where the parenthesis that closes at `close` opens; 0 if it never does. */
    size_t opening(size_t close) const;
    /* The token after "__attribute__((...))". */
    size_t afterAttribute(size_t at) const;
    /* What the commas between two parentheses separate. */
    std::vector<Range> argumentsOf(size_t open, size_t close) const;

  private:
    std::vector<clang::Token> &list;
};

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
        return braces.empty();
    }
    bool inRecord() const
    {
        return !braces.empty() && braces.back() == Brace::Record;
    }
    bool inParentheses() const
    {
        return parentheses > 0;
    }
    bool inTypedef() const
    {
        return typedefBraces == braces.size() + 1;
    }

    void declare(const clang::IdentifierInfo *name, Name what);
    /* A local variable of this name. */
    void hide(const clang::IdentifierInfo *name);
    const Name *lookUp(const clang::IdentifierInfo *name) const;

  private:
    enum class Brace : uint8_t { Record, Code };
    using Names = llvm::DenseMap<const clang::IdentifierInfo *, Name>;

    void leaveBrace();
    bool opensRecord(size_t at) const;
    void noteParameter(size_t at, const clang::IdentifierInfo *name);

    TokenList in;
    Names names, parameters;
    llvm::DenseMap<const clang::IdentifierInfo *, size_t> hidden; /* how deep in braces */
    const Name other = {Named::Other, 0};
    std::vector<Brace> braces;
    unsigned parentheses = 0;
    size_t typedefBraces = 0; /* 1 + how many were open at "typedef"; 0: none */
};

} // namespace sluice

#endif
