/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/pipes/pipe_elements.h"

#include "llvm/ranges/value_ranges.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <numeric>

using namespace llvm;
using namespace sluice;

namespace
{

enum {
    MOST_CASES = 8192, /* that are looked at one by one for an operation */
    MOST_PARTS = 4096, /* of one value */
    MOST_RESIDUES = 256,
    MOST_MARKS = 1 << 22, /* of elements, in all of these cases */
};

/* One way to a pipe: a root and the steps from there. */
struct Address {
    const Value *root = nullptr;
    /* What is multiplied with how many bytes; one value may be the index of several dimensions. */
    SmallVector<std::pair<const Value *, int64_t>, 4> terms;
    int64_t fixed = 0;
    Place place;
    SmallVector<Guard, 2> more; /* besides those of the place */
    bool only = true;           /* there is no other way */
    bool known = true;          /* the terms are all there is */
};

/* With which steps a phi was come to first. */
struct Visits {
    DenseMap<const Value *, Address> first;
    bool differ = false; /* another way had others: what it leads to is not known */
};

struct Question {
    LLVMValueRef call;
    SmallVector<Address, 1> addresses;
};

/* ---- addresses ------------------------------------------------------------------------------- */

void addSteps(const GEPOperator &step, const DataLayout &layout, Address &out)
{
    for (auto at = gep_type_begin(step), end = gep_type_end(step); at != end; ++at) {
        const Value *index = at.getOperand();
        const auto *constant = dyn_cast<ConstantInt>(index);
        if (StructType *record = at.getStructTypeOrNull()) {
            const StructLayout *fields = layout.getStructLayout(record);
            out.fixed += int64_t(fields->getElementOffset(constant->getZExtValue()));
            continue;
        }
        int64_t bytes = int64_t(at.getSequentialElementStride(layout).getFixedValue());
        if (constant && constant->getValue().isSignedIntN(32))
            out.fixed += constant->getSExtValue() * bytes;
        else if (!isa<Constant>(index) && index->getType()->isIntegerTy())
            out.terms.push_back({index, bytes});
        else
            out.known = false;
    }
}

/* A second way leads to nothing new if it has the same steps and nothing else is asked on it. */
bool isRepeated(const Address &first, const Address &again)
{
    return first.fixed == again.fixed && first.terms == again.terms && first.known == again.known &&
           first.more.empty() && again.more.empty();
}

void findAddresses(const Value *pointer, Address address, const DataLayout &layout, Visits &visits,
                   SmallVectorImpl<Address> &out)
{
    for (;;) {
        const auto *step = dyn_cast<Operator>(pointer);
        if (const auto *part = dyn_cast<GEPOperator>(pointer))
            addSteps(*part, layout, address);
        else if (!step || (step->getOpcode() != Instruction::AddrSpaceCast &&
                           step->getOpcode() != Instruction::BitCast &&
                           step->getOpcode() != Instruction::Freeze))
            break;
        pointer = step->getOperand(0);
    }
    if (const auto *select = dyn_cast<SelectInst>(pointer)) {
        address.only = false;
        for (bool holds : {true, false}) {
            Address way = address;
            way.more.push_back(
                {select->getCondition(), select->getParent(), nullptr, holds, nullptr});
            findAddresses(holds ? select->getTrueValue() : select->getFalseValue(), way, layout,
                          visits, out);
        }
    } else if (const auto *phi = dyn_cast<PHINode>(pointer)) {
        auto [visit, fresh] = visits.first.try_emplace(phi, address);
        if (!fresh) {
            visits.differ |= !isRepeated(visit->second, address);
            return;
        }
        address.only = false;
        for (unsigned k = 0; k < phi->getNumIncomingValues(); k++) {
            Address way = address;
            way.place = {phi->getIncomingBlock(k), phi->getParent()};
            findAddresses(phi->getIncomingValue(k), way, layout, visits, out);
        }
    } else {
        address.root = isa<GlobalVariable>(pointer) || isa<Argument>(pointer) ? pointer : nullptr;
        out.push_back(std::move(address));
    }
}

/* ---- indices --------------------------------------------------------------------------------- */

struct Term {
    const Value *value;
    int64_t times;
};

struct Index {
    SmallVector<Term, 2> terms;
    int64_t fixed = 0;
};

/* An index for each dimension. False: bytes are counted that are no elements. */
bool splitByDimension(const Address &address, const sl_pipe_array &array,
                      SmallVectorImpl<Index> &out)
{
    SmallVector<int64_t, 4> strides(array.rank + 1, array.packet_bytes);
    for (uint32_t d = array.rank; d-- > 0;)
        strides[d] = strides[d + 1] * array.dims[d];
    strides.erase(strides.begin()); /* of an element of each dimension */
    int64_t fixed = address.fixed;
    out.assign(array.rank, Index());
    for (uint32_t d = 0; d < array.rank; d++) {
        out[d].fixed = fixed / strides[d];
        fixed %= strides[d];
    }
    if (fixed || !address.known)
        return false;
    for (const auto &[value, scale] : address.terms) {
        uint32_t d = 0;
        while (d < array.rank && scale % strides[d])
            d++;
        if (d == array.rank)
            return false;
        out[d].terms.push_back({value, scale / strides[d]});
    }
    return true;
}

/* ---- cases ----------------------------------------------------------------------------------- */

class Reach
{
  public:
    Reach(ValueRanges &values, const Address &way, const sl_pipe_array &pipes)
        : ranges(values), address(way), array(pipes), elements((pipes.count + 63) / 64),
          sure(way.only)
    {
    }

