/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said of a loop in front of it: attributes, pragmas, and among them a label, which clang
 * takes for what they are about. Nor does clang take a pragma behind an attribute: pragmas go
 * first. No locks.
 */
#include "dialect/rewriter.h"

using namespace clang;

namespace sluice
{

void Rewriter::findJumps()
{
    for (size_t i = 0; i + 1 < in.size(); i++)
        if (in[i].is(tok::kw_goto) && in[i + 1].is(tok::identifier))
            jumps.insert(in[i + 1].getIdentifierInfo());
}

bool Rewriter::isLoop(size_t at) const
{
    return at < in.size() && in[at].isOneOf(tok::kw_for, tok::kw_while, tok::kw_do);
}

/* The statement behind attributes, pragmas and labels. */
size_t Rewriter::afterLoopHead(size_t at) const
{
    for (;;)
        if (in.is(at, tok::annot_pragma_loop_hint))
            at++;
        else if (in.is(at, tok::kw___attribute))
            at = in.afterAttribute(at);
        else if (in.is(at, tok::identifier) && in.is(at + 1, tok::colon))
            at += 2;
        else
            return at;
}

/* That nothing jumps to, with something said of the loop on either side. */
bool Rewriter::isLoopLabel(size_t at) const
{
    if (at == 0 || !in.is(at, tok::identifier) || !in.is(at + 1, tok::colon) ||
        jumps.count(in[at].getIdentifierInfo()))
        return false;
    const bool behind = in.beforeAttributes(at) + 1 != at || in[at - 1].isAnnotation();
    const bool before = in[at - 1].isOneOf(tok::semi, tok::l_brace, tok::r_brace) &&
                        in.is(at + 2, tok::kw___attribute);
    return (behind || before) && isLoop(afterLoopHead(at + 2));
}

/* In the same head of a loop. */
bool Rewriter::behindAttribute(size_t at) const
{
    while (at > 1) {
        if (in.beforeAttributes(at) + 1 != at)
            return true;
        if (in.is(at - 1, tok::annot_pragma_loop_hint))
            at--;
        else if (in.is(at - 1, tok::colon) && in.is(at - 2, tok::identifier))
            at -= 2;
        else
            return false;
    }
    return false;
}

/* The pragmas behind the attributes that begin here. */
void Rewriter::pullPragmas(size_t at)
{
    const size_t loop = afterLoopHead(at);
    for (size_t i = at; isLoop(loop) && i < loop; i++)
        if (in.is(i, tok::annot_pragma_loop_hint))
            out.push(in[i]);
}

/* Where to go on; 0: nothing of this is here. */
size_t Rewriter::skipInLoopHead(size_t at)
{
    if (in.is(at, tok::kw___attribute) && !behindAttribute(at))
        pullPragmas(at);
    if (in.is(at, tok::annot_pragma_loop_hint) && isLoop(afterLoopHead(at)) && behindAttribute(at))
        return at + 1;
    if (isLoopLabel(at))
        return at + 2;
    if (in[at].is(tok::annot_pragma_loop_hint) && !isLoop(afterLoopHead(at))) {
        flow.warn(in[at].getLocation(), "a pragma for loops is in front of no loop: ignored");
        return at + 1;
    }
    if (wordOf(in[at]) != dependence || !in.is(at + 1, tok::l_paren))
        return 0;
    out.push(in[at]); /* what it says is no expression */
    return in.closing(at + 1) + 1;
}

} // namespace sluice
