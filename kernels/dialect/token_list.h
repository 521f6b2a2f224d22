/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a translation unit with their brackets matched. No locks. */
#ifndef SL_KERNELS_DIALECT_TOKEN_LIST_H
#define SL_KERNELS_DIALECT_TOKEN_LIST_H

#include <clang/Basic/IdentifierTable.h>
#include <clang/Lex/Token.h>
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
    explicit TokenList(std::vector<clang::Token> &tokens);

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
    size_t closing(size_t open) const
    {
        return match[open];
    }
    /* Where the bracket that closes at `close` opens; 0 if it never does. */
    size_t opening(size_t close) const
    {
        return match[close];
    }
    /* The token after "__attribute__((...))". */
    size_t afterAttribute(size_t at) const;
    /* The last token in front of `at` that is in no attribute; `at` itself if there is none. */
    size_t beforeAttributes(size_t at) const;
    /* The token after the statement that begins at `at`. */
    size_t afterStatement(size_t at) const;
    /* What the commas between two parentheses separate. */
    std::vector<Range> argumentsOf(size_t open, size_t close) const;

  private:
    size_t afterSimpleStatement(size_t at) const;
    size_t afterStatementPrefix(size_t at) const;
    bool goesOn(clang::tok::TokenKind kind, size_t &at) const;

    std::vector<clang::Token> &list;
    std::vector<size_t> match; /* of brackets: the other one; of other tokens: nothing */
};

} // namespace sluice

#endif
