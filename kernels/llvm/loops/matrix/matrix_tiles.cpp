/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums stay in tiles from product to product and from round to round of a loop: where the eight (or
 * sixteen) rows of sums of one product are those of another, or phis of such rows, there is one
 * value of type x86_amx instead. LLVM chooses registers and configures them.
 *
 * A tile has sixteen rows of 64 bytes, twice what a product has in rows and in length. So two
 * products of one chain whose rows of a go on in memory become one, and so do two with one matrix b
 * whose rows of a follow each other. What a product multiplies is read from where it was loaded
 * from, if its rows are equally far from each other and nobody may have stored in between; all else
 * goes through the stack. Loads of some lanes are read so if they turn out to be of all.
 */
#include "llvm/loops/matrix/matrix_tiles.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "llvm/loops/matrix/matrix_addresses.h"
#include "llvm/loops/matrix/matrix_joining.h"
#include "llvm/loops/matrix/matrix_rounds.h"

using namespace llvm;
using namespace sluice::matrix;

namespace
{

constexpr unsigned mostSums = 4;   /* in a loop: of eight tiles four are for what is multiplied */
constexpr size_t mostBlocks = 192; /* of a function: with 300 LLVM 22 crashes when it prints them */

/* ---- tiles ----------------------------------------------------------------------------------- */

/* What is multiplied: rows of one matrix, of a with parts next to each other, of b one above the
 * other. If it has a place its rows are those of memory, where `mask` is of all lanes. */
struct Factor {
    SmallVector<Rows, 2> parts;
    unsigned bytes;    /* of a row of a part */
    BasicBlock *block; /* of the product, before blocks are split */
    Value *base = nullptr, *stride = nullptr, *mask = nullptr;

    unsigned rows() const
    {
        return parts[0].size();
    }
};

/* Memory through which rows come and go, at once: whatever number of tiles there is, a thread's
 * stack has to hold no more. Those of several sums differ, so that LLVM need not keep all their
 * rows in registers. */
enum Room { SUMS, LEFT, RIGHT, RESULTS, ROOMS = RESULTS + mostSums };
static_assert(ROOMS * mostRows * rowBytes <= SL_MATRIX_STACK);

struct Tile {
    Rows rows; /* the values that it stands for */
    Instruction *value = nullptr;
};

class Tiles
{
  public:
    explicit Tiles(Function_ &function) : x(function), module(*function.f.getParent())
    {
    }

    /* Are there any that stay in a loop? */
    bool find();
    void make();

  private:
    Function_ &x;
    Module &module;
    SmallVector<Tile, 32> tiles; /* of products, in their order, then phis */
    DenseMap<Value *, std::pair<unsigned, unsigned>> rowOf;
    DenseMap<std::pair<unsigned, BasicBlock *>, Rows> rowsIn;
    DenseMap<Value *, Value *> partOf;
    SmallVector<std::pair<Factor, Value *>, 32> factors;
    unsigned productCount = 0;
    AllocaInst *rooms[ROOMS] = {};

    void add(Rows rows);
    bool addUp();
    bool addPhis(unsigned tile, PHINode *first);
    Value *valueOf(ArrayRef<Value *> rows, Instruction *at, const Factor *there = nullptr);
    Value *multiplied(const Product &product, ArrayRef<Factor> of);
    Factor planned(ArrayRef<Rows> parts, unsigned bytes, Instruction *at);
    Value *factor(const Factor &factor, Instruction *at);
    Value *made(const Factor &factor, Instruction *at);
    AllocaInst *copied(const Factor &factor, Instruction *at);
    Value *isPart(Value *mask);
    Value *loaded(Value *base, Value *stride, unsigned rows, unsigned bytes, Instruction *at);
    AllocaInst *room(unsigned which);
    const Rows &inRegisters(unsigned tile, BasicBlock *block);
    void replaceRows(unsigned tile);

