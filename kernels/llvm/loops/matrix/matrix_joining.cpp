/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/matrix/matrix_joining.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>

namespace sluice::matrix
{

bool isPostponed(Instruction &i, sl_matrix_product &product)
{
    return sl_matrix_is_postponed(wrap(&i), &product);
}

static bool areAlike(const sl_matrix_product &one, const sl_matrix_product &other)
{
    return one.number == other.number && one.a_signed == other.a_signed &&
           one.b_signed == other.b_signed;
}

/* ---- what is in memory ----------------------------------------------------------------------- */

Load loadOf(Value *row, unsigned bytes)
{
    auto *cast = dyn_cast<BitCastInst>(row);
    auto *i = dyn_cast<Instruction>(cast ? cast->getOperand(0) : row);
    if (!i || i->getDataLayout().getTypeStoreSize(i->getType()) != bytes)
        return {};
    if (auto *load = dyn_cast<LoadInst>(i))
        return load->isSimple() ? Load{i, load->getPointerOperand(), nullptr} : Load{};
    auto *call = dyn_cast<IntrinsicInst>(i);
    if (!call || call->getIntrinsicID() != Intrinsic::masked_load)
        return {};
    if (!isa<Instruction>(call->getArgOperand(1)))
        return {}; /* a constant one is of some lanes, or it would be another load */
    return {i, call->getArgOperand(0), call->getArgOperand(1)};
}

/* Is in memory at `at` what was there for the load? */
static bool isStillThere(Instruction *load, Instruction *at)
{
    if (load->getParent() != at->getParent() || !load->comesBefore(at))
        return false;
    for (auto i = load->getIterator(); &*i != at; ++i)
        if (i->mayWriteToMemory() && !isa<AssumeInst, NoAliasScopeDeclInst>(*i))
            return false;
    return true;
}

/* An address as a sum of products with numbers: LLVM leaves some undone where a value changes in
 * one loop and another in a loop around it. */
class Terms
{
  public:
    explicit Terms(ScalarEvolution &analysis) : evolution(analysis)
    {
    }

    void add(const SCEV *what, const APInt &times)
    {
        if (auto *number = dyn_cast<SCEVConstant>(what))
            return addOne(nullptr, number->getAPInt() * times);
        if (auto *sum = dyn_cast<SCEVAddExpr>(what)) {
            for (const SCEV *part : sum->operands())
                add(part, times);
            return;
        }
        if (auto *count = dyn_cast<SCEVAddRecExpr>(what); count && count->isAffine())
            return addCount(count, times);
        if (auto *product = dyn_cast<SCEVMulExpr>(what))
            return addProduct(product, times);
        addOne(what, times);
    }

    /* Null: there is something else than numbers of 64 bits in it. */
    const SCEV *sum() const
    {
        SmallVector<const SCEV *, 8> parts;
        for (const auto &[what, times] : terms) {
            if (times.isZero())
                continue;
            const SCEV *number = evolution.getConstant(times);
            if (what && !what->getType()->isIntegerTy(64))
                return nullptr;
            parts.push_back(what ? evolution.getMulExpr(number, what) : number);
        }
        return parts.empty() ? evolution.getConstant(APInt(64, 0)) : evolution.getAddExpr(parts);
    }

  private:
    ScalarEvolution &evolution;
    MapVector<const SCEV *, APInt> terms; /* null: 1 */

    void addOne(const SCEV *what, const APInt &times)
    {
        auto at = terms.insert({what, APInt(64, 0)}).first;
        at->second += times;
    }

    void addCount(const SCEVAddRecExpr *count, const APInt &times)
    {
        const SCEV *step = count->getStepRecurrence(evolution);
        auto *number = dyn_cast<SCEVConstant>(step);
        const SCEV *unit = number ? evolution.getOne(step->getType()) : step;
        add(count->getStart(), times);
        addOne(evolution.getAddRecExpr(evolution.getZero(step->getType()), unit, count->getLoop(),
                                       SCEV::FlagAnyWrap),
               number ? number->getAPInt() * times : times);
    }

