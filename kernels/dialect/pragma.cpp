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

struct LoopPragmaRow {
    const char *name;
    Behind behind;
    uint32_t least; /* of numbers */
};

const LoopPragmaRow loopPragmas[] = {
    {"ivdep", Behind::Accesses, 1},          {"ii", Behind::Number, 1},
    {"max_concurrency", Behind::Number, 0},  {"loop_coalesce", Behind::NumberOrNothing, 1},
    {"nofusion", Behind::Nothing, 0},        {"speculated_iterations", Behind::Number, 0},
    {"max_interleaving", Behind::Number, 0}, {"disable_loop_pipelining", Behind::Nothing, 0},
};

/* The loop pragmas in front of one loop: nothing but other pragmas stands between them. */
struct LoopPragmas {
    size_t tokens = 0; /* lexed before them, pragmas apart */
    bool seenInterval = false, seenDisable = false;
};

class LoopPragma : public PragmaHandler
{
  public:
    LoopPragma(const LoopPragmaRow &row, DataflowState &state, LoopPragmas &pending)
        : PragmaHandler(row.name), behind(row.behind), least(row.least), flow(state), loop(pending)
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
        bool unsafe = false;   /* "safelen(" and no number from 1 on */
        uint32_t value = 0;
    };

    /* From that token on to the end: is there a "safelen(" without such a number? */
    static bool hasNoLength(Preprocessor &preprocessor, Token &token)
    {
        bool none = false;
        while (token.isNot(tok::eod)) {
            const IdentifierInfo *word = token.getIdentifierInfo();
            preprocessor.Lex(token);
            if (!word || !word->isStr("safelen") || token.isNot(tok::l_paren))
                continue;
            uint64_t length = 0;
            preprocessor.Lex(token);
            none |= token.isNot(tok::numeric_constant) ||
                    !preprocessor.parseSimpleIntegerLiteral(token, length) || !length;
        }
        return none;
    }

    static Rest restOf(Preprocessor &preprocessor)
    {
        Token token;
        Rest rest;
        uint64_t value = 0;
        preprocessor.Lex(token);
        rest.nothing = token.is(tok::eod);
        const IdentifierInfo *word = token.getIdentifierInfo();
        rest.accesses = word && (word->isStr("array") || word->isStr("safelen"));
        if (rest.accesses)
            rest.unsafe = hasNoLength(preprocessor, token);
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
        const bool number = rest.given && !rest.more, little = number && rest.value < least;
        const std::string wanted = least ? " from " + std::to_string(least) + " on" : "";
        if (behind == Behind::Number && !number)
            flow.warn(place, name + "takes a number" +
                                 (rest.given ? ": what is behind it is ignored" : ": ignored"));
        else if (behind == Behind::Number && little)
            flow.warn(place, name + "takes a number" + wanted + ": ignored");
        else if (little)
            flow.warn(place, name + "takes a number" + wanted +
                                 " or nothing: what is behind it is ignored");
        else if (behind == Behind::NumberOrNothing && !number && !rest.nothing)
            flow.warn(place, name + "takes a number or nothing: what is behind it is ignored");
        else if (behind == Behind::Nothing && !rest.nothing)
            flow.warn(place, name + "takes nothing: what is behind it is ignored");
        else if (behind == Behind::Accesses && !rest.nothing && !rest.accesses)
            flow.warn(place, name + "takes 'array(NAME)' and 'safelen(N)': what is behind it is "
                                    "ignored");
        else if (rest.unsafe)
            flow.warn(place,
                      name + "takes 'safelen(N)' with a number" + wanted + ": that is ignored");
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
    const uint32_t least;
    DataflowState &flow;
    LoopPragmas &loop;
};

/* Pragmas of others are no mistake; one that is nearly one of a loop is. */
std::string misspelt(StringRef word)
{
    llvm::SmallVector<StringRef, 16> known = {"unroll", "nounroll"};
    for (const LoopPragmaRow &row : loopPragmas)
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
    for (const LoopPragmaRow &row : loopPragmas)
        preprocessor.AddPragmaHandler(new LoopPragma(row, flow, callbacks->loop));
    preprocessor.addPPCallbacks(std::move(callbacks));
}

} // namespace sluice