    void find()
    {
        if (!splitByDimension(address, array, indices)) {
            markAll();
            return;
        }
        chooseGuards();
        chooseParts();
        marks = 0;
        Assumption assumption;
        walk(0, assumption);
        if (marks <= MOST_MARKS)
            return;
        marks = 0;
        sure = false;
        Assumption nothing;
        for (const Value *leaf : leaves)
            nothing.values.try_emplace(leaf, ranges.at(leaf, address.place));
        look(nothing);
    }

    const uint64_t *bits() const
    {
        return elements.data();
    }
    bool isSure() const
    {
        return sure;
    }

  private:
    void markAll()
    {
        sure = array.count == 1 && address.only;
        for (uint32_t e = 0; e < array.count; e++)
            elements[e / 64] |= uint64_t(1) << e % 64;
    }

    /* Those that ask for what the index is computed of; their leaves count as well. */
    void chooseGuards()
    {
        for (const Index &index : indices)
            for (const Term &term : index.terms)
                ranges.leavesOf(term.value, leaves);
        size_t first = leaves.size();
        SmallVector<Guard, 16> all = ranges.guardsOf(address.place);
        all.append(address.more.begin(), address.more.end());
        for (const Guard &guard : all) {
            Leaves asked;
            ranges.leavesOf(guard, asked);
            bool shares = llvm::any_of(asked, [&](const Value *leaf) {
                return llvm::is_contained(ArrayRef(leaves.getArrayRef()).take_front(first), leaf);
            });
            if (!shares)
                continue;
            guards.push_back(guard);
            for (const Value *leaf : asked)
                leaves.insert(leaf);
        }
    }

    uint64_t modulus() const
    {
        std::set<uint64_t> divisors;
        for (const Index &index : indices)
            for (const Term &term : index.terms)
                ranges.divisorsOf(term.value, divisors);
        for (const Guard &guard : guards)
            ranges.divisorsOf(guard, divisors);
        uint64_t all = 1;
        for (uint64_t divisor : divisors) {
            uint64_t more = std::lcm(all, divisor);
            all = more <= MOST_RESIDUES ? more : all;
        }
        return all;
    }

    void chooseParts()
    {
        uint64_t all = modulus(), cases = 1;
        for (const Value *leaf : leaves) {
            ValueSet set = ranges.at(leaf, address.place);
            SmallVector<uint64_t, 64> values;
            SmallVector<ValueSet, 4> list;
            sure &= ranges.takesAll(leaf);
            if (set.list(MOST_PARTS, values)) {
                for (uint64_t value : values)
                    list.push_back(ValueSet::of(APInt(set.bits(), value)));
            } else {
                sure = false;
                addResidues(set, all, list);
            }
            if (cases * list.size() > MOST_CASES) {
                sure = false;
                list.assign(1, set);
            }
            cases *= std::max<size_t>(list.size(), 1);
            parts.push_back(std::move(list));
        }
    }

