/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "value_ranges.h"

#include "constant_tables.h"
#include "pipe_elements.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace sluice
{

namespace
{

enum {
    MOST_PHIS = 4096,    /* in a question: beyond, none of them is looked at */
    MOST_STRETCHES = 16, /* of a value that grows from limit to limit */
    MOST_DEPTH = 400,    /* of expressions and of branches around branches */
};

bool isNumber(const Value *value)
{
    return value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() <= 64;
}

/* Computed of its operands alone. */
bool isComputed(const Value *value)
{
    if (isa<BinaryOperator>(value) || isa<SelectInst>(value) || isa<FreezeInst>(value))
        return isNumber(value);
    if (const auto *cast = dyn_cast<CastInst>(value))
        return isNumber(value) && isNumber(cast->getOperand(0));
    if (const auto *compare = dyn_cast<ICmpInst>(value))
        return isNumber(value) && isNumber(compare->getOperand(0));
    const auto *call = dyn_cast<IntrinsicInst>(value);
    return call && isNumber(value) &&
           (ConstantRange::isIntrinsicSupported(call->getIntrinsicID()) ||
            call->getIntrinsicID() == Intrinsic::expect);
}

/* Of a load: what its address is made of, and the offset's parts. */
const Value *addressOf(const LoadInst &load, const DataLayout &layout,
                       SmallMapVector<Value *, APInt, 4> &scales, APInt &fixed)
{
    const Value *base = load.getPointerOperand();
    for (;;) {
        const auto *part = dyn_cast<Operator>(base);
        if (const auto *step = dyn_cast<GEPOperator>(base)) {
            if (!step->collectOffset(layout, 64, scales, fixed))
                return nullptr;
        } else if (!part || (part->getOpcode() != Instruction::AddrSpaceCast &&
                             part->getOpcode() != Instruction::BitCast)) {
            return base;
        }
        base = part->getOperand(0);
    }
}

/* What the value is computed of; nothing: it is a leaf, or no number. A table of constants is like
 * an operation on its index. */
SmallVector<const Value *, 4> partsOf(const Value *value, const DataLayout &layout)
{
    SmallVector<const Value *, 4> parts;
    if (isComputed(value))
        parts.append(cast<Instruction>(value)->value_op_begin(),
                     cast<Instruction>(value)->value_op_end());
    if (const auto *load = dyn_cast<LoadInst>(value)) {
        SmallMapVector<Value *, APInt, 4> scales;
        APInt fixed(64, 0);
        const auto *table =
            dyn_cast_or_null<GlobalVariable>(addressOf(*load, layout, scales, fixed));
        if (table && table->isConstant())
            for (auto &[index, scale] : scales)
                parts.push_back(index);
    }
    return parts;
}

unsigned flagsOf(const BinaryOperator &op)
{
    const auto *wraps = dyn_cast<OverflowingBinaryOperator>(&op);
    return wraps ? wraps->getNoWrapKind() : 0;
}

} // namespace

/* ---- branches ----------------------------------------------------------------------------------
 */

ValueRanges::ValueRanges(Function &f, const sl_launch_shape &launches)
    : shape(launches), layout(f.getDataLayout()), dominators(f), loops(dominators)
{
    findGuards(f);
    findLimits(f);
}

namespace
{

/* The question that the only way from one block to another answers. */
bool guardBetween(const BasicBlock *from, const BasicBlock *to, Guard &out)
{
    const Instruction *end = from->getTerminator();
    if (const auto *branch = dyn_cast<BranchInst>(end)) {
        if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
            return false;
        out = {branch->getCondition(), from, to, branch->getSuccessor(0) == to, nullptr};
        return true;
    }
    const auto *way = dyn_cast<SwitchInst>(end);
    if (way)
        out = {way->getCondition(), from, to, true, way};
    return way;
}

} // namespace

void ValueRanges::findGuards(Function &f)
{
    Guard guard;
    for (const BasicBlock &block : f) {
        const BasicBlock *from = block.getUniquePredecessor();
        if (from ? guardBetween(from, &block, guard) : isMeeting(block, guard))
            own.try_emplace(&block, guard);
    }
    for (const DomTreeNode *node : depth_first(dominators.getRootNode())) {
        const BasicBlock *block = node->getBlock();
        const DomTreeNode *parent = node->getIDom();
        const BasicBlock *outer = parent ? above.find(parent->getBlock())->second : nullptr;
        above.try_emplace(block, own.count(block) ? block : outer);
    }
}

void ValueRanges::findLimits(Function &f)
{
    for (const BasicBlock &block : f)
        for (const Instruction &i : block) {
            const auto *compare = dyn_cast<ICmpInst>(&i);
            for (unsigned k = 0; compare && k < 2; k++)
                if (const auto *limit = dyn_cast<ConstantInt>(compare->getOperand(k)))
                    if (limit->getBitWidth() <= 64 && limit->getSExtValue() < INT64_MAX &&
                        limit->getSExtValue() > INT64_MIN)
                        for (int64_t apart = -1; apart <= 1; apart++)
                            limits.insert(limit->getSExtValue() + apart);
        }
}

/* Where the ways of "a || b" meet: each of them has asked something. */
bool ValueRanges::isMeeting(const BasicBlock &block, Guard &out) const
{
    enum { MOST_WAYS = 16 };
    const DomTreeNode *node = dominators.getNode(&block);
    if (!node || !node->getIDom() || pred_size(&block) > MOST_WAYS)
        return false;
    for (const BasicBlock *from : predecessors(&block)) {
        Guard guard;
        if (dominators.dominates(&block, from) || !guardBetween(from, &block, guard))
            return false;
    }
    out = {nullptr, node->getIDom()->getBlock(), &block, true, nullptr};
    return true;
}

SmallVector<Guard, 16> ValueRanges::guardsFrom(const BasicBlock *start, const Place &place) const
{
    SmallVector<Guard, 16> guards;
    Guard last;
    if (place.to && guardBetween(place.block, place.to, last))
        guards.push_back(last);
    for (auto found = above.find(place.block); found != above.end() && found->second;) {
        const Guard &guard = own.find(found->second)->second;
        if (start && dominators.properlyDominates(guard.at, start))
            break;
        guards.push_back(guard);
        found = above.find(guard.at);
    }
    return guards;
}

/* What a switch may have asked for on this way. */
static ValueSet casesOf(const Guard &guard, ValueSet all)
{
    ValueSet cases = ValueSet::none(all.bits());
    bool usual = guard.way->getDefaultDest() == guard.to;
    for (const auto &one : guard.way->cases()) {
        uint64_t value = one.getCaseValue()->getZExtValue();
        if (one.getCaseSuccessor() != guard.to)
            all = all.without(value);
        else
            cases = cases.join(ValueSet::of(one.getCaseValue()->getValue()));
    }
    return usual ? all : cases;
}

ValueSet ValueRanges::passes(const Guard &guard, const Place &place, Assumption &assumption)
{
    if (!guard.asked)
        return passesOneWay(guard, place, assumption);
    if (!isNumber(guard.asked))
        return ValueSet::all(1);
    ValueSet asked = at(guard.asked, place, assumption);
    if (!guard.way)
        return asked.compare(CmpInst::ICMP_EQ, ValueSet::of(APInt(1, guard.holds)));
    ValueSet left = asked.meet(casesOf(guard, asked)), result = ValueSet::none(1);
    if (!left.isNone())
        result = result.join(ValueSet::of(APInt(1, 1)));
    if (!(left == asked))
        result = result.join(ValueSet::of(APInt(1, 0)));
    return result;
}

ValueSet ValueRanges::passesOneWay(const Guard &meeting, const Place &place, Assumption &assumption)
{
    bool may = false, does = false;
    for (const BasicBlock *from : predecessors(meeting.to)) {
        bool may_here = true, does_here = true;
        for (const Guard &guard : guardsFrom(meeting.at, {from, meeting.to})) {
            ValueSet set = passes(guard, place, assumption);
            may_here &= set.contains(1);
            does_here &= set.contains(1) && set.isSingle();
        }
        may |= may_here;
        does |= does_here;
    }
    return does ? ValueSet::of(APInt(1, 1)) : may ? ValueSet::all(1) : ValueSet::of(APInt(1, 0));
}

bool ValueRanges::isReached(const Place &place)
{
    auto known = reached.find({place.block, place.to});
    if (known != reached.end())
        return known->second;
    bool result = dominators.isReachableFromEntry(place.block);
    for (const Guard &guard : guardsOf(place)) {
        if (!result)
            break;
        if (!guard.asked) {
            result = llvm::any_of(predecessors(guard.to), [&](const BasicBlock *from) {
                return isReached({from, guard.to});
            });
            continue;
        }
        if (!isNumber(guard.asked))
            continue;
        ValueSet asked = at(guard.asked, {guard.at});
        result =
            guard.way ? !asked.meet(casesOf(guard, asked)).isNone() : asked.contains(guard.holds);
    }
    reached.try_emplace({place.block, place.to}, result);
    return result;
}

/* ---- loops -------------------------------------------------------------------------------------
 */

/* Adds the phis that the value depends on, those behind them not. */
void ValueRanges::follow(const Value *value, Phis &phis, DenseSet<const Value *> &seen) const
{
    if (isa<Constant>(value) || !seen.insert(value).second)
        return;
    if (const auto *phi = dyn_cast<PHINode>(value)) {
        if (isNumber(phi))
            phis.insert(phi);
        return;
    }
    if (const auto *i = dyn_cast<Instruction>(value))
        for (const Value *operand : i->operands())
            if (!isa<BasicBlock>(operand))
                follow(operand, phis, seen);
}

void ValueRanges::followWay(const Place &place, Phis &phis, DenseSet<const Value *> &seen) const
{
    for (const Guard &guard : guardsOf(place)) {
        if (guard.asked)
            follow(guard.asked, phis, seen);
        else
            for (const BasicBlock *from : predecessors(guard.to))
                for (const Guard &more : guardsFrom(guard.at, {from, guard.to}))
                    if (more.asked)
                        follow(more.asked, phis, seen);
    }
}

ValueRanges::Phis ValueRanges::behind(const PHINode &phi) const
{
    Phis phis;
    DenseSet<const Value *> seen;
    for (unsigned k = 0; k < phi.getNumIncomingValues(); k++) {
        follow(phi.getIncomingValue(k), phis, seen);
        followWay({phi.getIncomingBlock(k), phi.getParent()}, phis, seen);
    }
    return phis;
}

void ValueRanges::forget()
{
    memory.clear();
    reached.clear();
}

void ValueRanges::solve(ArrayRef<const Value *> values, ArrayRef<Place> places)
{
    Phis phis;
    DenseSet<const Value *> seen;
    for (const Value *value : values)
        follow(value, phis, seen);
    for (const Place &place : places)
        followWay(place, phis, seen);
    for (size_t i = 0; i < phis.size() && phis.size() <= MOST_PHIS; i++)
        for (const PHINode *phi : behind(*phis[i]))
            phis.insert(phi);
    if (phis.size() > MOST_PHIS)
        return;
    for (const PHINode *phi : phis)
        states.try_emplace(phi, ValueSet::none(phi->getType()->getIntegerBitWidth()));
    iterate(phis);
    narrow(phis);
    forget();
}

ValueSet ValueRanges::incoming(const PHINode &phi)
{
    ValueSet set = ValueSet::none(phi.getType()->getIntegerBitWidth());
    for (unsigned k = 0; k < phi.getNumIncomingValues(); k++) {
        Place way = {phi.getIncomingBlock(k), phi.getParent()};
        if (isReached(way))
            set = set.join(at(phi.getIncomingValue(k), way));
    }
    return set;
}

/* A set that goes on growing goes as far as the next number that something is compared with. */
ValueSet ValueRanges::widened(const ValueSet &before, const ValueSet &now, unsigned changes) const
{
    ValueSet both = before.join(now);
    if (both == before || both.isFew())
        return both;
    if (changes > unsigned(ValueSet::FEW) + MOST_STRETCHES)
        return ValueSet::all(both.bits());
    int64_t low = both.low(), high = both.high();
    if (low < before.low()) {
        auto next = limits.upper_bound(low);
        low = next == limits.begin() ? APInt::getSignedMinValue(both.bits()).getSExtValue()
                                     : *std::prev(next);
    }
    if (high > before.high()) {
        auto next = limits.lower_bound(high);
        high = next == limits.end() ? APInt::getSignedMaxValue(both.bits()).getSExtValue() : *next;
    }
    low = std::max(low, APInt::getSignedMinValue(both.bits()).getSExtValue());
    high = std::min(high, APInt::getSignedMaxValue(both.bits()).getSExtValue());
    return both.stretched(low, high);
}

/* From nothing up to what no round adds to any more. */
void ValueRanges::iterate(const Phis &phis)
{
    DenseMap<const PHINode *, Phis> needed;
    DenseMap<const PHINode *, unsigned> changes;
    for (const PHINode *phi : phis)
        needed.try_emplace(phi, behind(*phi));
    DenseSet<const PHINode *> moved(phis.begin(), phis.end());
    for (bool first = true; !moved.empty(); first = false) {
        SmallVector<std::pair<const PHINode *, ValueSet>, 16> next;
        for (const PHINode *phi : phis) {
            const Phis &of = needed.find(phi)->second;
            if (!first && llvm::none_of(of, [&](const PHINode *p) { return moved.contains(p); }))
                continue;
            const ValueSet &before = states.find(phi)->second;
            ValueSet now = widened(before, incoming(*phi), changes[phi]);
            if (!(now == before))
                next.push_back({phi, now});
        }
        moved.clear();
        for (auto &[phi, set] : next) {
            states.find(phi)->second = set;
            changes[phi]++;
            moved.insert(phi);
        }
        forget();
    }
}

/* Stretched sets were too large: what is computed of them holds as well, if all of it does. */
void ValueRanges::narrow(const Phis &phis)
{
    enum { ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        DenseMap<const PHINode *, ValueSet> before = states, after = states;
        for (const PHINode *phi : phis) {
            ValueSet &set = after.find(phi)->second;
            set = set.meet(incoming(*phi));
        }
        states = after;
        forget();
        bool holds = true;
        for (const PHINode *phi : phis) {
            const ValueSet &set = states.find(phi)->second;
            ValueSet now = incoming(*phi);
            holds = holds && set.join(now) == set;
        }
        if (!holds) {
            states = before;
            forget();
            return;
        }
    }
}

/* ---- values ------------------------------------------------------------------------------------
 */

ValueSet ValueRanges::ask(const Value *value, const Place &place, Assumption *assumption,
                          unsigned depth)
{
    if (const auto *constant = dyn_cast<ConstantInt>(value))
        return ValueSet::of(constant->getValue());
    unsigned bits = value->getType()->getIntegerBitWidth();
    if (isa<Constant>(value) || depth > MOST_DEPTH)
        return ValueSet::all(bits);
    if (assumption) {
        auto known = assumption->values.find(value);
        if (known != assumption->values.end())
            return known->second;
        if (!partsOf(value, layout).empty()) {
            auto found = assumption->known.find(value);
            if (found != assumption->known.end())
                return found->second;
            ValueSet set = compute(value, place, assumption, depth + 1);
            assumption->known.try_emplace(value, set);
            return set;
        }
    }
    Key key = {value, {place.block, place.to}};
    auto found = memory.find(key);
    if (found != memory.end())
        return found->second;
    ValueSet set = compute(value, place, nullptr, depth + 1);
    for (const Guard &guard : guardsOf(place)) {
        if (set.isNone())
            break;
        set = guarded(set, value, guard, depth + 1);
    }
    memory.try_emplace(key, set);
    return set;
}

ValueSet ValueRanges::compute(const Value *value, const Place &place, Assumption *assumption,
                              unsigned depth)
{
    unsigned bits = value->getType()->getIntegerBitWidth();
    if (const auto *phi = dyn_cast<PHINode>(value)) {
        auto state = states.find(phi);
        return state != states.end() ? state->second : ValueSet::all(bits);
    }
    if (const auto *op = dyn_cast<BinaryOperator>(value))
        return ask(op->getOperand(0), place, assumption, depth)
            .binary(op->getOpcode(), ask(op->getOperand(1), place, assumption, depth),
                    flagsOf(*op));
    if (const auto *step = dyn_cast<CastInst>(value))
        return cast(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<ICmpInst>(value))
        return compare(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<SelectInst>(value))
        return select(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<FreezeInst>(value))
        return ask(step->getOperand(0), place, assumption, depth);
    if (const auto *step = dyn_cast<CallInst>(value))
        return call(*step, place, assumption, depth);
    if (const auto *step = dyn_cast<LoadInst>(value))
        return load(*step, place, assumption, depth);
    if (const auto *part = dyn_cast<ExtractElementInst>(value))
        if (const auto *index = dyn_cast<ConstantInt>(part->getIndexOperand()))
            return lane(part->getVectorOperand(), index->getZExtValue(), place, assumption, depth);
    return ValueSet::all(bits);
}

ValueSet ValueRanges::cast(const CastInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    if (!isNumber(step.getOperand(0)))
        return ValueSet::all(bits);
    ValueSet from = ask(step.getOperand(0), place, assumption, depth);
    switch (step.getOpcode()) {
    case Instruction::SExt:
        return from.sext(bits);
    case Instruction::ZExt:
        return from.zext(bits);
    case Instruction::Trunc:
        return from.trunc(bits);
    default:
        return from.bits() == bits ? from : ValueSet::all(bits);
    }
}

ValueSet ValueRanges::compare(const ICmpInst &step, const Place &place, Assumption *assumption,
                              unsigned depth)
{
    if (!isNumber(step.getOperand(0)))
        return ValueSet::all(1);
    return ask(step.getOperand(0), place, assumption, depth)
        .compare(step.getPredicate(), ask(step.getOperand(1), place, assumption, depth));
}

ValueSet ValueRanges::select(const SelectInst &step, const Place &place, Assumption *assumption,
                             unsigned depth)
{
    if (!isNumber(step.getCondition()))
        return ValueSet::all(step.getType()->getIntegerBitWidth());
    ValueSet asked = ask(step.getCondition(), place, assumption, depth);
    ValueSet set = ValueSet::none(step.getType()->getIntegerBitWidth());
    if (asked.contains(1))
        set = assumption ? ask(step.getTrueValue(), place, assumption, depth)
                         : arm(step, true, place, depth);
    if (asked.contains(0))
        set = set.join(assumption ? ask(step.getFalseValue(), place, assumption, depth)
                                  : arm(step, false, place, depth));
    return set;
}

/* As if it stood behind a branch. */
ValueSet ValueRanges::arm(const SelectInst &step, bool holds, const Place &place, unsigned depth)
{
    const Value *value = holds ? step.getTrueValue() : step.getFalseValue();
    Leaves leaves;
    Assumption assumption;
    leavesOf(value, leaves);
    for (const Value *leaf : leaves)
        if (mentions(step.getCondition(), leaf))
            assumption.values.try_emplace(leaf, limited(ask(leaf, place, nullptr, depth), leaf,
                                                        step.getCondition(), holds, place, depth));
    ValueSet set = ask(value, place, nullptr, depth);
    if (!assumption.values.empty())
        set = set.meet(ask(value, place, &assumption, depth));
    return set;
}

/* ---- what is not computed here ----------------------------------------------------------------
 */

/* Ids and sizes, as far as the kernel's attributes tell. */
ValueSet ValueRanges::workItem(const CallInst &call) const
{
    enum kind { LOCAL_ID, GROUP_ID, GLOBAL_ID, LOCAL_SIZE, GROUPS, GLOBAL_SIZE };
    static const struct {
        const char *name;
        kind what;
    } names[] = {
        {"_Z12get_local_idj", LOCAL_ID},
        {"_Z12get_group_idj", GROUP_ID},
        {"_Z13get_global_idj", GLOBAL_ID},
        {"_Z14get_local_sizej", LOCAL_SIZE},
        {"_Z14get_num_groupsj", GROUPS},
        {"_Z15get_global_sizej", GLOBAL_SIZE},
        {"_Z23get_enqueued_local_sizej", LOCAL_SIZE},
    };
    unsigned bits = call.getType()->getIntegerBitWidth();
    const Function *callee = call.getCalledFunction();
    const auto *dimension =
        call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!callee || !dimension || bits != 64)
        return ValueSet::all(bits);
    uint64_t d = dimension->getZExtValue();
    uint64_t local = d < 3 ? shape.local_size[d] : 1;
    bool one = d >= 3 || shape.one_group[d];
    for (const auto &row : names) {
        if (callee->getName() != row.name)
            continue;
        bool size = row.what >= LOCAL_SIZE;
        uint64_t most = INT64_MAX; /* sizes; ids are below */
        if (row.what == LOCAL_ID || row.what == LOCAL_SIZE || one)
            most = local ? local : most;
        if (one && (row.what == GROUP_ID || row.what == GROUPS))
            most = 1;
        return ValueSet::of(ConstantRange(APInt(64, size), APInt(64, size ? most + 1 : most)));
    }
    return ValueSet::all(bits);
}