    Function *intrinsic(Intrinsic::ID id)
    {
        return Intrinsic::getOrInsertDeclaration(&module, id);
    }
    Value *number(unsigned value)
    {
        return ConstantInt::get(Type::getInt16Ty(module.getContext()), value);
    }
    Value *offset(unsigned value)
    {
        return ConstantInt::get(Type::getInt64Ty(module.getContext()), value);
    }
};

void Tiles::add(Rows rows)
{
    for (unsigned m = 0; m < rows.size(); m++)
        rowOf[rows[m]] = {tiles.size(), m};
    tiles.push_back({std::move(rows), nullptr});
}

/* Is this phi the first row of one tile more? Then its other rows are phis of that tile's rows. */
bool Tiles::addPhis(unsigned tile, PHINode *first)
{
    const Rows from = tiles[tile].rows;
    Rows rows = {first};
    if (rowOf.count(first))
        return false;
    for (unsigned m = 1; m < from.size(); m++) {
        for (User *user : from[m]->users()) {
            auto *phi = dyn_cast<PHINode>(user);
            if (!phi || phi->getParent() != first->getParent() || rowOf.count(phi) ||
                rows.size() > m)
                continue;
            bool same = true;
            for (BasicBlock *block : first->blocks())
                same &= (first->getIncomingValueForBlock(block) == from[0]) ==
                        (phi->getIncomingValueForBlock(block) == from[m]);
            if (same)
                rows.push_back(phi);
        }
        if (rows.size() != m + 1)
            return false;
    }
    add(std::move(rows));
    return true;
}

bool Tiles::find()
{
    for (const Product &product : x.products)
        if (!product.gone)
            add(product.results);
    productCount = tiles.size();
    for (unsigned t = 0; t < tiles.size(); t++) {
        SmallVector<PHINode *, 4> phis;
        for (User *user : tiles[t].rows[0]->users())
            if (auto *phi = dyn_cast<PHINode>(user))
                phis.push_back(phi);
        for (PHINode *phi : phis)
            addPhis(t, phi);
    }
    DenseMap<BasicBlock *, unsigned> phis;
    for (Tile &tile : drop_begin(tiles, productCount))
        if (++phis[cast<PHINode>(tile.rows[0])->getParent()] > mostSums)
            return false;
    return tiles.size() > productCount || addUp();
}

/* Without a loop, as between barriers: several products one after the other add to the same sums,
 * of which there are no more than may stay. */
bool Tiles::addUp()
{
    DenseMap<BasicBlock *, unsigned> begun, gone;
    for (const Product &product : x.products)
        if (!product.gone) {
            auto before = rowOf.find(product.sums[0]);
            const bool goesOn =
                before != rowOf.end() && tiles[before->second.first].rows == product.sums;
            (goesOn ? gone : begun)[product.at->getParent()]++;
        }
    return all_of(begun, [&](const auto &block) {
        return block.second <= mostSums && gone.lookup(block.first) >= block.second;
    });
}

AllocaInst *Tiles::room(unsigned which)
{
    AllocaInst *&room = rooms[which];
    if (room)
        return room;
    IRBuilder<> builder(&*x.f.getEntryBlock().getFirstInsertionPt());
    room = builder.CreateAlloca(
        ArrayType::get(Type::getInt8Ty(module.getContext()), mostRows * rowBytes), nullptr, "rows");
    room->setAlignment(Align(rowBytes));
    return room;
}

Value *Tiles::loaded(Value *base, Value *stride, unsigned rows, unsigned bytes, Instruction *at)
{
    IRBuilder<> builder(at);
    return builder.CreateCall(intrinsic(Intrinsic::x86_tileloadd64_internal),
                              {number(rows), number(bytes), base, stride});
}

/* The tile whose rows these are; else one that is loaded from where they are, or put into. */
Value *Tiles::valueOf(ArrayRef<Value *> rows, Instruction *at, const Factor *there)
{
    auto known = rowOf.find(rows[0]);
    if (known != rowOf.end() && ArrayRef<Value *>(tiles[known->second.first].rows) == rows)
        return tiles[known->second.first].value;
    IRBuilder<> builder(at);
    if (all_of(rows, [](Value *row) {
            auto *constant = dyn_cast<Constant>(row);
            return constant && constant->isNullValue();
        }))
        return builder.CreateCall(intrinsic(Intrinsic::x86_tilezero_internal),
                                  {number(rows.size()), number(rowBytes)});
    if (there && there->base && !there->mask)
        return loaded(there->base, there->stride, rows.size(), rowBytes, at);
    AllocaInst *to = room(SUMS);
    for (unsigned m = 0; m < rows.size(); m++)
        builder.CreateAlignedStore(
            rows[m], builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), to, m * rowBytes),
            Align(rowBytes));
    return loaded(to, offset(rowBytes), rows.size(), rowBytes, at);
}