    /* Without a sign a negative number leaves another remainder, but of powers of two. */
    static void addResidues(const ValueSet &set, uint64_t modulus, SmallVectorImpl<ValueSet> &out)
    {
        ValueSet positive = ValueSet::all(set.bits()).stretched(0, INT64_MAX >> (64 - set.bits()));
        for (uint64_t remainder = 0; remainder < modulus; remainder++) {
            ValueSet part = set.meet(ValueSet::withRemainder(set.bits(), modulus, remainder));
            if (modulus & (modulus - 1)) {
                ValueSet above = part.meet(positive);
                out.push_back(above);
                part = part.meet(positive.binary(Instruction::Xor, minusOne(set.bits())));
            }
            out.push_back(part);
        }
    }

    static ValueSet minusOne(unsigned bits)
    {
        return ValueSet::of(APInt::getAllOnes(bits));
    }

    void walk(size_t leaf, Assumption &assumption)
    {
        if (marks > MOST_MARKS)
            return;
        if (leaf == leaves.size()) {
            Assumption now;
            now.values = assumption.values;
            look(now);
            return;
        }
        for (const ValueSet &part : parts[leaf]) {
            if (part.isNone())
                continue;
            assumption.values.erase(leaves[leaf]);
            assumption.values.try_emplace(leaves[leaf], part);
            walk(leaf + 1, assumption);
        }
    }

    void look(Assumption &assumption)
    {
        for (const Guard &guard : guards) {
            ValueSet passes = ranges.passes(guard, address.place, assumption);
            if (!passes.contains(1))
                return;
            sure &= passes.isSingle();
        }
        SmallVector<SmallVector<uint64_t, 8>, 4> chosen;
        for (uint32_t d = 0; d < array.rank; d++) {
            ConstantRange inside(APInt(64, 0), APInt(64, array.dims[d]));
            chosen.emplace_back();
            valueOf(indices[d], assumption)
                .meet(ValueSet::of(inside))
                .list(array.dims[d], chosen.back());
            sure &= chosen.back().size() == 1;
        }
        mark(chosen, 0, 0);
    }

    ValueSet valueOf(const Index &index, Assumption &assumption)
    {
        const unsigned exact = OverflowingBinaryOperator::NoSignedWrap;
        ValueSet sum = ValueSet::of(APInt(64, uint64_t(index.fixed), true));
        for (const Term &term : index.terms) {
            ValueSet value = term.value->getType()->getIntegerBitWidth() <= 64
                                 ? ranges.at(term.value, address.place, assumption).sext(64)
                                 : ValueSet::all(64);
            ValueSet times = ValueSet::of(APInt(64, uint64_t(term.times), true));
            sum = sum.binary(Instruction::Add, value.binary(Instruction::Mul, times, exact), exact);
        }
        return sum;
    }

    void mark(ArrayRef<SmallVector<uint64_t, 8>> chosen, uint32_t d, uint64_t element)
    {
        if (d == array.rank) {
            elements[element / 64] |= uint64_t(1) << element % 64;
            marks++;
            return;
        }
        for (uint64_t index : chosen[d])
            if (marks <= MOST_MARKS)
                mark(chosen, d + 1, element * array.dims[d] + index);
    }

    ValueRanges &ranges;
    const Address &address;
    const sl_pipe_array &array;
    SmallVector<Index, 4> indices;
    Leaves leaves;
    SmallVector<Guard, 8> guards;
    SmallVector<SmallVector<ValueSet, 4>, 4> parts; /* of each leaf */
    SmallVector<uint64_t, 4> elements;
    uint64_t marks = 0;
    bool sure;
};

/* ---- questions ------------------------------------------------------------------------------- */

void answer(ValueRanges &ranges, const Question &question, const sl_pipe_asker &asker)
{
    for (const Address &address : question.addresses) {
        if (!ranges.isReached(address.place))
            continue;
        const sl_pipe_array *array = address.root && isa<GlobalVariable>(address.root)
                                         ? asker.find(asker.data, wrap(address.root))
                                         : nullptr;
        struct sl_pipe_elements found = {wrap(address.root), nullptr, address.only};
        if (!array) {
            asker.take(asker.data, question.call, &found);
            continue;
        }
        Reach reach(ranges, address, *array);
        reach.find();
        found.elements = reach.bits();
        found.sure = reach.isSure();
        asker.take(asker.data, question.call, &found);
    }
}

/* ---- the copy -------------------------------------------------------------------------------- */

enum {
    SMALL = 300,     /* instructions of a helper that may tell what an index is */
    ENOUGH = 20000,  /* in the copy of a kernel, with them */
    MOST_ROUNDS = 8, /* helpers of helpers */
};

bool isPrivate(const Value *pointer)
{
    return pointer->getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(pointer));
}