ValueSet ValueRanges::call(const CallInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&step);
    if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::expect)
        return ask(step.getArgOperand(0), place, assumption, depth);
    if (!intrinsic || !ConstantRange::isIntrinsicSupported(intrinsic->getIntrinsicID()))
        return intrinsic ? ValueSet::all(bits) : workItem(step);
    SmallVector<ValueSet, 2> operands;
    for (const Value *operand : step.args()) {
        if (!isNumber(operand))
            return ValueSet::all(bits);
        operands.push_back(ask(operand, place, assumption, depth));
    }
    return ValueSet::intrinsic(intrinsic->getIntrinsicID(), operands);
}

ValueSet ValueRanges::load(const LoadInst &step, const Place &place, Assumption *assumption,
                           unsigned depth)
{
    unsigned bits = step.getType()->getIntegerBitWidth();
    SmallMapVector<Value *, APInt, 4> scales;
    APInt fixed(64, 0);
    const Value *base = addressOf(step, layout, scales, fixed);
    if (!base || (!isa<GlobalVariable>(base) && !isa<AllocaInst>(base)))
        return ValueSet::all(bits);
    ValueSet offset = ValueSet::of(fixed);
    for (auto &[index, scale] : scales) {
        if (!isNumber(index))
            return ValueSet::all(bits);
        ValueSet term = ask(index, place, assumption, depth).sext(64);
        const unsigned exact = OverflowingBinaryOperator::NoSignedWrap;
        term = term.binary(Instruction::Mul, ValueSet::of(scale), exact);
        offset = offset.binary(Instruction::Add, term, exact);
    }
    return loadedFrom(base, step, offset, layout);
}

