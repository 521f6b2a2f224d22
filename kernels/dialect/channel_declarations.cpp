/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of channels and program-scope pipes, rewritten to arrays that nothing defines. No
 * locks. */
#include "dialect/rewriter.h"

using namespace clang;

namespace sluice
{

/* ---- where one begins ------------------------------------------------------------------------ */

static bool startsType(const Token &token)
{
    const IdentifierInfo *name = wordOf(token);
    return name && token.isNot(tok::kw___attribute) && token.isNot(tok::kw_asm);
}

/* "channel" and "pipe" are keywords where a type follows and no other type stands in front. */
bool Rewriter::startsDeclaration(size_t at) const
{
    size_t next = at + 1;
    while (in.is(next, tok::kw___attribute))
        next = in.afterAttribute(next);
    if (next >= in.size() || !startsType(in[next]))
        return false;
    return at == 0 || !in[at - 1].isOneOf(tok::period, tok::arrow, tok::kw_struct, tok::kw_union,
                                          tok::kw_enum, tok::kw_goto);
}

bool Rewriter::startsChannel(size_t at)
{
    if (!startsDeclaration(at))
        return false;
    if (channelsEnabled)
        return true;
    if (channelIsUsers || !flow.offer.channels)
        return false;
    const std::string text =
        "'channel' needs '#pragma OPENCL EXTENSION cl_intel_channels : enable'";
    if (flow.offer.unasked)
        flow.warn(in[at].getLocation(), text);
    else
        flow.error(in[at].getLocation(), text);
    return channelsEnabled = true; /* said once is enough */
}

/* Says what is wrong with a declaration at this place; false: nothing can be made of it. */
bool Rewriter::checkPlace(size_t at, const std::string &what)
{
    const SourceLocation place = in[at].getLocation();
    if (scopes.inRecord()) {
        flow.error(place, what + " cannot be a member of a structure");
        return false;
    }
    if (scopes.inTypedef()) {
        flow.error(place, what + " cannot be in a typedef");
        return false;
    }
    if (!scopes.inFile() && !scopes.inParentheses())
        flow.error(place, what + " must be declared at file scope");
    return true;
}

/* Names are looked up by the rules of C, and types by its words. */
bool Rewriter::checkLanguage(SourceLocation place, const std::string &what)
{
    const bool cxx = flow.compiler.getLangOpts().CPlusPlus;
    if (cxx)
        flow.error(place, what + " cannot be declared in C++ for OpenCL, only in OpenCL C");
    return !cxx;
}

bool Rewriter::declaredExtern(size_t at) const
{
    while (at-- > 0 && !in[at].isAnnotation() &&
           !in[at].isOneOf(tok::semi, tok::r_brace, tok::l_brace))
        if (in[at].is(tok::kw_extern))
            return true;
    return false;
}

/* ---- copying --------------------------------------------------------------------------------- */

size_t Rewriter::copyDeclaration(size_t at, Named what)
{
    const SourceLocation place = in[at].getLocation();
    const bool channel = what == Named::Channel;
    flow.usesPipes = true;
    if (!checkLanguage(place, channel ? "a channel" : "a pipe of the program") ||
        !checkPlace(at, channel ? "a channel" : "a pipe"))
        return at + 1;
    if (out.last() && out.last()->is(tok::kw_static)) {
        flow.error(out.last()->getLocation(), std::string(channel ? "a channel" : "a pipe") +
                                                  " belongs to the program: it cannot be static");
        out.dropLast();
    }
    if (!scopes.inParentheses() && !declaredExtern(at))
        out.addText("extern __attribute__((__sl_defined))", place);
    out.addText(channel ? "__constant __attribute__((__sl_channel))"
                        : "__constant __attribute__((__sl_pipe))",
                place);
    size_t next = at + 1;
    for (;;) {
        next = copyDeclarator(next, what);
        if (scopes.inParentheses() || !in.is(next, tok::comma))
            return next;
        out.push(in[next++]);
    }
}

Rewriter::Declarator Rewriter::readDeclarator(size_t at) const
{
    Declarator found;
    for (found.last = at; at < in.size(); at++) {
        const Token &token = in[at];
        if (token.isOneOf(tok::comma, tok::semi, tok::equal, tok::r_paren, tok::eof) ||
            token.isAnnotation())
            break;
        if (token.is(tok::kw___attribute)) {
            at = in.afterAttribute(at) - 1;
            continue;
        }
        if (token.is(tok::identifier)) {
            found.named = at;
            found.name = token.getIdentifierInfo();
            found.rank = 0;
        }
        found.rank += token.is(tok::l_square);
        if (token.isOneOf(tok::l_square, tok::l_brace, tok::l_paren))
            at = in.closing(at);
        found.last = at;
    }
    found.end = at;
    return found;
}

/* Adds the dimension that makes it decay to a pointer. Returns the token that ends it. */
size_t Rewriter::copyDeclarator(size_t at, Named what)
{
    const Declarator found = readDeclarator(at);
    const std::string noun = what == Named::Channel ? "channel" : "pipe";
    if (found.last == found.end) { /* nothing, or attributes only */
        flow.error(in[found.last].getLocation(), "a " + noun + " without a name");
        return found.end;
    }
    if (in.is(found.end, tok::equal))
        flow.error(in[found.end].getLocation(), "a " + noun + " cannot be initialized");
    if (found.name)
        scopes.declare(found.named, found.name, {what, found.rank});
    copyDeclared({at, found.last + 1}, noun);
    out.addText("[1]", in[found.last].getLocation());
    out.add({found.last + 1, found.end});
    return found.end;
}

static bool isSpace(const Token &token)
{
    return token.isOneOf(tok::kw___global, tok::kw___local, tok::kw___private, tok::kw___constant,
                         tok::kw___generic);
}

/* Type and name; without what no packet can be, so that clang has nothing to add. */
void Rewriter::copyDeclared(Range range, const std::string &noun)
{
    for (size_t i = range.from; i < range.to; i++) {
        const Token &token = in[i];
        if (const size_t next = copyIntegerType(i)) {
            i = next - 1;
            continue;
        }
        const bool nested = token.isOneOf(tok::l_brace, tok::l_square) ||
                            (token.is(tok::l_paren) && i > 0 && wordOf(in[i - 1]) &&
                             in[i - 1].isNot(tok::identifier));
        const size_t end = nested ? in.closing(i) + 1 : i + 1;
        flow.usesHalf |= token.is(tok::kw_half);
        if (token.is(tok::star))
            flow.error(token.getLocation(),
                       "a " + noun + " cannot carry pointers: the address space would be lost");
        else if (token.is(tok::l_paren) && !nested)
            flow.error(token.getLocation(), "a " + noun + " is no function");
        if (!token.is(tok::star) && !isSpace(token))
            out.add({i, end});
        i = end - 1;
    }
}

} // namespace sluice