/* Its result, or what it leaves in a variable, may be an index. */
bool mayTell(const CallInst &call)
{
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee == call.getFunction() ||
        callee->getInstructionCount() > SMALL)
        return false;
    return callee->getReturnType()->isIntegerTy() ||
           (callee->getReturnType()->isVoidTy() && llvm::any_of(call.args(), isPrivate));
}

void inlineHelpers(Function &f)
{
    unsigned size = f.getInstructionCount();
    bool any = true;
    for (int round = 0; any && round < MOST_ROUNDS; round++) {
        SmallVector<CallInst *, 16> calls;
        for (Instruction &i : instructions(f))
            if (auto *call = dyn_cast<CallInst>(&i))
                if (mayTell(*call))
                    calls.push_back(call);
        any = false;
        for (CallInst *call : calls) {
            unsigned more = call->getCalledFunction()->getInstructionCount();
            InlineFunctionInfo info;
            if (size + more > ENOUGH || !InlineFunction(*call, info).isSuccess())
                continue;
            size += more;
            any = true;
        }
    }
}

/* In the order of the code. */
void findQuestions(Function &f, const sl_pipe_asker &asker, SmallVectorImpl<Question> &out)
{
    const DataLayout &layout = f.getDataLayout();
    for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !call->arg_size() || !call->getArgOperand(0)->getType()->isPointerTy() ||
            !asker.is_operation(callee->getName().str().c_str()))
            continue;
        Visits visits;
        Address start;
        start.place = {call->getParent()};
        out.push_back({wrap(call), {}});
        findAddresses(call->getArgOperand(0), start, layout, visits, out.back().addresses);
        for (Address &address : out.back().addresses)
            address.known &= !visits.differ;
    }
}

void look(Function &f, const sl_launch_shape &shape, const sl_pipe_asker &asker)
{
    SmallVector<Question, 16> questions;
    SmallVector<const Value *, 32> values;
    SmallVector<Place, 32> places;
    findQuestions(f, asker, questions);
    for (const Question &question : questions)
        for (const Address &address : question.addresses) {
            places.push_back(address.place);
            for (const auto &[value, bytes] : address.terms)
                values.push_back(value);
            for (const Guard &guard : address.more)
                values.push_back(guard.asked);
        }
    ValueRanges ranges(f, shape);
    ranges.solve(values, places);
    for (const Question &question : questions)
        answer(ranges, question, asker);
}

} // namespace

struct sl_pipe_analyst {
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    FunctionPassManager passes;

    sl_pipe_analyst()
    {
        PassBuilder builder;
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(components);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, components, modules);
        passes.addPass(SROAPass(SROAOptions::ModifyCFG));
        passes.addPass(EarlyCSEPass());
    }
};

sl_pipe_analyst *sl_pipe_analyst_create()
{
    return new sl_pipe_analyst();
}

void sl_pipe_analyst_destroy(sl_pipe_analyst *analyst)
{
    delete analyst;
}

void sl_pipe_analyst_look(sl_pipe_analyst *analyst, LLVMValueRef kernel,
                          const sl_launch_shape *shape, const sl_pipe_asker *asker)
{
    ValueToValueMapTy copied;
    Function *copy = CloneFunction(unwrap<Function>(kernel), copied);
    inlineHelpers(*copy);
    analyst->passes.run(*copy, analyst->functions);
    look(*copy, *shape, *asker);
    analyst->functions.clear(*copy, copy->getName());
    copy->eraseFromParent();
}