ValueSet ValueRanges::lane(const Value *vector, uint64_t index, const Place &place,
                           Assumption *assumption, unsigned depth)
{
    const auto *type = dyn_cast<FixedVectorType>(vector->getType());
    unsigned bits = vector->getType()->getScalarSizeInBits();
    if (!type || index >= type->getNumElements() || depth > MOST_DEPTH)
        return ValueSet::all(bits);
    if (const auto *constant = dyn_cast<Constant>(vector)) {
        const auto *value = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(index));
        return value ? ValueSet::of(value->getValue()) : ValueSet::all(bits);
    }
    if (const auto *part = dyn_cast<InsertElementInst>(vector)) {
        const auto *where = dyn_cast<ConstantInt>(part->getOperand(2));
        if (where && where->getZExtValue() == index && isNumber(part->getOperand(1)))
            return ask(part->getOperand(1), place, assumption, depth);
        return where ? lane(part->getOperand(0), index, place, assumption, depth + 1)
                     : ValueSet::all(bits);
    }
    if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
        int from = shuffle->getMaskValue(index);
        const Value *first = shuffle->getOperand(0);
        int count = int(llvm::cast<FixedVectorType>(first->getType())->getNumElements());
        return from < 0 ? ValueSet::all(bits)
                        : lane(from < count ? first : shuffle->getOperand(1),
                               uint64_t(from % count), place, assumption, depth + 1);
    }
    if (const auto *op = dyn_cast<BinaryOperator>(vector))
        if (op->getType()->isIntOrIntVectorTy())
            return lane(op->getOperand(0), index, place, assumption, depth + 1)
                .binary(op->getOpcode(),
                        lane(op->getOperand(1), index, place, assumption, depth + 1), flagsOf(*op));
    return ValueSet::all(bits);
}

