/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/turned_accesses.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>
#include <optional>

#include "llvm/loops/analyses.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace
{

constexpr unsigned together = 16; // bytes of a lane that are accessed at once
constexpr unsigned farthest = 64; // instructions between the first row's access and the last one's
constexpr unsigned deepest = 8;   // steps of an address

/* Where the lanes of an access are: `base` + sum of index * size, and what differs by lane. */
struct Places {
    Value *base = nullptr;
    SmallVector<std::pair<Value *, uint64_t>, 4> terms; // integers of any width, bytes
    SmallVector<int64_t, 16> lanes;                     // bytes
};

struct Access {
    IntrinsicInst *call;
    Places places;
    const SCEV *first; // of the lane with offset 0
};

bool isStore(const IntrinsicInst &call)
{
    return call.getIntrinsicID() == Intrinsic::masked_scatter;
}

/* ---- addresses ------------------------------------------------------------------------------- */

bool addLanes(Places &places, const Constant &offsets, uint64_t size)
{
    for (unsigned k = 0; k < places.lanes.size(); k++) {
        auto *n = dyn_cast_or_null<ConstantInt>(offsets.getAggregateElement(k));
        if (!n || n->getBitWidth() > 64)
            return false;
        places.lanes[k] += n->getSExtValue() * (int64_t)size;
    }
    return true;
}

/* One index of an address: of all lanes, one for each, or a sum of both. */
bool addIndex(Places &places, Value *index, uint64_t size)
{
    if (!index->getType()->isVectorTy()) {
        auto *constant = dyn_cast<ConstantInt>(index);
        if (!constant || !constant->isZero())
            places.terms.push_back({index, size});
        return true;
    }
    if (auto *constant = dyn_cast<Constant>(index))
        return addLanes(places, *constant, size);
    Value *scalar = getSplatValue(index), *vector;
    Constant *offsets;
    const bool isWide = index->getType()->getScalarSizeInBits() == 64;
    if (!scalar && isWide && match(index, m_AddLike(m_Value(vector), m_Constant(offsets))) &&
        (scalar = getSplatValue(vector)) && !addLanes(places, *offsets, size))
        return false;
    if (scalar)
        places.terms.push_back({scalar, size});
    return scalar;
}

bool findPlaces(Value *pointer, const DataLayout &layout, Places &places)
{
    for (unsigned step = 0; step < deepest && pointer->getType()->isVectorTy(); step++) {
        auto *gep = dyn_cast<GetElementPtrInst>(pointer);
        if (!gep) {
            places.base = getSplatValue(pointer);
            return places.base;
        }
        for (auto type = gep_type_begin(gep); type != gep_type_end(gep); ++type)
            if (type.isStruct() ||
                !addIndex(places, type.getOperand(), type.getSequentialElementStride(layout)))
                return false;
        pointer = gep->getPointerOperand();
    }
    places.base = pointer;
    return !pointer->getType()->isVectorTy();
}

const SCEV *firstOf(const Places &places, ScalarEvolution &evolution)
{
    const SCEV *sum = evolution.getSCEV(places.base);
    Type *offset = evolution.getEffectiveSCEVType(places.base->getType());
    for (auto [index, size] : places.terms)
        sum = evolution.getAddExpr(sum, evolution.getMulExpr(evolution.getTruncateOrSignExtend(
                                                                 evolution.getSCEV(index), offset),
                                                             evolution.getConstant(offset, size)));
    return sum;
}

/* LLVM forgets on its way which of its ORs are additions, and sees no distance then. */
void markAdditions(Function &f, ScalarEvolution &evolution)
{
    for (Instruction &i : instructions(f)) {
        auto *either = dyn_cast<PossiblyDisjointInst>(&i);
        auto *bits = either ? dyn_cast<ConstantInt>(either->getOperand(1)) : nullptr;
        if (!bits || either->isDisjoint())
            continue;
        Value *other = either->getOperand(0);
        KnownBits known = computeKnownBits(other, f.getDataLayout());
        known = known.unionWith(evolution.getUnsignedRange(evolution.getSCEV(other)).toKnownBits());
        if (bits->getValue().isSubsetOf(known.Zero))
            either->setIsDisjoint(true);
    }
}

/* ---- which accesses belong together ---------------------------------------------------------- */

std::optional<Access> accessOf(Instruction &i, ScalarEvolution &evolution)
{
    auto *call = dyn_cast<IntrinsicInst>(&i);
    if (!call || (call->getIntrinsicID() != Intrinsic::masked_scatter &&
                  call->getIntrinsicID() != Intrinsic::masked_gather))
        return std::nullopt;
    const bool stores = isStore(*call);
    Value *data = stores ? call->getArgOperand(0) : call;
    auto *type = cast<FixedVectorType>(data->getType());
    auto *mask = dyn_cast<Constant>(call->getArgOperand(stores ? 2 : 1));
    const unsigned bits = type->getElementType()->getPrimitiveSizeInBits();
    if (!mask || !mask->isAllOnesValue() || (bits != 32 && bits != 64) ||
        type->getNumElements() % (together * 8 / bits) || type->getNumElements() > 64)
        return std::nullopt;
    Access access = {call, {}, nullptr};
    access.places.lanes.resize(type->getNumElements());
    if (!findPlaces(call->getArgOperand(stores ? 1 : 0), call->getDataLayout(), access.places))
        return std::nullopt;
    access.first = firstOf(access.places, evolution);
    return access;
}

unsigned elementBytes(const Access &access)
{
    Value *data = isStore(*access.call) ? access.call->getArgOperand(0) : access.call;
    return data->getType()->getScalarSizeInBits() / 8;
}

bool isNext(const Access &one, const Access &other, unsigned rows, ScalarEvolution &evolution)
{
    if (one.call->getFunctionType() != other.call->getFunctionType() ||
        one.call->getIntrinsicID() != other.call->getIntrinsicID() ||
        one.places.lanes != other.places.lanes)
        return false;
    auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(other.first, one.first));
    return apart && apart->getAPInt() == (uint64_t)rows * elementBytes(one);
}

