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
#include "dialect/spelling.h"

using namespace clang;

namespace sluice
{

namespace
{

/* What stands behind the name of a pragma. */
enum class Behind : uint8_t { Nothing, Number, NumberOrNothing, Accesses };

const struct {
    const char *name;
    Behind behind;
} loopPragmas[] = {
    {"ivdep", Behind::Accesses},          {"ii", Behind::Number},
    {"max_concurrency", Behind::Number},  {"loop_coalesce", Behind::NumberOrNothing},
    {"nofusion", Behind::Nothing},        {"speculated_iterations", Behind::Number},
    {"max_interleaving", Behind::Number}, {"disable_loop_pipelining", Behind::Nothing},
};

/* The loop pragmas in front of one loop: nothing but other pragmas stands between them. */
struct LoopPragmas {
    size_t tokens = 0; /* lexed before them, pragmas apart */
    bool seenInterval = false, seenDisable = false;
};

class LoopPragma : public PragmaHandler
{
  public:
    LoopPragma(StringRef name, Behind wanted, DataflowState &state, LoopPragmas &pending)
        : PragmaHandler(name), behind(wanted), flow(state), loop(pending)
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
        const Rest rest = restOf(preprocessor);
        check(place, rest);
        /* where 0 is a number as others are */
        if (rest.given || getName() != "speculated_iterations")
            flow.loops.push_back({getName().str(), rest.value, loop.tokens});
    }

  private:
    struct Rest {
        bool given = false;    /* "N" or "(N)" */
        bool nothing = false;  /* not a token */
        bool more = false;     /* something behind that */
        bool accesses = false; /* "array(" or "safelen(" */
        uint32_t value = 0;
    };

    static Rest restOf(Preprocessor &preprocessor)
    {
        Token token;
        Rest rest;
        uint64_t value = 0;
        preprocessor.Lex(token);
        rest.nothing = token.is(tok::eod);
        const IdentifierInfo *word = token.getIdentifierInfo();
        rest.accesses = word && (word->isStr("array") || word->isStr("safelen"));
        const bool inParentheses = token.is(tok::l_paren);
        if (inParentheses)
            preprocessor.Lex(token);
        if (token.is(tok::numeric_constant)) {
            rest.given =
                preprocessor.parseSimpleIntegerLiteral(token, value) && value <= UINT32_MAX;
            /* the token behind it is the current one now */
            if (inParentheses && token.is(tok::r_paren))
                preprocessor.Lex(token);
        }
        rest.more = token.isNot(tok::eod);
        if (rest.more)
            preprocessor.DiscardUntilEndOfDirective();
        rest.value = rest.given ? static_cast<uint32_t>(value) : 0;
        return rest;
    }

    /* A mistake here would change what the schedule says, and nobody would know why. */
    void check(SourceLocation place, const Rest &rest) const
    {
        const std::string name = "'#pragma " + getName().str() + "' ";
        const bool number = rest.given && !rest.more;
        if (behind == Behind::Number && !number)
            flow.warn(place, name + "takes a number" +
                                 (rest.given ? ": what is behind it is ignored" : ": ignored"));
        else if (behind == Behind::NumberOrNothing && !number && !rest.nothing)
            flow.warn(place, name + "takes a number or nothing: what is behind it is ignored");
        else if (behind == Behind::Nothing && !rest.nothing)
            flow.warn(place, name + "takes nothing: what is behind it is ignored");
        else if (behind == Behind::Accesses && !rest.nothing && !rest.accesses)
            flow.warn(place, name + "takes 'array(NAME)' and 'safelen(N)': what is behind it is "
                                    "ignored");
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

    const Behind behind;
    DataflowState &flow;
    LoopPragmas &loop;
};

/* Pragmas of others are no mistake; one that is nearly one of a loop is. */
std::string misspelt(StringRef word)
{
    llvm::SmallVector<StringRef, 16> known = {"unroll", "nounroll"};
    for (const auto &row : loopPragmas)
        known.push_back(row.name);
    if (llvm::is_contained(known, word))
        return "";
    const StringRef near = nearestWord(word, known);
    return near.empty()
               ? ""
               : "unknown pragma '" + word.str() + "' ignored; did you mean '" + near.str() + "'?";
}

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
        if (llvm::Regex("^#[ \t]*pragma[ \t]+([A-Za-z_][A-Za-z_0-9]*)")
                .match(rest.take_front(rest.find('\n')), &words))
            noteName(words[1], place.getLocWithOffset(static_cast<SourceLocation::IntTy>(
                                   words[1].data() - rest.data())));
    }

    void PragmaOpenCLExtension(SourceLocation place, const IdentifierInfo *name, SourceLocation,
                               unsigned state) override
    {
        enum { Enable = 1 };
        noteExtension(name->getName(), place, state == Enable);
    }

    LoopPragmas loop; /* here, because this lives as long as the handlers */

  private:
    void noteName(StringRef word, SourceLocation place) const
    {
        const std::string why = misspelt(word);
        if (!why.empty())
            flow.warn(place, why);
    }

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
    for (const auto &row : loopPragmas)
        preprocessor.AddPragmaHandler(new LoopPragma(row.name, row.behind, flow, callbacks->loop));
    preprocessor.addPPCallbacks(std::move(callbacks));
}

} // namespace sluice
