/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes, and the declarations in them that are none of channels or pipes. No locks. */
#include "dialect/scope.h"

using namespace clang;

namespace sluice
{

/* ---- brackets -------------------------------------------------------------------------------- */

void Scopes::pass(size_t at)
{
    const Token &token = in[at];
    switch (token.getKind()) {
    case tok::kw_typedef:
        typedefBraces = braces + 1;
        break;
    case tok::l_brace:
        open.push_back({braceAt(at), at});
        braces++;
        break;
    case tok::l_paren:
        open.push_back({at && in[at - 1].is(tok::kw_for) ? Bracket::Loop : Bracket::Other, at});
        break;
    case tok::r_brace:
    case tok::r_paren:
        close(token.getKind());
        break;
    case tok::semi:
        if (inTypedef())
            typedefBraces = 0;
        break;
    default:
        break;
    }
}

/* What does not fit is left to clang, which reports it. */
void Scopes::close(tok::TokenKind kind)
{
    if (kind == tok::r_paren) {
        if (inParentheses())
            open.pop_back();
        return;
    }
    while (inParentheses())
        open.pop_back();
    if (open.empty())
        return;
    open.pop_back();
    braces--;
}

/* A record's brace comes after struct, union or enum, attributes and a name. */
Scopes::Bracket Scopes::braceAt(size_t at) const
{
    size_t before = in.beforeAttributes(at);
    if (in.is(before, tok::identifier))
        before = in.beforeAttributes(before);
    if (in[before].isOneOf(tok::kw_struct, tok::kw_union))
        return Bracket::Record;
    return in.is(before, tok::kw_enum) ? Bracket::Enumeration : Bracket::Code;
}

bool Scopes::inRecord() const
{
    for (size_t i = open.size(); i-- > 0;)
        if (open[i].kind < Bracket::Loop)
            return open[i].kind == Bracket::Record;
    return false;
}

/* ---- where names hold ------------------------------------------------------------------------ */

static bool isTypeWord(const Token &token)
{
    return token.isOneOf(tok::kw_void, tok::kw__Bool, tok::kw_bool, tok::kw_char, tok::kw_short,
                         tok::kw_int, tok::kw_long, tok::kw_half, tok::kw_float, tok::kw_double) ||
           token.isOneOf(tok::kw_signed, tok::kw_unsigned, tok::kw_const, tok::kw_volatile);
}

/* "(*c)[2]" or "int (c)": such parentheses are no scope. */
bool Scopes::isDeclarator(size_t at) const
{
    const size_t close = in.closing(at);
    if (at == 0)
        return false;
    if (in.is(at + 1, tok::star))
        return (endsType(at - 1) || in.is(at - 1, tok::comma)) &&
               (in.is(close + 1, tok::l_square) || in.is(close + 1, tok::l_paren));
    const bool name = in.is(at + 1, tok::identifier) && close == at + 2;
    return name && (isTypeWord(in[at - 1]) ||
                    (in.is(at - 1, tok::identifier) && in.is(close + 1, tok::equal)));
}

/* Of what is declared inside of so many brackets. */
size_t Scopes::endOfScope(size_t level) const
{
    bool enumerator = false;
    while (level-- > 0) {
        const size_t close = in.closing(open[level].at);
        switch (open[level].kind) {
        case Bracket::Code:
            return close;
        case Bracket::Enumeration:
            enumerator = true;
            break;
        case Bracket::Record:
            if (!enumerator) /* their enumerators are known outside, too */
                return close;
            break;
        case Bracket::Loop:
            return in.afterStatement(close + 1);
        case Bracket::Other: {
            if (isDeclarator(open[level].at))
                break;
            size_t body = close + 1;
            while (in.is(body, tok::kw___attribute))
                body = in.afterAttribute(body);
            return in.is(body, tok::l_brace) ? in.closing(body) : close;
        }
        }
    }
    return SIZE_MAX;
}

void Scopes::declare(size_t at, const IdentifierInfo *name, Name what)
{
    const size_t end = endOfScope(open.size());
    auto &all = names[name];
    while (!all.empty() && all.back().to <= at)
        all.pop_back();
    all.push_back({what, at, end});
}

const Name *Scopes::lookUp(const IdentifierInfo *name, size_t at) const
{
    auto found = names.find(name);
    if (found == names.end())
        return nullptr;
    for (auto i = found->second.rbegin(); i != found->second.rend(); i++)
        if (i->from <= at && at < i->to)
            return &i->what;
    return nullptr;
}

std::vector<llvm::StringRef> Scopes::namesOf(Named what, size_t at) const
{
    std::vector<llvm::StringRef> found;
    for (const auto &entry : names) {
        const Name *name = lookUp(entry.first, at);
        if (name && name->what == what)
            found.push_back(entry.first->getName());
    }
    return found;
}

/* ---- other things of the same name ----------------------------------------------------------- */

bool Scopes::isLabel(size_t at) const
{
    if (!in.is(at + 1, tok::colon))
        return false;
    const Token &before = in[at - 1];
    if (before.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon, tok::kw_else,
                       tok::kw_do) ||
        before.isAnnotation())
        return true;
    const size_t condition = before.is(tok::r_paren) ? in.opening(at - 1) : 0;
    return condition &&
           in[condition - 1].isOneOf(tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_switch);
}