/* Before blocks are split: the analyses know nothing of that. */
Factor Tiles::planned(ArrayRef<Rows> parts, unsigned bytes, Instruction *at)
{
    Factor factor = {{parts.begin(), parts.end()}, bytes, at->getParent()};
    Rows all;
    if (bytes == rowBytes) {
        for (const Rows &part : parts)
            all.append(part.begin(), part.end());
        factor.parts = {all};
    }
    if (isa<Constant>(factor.parts.back().back()))
        return factor;
    Place place = placeOf(x.known->evolution, factor.parts[0], bytes, at);
    SCEVExpander expander(x.known->evolution, "stride");
    if (place && expander.isSafeToExpandAt(place.stride, at)) {
        factor.base = place.base;
        factor.mask = place.mask;
        factor.stride =
            expander.expandCodeFor(place.stride, Type::getInt64Ty(module.getContext()), at);
    }
    return factor;
}

/* Is it a mask of some lanes only? */
Value *Tiles::isPart(Value *mask)
{
    Value *&part = partOf[mask];
    if (part)
        return part;
    auto *i = cast<Instruction>(mask);
    IRBuilder<> builder(i->getParent(), isa<PHINode>(i) ? i->getParent()->getFirstInsertionPt()
                                                        : std::next(i->getIterator()));
    Type *bits = builder.getIntNTy(cast<FixedVectorType>(mask->getType())->getNumElements());
    part = builder.CreateICmpNE(builder.CreateBitCast(mask, bits), Constant::getAllOnesValue(bits));
    return part;
}

AllocaInst *Tiles::copied(const Factor &factor, Instruction *at)
{
    IRBuilder<> builder(at);
    AllocaInst *to = room(factor.bytes == rowBytes ? RIGHT : LEFT);
    for (unsigned part = 0; part < factor.parts.size(); part++)
        for (unsigned m = 0; m < factor.rows(); m++) {
            Value *row = factor.parts[part][m];
            if (Load load = factor.mask ? loadOf(row, factor.bytes) : Load{}) {
                Instruction *again = load.load->clone(); /* is still there: see planned */
                row = builder.Insert(again);
            }
            builder.CreateAlignedStore(
                row,
                builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), to,
                                                   m * rowBytes + part * factor.bytes),
                Align(factor.bytes));
        }
    return to;
}

/* Products behind each other share what they have in common. */
Value *Tiles::factor(const Factor &factor, Instruction *at)
{
    for (const auto &[known, tile] : factors)
        if (known.block == factor.block && known.bytes == factor.bytes &&
            known.parts == factor.parts)
            return tile;
    Value *tile = made(factor, at);
    factors.push_back({factor, tile});
    return tile;
}

Value *Tiles::made(const Factor &factor, Instruction *at)
{
    const unsigned length = factor.bytes * factor.parts.size();
    if (!factor.base)
        return loaded(copied(factor, at), offset(rowBytes), factor.rows(), length, at);
    if (!factor.mask)
        return loaded(factor.base, factor.stride, factor.rows(), length, at);
    IRBuilder<> builder(at);
    BasicBlock *before = at->getParent();
    MDNode *rarely = MDBuilder(module.getContext()).createUnlikelyBranchWeights();
    Instruction *end =
        SplitBlockAndInsertIfThen(isPart(factor.mask), at->getIterator(), false, rarely);
    AllocaInst *copy = copied(factor, end);
    builder.SetInsertPoint(at);
    PHINode *base = builder.CreatePHI(factor.base->getType(), 2);
    PHINode *stride = builder.CreatePHI(factor.stride->getType(), 2);
    base->addIncoming(factor.base, before);
    base->addIncoming(copy, end->getParent());
    stride->addIncoming(factor.stride, before);
    stride->addIncoming(offset(rowBytes), end->getParent());
    return loaded(base, stride, factor.rows(), length, at);
}

/* `of`: what is multiplied, and the sums where they may lie in memory. */
Value *Tiles::multiplied(const Product &product, ArrayRef<Factor> of)
{
    static const Intrinsic::ID ofBytes[2][2] = {
        {Intrinsic::x86_tdpbuud_internal, Intrinsic::x86_tdpbusd_internal},
        {Intrinsic::x86_tdpbsud_internal, Intrinsic::x86_tdpbssd_internal}};
    Instruction *at = product.at;
    Value *sums = valueOf(product.sums, at, &of[2]);
    Value *left = factor(of[0], at), *right = factor(of[1], at);
    IRBuilder<> builder(at);
    return builder.CreateCall(intrinsic(product.kind.number == SL_MATRIX_BYTES
                                            ? ofBytes[product.kind.a_signed][product.kind.b_signed]
                                            : Intrinsic::x86_tdpbf16ps_internal),
                              {number(product.results.size()), number(rowBytes),
                               number(halfRow * product.a.size()), sums, left, right});
}

