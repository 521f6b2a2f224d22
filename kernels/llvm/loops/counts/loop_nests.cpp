/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Where marks are not as loop_marks.cpp has put them, they stay. */
#include "llvm/loops/counts/loop_nests.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "sluice/module.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/counts/loop_marks.h"

using namespace llvm;

namespace
{

/* The mark that an instruction is; nullptr: none. */
CallInst *asMark(Instruction &i, StringRef name)
{
    auto *call = dyn_cast<CallInst>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == name ? call : nullptr;
}

unsigned whatOf(const CallInst &mark)
{
    return unsigned(cast<ConstantInt>(mark.getArgOperand(0))->getZExtValue());
}

uint64_t placeOf(const CallInst &mark)
{
    return cast<ConstantInt>(mark.getArgOperand(1))->getZExtValue() << 32 |
           cast<ConstantInt>(mark.getArgOperand(2))->getZExtValue();
}

/* Functions of the module, as far as they matter to a clock. */
class Quiet
{
  public:
    Quiet(StringRef name, bool (*isQuiet)(const char *)) : mark(name), declared(isQuiet)
    {
    }

    bool is(Loop &loop)
    {
        return all_of(loop.blocks(), [&](BasicBlock *block) { return is(*block, 0); });
    }

  private:
    enum { Deepest = 8 };

    bool is(BasicBlock &block, unsigned depth)
    {
        return all_of(block, [&](Instruction &i) {
            const auto *call = dyn_cast<CallBase>(&i);
            if (!call || i.isDebugOrPseudoInst() || isa<IntrinsicInst>(i))
                return true;
            if (const CallInst *told = asMark(i, mark))
                return !depth && whatOf(*told) < SL_LOOP_IS_ITEM;
            return isFunction(call->getCalledFunction(), depth);
        });
    }

    bool isFunction(Function *f, unsigned depth)
    {
        if (!f || depth == Deepest)
            return false;
        if (f->isDeclaration())
            return declared(f->getName().str().c_str());
        if (auto known = functions.find(f); known != functions.end())
            return known->second;
        const bool quiet = all_of(*f, [&](BasicBlock &block) { return is(block, depth + 1); });
        functions[f] = quiet;
        return quiet;
    }

    const StringRef mark;
    bool (*declared)(const char *);
    DenseMap<const Function *, bool> functions;
};

class Nest
{
  public:
    Nest(LoopInfo &info, Loop &outermost, StringRef name)
        : loops(info), top(outermost), mark(name), function(*outermost.getHeader()->getParent())
    {
    }

    /* False: it is not that simple. */
    bool find()
    {
        return findBegins() && findRows() && findExits() &&
               any_of(marks, [](CallInst *m) { return whatOf(*m) == SL_LOOP_ITERATES; });
    }

    void count()
    {
        IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        for (Row &row : rows)
            for (AllocaInst **variable : {&row.count, &row.entries, &row.filled, &row.iterations}) {
                *variable = builder.CreateAlloca(builder.getInt64Ty());
                builder.CreateStore(builder.getInt64(0), *variable);
            }
        for (CallInst *begin : begins)
            this->begin(*begin);
        for (CallInst *told : marks)
            replace(*told);
        for (CallInst *end : ends)
            this->end(*end);
    }

  private:
    enum { Most = 16 };

    struct Row {
        uint64_t place;
        AllocaInst *count; /* iterations and 1; 0: it has not begun, or has ended */
        AllocaInst *entries, *filled, *iterations;
    };

    Row *rowOf(uint64_t place)
    {
        return find_if(rows, [&](const Row &row) { return row.place == place; });
    }

    /* Each block that leads into the loop ends with its mark. */
    bool findBegins()
    {
        for (BasicBlock *from : predecessors(top.getHeader())) {
            if (top.contains(from) || is_contained(outside, from))
                continue;
            CallInst *last = nullptr;
            for (Instruction &i : *from)
                if (CallInst *told = asMark(i, mark))
                    last = told;
            if (!last || whatOf(*last) != SL_LOOP_BEGINS)
                return false;
            outside.push_back(from);
            begins.push_back(last);
        }
        return !begins.empty() && all_of(begins, [&](CallInst *begin) {
            return placeOf(*begin) == placeOf(*begins[0]);
        });
    }

    bool addRow(const CallInst &told)
    {
        const uint64_t place = placeOf(told);
        if (rowOf(place) != rows.end())
            return true;
        if (rows.size() == Most || (!rows.empty() && !told.hasMetadata(SL_LOOP_MARK_ALONE)))
            return false;
        rows.push_back({place, nullptr, nullptr, nullptr, nullptr});
        return true;
    }

    /* Those of the loop itself, and of loops without a loop inside that have ended in it. */
    bool findRowsIn(const Loop &loop)
    {
        for (BasicBlock *block : loop.blocks())
            for (Instruction &i : *block) {
                CallInst *told = asMark(i, mark);
                if (!told || loops.getLoopFor(block) != &loop)
                    continue;
                if (whatOf(*told) != SL_LOOP_BEGINS && whatOf(*told) != SL_LOOP_ENDS &&
                    !addRow(*told))
                    return false;
                marks.push_back(told);
            }
        return true;
    }

    bool findRows()
    {
        rows.push_back({placeOf(*begins[0]), nullptr, nullptr, nullptr, nullptr});
        for (const Loop *loop : top.getLoopsInPreorder())
            if (!findRowsIn(*loop))
                return false;
        return all_of(marks, [&](CallInst *told) { return rowOf(placeOf(*told)) != rows.end(); });
    }