    void addProduct(const SCEVMulExpr *product, const APInt &times)
    {
        SmallVector<const SCEV *, 4> factors(product->operands());
        auto known = [](const SCEV *factor) { return isa<SCEVConstant, SCEVAddExpr>(factor); };
        auto first = find_if(factors, known);
        if (first == factors.end())
            return addOne(product, times);
        const SCEV *opened = *first;
        factors.erase(first);
        if (auto *number = dyn_cast<SCEVConstant>(opened))
            return add(evolution.getMulExpr(factors), number->getAPInt() * times);
        for (const SCEV *part : cast<SCEVAddExpr>(opened)->operands()) {
            SmallVector<const SCEV *, 4> one(factors);
            one.push_back(part);
            add(evolution.getMulExpr(one), times);
        }
    }
};

/* Null: it cannot be seen. */
static const SCEV *distance(ScalarEvolution &evolution, const Load &from, const Load &to)
{
    Terms terms(evolution);
    const SCEV *one = evolution.getSCEV(to.address), *other = evolution.getSCEV(from.address);
    if (isa<SCEVCouldNotCompute>(one) || isa<SCEVCouldNotCompute>(other))
        return nullptr;
    terms.add(one, APInt(64, 1));
    terms.add(other, -APInt(64, 1));
    return terms.sum();
}

Place placeOf(ScalarEvolution &evolution, ArrayRef<Value *> rows, unsigned bytes, Instruction *at)
{
    Place place;
    Load last;
    for (Value *row : rows) {
        Load load = loadOf(row, bytes);
        if (!load || !isStillThere(load.load, at) || (last && load.mask != place.mask))
            return {};
        if (last) {
            const SCEV *step = distance(evolution, last, load);
            if (!step || (place.stride && place.stride != step))
                return {};
            place.stride = step;
        } else {
            place.base = load.address;
            place.mask = load.mask;
        }
        last = load;
    }
    return place;
}

/* ---- products -------------------------------------------------------------------------------- */

static Rows resultsOf(CallInst *call, unsigned rows)
{
    Rows results;
    SmallVector<ExtractValueInst *, mostRows> old;
    SmallVector<Use *, 4> whole; /* LLVM joins rows of several products: a phi of arrays */
    for (Use &use : call->uses())
        if (auto *extract = dyn_cast<ExtractValueInst>(use.getUser()))
            old.push_back(extract);
        else
            whole.push_back(&use);
    IRBuilder<> builder(call->getNextNode());
    for (unsigned m = 0; m < rows; m++)
        results.push_back(builder.CreateExtractValue(call, m));
    for (ExtractValueInst *extract : old) {
        extract->replaceAllUsesWith(results[extract->getIndices()[0]]);
        extract->eraseFromParent();
    }
    if (whole.empty())
        return results;
    Value *all = PoisonValue::get(call->getType());
    for (unsigned m = 0; m < rows; m++)
        all = builder.CreateInsertValue(all, results[m], m);
    for (Use *use : whole)
        use->set(all);
    return results;
}

static Product productOf(CallInst *call, const sl_matrix_product &kind)
{
    Product product = {kind, call, {}, {}, {}, {}, false};
    Rows a, b;
    for (unsigned m = 0; m < kind.rows; m++)
        a.push_back(call->getArgOperand(m));
    for (unsigned k = 0; k < SL_MATRIX_WORDS; k++)
        b.push_back(call->getArgOperand(kind.rows + k));
    for (unsigned m = 0; m < kind.rows; m++)
        product.sums.push_back(call->getArgOperand(kind.rows + SL_MATRIX_WORDS + m));
    product.a.push_back(a);
    product.b.push_back(b);
    product.results = resultsOf(call, kind.rows);
    return product;
}

void findProducts(Function_ &x)
{
    sl_matrix_product kind;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&x.f))
        for (Instruction &i : *block)
            if (isPostponed(i, kind))
                x.calls.push_back(cast<CallInst>(&i));
    for (CallInst *call : x.calls) {
        isPostponed(*call, kind);
        x.products.push_back(productOf(call, kind));
    }
}