/* ---- what branches tell of a value -------------------------------------------------------------
 */

bool ValueRanges::mentions(const Value *expression, const Value *value)
{
    auto [entry, fresh] = mentioned.try_emplace(expression);
    if (fresh) {
        enum { MOST = 64 };
        SmallVector<const Value *, 16> pending = {expression};
        DenseSet<const Value *> found;
        while (!pending.empty() && found.size() < MOST) {
            const Value *at = pending.pop_back_val();
            if (isa<Constant>(at) || !found.insert(at).second)
                continue;
            const auto *phi = dyn_cast<PHINode>(at);
            bool question = phi && at->getType()->isIntegerTy(1);
            if (question)
                pending.append(phi->value_op_begin(), phi->value_op_end());
            for (const Value *part : partsOf(at, layout))
                pending.push_back(part);
            for (unsigned k = 0; question && k < phi->getNumIncomingValues(); k++) {
                auto guard = own.find(phi->getIncomingBlock(k));
                if (guard != own.end() && guard->second.asked)
                    pending.push_back(guard->second.asked);
            }
        }
        mentioned[expression] = std::move(found);
        return mentioned[expression].contains(value);
    }
    return entry->second.contains(value);
}

ValueSet ValueRanges::guarded(ValueSet set, const Value *value, const Guard &guard, unsigned depth)
{
    if (!guard.asked)
        return depth > MOST_DEPTH ? set : metAt(set, value, guard, depth + 1);
    if (depth > MOST_DEPTH || !isNumber(guard.asked) || !mentions(guard.asked, value))
        return set;
    if (!guard.way)
        return limited(set, value, guard.asked, guard.holds, {guard.at}, depth);
    ValueSet asked = guard.asked == value ? set : ask(guard.asked, {guard.at}, nullptr, depth);
    return unfolded(set, value, guard.asked, casesOf(guard, asked));
}