    /* In each block behind the loop its end is told of behind those of loops inside. */
    bool findExits()
    {
        SmallVector<BasicBlock *, 8> exits;
        top.getUniqueExitBlocks(exits);
        for (BasicBlock *block : exits) {
            bool ended = false;
            for (Instruction &i : *block) {
                CallInst *told = asMark(i, mark);
                if (!told)
                    continue;
                if (rowOf(placeOf(*told)) == rows.end())
                    break;
                ended = whatOf(*told) == SL_LOOP_ENDS && placeOf(*told) == rows[0].place;
                (ended ? ends : marks).push_back(told);
                if (ended)
                    break;
            }
            if (!ended)
                return false;
        }
        return true;
    }

    Value *load(IRBuilder<> &builder, AllocaInst *variable)
    {
        return builder.CreateLoad(builder.getInt64Ty(), variable);
    }

    void begin(CallInst &told)
    {
        IRBuilder<> builder(&told);
        for (const Row &row : rows)
            for (AllocaInst *variable : {row.entries, row.filled, row.iterations})
                builder.CreateStore(builder.getInt64(0), variable);
        builder.CreateStore(builder.getInt64(1), rows[0].count);
        told.eraseFromParent();
    }

    /* The loop was gone through, or not at all. */
    void add(IRBuilder<> &builder, const Row &row, Value *count)
    {
        Type *type = builder.getInt64Ty();
        Value *begun = builder.CreateZExt(builder.CreateICmpNE(count, builder.getInt64(0)), type);
        Value *filled = builder.CreateZExt(builder.CreateICmpUGT(count, builder.getInt64(1)), type);
        const auto more = [&](AllocaInst *variable, Value *value) {
            builder.CreateStore(builder.CreateAdd(load(builder, variable), value), variable);
        };
        more(row.entries, begun);
        more(row.filled, filled);
        more(row.iterations, builder.CreateSub(count, begun));
    }

    void replace(CallInst &told)
    {
        IRBuilder<> builder(&told);
        const Row &row = *rowOf(placeOf(told));
        switch (whatOf(told)) {
        case SL_LOOP_BEGINS:
            builder.CreateStore(builder.getInt64(1), row.count);
            break;
        case SL_LOOP_ITERATES:
            builder.CreateStore(builder.CreateNUWAdd(load(builder, row.count), builder.getInt64(1)),
                                row.count);
            break;
        case SL_LOOP_ENDS:
            add(builder, row, load(builder, row.count));
            builder.CreateStore(builder.getInt64(0), row.count);
            break;
        default: /* SL_LOOP_IS_THROUGH */
            add(builder, row, told.getArgOperand(3));
        }
        told.eraseFromParent();
    }

    void end(CallInst &told)
    {
        IRBuilder<> builder(&told);
        Value *count = load(builder, rows[0].count);
        builder.CreateStore(builder.getInt64(0), rows[0].count);
        if (rows.size() == 1) {
            told.setArgOperand(0, builder.getInt32(SL_LOOP_IS_THROUGH));
            told.setArgOperand(3, count);
            return;
        }
        for (AllocaInst *variable : {rows[0].entries, rows[0].filled, rows[0].iterations})
            builder.CreateStore(builder.getInt64(0), variable);
        add(builder, rows[0], count);
        SmallVector<Value *, 32> args = {builder.getInt32(unsigned(rows.size()))};
        for (const Row &row : rows) {
            args.push_back(builder.getInt32(uint32_t(row.place >> 32)));
            args.push_back(builder.getInt32(uint32_t(row.place)));
            for (AllocaInst *variable : {row.entries, row.filled, row.iterations})
                args.push_back(load(builder, variable));
        }
        builder.CreateCall(declareNestMark(), args);
        told.eraseFromParent();
    }

    FunctionCallee declareNestMark()
    {
        LLVMContext &context = function.getContext();
        FunctionCallee nest = function.getParent()->getOrInsertFunction(
            SL_LOOP_NEST_MARK,
            FunctionType::get(Type::getVoidTy(context), {Type::getInt32Ty(context)}, true));
        cast<Function>(nest.getCallee())->addFnAttr(Attribute::NoUnwind);
        return nest;
    }

    LoopInfo &loops;
    Loop &top;
    const StringRef mark;
    Function &function;
    SmallVector<BasicBlock *, 4> outside;
    SmallVector<CallInst *, 8> begins, ends;
    SmallVector<CallInst *, 8> marks; /* of loops inside, and of iterations */
    SmallVector<Row, 8> rows;         /* the outermost loop's first */
};

/* Those that are quiet, and inside of no such one. */
void countIn(LoopInfo &info, Loop &loop, Quiet &quiet, StringRef mark)
{
    if (quiet.is(loop)) {
        Nest nest(info, loop, mark);
        if (nest.find()) {
            nest.count();
            return;
        }
    }
    for (Loop *inside : loop)
        countIn(info, *inside, quiet, mark);
}

} // namespace

void sl_llvm_count_nests(LLVMValueRef kernel, const char *mark, bool (*is_quiet)(const char *))
{
    Function &function = *unwrap<Function>(kernel);
    const DominatorTree dominators(function);
    LoopInfo info(dominators);
    Quiet quiet(mark, is_quiet);
    for (Loop *loop : info)
        countIn(info, *loop, quiet, mark);
}
