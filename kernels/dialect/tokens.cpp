/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of the rewriting: words with a meaning, extensions switched on and off, wrong uses of
 * names. No locks. */
#include "dialect/rewriter.h"

using namespace clang;

namespace sluice
{

Rewriter::Rewriter(DataflowState &state)
    : flow(state), preprocessor(state.compiler.getPreprocessor()), in(state.tokens), scopes(in),
      out(state)
{
    channelWord = identifier("channel");
    attributeWords[identifier("blocking")] = identifier("__sl_blocking");
    attributeWords[identifier("__blocking__")] = identifier("__sl_blocking");
    apInt[0] = identifier("ap_int");
    apInt[1] = identifier("ap_uint");
    computeId = identifier("get_compute_id");
    fpgaReg = identifier("__fpga_reg");
    dependence = identifier("__sl_dependence");
    attributeWords[identifier("xcl_dependence")] = dependence;
    dataflow[0] = identifier("xcl_dataflow");
    dataflow[1] = identifier("__xcl_dataflow__");
    hostAccessible[0] = identifier("intel_host_accessible");
    hostAccessible[1] = identifier("__intel_host_accessible__");
    for (size_t i = 0; i < operationCount; i++)
        operationWords.try_emplace(identifier(operations[i].name), &operations[i]);
}

std::vector<Token> Rewriter::run()
{
    renameAttributes();
    findJumps();
    if (!needed()) /* places of loops are still looked up in the tokens */
        return flow.loops.empty() ? std::move(flow.tokens) : flow.tokens;
    event = 0;
    channelsEnabled = hostPipesEnabled = integersEnabled = false;
    copy({0, in.size()});
    return out.finish();
}

/* ---- before the walk ------------------------------------------------------------------------- */

void Rewriter::renameAttributes()
{
    for (size_t i = 0; i < in.size(); i++) {
        if (in[i].isNot(tok::kw___attribute))
            continue;
        passEvents(i);
        const size_t end = in.afterAttribute(i);
        noteDataflow(i, end);
        for (; i < end; i++)
            renameAttribute(in[i]);
        i--;
    }
}

/* The passes look for such loops by their places. */
void Rewriter::noteDataflow(size_t at, size_t end)
{
    for (size_t i = at; i < end; i++) {
        const IdentifierInfo *name = wordOf(in[i]);
        if (!name || (name != dataflow[0] && name != dataflow[1]))
            continue;
        flow.usesProcesses = true;
        if (const size_t loop = afterLoopHead(at); isLoop(loop))
            flow.loops.push_back({"dataflow", 0, loop});
    }
}

void Rewriter::renameAttribute(Token &token)
{
    const IdentifierInfo *name = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
    if (!name)
        return;
    auto found = attributeWords.find(name);
    if (found != attributeWords.end())
        token.setIdentifierInfo(const_cast<IdentifierInfo *>(found->second));
    if (!hostPipesEnabled && (name == hostAccessible[0] || name == hostAccessible[1]))
        flow.error(token.getLocation(), "'intel_host_accessible' needs '#pragma OPENCL EXTENSION "
                                        "cl_intel_fpga_host_pipe : enable'");
}

/* Most programs for the device mention none of this. */
bool Rewriter::needed() const
{
    if (!flow.events.empty())
        return true;
    for (size_t i = 0; i < in.size(); i++) {
        const IdentifierInfo *name = wordOf(in[i]);
        if (in[i].isOneOf(tok::kw_pipe, tok::annot_pragma_loop_hint) || isLoopLabel(i))
            return true;
        if (name && (name == channelWord || name == computeId || name == fpgaReg ||
                     name == dependence || operationWords.count(name)))
            return true;
    }
    return false;
}

/* ---- the walk -------------------------------------------------------------------------------- */

void Rewriter::copy(Range range)
{
    for (size_t i = range.from; i < range.to;)
        i = copyOne(i);
}

/* Returns where to go on. */
size_t Rewriter::copyOne(size_t at)
{
    const Token &token = in[at];
    passEvents(at);
    if (token.is(tok::annot_pragma_opencl_extension) && isEvent(at))
        return at + 1;
    if (size_t next = skipInLoopHead(at))
        return next;
    const IdentifierInfo *name = wordOf(token);
    if (size_t next = name ? copyWord(at, name) : 0)
        return next;
    scopes.pass(at);
    out.push(token);
    return at + 1;
}

/* 0: the word has no special meaning here. */
size_t Rewriter::copyWord(size_t at, const IdentifierInfo *name)
{
    if (name == channelWord && startsChannel(at))
        return copyDeclaration(at, Named::Channel);
    if (name == channelWord && scopes.inTypedef())
        channelIsUsers = true;
    if (in[at].is(tok::kw_pipe) && flow.offer.pipes)
        return copyPipeWord(at);
    const bool call = in.is(at + 1, tok::l_paren);
    if (auto found = operationWords.find(name); found != operationWords.end() && call)
        return copyOperation(at, *found->second);
    if (name == fpgaReg && call)
        return at + 1; /* (x) is left */
    if (name == computeId && call) {
        Token token = in[at];
        token.setIdentifierInfo(const_cast<IdentifierInfo *>(identifier("__sl_compute_id")));
        out.push(token);
        return at + 1;
    }
    if (size_t next = copyIntegerType(at))
        return next;
    checkUse(at, name);
    return 0;
}

/* "ap_int<N>" is clang's _BitInt(N). A ">" in N needs parentheses, as in C++. 0: it is none, or
 * never ends. */
size_t Rewriter::copyIntegerType(size_t at)
{
    const IdentifierInfo *name = wordOf(in[at]);
    if (!integersEnabled || (name != apInt[0] && name != apInt[1]) || !in.is(at + 1, tok::less))
        return 0;
    const bool isUnsigned = name == apInt[1];
    const SourceLocation place = in[at].getLocation();
    size_t end = at + 2;
    while (!in[end].isOneOf(tok::greater, tok::semi, tok::l_brace, tok::r_brace, tok::eof))
        end = in[end].isOneOf(tok::l_paren, tok::l_square) ? in.closing(end) + 1 : end + 1;
    if (in[end].isNot(tok::greater))
        return 0;
    out.addText(isUnsigned ? "unsigned _BitInt(" : "_BitInt(", place);
    out.add({at + 2, end});
    out.addText(")", place);
    return end + 1;
}

size_t Rewriter::copyPipeWord(size_t at)
{
    if (flow.legacyPipes && (pipeIsUsers || !startsDeclaration(at))) {
        pipeIsUsers |= scopes.inTypedef();
        Token token = in[at];
        token.setKind(tok::identifier); /* before OpenCL C 2.0 it is a name as any other */
        out.push(token);
        return at + 1;
    }
    flow.usesPipes = flow.usesPipeKeyword = true;
    if (scopes.inFile() && !scopes.inParentheses())
        return copyDeclaration(at, Named::Pipe);
    return 0; /* a parameter, or an error that clang reports */
}

void Rewriter::passEvents(size_t at)
{
    for (; event < flow.events.size() && flow.events[event].token <= at; event++)
        switch (const ExtensionEvent &passed = flow.events[event]; passed.name) {
        case ExtensionEvent::Channels:
            channelsEnabled = passed.enable;
            break;
        case ExtensionEvent::HostPipe:
            hostPipesEnabled = passed.enable;
            break;
        case ExtensionEvent::Integers:
            integersEnabled = passed.enable;
            break;
        }
}

/* The token that clang left for a pragma of ours. */
bool Rewriter::isEvent(size_t at) const
{
    return event > 0 && flow.events[event - 1].token == at;
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* "f(c", "f(a, c", "f((c": of a call. */
bool Rewriter::isArgument(size_t at) const
{
    size_t before = at - 1;
    while (before > 0 && in.is(before, tok::l_paren))
        before--;
    return in.is(before, tok::comma) || (before + 1 < at && in.is(before, tok::identifier));
}

/* What clang would say of the array that stands for it would not help. */
void Rewriter::checkUse(size_t at, const IdentifierInfo *name)
{
    if (scopes.hides(at) || scopes.inFile() || inOperation || at == 0)
        return;
    const Name *object = scopes.lookUp(name, at);
    if (!object || object->what == Named::Other)
        return;
    const SourceLocation place = in[at].getLocation();
    const std::string quoted = "'" + name->getName().str() + "'";
    if (object->what == Named::Pipe)
        flow.error(place, "pipe " + quoted +
                              " of the program can only be the first argument of a pipe function");
    else if (at == valueStart || !isArgument(at))
        flow.error(place, "channel " + quoted +
                              " can only be the argument of a function: its value is read by "
                              "read_channel_intel()");
}

std::vector<Token> rewriteTokens(DataflowState &flow)
{
    return Rewriter(flow).run();
}

} // namespace sluice