/* All ways together, of a value that is older than their meeting. */
ValueSet ValueRanges::metAt(ValueSet set, const Value *value, const Guard &meeting, unsigned depth)
{
    const auto *made = dyn_cast<Instruction>(value);
    if (made && !dominators.properlyDominates(made->getParent(), meeting.to))
        return set;
    bool asked = false;
    for (const BasicBlock *from : predecessors(meeting.to))
        for (const Guard &guard : guardsFrom(meeting.at, {from, meeting.to}))
            asked |= guard.asked && mentions(guard.asked, value);
    if (!asked)
        return set;
    ValueSet all = ValueSet::none(set.bits());
    for (const BasicBlock *from : predecessors(meeting.to))
        all = all.join(ask(value, {from, meeting.to}, nullptr, depth));
    return set.meet(all);
}

ValueSet ValueRanges::limited(ValueSet set, const Value *value, const Value *asked, bool holds,
                              const Place &place, unsigned depth)
{
    const Value *a, *b;
    if (depth > MOST_DEPTH || !mentions(asked, value))
        return set;
    if (asked == value)
        return set.meet(ValueSet::of(APInt(1, holds)));
    if (const auto *compare = dyn_cast<ICmpInst>(asked))
        return compared(set, value, *compare, holds, place, depth + 1);
    if (match(asked, m_Not(m_Value(a))))
        return limited(set, value, a, !holds, place, depth + 1);
    if (holds ? match(asked, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(asked, m_LogicalOr(m_Value(a), m_Value(b))))
        return limited(limited(set, value, a, holds, place, depth + 1), value, b, holds, place,
                       depth + 1);
    if (const auto *step = dyn_cast<FreezeInst>(asked))
        return limited(set, value, step->getOperand(0), holds, place, depth + 1);
    if (const auto *phi = dyn_cast<PHINode>(asked))
        return limitedByWay(set, value, *phi, holds, place, depth + 1);
    return unfolded(set, value, asked, ValueSet::of(APInt(1, holds)));
}

/* "a && b" that was kept: it holds only if control came by where b was asked. Not around a loop,
 * where it could have been asked about an earlier value. */
ValueSet ValueRanges::limitedByWay(ValueSet set, const Value *value, const PHINode &asked,
                                   bool holds, const Place &place, unsigned depth)
{
    unsigned ways = 0, way = 0;
    for (unsigned k = 0; k < asked.getNumIncomingValues(); k++) {
        const auto *constant = dyn_cast<ConstantInt>(asked.getIncomingValue(k));
        if (constant && constant->isOne() != holds)
            continue;
        ways++;
        way = k;
    }
    const BasicBlock *from = ways == 1 ? asked.getIncomingBlock(way) : nullptr;
    if (!from || dominators.dominates(asked.getParent(), from))
        return set;
    set = limited(set, value, asked.getIncomingValue(way), holds, place, depth);
    for (const Guard &guard : guardsOf({from, asked.getParent()}))
        if (guard.asked != &asked)
            set = guarded(set, value, guard, depth);
    return set;
}

ValueSet ValueRanges::compared(ValueSet set, const Value *value, const ICmpInst &question,
                               bool holds, const Place &place, unsigned depth)
{
    CmpInst::Predicate predicate = holds ? question.getPredicate() : question.getInversePredicate();
    for (unsigned side = 0; side < 2; side++) {
        const Value *expression = question.getOperand(side), *other = question.getOperand(!side);
        CmpInst::Predicate now = side ? CmpInst::getSwappedPredicate(predicate) : predicate;
        if (!isNumber(expression) || isa<Constant>(expression) ||
            (expression != value && !mentions(expression, value)))
            continue;
        ValueSet with = ask(other, place, nullptr, depth);
        if (with.isNone())
            return ValueSet::none(set.bits());
        ValueSet may = ValueSet::of(ConstantRange::makeAllowedICmpRegion(now, with.range()));
        if (now == CmpInst::ICMP_EQ)
            may = with;
        if (now == CmpInst::ICMP_NE && with.isSingle() && expression == value)
            set = set.without(with.items()[0]);
        else
            set = unfolded(set, value, expression, may);
    }
    return set;
}

namespace
{

/* Of the values that times `by` are within the set, without overflow. */
ValueSet quotients(const ValueSet &may, int64_t by)
{
    int64_t low = may.low(), high = may.high();
    if (low < INT64_MIN + by || low > INT64_MAX - by || high < INT64_MIN + by)
        return ValueSet::all(may.bits());
    int64_t from = low >= 0 ? (low + by - 1) / by : low / by;
    int64_t to = high >= 0 ? high / by : -((-high + by - 1) / by);
    return from > to ? ValueSet::none(may.bits()) : ValueSet::all(may.bits()).stretched(from, to);
}

/* Of the values that divided by it are within the set, which holds no negative ones. */
ValueSet products(const ValueSet &may, uint64_t by, bool withSign)
{
    __int128 most = APInt::getSignedMaxValue(may.bits()).getSExtValue();
    __int128 low = __int128(may.low()) * by, high = __int128(may.high()) * by + by - 1;
    if (!low && withSign)
        low = 1 - __int128(by);
    if (may.low() < 0 || high > most || low < -most)
        return ValueSet::all(may.bits());
    return ValueSet::all(may.bits()).stretched(int64_t(low), int64_t(high));
}

/* Of those that leave a rest of the set. */
ValueSet withSameRest(const ValueSet &may, uint64_t modulus)
{
    return may.isSingle() && modulus > 1 && may.items()[0] < modulus && modulus < INT64_MAX
               ? ValueSet::withRest(may.bits(), modulus, may.items()[0])
               : ValueSet::all(may.bits());
}

} // namespace

/* The expression is within `may`: what that tells of a value that it is computed of. */
ValueSet ValueRanges::unfolded(ValueSet set, const Value *value, const Value *expression,
                               const ValueSet &may)
{
    const Value *a;
    const APInt *c;
    if (may.isNone())
        return ValueSet::none(set.bits());
    if (expression == value)
        return set.meet(may);
    if (!mentions(expression, value))
        return set;
    unsigned bits = may.bits();
    if (match(expression, m_ZExtOrSExt(m_Value(a)))) {
        unsigned narrow = a->getType()->getIntegerBitWidth();
        ValueSet all = ValueSet::all(narrow);
        all = isa<ZExtInst>(expression) ? all.zext(bits) : all.sext(bits);
        return unfolded(set, value, a, may.meet(all).trunc(narrow));
    }
    if (match(expression, m_Trunc(m_Value(a)))) {
        unsigned broad = a->getType()->getIntegerBitWidth();
        if (a == value && set.range().getSignedMin().isSignedIntN(bits) &&
            set.range().getSignedMax().isSignedIntN(bits))
            return set.meet(may.sext(broad));
        if (a == value && set.range().getUnsignedMax().isIntN(bits))
            return set.meet(may.zext(broad));
        if (may.isSingle() && bits < 62 && broad <= 64)
            return unfolded(set, value, a,
                            ValueSet::withRest(broad, uint64_t(1) << bits, may.items()[0]));
        return set;
    }
    if (match(expression, m_Freeze(m_Value(a))))
        return unfolded(set, value, a, may);
    if (match(expression, m_Add(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Sub, ValueSet::of(*c)));
    if (match(expression, m_Sub(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Add, ValueSet::of(*c)));
    if (match(expression, m_Sub(m_APInt(c), m_Value(a))))
        return unfolded(set, value, a, ValueSet::of(*c).binary(Instruction::Sub, may));
    if (match(expression, m_Xor(m_Value(a), m_APInt(c))))
        return unfolded(set, value, a, may.binary(Instruction::Xor, ValueSet::of(*c)));
    if (match(expression, m_And(m_Value(a), m_LowBitMask(c))) && !c->isAllOnes())
        return unfolded(set, value, a, withSameRest(may, c->getZExtValue() + 1));
    if (match(expression, m_URem(m_Value(a), m_APInt(c))) &&
        (c->isPowerOf2() || (a == value && !set.range().getSignedMin().isNegative())))
        return unfolded(set, value, a, withSameRest(may, c->getZExtValue()));
    if (match(expression, m_SRem(m_Value(a), m_APInt(c))) && c->isStrictlyPositive()) {
        ValueSet rest = withSameRest(may, c->getZExtValue());
        if (may.low() > 0)
            rest = rest.meet(
                ValueSet::all(bits).stretched(1, APInt::getSignedMaxValue(bits).getSExtValue()));
        return unfolded(set, value, a, rest);
    }
    if (match(expression, m_NSWMul(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, quotients(may, c->getSExtValue()));
    if (match(expression, m_NSWShl(m_Value(a), m_APInt(c))) && c->ult(bits - 1) && c->ult(62))
        return unfolded(set, value, a, quotients(may, int64_t(1) << c->getZExtValue()));
    if (match(expression, m_UDiv(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, products(may, c->getZExtValue(), false));
    if (match(expression, m_SDiv(m_Value(a), m_APInt(c))) && c->isStrictlyPositive())
        return unfolded(set, value, a, products(may, c->getZExtValue(), true));
    if (match(expression, m_Shr(m_Value(a), m_APInt(c))) && c->ult(bits - 1) && c->ult(62))
        return unfolded(set, value, a, products(may, uint64_t(1) << c->getZExtValue(), false));
    return set;
}

/* ---- leaves ------------------------------------------------------------------------------------
 */

void ValueRanges::leavesOf(const Value *value, Leaves &leaves) const
{
    SmallVector<const Value *, 16> pending = {value};
    DenseSet<const Value *> seen;
    while (!pending.empty()) {
        const Value *at = pending.pop_back_val();
        if (isa<Constant>(at) || !seen.insert(at).second)
            continue;
        SmallVector<const Value *, 4> parts = partsOf(at, layout);
        pending.append(parts.begin(), parts.end());
        if (parts.empty() && isNumber(at))
            leaves.insert(at);
    }
}

void ValueRanges::divisorsOf(const Value *value, std::set<uint64_t> &out) const
{
    enum { MOST = 1 << 16 };
    SmallVector<std::pair<const Value *, uint64_t>, 16> pending = {{value, 1}};
    DenseSet<const Value *> seen;
    while (!pending.empty()) {
        auto [at, scale] = pending.pop_back_val();
        const Value *a;
        const APInt *c;
        if (!seen.insert(at).second)
            continue;
        if (match(at, m_And(m_Value(a), m_APInt(c))) && c->getActiveBits() < 32)
            out.insert(scale << c->getActiveBits());
        if ((match(at, m_URem(m_Value(a), m_APInt(c))) ||
             match(at, m_SRem(m_Value(a), m_APInt(c)))) &&
            c->isStrictlyPositive() && c->getActiveBits() < 32)
            out.insert(scale * c->getZExtValue());
        if (match(at, m_Shr(m_Value(a), m_APInt(c))) && c->ult(16))
            scale <<= c->getZExtValue();
        if ((match(at, m_UDiv(m_Value(a), m_APInt(c))) ||
             match(at, m_SDiv(m_Value(a), m_APInt(c)))) &&
            c->isStrictlyPositive() && c->ult(MOST))
            scale *= c->getZExtValue();
        for (const Value *part : partsOf(at, layout))
            pending.push_back({part, std::min<uint64_t>(scale, MOST)});
    }
}

void ValueRanges::leavesOf(const Guard &guard, Leaves &leaves) const
{
    if (guard.asked) {
        leavesOf(guard.asked, leaves);
        return;
    }
    for (const BasicBlock *from : predecessors(guard.to))
        for (const Guard &one : guardsFrom(guard.at, {from, guard.to}))
            leavesOf(one, leaves);
}

void ValueRanges::divisorsOf(const Guard &guard, std::set<uint64_t> &out) const
{
    if (guard.asked) {
        divisorsOf(guard.asked, out);
        return;
    }
    for (const BasicBlock *from : predecessors(guard.to))
        for (const Guard &one : guardsFrom(guard.at, {from, guard.to}))
            divisorsOf(one, out);
}

bool ValueRanges::takesAll(const Value *leaf, unsigned depth) const
{
    enum { MOST_NESTED = 4 };
    if (const auto *item = dyn_cast<CallInst>(leaf)) {
        const Function *callee = item->getCalledFunction();
        const auto *d = item->arg_size() ? dyn_cast<ConstantInt>(item->getArgOperand(0)) : nullptr;
        return callee && callee->getName() == "_Z12get_local_idj" && d &&
               (d->getZExtValue() >= 3 || shape.whole_groups);
    }
    const auto *phi = dyn_cast<PHINode>(leaf);
    const Loop *loop = phi ? loops.getLoopFor(phi->getParent()) : nullptr;
    const BasicBlock *end = loop ? loop->getExitingBlock() : nullptr;
    const auto *branch = end ? dyn_cast<BranchInst>(end->getTerminator()) : nullptr;
    const auto *question = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!question || depth > MOST_NESTED || loop->getHeader() != phi->getParent() ||
        phi->getNumIncomingValues() != 2)
        return false;
    bool starts = false, counts = false;
    for (const Value *value : phi->incoming_values()) {
        starts |= isa<ConstantInt>(value);
        counts |= match(value, m_Add(m_Specific(phi), m_ConstantInt())) ||
                  match(value, m_Sub(m_Specific(phi), m_ConstantInt()));
    }
    Leaves of;
    leavesOf(question, of);
    bool all = starts && counts && of.contains(phi);
    for (const Value *other : of)
        all = all && (other == phi || takesAll(other, depth + 1));
    return all;
}

} // namespace sluice