const Rows &Tiles::inRegisters(unsigned tile, BasicBlock *block)
{
    Rows &rows = rowsIn[{tile, block}];
    if (!rows.empty())
        return rows;
    const Tile &of = tiles[tile];
    const unsigned count = of.rows.size();
    auto at = of.value->getParent() == block && !isa<PHINode>(of.value)
                  ? std::next(of.value->getIterator())
                  : block->getFirstInsertionPt();
    IRBuilder<> builder(block, at);
    AllocaInst *from = room(RESULTS + tile % mostSums);
    builder.CreateCall(intrinsic(Intrinsic::x86_tilestored64_internal),
                       {number(count), number(rowBytes), from, offset(rowBytes), of.value});
    for (unsigned m = 0; m < count; m++)
        rows.push_back(builder.CreateAlignedLoad(
            of.rows[m]->getType(),
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, m * rowBytes),
            Align(rowBytes)));
    return rows;
}

/* Whoever asks for a row, other than products and phis that are tiles now, gets it from memory. */
void Tiles::replaceRows(unsigned tile)
{
    sl_matrix_product ignored;
    for (unsigned m = 0; m < tiles[tile].rows.size(); m++)
        for (Use &use : make_early_inc_range(tiles[tile].rows[m]->uses())) {
            auto *user = cast<Instruction>(use.getUser());
            if (isPostponed(*user, ignored) || rowOf.count(user))
                continue;
            auto *phi = dyn_cast<PHINode>(user);
            BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
            use.set(inRegisters(tile, block)[m]);
        }
}

void Tiles::make()
{
    Type *type = Type::getX86_AMXTy(module.getContext());
    for (Tile &tile : drop_begin(tiles, productCount)) {
        auto *phi = cast<PHINode>(tile.rows[0]);
        tile.value = PHINode::Create(type, phi->getNumIncomingValues(), "tile", phi->getIterator());
    }
    SmallVector<Factor, 48> plan;
    for (const Product &product : x.products)
        if (!product.gone) {
            plan.push_back(planned(product.a, halfRow, product.at));
            plan.push_back(planned(product.b, rowBytes, product.at));
            plan.push_back(planned({product.sums}, rowBytes, product.at));
        }
    unsigned next = 0;
    for (const Product &product : x.products)
        if (!product.gone) {
            tiles[next].value =
                cast<Instruction>(multiplied(product, ArrayRef(plan).slice(3 * next, 3)));
            next++;
        }
    for (Tile &tile : drop_begin(tiles, productCount)) {
        auto *phi = cast<PHINode>(tile.rows[0]);
        for (unsigned k = 0; k < phi->getNumIncomingValues(); k++) {
            Rows rows;
            BasicBlock *from = phi->getIncomingBlock(k);
            for (Value *row : tile.rows)
                rows.push_back(cast<PHINode>(row)->getIncomingValueForBlock(from));
            cast<PHINode>(tile.value)->addIncoming(valueOf(rows, from->getTerminator()), from);
        }
    }
    for (unsigned t = 0; t < tiles.size(); t++)
        replaceRows(t);
    auto erase = [](Value *value) {
        value->replaceAllUsesWith(PoisonValue::get(value->getType()));
        cast<Instruction>(value)->eraseFromParent();
    };
    for (Tile &tile : tiles)
        for_each(tile.rows, erase);
    for (const Product &product : x.products)
        if (product.gone && product.a.size() == 1)
            for (Value *row : product.results)
                if (!rowOf.count(row))
                    erase(row);
    for_each(x.calls, erase);
}

/* ---- functions ------------------------------------------------------------------------------- */

