/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on channels and program-scope pipes, replaced by the texts of operations.cpp.
 * No locks. */
#include "dialect/rewriter.h"
#include "dialect/spelling.h"

using namespace clang;

namespace sluice
{

/* The name follows any parentheses. */
Rewriter::Object Rewriter::objectOf(Range argument) const
{
    Object object;
    object.at = argument.from;
    while (object.at < argument.to && in[object.at].is(tok::l_paren))
        object.at++;
    const IdentifierInfo *word = object.at < argument.to ? wordOf(in[object.at]) : nullptr;
    const Name *name = word ? scopes.lookUp(word, object.at) : nullptr;
    if (!name || name->what == Named::Other)
        return {};
    object.name = *name;
    unsigned indices = 0;
    size_t next = object.at + 1;
    for (; next < argument.to && in[next].is(tok::l_square); next = in.closing(next) + 1)
        indices++;
    object.indexed = indices == object.name.rank || next < argument.to;
    return object;
}

static std::string wrongCount(const Operation &operation, size_t count)
{
    return std::string("'") + operation.name + "' takes " + std::to_string(operation.arguments) +
           (operation.arguments == 1 ? " argument, not " : " arguments, not ") +
           std::to_string(count);
}

/* Of the rows with the same name, which are neighbours. */
static const Operation &withArguments(const Operation &first, size_t count)
{
    const Operation *row = &first;
    while (row->arguments != count && row + 1 < operations + operationCount &&
           llvm::StringRef(row[1].name) == first.name)
        row++;
    return *row;
}

/* Up to the end of the statement, which stays. clang would say that there is no such function. */
size_t Rewriter::skipUnclosed(size_t at, const Operation &operation)
{
    refuse(in[at + 1].getLocation(),
           std::string("no ')' closes the '(' of '") + operation.name + "'");
    size_t next = at + 2;
    while (!in[next].isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::eof)) {
        const bool closed = in[next].isOneOf(tok::l_paren, tok::l_square) &&
                            in[in.closing(next)].isOneOf(tok::r_paren, tok::r_square);
        next = (closed ? in.closing(next) : next) + 1;
    }
    return next;
}

/* 0: left to clang. */
size_t Rewriter::copyOperation(size_t at, const Operation &first)
{
    const Token &token = in[at];
    const size_t close = in.closing(at + 1);
    if (in[close].isNot(tok::r_paren)) /* the end of the file has to stay where it is */
        return first.channel && channelsEnabled ? skipUnclosed(at, first) : 0;
    const std::vector<Range> arguments = in.argumentsOf(at + 1, close);
    const Object object = arguments.empty() ? Object() : objectOf(arguments[0]);
    if (!first.channel && object.name.what == Named::Channel) {
        refuse(token.getLocation(),
               std::string("'") + first.name + "' is for pipes, '" +
                   wordOf(in[object.at])->getName().str() +
                   "' is a channel: see read_channel_intel, write_channel_intel and their kin");
        return close + 1;
    }
    if (first.channel ? !channelsEnabled && object.name.what == Named::Other
                      : object.name.what != Named::Pipe)
        return copyArgumentPipe(at, close, first, arguments.size());
    const Operation &operation = withArguments(first, arguments.size());
    size_t end = close + 1;
    const std::optional<size_t> latency = findLatency(at, operation, end);
    if (!checkCall(token, operation, arguments, object))
        return end;
    flow.usesPipes = true;
    expand(operation.text, token.getLocation(), object, arguments, latency);
    return latency ? end : close + 1;
}

/* Of a pipe argument: clang's own function. 0: left to clang. */
size_t Rewriter::copyArgumentPipe(size_t at, size_t close, const Operation &first, size_t count)
{
    const bool cxx = flow.compiler.getLangOpts().CPlusPlus;
    llvm::StringRef name = first.name;
    const bool waits = name.consume_back("_block");
    waitingIsUsers |= waits && at > 0 && scopes.endsType(at - 1);
    if (first.channel || cxx || !flow.usesPipeKeyword || (waits && waitingIsUsers))
        return 0;
    const SourceLocation place = in[at].getLocation();
    if (waits && count != first.arguments) {
        refuse(place, wrongCount(first, count));
        return close + 1;
    }
    size_t end = close + 1;
    const std::optional<size_t> latency = findLatency(at, first, end);
    if (!waits && !latency)
        return 0;
    if (latency)
        addLatency("__sl_latency_of", *latency);
    copyClangs(at, close, name, waits);
    out.addText(latency ? ")" : "", place);
    return latency ? end : close + 1;
}

/*
 * clang's function does not wait: it becomes an argument of one that nothing defines. The two
 * become one call after code generation (describe.cpp).
 */