/* Lanes that lie upon each other store in an order. */
bool areApart(const Access &access)
{
    SmallVector<int64_t, 16> sorted(access.places.lanes);
    sort(sorted);
    for (size_t k = 1; k < sorted.size(); k++)
        if (sorted[k] - sorted[k - 1] < (int64_t)together)
            return false;
    return true;
}

/* The rows that follow `access`, which is the first of them; fewer than there should be: none. */
SmallVector<Access, 4> rowsFrom(const Access &access, ScalarEvolution &evolution)
{
    const unsigned wanted = together / elementBytes(access);
    SmallVector<Access, 4> rows = {access};
    unsigned seen = 0;
    for (Instruction *i = access.call->getNextNode(); i && rows.size() < wanted;
         i = i->getNextNode()) {
        if (++seen > farthest || i->isTerminator())
            break;
        if (isa<DbgInfoIntrinsic>(i) || isa<AssumeInst>(i) ||
            (!i->mayReadOrWriteMemory() && isGuaranteedToTransferExecutionToSuccessor(i)))
            continue;
        std::optional<Access> next = accessOf(*i, evolution);
        if (!next || !isNext(access, *next, (unsigned)rows.size(), evolution))
            break;
        rows.push_back(*next);
    }
    return rows;
}

/* ---- rows of lanes become lanes of rows, and back -------------------------------------------- */

using Vectors = SmallVector<Value *, 4>;

/* Of each group of `group` elements the lower half, or the upper one, of `a` and `b` in turn, as
 * single elements or pairs: an instruction of the machine. */
Value *unpack(IRBuilderBase &b, Value *a, Value *c, bool upper, unsigned group, unsigned unit)
{
    const unsigned count = cast<FixedVectorType>(a->getType())->getNumElements();
    SmallVector<int, 64> mask;
    for (unsigned at = 0; at < count; at += group)
        for (unsigned k = 0; k < group / 2; k += unit)
            for (unsigned from = 0; from < 2; from++)
                for (unsigned u = 0; u < unit; u++)
                    mask.push_back((int)(from * count + at + upper * group / 2 + k + u));
    return b.CreateShuffleVector(a, c, mask);
}

/* Squares of so many elements as there are vectors, turned round each for itself. */
Vectors turn(IRBuilderBase &b, const Vectors &in)
{
    if (in.size() == 2)
        return {unpack(b, in[0], in[1], false, 2, 1), unpack(b, in[0], in[1], true, 2, 1)};
    Value *lower[] = {unpack(b, in[0], in[1], false, 4, 1), unpack(b, in[2], in[3], false, 4, 1)};
    Value *upper[] = {unpack(b, in[0], in[1], true, 4, 1), unpack(b, in[2], in[3], true, 4, 1)};
    return {unpack(b, lower[0], lower[1], false, 4, 2), unpack(b, lower[0], lower[1], true, 4, 2),
            unpack(b, upper[0], upper[1], false, 4, 2), unpack(b, upper[0], upper[1], true, 4, 2)};
}

class Turning
{
  public:
    explicit Turning(ArrayRef<Access> r)
        : rows(r), count((unsigned)r.size()), lanes((unsigned)r[0].places.lanes.size()),
          builder(isStore(*r[0].call) ? r.back().call : r[0].call)
    {
    }
    void store();
    void load();

