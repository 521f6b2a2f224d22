/* SPDX-License-Identifier: Apache-2.0 */
/* Brackets and scopes of a token list. No locks. */
#include "dataflow_scope.h"

using namespace clang;

namespace sluice
{

/* ---- brackets --------------------------------------------------------------------------------
 */

static int step(const Token &token)
{
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
        return 1;
    return token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) ? -1 : 0;
}

size_t TokenList::closing(size_t open) const
{
    int depth = 0;
    for (size_t i = open; i < list.size(); i++)
        if ((depth += step(list[i])) <= 0)
            return i;
    return list.size() - 1;
}

size_t TokenList::opening(size_t close) const
{
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;)
        if ((depth += step(list[i])) >= 0)
            return i;
    return 0;
}

size_t TokenList::afterAttribute(size_t at) const
{
    return is(at + 1, tok::l_paren) ? closing(at + 1) + 1 : at + 1;
}

std::vector<Range> TokenList::argumentsOf(size_t open, size_t close) const
{
    std::vector<Range> arguments;
    size_t from = open + 1;
    int depth = 0;
    for (size_t i = from; i < close; i++) {
        depth += step(list[i]);
        if (depth == 0 && list[i].is(tok::comma)) {
            arguments.push_back({from, i});
            from = i + 1;
        }
    }
    if (from < close || !arguments.empty())
        arguments.push_back({from, close});
    return arguments;
}

/* ---- scopes ----------------------------------------------------------------------------------
 */

void Scopes::pass(size_t at)
{
    const Token &token = in[at];
    if (const IdentifierInfo *name = wordOf(token)) {
        if (token.is(tok::kw_typedef))
            typedefBraces = braces.size() + 1;
        noteParameter(at, name);
    } else if (token.is(tok::l_brace)) {
        braces.push_back(opensRecord(at) ? Brace::Record : Brace::Code);
    } else if (token.is(tok::r_brace) && !braces.empty()) {
        leaveBrace();
    } else if (token.is(tok::l_paren)) {
        parentheses++;
    } else if (token.is(tok::r_paren) && parentheses) {
        parentheses--;
    } else if (token.is(tok::semi)) {
        if (braces.empty())
            parameters.clear();
        if (inTypedef())
            typedefBraces = 0;
    }
}

void Scopes::leaveBrace()
{
    braces.pop_back();
    if (braces.empty())
        parameters.clear();
    for (auto i = hidden.begin(); i != hidden.end(); i++)
        if (i->second > braces.size())
            hidden.erase(i);
}

/* After struct, union or enum, attributes and a name. */
bool Scopes::opensRecord(size_t at) const
{
    bool named = false;
    while (at-- > 0) {
        if (in[at].isOneOf(tok::kw_struct, tok::kw_union, tok::kw_enum))
            return true;
        if (in[at].is(tok::r_paren)) {
            at = in.opening(at);
            if (at == 0 || in[at - 1].isNot(tok::kw___attribute))
                return false;
            at--;
        } else if (in[at].isNot(tok::identifier) || named) {
            return false;
        } else {
            named = true;
        }
    }
    return false;
}

/* Parameters hide channels of the same name. */
void Scopes::noteParameter(size_t at, const IdentifierInfo *name)
{
    if (braces.empty() && parentheses && at + 1 < in.size() && names.count(name) &&
        in[at + 1].isOneOf(tok::comma, tok::r_paren, tok::l_square, tok::kw___attribute))
        parameters[name] = other;
}

void Scopes::declare(const IdentifierInfo *name, Name what)
{
    (inParentheses() ? parameters : names)[name] = what;
}

void Scopes::hide(const IdentifierInfo *name)
{
    hidden.try_emplace(name, braces.size()); /* as long as the outermost of them */
}

const Name *Scopes::lookUp(const IdentifierInfo *name) const
{
    if (hidden.count(name))
        return &other;
    auto found = parameters.find(name);
    if (found != parameters.end())
        return &found->second;
    found = names.find(name);
    return found == names.end() ? nullptr : &found->second;
}

} // namespace sluice