void Rewriter::copyClangs(size_t at, size_t close, llvm::StringRef name, bool waits)
{
    const SourceLocation place = in[at].getLocation();
    Token token = in[at];
    token.setIdentifierInfo(const_cast<IdentifierInfo *>(identifier(name)));
    out.addText(waits ? "__sl_waits(" : "", place);
    out.push(token);
    copy({at + 1, close + 1});
    out.addText(waits ? ")" : "", place);
}

/* As clang asks it of pipe arguments. */
static bool lacksSubGroups(CompilerInstance &compiler, const Operation &operation)
{
    return llvm::StringRef(operation.name).starts_with("sub_group_") &&
           !compiler.getPreprocessor().isMacroDefined("__opencl_c_subgroups");
}

/* ": there is none named 'dta'; did you mean 'data'?" of a name, which may be that of another
 * thing. */
std::string Rewriter::missing(Range argument, Named wanted) const
{
    const IdentifierInfo *word = argument.from < argument.to ? wordOf(in[argument.from]) : nullptr;
    const size_t next = argument.from + 1;
    if (!word || (next < argument.to && in[next].isNot(tok::l_square)))
        return "";
    const llvm::StringRef near =
        nearestWord(word->getName(), scopes.namesOf(wanted, argument.from));
    return ": there is none named '" + word->getName().str() + "'" +
           (near.empty() ? "" : "; did you mean '" + near.str() + "'?");
}

bool Rewriter::checkCall(const Token &token, const Operation &operation,
                         const std::vector<Range> &arguments, const Object &object)
{
    const size_t count = arguments.size();
    const Range argument = count ? arguments[0] : Range{0, 0};
    const std::string call = std::string("'") + operation.name + "'";
    const char *noun = operation.channel ? "channel" : "pipe";
    const Named wanted = operation.channel ? Named::Channel : Named::Pipe;
    std::string why;
    if (lacksSubGroups(flow.compiler, operation))
        why = call + " needs sub-groups: OpenCL C 3.0";
    else if (count != operation.arguments)
        why = wrongCount(operation, count);
    else if (object.name.what != wanted)
        why = "the first argument of " + call + " must be a " + noun + missing(argument, wanted);
    else if (!object.indexed)
        why = "'" + wordOf(in[object.at])->getName().str() + "' has " +
              std::to_string(object.name.rank) + " array dimension" +
              (object.name.rank == 1 ? "" : "s") + ": " + call + " needs one " + noun;
    if (!why.empty())
        refuse(token.getLocation(), why);
    return why.empty();
}

/* With something in its place that clang has nothing to say of, whether its value is used or not:
 * as if from a macro, so that one that is not is no mistake. */
void Rewriter::refuse(SourceLocation place, const std::string &why)
{
    SourceManager &sources = flow.compiler.getSourceManager();
    flow.error(place, why);
    out.addText("0", sources.createExpansionLoc(out.ownPlace(), place, place, 1));
}

/* Words of the text with meaning: __sl_0 and so on, __sl_e, __sl_v, __sl_a. */
void Rewriter::expand(const char *text, SourceLocation place, const Object &object,
                      const std::vector<Range> &arguments, std::optional<size_t> latency)
{
    for (const Token &token : out.lexed(text, place)) {
        llvm::StringRef spelling = wordOf(token) ? wordOf(token)->getName() : "";
        const bool special = spelling.size() == 6 && spelling.consume_front("__sl_");
        if (special && spelling[0] >= '0' && spelling[0] <= '9')
            copyArgument(static_cast<size_t>(spelling[0] - '0'), arguments);
        else if (special && spelling[0] == 'e')
            addElement(place, object);
        else if (special && spelling[0] == 'v')
            addValue(place);
        else if (special && spelling[0] == 'a')
            addAlignment(place, latency);
        else
            out.push(token);
    }
}

/* As if from a macro: a read whose value nobody uses is no mistake then. */
void Rewriter::addValue(SourceLocation place)
{
    SourceManager &sources = flow.compiler.getSourceManager();
    out.addText("__sl_packet", sources.createExpansionLoc(out.ownPlace(), place, place, 1));
}

/* The last argument of the operation's call, by which latency.cpp finds it. */
void Rewriter::addAlignment(SourceLocation place, std::optional<size_t> latency)
{
    if (latency)
        addLatency("__sl_latency", *latency);
    out.addText(latency ? "__alignof__(__packet_type))" : "__alignof__(__packet_type)", place);
}

/* Some element of the same array: good enough for its type, and evaluates nothing. */
void Rewriter::addElement(SourceLocation place, const Object &object)
{
    out.push(in[object.at]);
    for (unsigned i = 0; i < object.name.rank; i++)
        out.addText("[0]", place);
}

void Rewriter::copyArgument(size_t index, const std::vector<Range> &arguments)
{
    const bool outerOperation = inOperation;
    const size_t outerStart = valueStart;
    inOperation = index == 0;
    valueStart = index == 0 ? SIZE_MAX : arguments[index].from;
    copy(arguments[index]);
    inOperation = outerOperation;
    valueStart = outerStart;
}

} // namespace sluice
