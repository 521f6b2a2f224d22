/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/work_rule.h"

#include <cstdlib>
#include <cstring>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <string>

#include "sluice/work_rule.h"

using namespace llvm;

namespace
{

/* Whose number has no rule: that an `int` counts them says nothing. */
constexpr unsigned mostRounds = 1 << 20;

/* Which round of outer loops a number is asked for in. */
enum class Round { First, Last };

class Rule
{
  public:
    Rule(Function &function, ScalarEvolution &scalars) : f(function), evolution(scalars)
    {
    }

    bool isFine() const
    {
        return fine && text.size() < SL_WORK_RULE_BYTES;
    }
    const std::string &words() const
    {
        return text;
    }
    void number(uint64_t value)
    {
        push(std::to_string(value));
    }
    /* Of the two numbers before. */
    void operation(const Twine &word)
    {
        text += (text.empty() ? "" : " ") + word.str();
        depth--;
    }
    void roundsOf(const Loop &loop)
    {
        const SCEV *backs = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
        if (isa<SCEVConstant>(backs) || !isOfArguments(backs)) {
            uint64_t most = evolution.getSmallConstantMaxTripCount(&loop);
            fine &= most && most <= mostRounds;
            return number(most);
        }
        bool varies = isOfRounds(backs);
        fine &= !SCEVExprContains(backs, [](const SCEV *part) { return mayPeak(part); });
        emit(backs, Round::First);
        if (varies) {
            emit(backs, Round::Last);
            operation("g64");
        }
        number(1);
        operation("S");
    }

  private:
    Function &f;
    ScalarEvolution &evolution;
    std::string text;
    unsigned depth = 0;
    bool fine = true;

    void push(const std::string &word)
    {
        text += (text.empty() ? "" : " ") + word;
        fine &= ++depth <= SL_WORK_RULE_DEPTH;
    }
    void change(const Twine &word)
    {
        text += " " + word.str();
    }
    static bool isOfArguments(const SCEV *s)
    {
        return !isa<SCEVCouldNotCompute>(s) && !SCEVExprContains(s, [](const SCEV *part) {
            const auto *unknown = dyn_cast<SCEVUnknown>(part);
            return unknown && !isa<Argument>(unknown->getValue());
        });
    }
    static bool isOfRounds(const SCEV *s)
    {
        return SCEVExprContains(s, [](const SCEV *part) { return isa<SCEVAddRecExpr>(part); });
    }
    /* Neither the first nor the last round may have the most: `min(i, n - i)`, `i % 8`. */
    static bool mayPeak(const SCEV *s)
    {
        switch (s->getSCEVType()) {
        case scSMinExpr:
        case scUMinExpr:
        case scSequentialUMinExpr:
        case scUDivExpr:
        case scTruncate:
            return isOfRounds(s);
        default:
            return false;
        }
    }
    void emitEach(const SCEVNAryExpr &all, char letter, unsigned bits, Round round)
    {
        for (unsigned k = 0; k < all.getNumOperands(); k++) {
            emit(all.getOperand(k), round);
            if (k)
                operation(Twine(letter) + Twine(bits));
        }
    }
    void emitUnknown(const SCEVUnknown &unknown, unsigned bits)
    {
        const auto *argument = dyn_cast<Argument>(unknown.getValue());
        fine &= argument && argument->getParent() == &f && bits >= 8 && bits % 8 == 0;
        if (argument)
            push(("a" + Twine(argument->getArgNo()) + "." + Twine(bits)).str());
    }
    void emitRecurrence(const SCEVAddRecExpr &recurrence, Round round)
    {
        if (round == Round::First)
            return emit(recurrence.getStart(), round);
        const SCEV *backs = evolution.getSymbolicMaxBackedgeTakenCount(recurrence.getLoop());
        if (!recurrence.isAffine() || isa<SCEVCouldNotCompute>(backs)) {
            fine = false;
            return;
        }
        emit(recurrence.evaluateAtIteration(
                 evolution.getTruncateOrZeroExtend(backs, recurrence.getType()), evolution),
             round);
    }
    void emit(const SCEV *s, Round round)
    {
        auto *type = dyn_cast<IntegerType>(s->getType());
        fine &= type && type->getBitWidth() <= 64;
        if (!isFine())
            return;
        unsigned bits = type->getBitWidth();
        switch (s->getSCEVType()) {
        case scConstant:
            return number(cast<SCEVConstant>(s)->getAPInt().getZExtValue());
        case scUnknown:
            return emitUnknown(*cast<SCEVUnknown>(s), bits);
        case scAddRecExpr:
            return emitRecurrence(*cast<SCEVAddRecExpr>(s), round);
        case scZeroExtend:
            return emit(cast<SCEVCastExpr>(s)->getOperand(), round);
        case scTruncate:
            emit(cast<SCEVCastExpr>(s)->getOperand(), round);
            return change("t" + Twine(bits));
        case scSignExtend: {
            const SCEV *operand = cast<SCEVCastExpr>(s)->getOperand();
            emit(operand, round);
            return change("s" + Twine(operand->getType()->getIntegerBitWidth()) + "." +
                          Twine(bits));
        }
        case scUDivExpr:
            emit(cast<SCEVUDivExpr>(s)->getLHS(), round);
            emit(cast<SCEVUDivExpr>(s)->getRHS(), round);
            return operation("/" + Twine(bits));
        case scAddExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), '+', bits, round);
        case scMulExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), '*', bits, round);
        case scSMaxExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), 'G', bits, round);
        case scSMinExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), 'L', bits, round);
        case scUMaxExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), 'g', bits, round);
        case scUMinExpr:
        case scSequentialUMinExpr:
            return emitEach(*cast<SCEVNAryExpr>(s), 'l', bits, round);
        default:
            fine = false;
        }
    }
};

/* What is done in one round of the loop, or of NULL: in one call, inner loops included. */
class Body
{
  public:
    Body(Function &function, LoopInfo &found, const uint64_t *work) : loops(found)
    {
        for (const BasicBlock &block : function)
            own[loops.getLoopFor(&block)] += *work++;
    }
    void write(Rule &rule, const Loop *loop)
    {
        rule.number(own[loop]);
        for (const Loop *inner : loop ? loop->getSubLoops() : loops.getTopLevelLoops()) {
            rule.roundsOf(*inner);
            if (!rule.isFine())
                return;
            write(rule, inner);
            rule.operation("P");
            rule.operation("S");
        }
    }

  private:
    LoopInfo &loops;
    DenseMap<const Loop *, uint64_t> own;
};

} // namespace

char *sl_llvm_work_rule(LLVMValueRef handle, const uint64_t *work)
{
    Function &f = *unwrap<Function>(handle);
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    ReversePostOrderTraversal<Function *> order(&f);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
        return nullptr;
    TargetLibraryInfoImpl names(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(names, &f);
    AssumptionCache assumptions(f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    Rule rule(f, evolution);
    Body(f, loops, work).write(rule, nullptr);
    return rule.isFine() ? strdup(rule.words().c_str()) : nullptr;
}