/* ---- two products that are one --------------------------------------------------------------- */

/* Does the second add to the first one's sums, which nobody else asks for? */
static bool continues(const Product &first, const Product &second)
{
    if (first.at->getParent() != second.at->getParent() || first.results != second.sums)
        return false;
    return all_of(first.results, [](Value *row) { return row->hasOneUse(); });
}

static bool goOnInMemory(Function_ &x, const Product &first, const Product &second)
{
    ScalarEvolution &evolution = x.known->evolution;
    const SCEV *ahead = evolution.getConstant(Type::getInt64Ty(x.f.getContext()), halfRow);
    Place one = placeOf(evolution, first.a[0], halfRow, second.at);
    Place other = placeOf(evolution, second.a[0], halfRow, second.at);
    if (!one || !other || one.stride != other.stride || one.mask != other.mask)
        return false;
    Load from = loadOf(first.a[0][0], halfRow), to = loadOf(second.a[0][0], halfRow);
    return distance(evolution, from, to) == ahead;
}

void joinChains(Function_ &x)
{
    for (Product &second : x.products)
        for (Product &first : x.products) {
            if (first.gone || first.a.size() > 1 || second.gone || second.a.size() > 1 ||
                !areAlike(first.kind, second.kind) || !continues(first, second) ||
                !goOnInMemory(x, first, second))
                continue;
            second.a.insert(second.a.begin(), first.a[0]);
            second.b.insert(second.b.begin(), first.b[0]);
            second.sums = first.sums;
            first.gone = true;
        }
}

/* Nobody asks for the first one's results before the second one is there. */
static bool mayWait(const Product &first, const Product &second)
{
    for (Value *row : first.results)
        for (User *user : row->users()) {
            auto *i = cast<Instruction>(user);
            if (i->getParent() == second.at->getParent() && !isa<PHINode>(i) &&
                (i == second.at || i->comesBefore(second.at)))
                return false;
        }
    return true;
}

static Rows joined(ArrayRef<Value *> one, ArrayRef<Value *> other)
{
    Rows rows(one);
    rows.append(other.begin(), other.end());
    return rows;
}

void joinRows(Function_ &x)
{
    ScalarEvolution &evolution = x.known->evolution;
    for (Product &first : x.products)
        for (Product &second : x.products) {
            if (&first == &second || first.gone || second.gone ||
                first.results.size() + second.results.size() > mostRows ||
                !areAlike(first.kind, second.kind) || first.b != second.b ||
                first.at->getParent() != second.at->getParent() ||
                !first.at->comesBefore(second.at) || !mayWait(first, second))
                continue;
            bool strided = true;
            for (unsigned part = 0; part < first.a.size(); part++)
                strided &= bool(
                    placeOf(evolution, joined(first.a[part], second.a[part]), halfRow, second.at));
            if (!strided)
                continue;
            for (unsigned part = 0; part < first.a.size(); part++)
                second.a[part] = joined(first.a[part], second.a[part]);
            second.sums = joined(first.sums, second.sums);
            second.results = joined(first.results, second.results);
            first.gone = true;
        }
}

void evenOut(Function_ &x)
{
    size_t longest = 0;
    for (const Product &product : x.products)
        longest = std::max(longest, product.gone ? 0 : product.a.size());
    auto zeros = [](const Rows &rows) {
        return Rows(rows.size(), Constant::getNullValue(rows[0]->getType()));
    };
    for (Product &product : x.products)
        while (!product.gone && product.a.size() < longest) {
            product.a.push_back(zeros(product.a[0]));
            product.b.push_back(zeros(product.b[0]));
        }
}

} // namespace sluice::matrix
