/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens that a rewriting gives: those of the user, and texts of our own between them. */
#ifndef SL_KERNELS_DIALECT_OUTPUT_H
#define SL_KERNELS_DIALECT_OUTPUT_H

#include "dialect/dataflow.h"
#include "dialect/token_list.h"

namespace sluice
{

class TokenOutput
{
  public:
    explicit TokenOutput(DataflowState &state) : flow(state)
    {
    }

    void push(const clang::Token &token)
    {
        list.push_back(token);
    }
    /* Of the user's tokens. */
    void add(Range range);
    /* The tokens of a NUL-terminated text that lives for ever, all at one place. */
    void addText(llvm::StringRef text, clang::SourceLocation place);
    std::vector<clang::Token> lexed(llvm::StringRef text, clang::SourceLocation place);
    /* Of what no user wrote. */
    clang::SourceLocation ownPlace();

    /* The last token, if there is one; NULL: none. */
    const clang::Token *last() const
    {
        return list.empty() ? nullptr : &list.back();
    }
    void dropLast()
    {
        list.pop_back();
    }
    /* All of it behind the declarations that it needs. */
    std::vector<clang::Token> finish();

  private:
    DataflowState &flow;
    std::vector<clang::Token> list;
    clang::SourceLocation own;
};

} // namespace sluice

#endif
