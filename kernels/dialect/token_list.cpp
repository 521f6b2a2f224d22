/* SPDX-License-Identifier: Apache-2.0 */
/* Brackets and statements of a token list. No locks. */
#include "dialect/token_list.h"

using namespace clang;

namespace sluice
{

/* Kinds are not compared: where they do not fit clang reports it. */
TokenList::TokenList(std::vector<Token> &tokens) : list(tokens), match(tokens.size(), 0)
{
    std::vector<size_t> open;
    for (size_t i = 0; i < list.size(); i++) {
        if (list[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
            open.push_back(i);
            match[i] = list.size() - 1;
        } else if (list[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && !open.empty()) {
            match[i] = open.back();
            match[open.back()] = i;
            open.pop_back();
        }
    }
}

size_t TokenList::afterAttribute(size_t at) const
{
    return is(at + 1, tok::l_paren) ? closing(at + 1) + 1 : at + 1;
}

size_t TokenList::beforeAttributes(size_t at) const
{
    size_t before = at;
    while (before > 0) {
        before--;
        const size_t open = list[before].is(tok::r_paren) ? opening(before) : 0;
        if (open == 0 || list[open - 1].isNot(tok::kw___attribute))
            return before;
        before = open - 1;
    }
    return at;
}

std::vector<Range> TokenList::argumentsOf(size_t open, size_t close) const
{
    std::vector<Range> arguments;
    size_t from = open + 1;
    for (size_t i = from; i < close; i++) {
        if (list[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
            i = closing(i);
        } else if (list[i].is(tok::comma)) {
            arguments.push_back({from, i});
            from = i + 1;
        }
    }
    if (from < close || !arguments.empty())
        arguments.push_back({from, close});
    return arguments;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* A block, or all up to a semicolon. */
size_t TokenList::afterSimpleStatement(size_t at) const
{
    if (is(at, tok::l_brace))
        return closing(at) + 1;
    for (; at < list.size() && !list[at].isOneOf(tok::semi, tok::eof, tok::r_brace); at++)
        if (list[at].isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
            at = closing(at);
    return is(at, tok::semi) ? at + 1 : at;
}

/* Behind a label, a case, an attribute or a pragma in front of a statement; `at` if none is. */
size_t TokenList::afterStatementPrefix(size_t at) const
{
    if (list[at].isAnnotation())
        return at + 1;
    if (is(at, tok::kw___attribute))
        return afterAttribute(at);
    if (is(at + 1, tok::colon) && list[at].isOneOf(tok::identifier, tok::kw_default))
        return at + 2;
    if (!is(at, tok::kw_case))
        return at;
    unsigned choices = 0; /* "case a ? b : c:" */
    for (at++; at < list.size() && !list[at].isOneOf(tok::semi, tok::l_brace, tok::eof); at++) {
        choices += list[at].is(tok::question);
        if (list[at].is(tok::colon) && choices-- == 0)
            return at + 1;
    }
    return at;
}

/* What is left of a statement of which a part ends at `at`; true: another part follows. */
bool TokenList::goesOn(tok::TokenKind kind, size_t &at) const
{
    if (kind == tok::kw_do && is(at, tok::kw_while))
        at = afterSimpleStatement(at);
    if (kind != tok::kw_if || !is(at, tok::kw_else))
        return false;
    at++;
    return true;
}

/* A list of what is open, not recursion: statements may be as deep as they are long. */
size_t TokenList::afterStatement(size_t at) const
{
    std::vector<tok::TokenKind> open;
    while (at < list.size() && list[at].isNot(tok::eof)) {
        if (size_t next = afterStatementPrefix(at); next != at) {
            at = next;
            continue;
        }
        const Token &first = list[at];
        if (first.isOneOf(tok::kw_if, tok::kw_do))
            open.push_back(first.getKind());
        if (first.isOneOf(tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_switch)) {
            at = afterAttribute(at); /* its parentheses look the same */
            continue;
        }
        if (first.is(tok::kw_do)) {
            at++;
            continue;
        }
        at = afterSimpleStatement(at);
        bool more = false;
        for (; !more && !open.empty(); open.pop_back())
            more = goesOn(open.back(), at);
        if (!more)
            return at;
    }
    return at;
}

} // namespace sluice