void expand(Function &f, const sl_matrix_machine &machine)
{
    Function_ x(f);
    findProducts(x);
    for (const Product &product : x.products) {
        LLVMValueRef a[SL_MATRIX_MOST_ROWS], b[SL_MATRIX_WORDS], sums[SL_MATRIX_MOST_ROWS];
        IRBuilder<> builder(product.at);
        for (unsigned m = 0; m < product.kind.rows; m++) {
            a[m] = wrap(product.at->getArgOperand(m));
            sums[m] = wrap(product.at->getArgOperand(product.kind.rows + SL_MATRIX_WORDS + m));
        }
        for (unsigned k = 0; k < SL_MATRIX_WORDS; k++)
            b[k] = wrap(product.at->getArgOperand(product.kind.rows + k));
        sl_matrix_expand(wrap(&builder), &machine, &product.kind, a, b, sums);
        for (unsigned m = 0; m < product.kind.rows; m++) {
            product.results[m]->replaceAllUsesWith(unwrap(sums[m]));
            cast<Instruction>(product.results[m])->eraseFromParent();
        }
        product.at->eraseFromParent();
    }
}

/* `f` becomes a function that goes on as `tiles` where it may. */
void choose(Function &f, Function &tiles)
{
    LLVMContext &context = f.getContext();
    BasicBlock *old = &f.getEntryBlock();
    auto *question = BasicBlock::Create(context, "question", &f, old);
    auto *yes = BasicBlock::Create(context, "tiles", &f, old);
    FunctionCallee allowed =
        f.getParent()->getOrInsertFunction(SL_TILES_ALLOWED, Type::getInt32Ty(context));
    IRBuilder<> builder(question);
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : f.args())
        arguments.push_back(&argument);
    for (auto i = old->begin(); isa<AllocaInst>(*i);) { /* variables stay where LLVM expects them */
        auto next = std::next(i);
        i->moveBefore(*question, question->end());
        i = next;
    }
    builder.SetInsertPoint(question);
    builder.CreateCondBr(builder.CreateIsNotNull(builder.CreateCall(allowed)), yes, old);
    builder.SetInsertPoint(yes);
    CallInst *call = builder.CreateCall(&tiles, arguments);
    call->setTailCall();
    if (f.getReturnType()->isVoidTy())
        builder.CreateRetVoid();
    else
        builder.CreateRet(call);
}

bool hasProducts(Function &f)
{
    sl_matrix_product ignored;
    return any_of(instructions(f), [&](Instruction &i) { return isPostponed(i, ignored); });
}

/* A register that has had one shape cannot have another one. */
bool haveOneShape(const Function_ &x)
{
    const Product *first = nullptr;
    for (const Product &product : x.products) {
        if (product.gone)
            continue;
        first = first ? first : &product;
        if (product.results.size() != first->results.size() || product.a.size() != first->a.size())
            return false;
    }
    return true;
}

/* Which products may become one. */
enum Joining { ROWS_AND_CHAINS, CHAINS, NONE, JOININGS };

bool makeTiles(Function &f, unsigned joining)
{
    if (f.size() > mostBlocks)
        return false;
    Function_ x(f);
    findProducts(x);
    if (joining <= CHAINS)
        joinChains(x);
    if (joining == ROWS_AND_CHAINS)
        joinRows(x);
    evenOut(x);
    Tiles tiles(x);
    if (!haveOneShape(x) || !tiles.find())
        return false;
    tiles.make();
    return true;
}

/* Had it tiles? */
bool settle(Function &f, const sl_matrix_machine &machine, bool withTiles)
{
    Function *copy = nullptr;
    for (unsigned joining = 0; withTiles && joining < JOININGS && !copy; joining++) {
        ValueToValueMapTy map;
        copy = CloneFunction(&f, map);
        spreadAddresses(*copy);
        if (joining <= CHAINS)
            pairRounds(*copy);
        if (makeTiles(*copy, joining))
            break;
        copy->eraseFromParent();
        copy = nullptr;
    }
    expand(f, machine);
    if (!copy)
        return false;
    copy->setName(f.getName() + ".tiles");
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->addFnAttr(Attribute::NoInline);
    choose(f, *copy);
    return true;
}

} // namespace

bool sl_llvm_has_matrix_products(LLVMModuleRef handle)
{
    return any_of(*unwrap(handle), [](Function &f) { return hasProducts(f); });
}

sl_matrix_code sl_llvm_settle_matrix_products(LLVMModuleRef handle,
                                              const sl_matrix_machine *machine, bool withTiles)
{
    SmallVector<Function *, 4> functions;
    for (Function &f : *unwrap(handle))
        if (!f.isDeclaration() && hasProducts(f))
            functions.push_back(&f);
    sl_matrix_code code = functions.empty() ? SL_MATRIX_NO_CODE : SL_MATRIX_REGISTERS;
    for (Function *f : functions)
        if (settle(*f, *machine, withTiles))
            code = SL_MATRIX_TILES;
    return code;
}