  private:
    Value *place(unsigned lane);
    Align alignment() const;
    template <typename T> T *promise(T *access) const;

    ArrayRef<Access> rows;
    unsigned count, lanes;
    IRBuilder<> builder;
    Value *first = nullptr;
};

Value *Turning::place(unsigned lane)
{
    const Places &places = rows[0].places;
    if (!first) {
        first = places.base;
        for (auto [index, size] : places.terms)
            first = builder.CreateGEP(ArrayType::get(builder.getInt8Ty(), size), first, index);
    }
    return builder.CreateGEP(builder.getInt8Ty(), first,
                             builder.getInt64((uint64_t)places.lanes[lane]));
}

/* What scatters and gathers say is of each element. */
Align Turning::alignment() const
{
    const IntrinsicInst &call = *rows[0].call;
    return call.getParamAlign(isStore(call) ? 1 : 0).valueOrOne();
}

/* What all rows promise: the elements may be different members of a record. */
template <typename T> T *Turning::promise(T *access) const
{
    SmallVector<Value *, 4> all;
    for (const Access &row : rows)
        all.push_back(row.call);
    propagateMetadata(access, all);
    access->setDebugLoc(rows[0].call->getDebugLoc());
    return access;
}

SmallVector<int, 4> quad(unsigned group, unsigned count)
{
    SmallVector<int, 4> mask;
    for (unsigned k = 0; k < count; k++)
        mask.push_back((int)(group * count + k));
    return mask;
}

void Turning::store()
{
    Vectors in;
    for (const Access &row : rows)
        in.push_back(row.call->getArgOperand(0));
    Vectors out = turn(builder, in);
    for (unsigned lane = 0; lane < lanes; lane++) {
        Value *part = builder.CreateShuffleVector(out[lane % count], quad(lane / count, count));
        promise(builder.CreateAlignedStore(part, place(lane), alignment()));
    }
}

void Turning::load()
{
    auto *whole = cast<FixedVectorType>(rows[0].call->getType());
    auto *type = FixedVectorType::get(whole->getElementType(), count);
    Vectors in(count, PoisonValue::get(whole));
    for (unsigned lane = 0; lane < lanes; lane++) {
        Value *part = promise(builder.CreateAlignedLoad(type, place(lane), alignment()));
        SmallVector<int, 64> widen, mask;
        for (unsigned k = 0; k < lanes; k++) {
            widen.push_back(k < count ? (int)k : PoisonMaskElem);
            mask.push_back(k / count == lane / count ? (int)(lanes + k % count) : (int)k);
        }
        Value *&to = in[lane % count];
        to = builder.CreateShuffleVector(to, builder.CreateShuffleVector(part, widen), mask);
    }
    Vectors out = turn(builder, in);
    for (unsigned r = 0; r < count; r++)
        rows[r].call->replaceAllUsesWith(out[r]);
}

void apply(ArrayRef<Access> rows)
{
    Turning turning(rows);
    if (isStore(*rows[0].call))
        turning.store();
    else
        turning.load();
    SmallVector<WeakTrackingVH, 4> places;
    for (const Access &row : rows) {
        places.push_back(row.call->getArgOperand(isStore(*row.call) ? 1 : 0));
        row.call->eraseFromParent();
    }
    for (WeakTrackingVH &place : places)
        if (place)
            RecursivelyDeleteTriviallyDeadInstructions(place);
}

} // namespace

void sl_llvm_turn_accesses(LLVMValueRef function, bool gathers)
{
    auto &f = *unwrap<Function>(function);
    SmallVector<IntrinsicInst *, 16> calls;
    for (BasicBlock &block : f)
        for (Instruction &i : block)
            if (auto *call = dyn_cast<IntrinsicInst>(&i);
                call &&
                (isStore(*call) || (gathers && call->getIntrinsicID() == Intrinsic::masked_gather)))
                calls.push_back(call);
    if (calls.empty())
        return;
    sluice::Analyses analyses(f);
    markAdditions(f, analyses.evolution);
    SmallVector<SmallVector<Access, 4>, 8> sets;
    SmallPtrSet<IntrinsicInst *, 16> taken;
    for (IntrinsicInst *call : calls) {
        std::optional<Access> access =
            taken.contains(call) ? std::nullopt : accessOf(*call, analyses.evolution);
        if (!access || (isStore(*call) && !areApart(*access)))
            continue;
        SmallVector<Access, 4> rows = rowsFrom(*access, analyses.evolution);
        if (rows.size() < together / elementBytes(*access))
            continue;
        for (const Access &row : rows)
            taken.insert(row.call);
        sets.push_back(std::move(rows));
    }
    for (const auto &rows : sets)
        apply(rows);
}
