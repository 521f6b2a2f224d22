/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls, attributes behind an operation that moves a packet:
 *
 *     v = read_channel_intel(c) __attribute__((latency_anchor(1)));
 *     write_channel_intel(d, v) __attribute__((latency_constraint(1, max, 4)));
 *
 * C has no attributes there, so they are read from the tokens, and a call of a function that
 * nothing defines leads from the operation's code to them. No locks.
 */
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "dialect/rewriter.h"
#include "dialect/spelling.h"
#include "llvm/latency.h"

using namespace clang;

namespace sluice
{

/* ---- in the source --------------------------------------------------------------------------- */

static std::optional<uint32_t> typeOf(llvm::StringRef word)
{
    for (const sl_latency_type type : {SL_LATENCY_EXACT, SL_LATENCY_MAX, SL_LATENCY_MIN})
        if (word == sl_latency_word(type))
            return type;
    return std::nullopt;
}

/* One of them, in `item`. False: not ours. */
bool Rewriter::readLatency(Range item, LatencyWish &wish)
{
    const IdentifierInfo *word = wordOf(in[item.from]);
    llvm::StringRef name = word ? word->getName() : "";
    const bool anchor = name == "latency_anchor", constraint = name == "latency_constraint";
    const llvm::StringRef near = nearestWord(
        name, {llvm::StringRef("latency_anchor"), llvm::StringRef("latency_constraint")});
    if (!anchor && !constraint && !near.empty()) {
        flow.error(in[item.from].getLocation(), "unknown attribute '" + name.str() +
                                                    "' of an operation; did you mean '" +
                                                    near.str() + "'?");
        return wish.wrong = true;
    }
    if ((!anchor && !constraint) || !in.is(item.from + 1, tok::l_paren))
        return false;
    const SourceLocation place = in[item.from].getLocation();
    const std::vector<Range> all = in.argumentsOf(item.from + 1, in.closing(item.from + 1));
    bool &has = anchor ? wish.hasAnchor : wish.hasConstraint;
    if (all.size() != (anchor ? 1 : 3) || has) {
        flow.error(place, "'" + name.str() + "' " +
                              (has      ? "stands here twice"
                               : anchor ? "takes the number of the anchor"
                                        : "takes an anchor, a type and cycles"));
        return true;
    }
    has = true;
    if (anchor) {
        wish.anchor = all[0];
        return true;
    }
    const IdentifierInfo *type = wordOf(in[all[1].from]);
    const auto known = type ? typeOf(type->getName()) : std::nullopt;
    if (!known)
        flow.error(in[all[1].from].getLocation(), "a latency is 'exact', 'max' or 'min'");
    wish.type = known.value_or(0);
    wish.from = all[0];
    wish.cycles = all[2];
    return true;
}

/* Behind the closing parenthesis of an operation; its number in flow.latencies, and in `end` where
 * to go on. */
std::optional<size_t> Rewriter::findLatency(size_t at, const Operation &operation, size_t &end)
{
    const size_t close = end - 1;
    LatencyWish wish;
    while (in.is(end, tok::kw___attribute) && in.is(end + 2, tok::l_paren)) {
        for (const Range item : in.argumentsOf(end + 2, in.closing(end + 2)))
            if (!readLatency(item, wish))
                return std::nullopt;
        end = in.afterAttribute(end);
    }
    if (!wish.hasAnchor && !wish.hasConstraint && !wish.wrong)
        return std::nullopt;
    llvm::StringRef name = operation.name;
    if (!name.starts_with("read_") && !name.starts_with("write_"))
        flow.error(in[at].getLocation(), "'" + name.str() + "' moves no packet: it has no latency");
    wish.place = in[at].getLocation();
    wish.writes = name.starts_with("write_");
    for (size_t i = at + 2; i < close && wish.pipe.empty(); i++)
        if (in[i].is(tok::identifier))
            wish.pipe = in[i].getIdentifierInfo()->getName().str();
    flow.latencies.push_back(wish);
    return flow.latencies.size() - 1;
}

/* "__sl_latency(number, anchor, anchor, cycles," */
void Rewriter::addLatency(const char *function, size_t number)
{
    const LatencyWish wish = flow.latencies[number];
    const SourceLocation place = wish.place;
    auto add = [&](bool is, Range range) {
        out.addText(is ? "(" : "0", place);
        if (is) {
            copy(range);
            out.addText(")", place);
        }
        out.addText(",", place);
    };
    out.addText(function, place);
    flow.texts.push_back(std::make_unique<std::string>("(" + std::to_string(number) + ","));
    out.addText(*flow.texts.back(), place);
    add(wish.hasAnchor, wish.anchor);
    add(wish.hasConstraint, wish.from);
    add(wish.hasConstraint, wish.cycles);
}

/* ---- in the code ----------------------------------------------------------------------------- */

namespace
{

enum Operand { Number, Anchor, From, Cycles, Last };

std::optional<int32_t> numberIn(const DataflowState &flow, const llvm::CallInst &call,
                                Operand which)
{
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(which)))
        return static_cast<int32_t>(number->getSExtValue());
    const LatencyWish &wish =
        flow.latencies[llvm::cast<llvm::ConstantInt>(call.getArgOperand(Number))->getZExtValue()];
    flow.error(wish.place, "the numbers of a latency have to be constants");
    return std::nullopt;
}

void note(const DataflowState &flow, const llvm::CallInst &marker, llvm::CallInst &operation)
{
    const LatencyWish &wish =
        flow.latencies[llvm::cast<llvm::ConstantInt>(marker.getArgOperand(Number))->getZExtValue()];
    const auto anchor = numberIn(flow, marker, Anchor), from = numberIn(flow, marker, From),
               cycles = numberIn(flow, marker, Cycles);
    if (!anchor || !from || !cycles)
        return;
    if (wish.hasAnchor && wish.hasConstraint && *anchor == *from)
        flow.error(wish.place,
                   "latency anchor " + std::to_string(*anchor) + " is constrained by itself");
    const PresumedLoc place = flow.compiler.getSourceManager().getPresumedLoc(wish.place);
    const std::string file = place.isValid() ? fileOf(place) : "";
    const sl_latency_control control = {
        .pipe = wish.pipe.c_str(),
        .file = file.c_str(),
        .line = place.isValid() ? place.getLine() : 0,
        .column = place.isValid() ? place.getColumn() : 0,
        .writes = wish.writes,
        .has_anchor = wish.hasAnchor,
        .has_constraint = wish.hasConstraint,
        .anchor = *anchor,
        .from = *from,
        .type = static_cast<sl_latency_type>(wish.type),
        .cycles = *cycles,
    };
    sl_latency_note(llvm::wrap(operation.getModule()), &control);
    sl_latency_mark(llvm::wrap(&operation), &control);
}

} // namespace

void noteLatencies(const DataflowState &flow, llvm::Module &module)
{
    for (const char *name : {"__sl_latency", "__sl_latency_of"}) {
        llvm::Function *function = module.getFunction(name);
        if (!function)
            continue;
        for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
            auto *marker = llvm::cast<llvm::CallInst>(user);
            llvm::Value *value = marker->getArgOperand(Last);
            llvm::Value *call = llvm::StringRef(name) == "__sl_latency"
                                    ? static_cast<llvm::Value *>(*marker->user_begin())
                                    : value;
            if (auto *operation = llvm::dyn_cast<llvm::CallInst>(call))
                note(flow, *marker, *operation);
            marker->replaceAllUsesWith(value);
            marker->eraseFromParent();
        }
        function->eraseFromParent();
    }
}

} // namespace sluice