/* Members, tags and labels have names of their own. */
bool Scopes::isOtherSpace(size_t at) const
{
    if (in[at - 1].isOneOf(tok::period, tok::arrow, tok::kw_goto) || isLabel(at))
        return true;
    return in[in.beforeAttributes(at)].isOneOf(tok::kw_struct, tok::kw_union, tok::kw_enum);
}

/* Two words in a row, the end of a structure in front of a word: what follows is declared. */
bool Scopes::endsType(size_t at) const
{
    const Token &token = in[at];
    const size_t from = token.isOneOf(tok::r_paren, tok::r_brace) ? in.opening(at) : 0;
    if (token.is(tok::r_paren))
        return from && in[from - 1].isOneOf(tok::kw_typeof, tok::kw__Atomic, tok::kw__Alignas);
    if (token.is(tok::r_brace))
        return from && braceAt(from) != Bracket::Code;
    return wordOf(token) &&
           !token.isOneOf(tok::kw_return, tok::kw_else, tok::kw_do, tok::kw_case, tok::kw_sizeof,
                          tok::kw_goto, tok::kw_typeof, tok::kw___alignof, tok::kw__Alignof,
                          tok::kw___extension__);
}

bool Scopes::isDeclared(size_t at) const
{
    size_t before = in.beforeAttributes(at);
    if (in.is(before, tok::comma)) { /* not the first of its declaration: "int a, c = 1;" */
        const Bracket inside = open.empty() ? Bracket::Code : open.back().kind;
        if (inside == Bracket::Enumeration || in.is(at + 1, tok::semi) || in.is(at + 1, tok::equal))
            return true;
        return inside != Bracket::Other && in[at + 1].isOneOf(tok::comma, tok::l_square);
    }
    if (in.is(before, tok::l_brace))
        return !open.empty() && open.back().kind == Bracket::Enumeration;
    while (before > 0 &&
           in[before].isOneOf(tok::star, tok::kw_const, tok::kw_volatile, tok::kw_restrict))
        before--;
    if (in.is(before, tok::l_paren))
        return isDeclarator(before);
    if (in.is(before, tok::comma)) /* "int a, *c" */
        return !inParentheses();
    return endsType(before);
}

bool Scopes::hides(size_t at)
{
    const IdentifierInfo *name = wordOf(in[at]);
    const Name *now = at > 0 ? lookUp(name, at) : nullptr;
    if (!now)
        return false;
    if (isOtherSpace(at))
        return true;
    if (!isDeclared(at))
        return now->what == Named::Other;
    if (!inFile() || inParentheses())
        declare(at, name, {Named::Other, 0});
    return true;
}

} // namespace sluice
