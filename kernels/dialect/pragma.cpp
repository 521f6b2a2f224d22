/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pragmas of Intel's FPGA compilers. Those for loops shape a hardware pipeline, so they are checked
 * against each other and noted for its schedule; code does not depend on them. No locks.
 */
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/Regex.h>

#include "dialect/dataflow.h"

using namespace clang;

namespace sluice
{

namespace
{

const char *const loopPragmas[] = {
    "ivdep",
    "ii",
    "max_concurrency",
    "loop_coalesce",
    "nofusion",
    "speculated_iterations",
    "max_interleaving",
    "disable_loop_pipelining",
};

/* The loop pragmas in front of one loop: nothing but other pragmas stands between them. */
struct LoopPragmas {
    size_t tokens = 0; /* lexed before them, pragmas apart */
    bool seenInterval = false, seenDisable = false;
};

class LoopPragma : public PragmaHandler
{
  public:
    LoopPragma(StringRef name, DataflowState &state, LoopPragmas &pending)
        : PragmaHandler(name), flow(state), loop(pending)
    {
    }

    void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer, Token &first) override
    {
        enterLoop();
        SourceLocation place = first.getLocation();
        loop.seenInterval |= getName() == "ii";
        loop.seenDisable |= getName() == "disable_loop_pipelining";
        if (loop.seenInterval && loop.seenDisable)
            flow.error(place, "'#pragma ii' and '#pragma disable_loop_pipelining' exclude each "
                              "other");
        uint32_t value = 0;
        const bool given = number(preprocessor, value);
        if (given || getName() != "speculated_iterations") /* where 0 is a number as others are */
            flow.loops.push_back({getName().str(), value, loop.tokens});
    }

  private:
    /* "N" or "(N)" at the begin of what follows. False, and 0: something else, or nothing. */
    static bool number(Preprocessor &preprocessor, uint32_t &result)
    {
        Token token;
        uint64_t value = 0;
        bool given = false;
        preprocessor.Lex(token);
        if (token.is(tok::l_paren))
            preprocessor.Lex(token);
        if (token.is(tok::numeric_constant)) {
            given = preprocessor.parseSimpleIntegerLiteral(token, value) && value <= UINT32_MAX;
            /* the token behind it is the current one now */
        }
        if (token.isNot(tok::eod))
            preprocessor.DiscardUntilEndOfDirective();
        result = given ? static_cast<uint32_t>(value) : 0;
        return given;
    }

    void enterLoop()
    {
        size_t count = flow.tokens.size();
        while (count && flow.tokens[count - 1].isAnnotation())
            count--;
        if (count != loop.tokens)
            loop = LoopPragmas();
        loop.tokens = count;
    }

    DataflowState &flow;
    LoopPragmas &loop;
};

class Extensions : public PPCallbacks
{
  public:
    explicit Extensions(DataflowState &state) : flow(state)
    {
    }

    /* clang drops one with anything behind it, as a semicolon, and warns. */
    void PragmaDirective(SourceLocation place, PragmaIntroducerKind) override
    {
        const StringRef rest(flow.compiler.getSourceManager().getCharacterData(place));
        llvm::SmallVector<StringRef, 4> words;
        llvm::Regex("^#[ \t]*pragma[ \t]+OPENCL[ \t]+EXTENSION[ \t]+([a-z_]+)[ \t]*:[ \t]*"
                    "(enable|disable)[ \t]*;[ \t]*(//[^\r\n]*)?[\r\n]")
            .match(rest.take_front(rest.find('\n') + 1), &words);
        if (!words.empty())
            noteExtension(words[1], place, words[2] == "enable");
    }

    void PragmaOpenCLExtension(SourceLocation place, const IdentifierInfo *name, SourceLocation,
                               unsigned state) override
    {
        enum { Enable = 1 };
        noteExtension(name->getName(), place, state == Enable);
    }

    LoopPragmas loop; /* here, because this lives as long as the handlers */

  private:
    void noteExtension(StringRef text, SourceLocation place, bool enable)
    {
        if (flow.offer.channels && (text == "cl_intel_channels" || text == "cl_altera_channels"))
            note(ExtensionEvent::Channels, place, enable);
        else if (flow.offer.hostPipes && text == "cl_intel_fpga_host_pipe")
            note(ExtensionEvent::HostPipe, place, enable);
        else if (flow.offer.channels && text == "cl_intel_arbitrary_precision_integers")
            note(ExtensionEvent::Integers, place, enable);
    }

    void note(ExtensionEvent::Name name, SourceLocation place, bool enable)
    {
        flow.events.push_back({name, enable, flow.tokens.size(), place});
    }

    DataflowState &flow;
};

} // namespace

void addDataflowPragmas(DataflowState &flow)
{
    Preprocessor &preprocessor = flow.compiler.getPreprocessor();
    auto callbacks = std::make_unique<Extensions>(flow);
    for (const char *name : loopPragmas)
        preprocessor.AddPragmaHandler(new LoopPragma(name, flow, callbacks->loop));
    preprocessor.addPPCallbacks(std::move(callbacks));
}

} // namespace sluice
