/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/loop_names.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "llvm/llvm_extra.h"
#include "llvm/loops/counts/function_copies.h"
#include "llvm/loops/counts/scope_exits.h"

using namespace llvm;

namespace
{

const char All[] = "sl.places";           /* of the module: {place} of each loop */
const char SeveralCopies[] = "sl.copies"; /* of a kernel: functions that it has several times */

uint64_t numberOf(unsigned line, unsigned column)
{
    return uint64_t(line) << 32 | column;
}

/* Places that loops have. */
class Places
{
  public:
    explicit Places(Module &of) : module(of), kernels(of)
    {
    }

    /* The place, or the next free column of its line. Kernels, and what no kernel has both of, may
     * have their loops at one place. */
    DILocation *take(const Function &f, DILocation &wanted)
    {
        unsigned column = wanted.getColumn();
        while (isTaken(f, wanted, column))
            column++;
        owners[numberOf(wanted.getLine(), column)].push_back({&f, wanted.getFile()});
        if (column == wanted.getColumn())
            return &wanted;
        copyPragmas(wanted, column);
        return DILocation::get(wanted.getContext(), wanted.getLine(), column, wanted.getScope(),
                               wanted.getInlinedAt());
    }

  private:
    bool isTaken(const Function &f, const DILocation &wanted, unsigned column) const
    {
        const auto found = owners.find(numberOf(wanted.getLine(), column));
        return (found != owners.end() && any_of(found->second,
                                                [&](const Owner &owner) {
                                                    return owner.function == &f ||
                                                           owner.file != wanted.getFile() ||
                                                           kernels.join(*owner.function, f);
                                                })) ||
               isOfAnotherFile(wanted, column);
    }

    /* Pragmas of another file mean a loop there. A node is {name, number, line, column, file}. */
    bool isOfAnotherFile(const DILocation &wanted, unsigned column) const
    {
        const NamedMDNode *all = module.getNamedMetadata("sl.loops");
        return all && any_of(all->operands(), [&](const MDNode *node) {
                   return isAt(*node, wanted, column) && !isIn(*node, wanted);
               });
    }

    void copyPragmas(const DILocation &from, unsigned column)
    {
        NamedMDNode *all = module.getNamedMetadata("sl.loops");
        for (unsigned i = 0, count = all ? all->getNumOperands() : 0; i < count; i++) {
            const MDNode *node = all->getOperand(i);
            if (!isAt(*node, from, from.getColumn()) || !isIn(*node, from))
                continue;
            auto *number = ConstantInt::get(Type::getInt32Ty(module.getContext()), column);
            all->addOperand(MDNode::get(
                module.getContext(), {node->getOperand(0), node->getOperand(1), node->getOperand(2),
                                      ConstantAsMetadata::get(number), node->getOperand(4)}));
        }
    }

    static bool isAt(const MDNode &node, const DILocation &place, unsigned column)
    {
        return node.getNumOperands() == 5 && numberAt(node, 2) == place.getLine() &&
               numberAt(node, 3) == column;
    }

    static bool isIn(const MDNode &node, const DILocation &place)
    {
        const auto *file = dyn_cast_or_null<MDString>(node.getOperand(4).get());
        return file && file->getString() == place.getFilename();
    }

    static uint64_t numberAt(const MDNode &node, unsigned operand)
    {
        const auto *number = mdconst::dyn_extract_or_null<ConstantInt>(node.getOperand(operand));
        return number ? number->getZExtValue() : UINT64_MAX;
    }

    struct Owner {
        const Function *function;
        const DIFile *file;
    };

    Module &module;
    const sluice::Kernels kernels;
    DenseMap<uint64_t, SmallVector<Owner, 1>> owners;
};

class Naming
{
  public:
    Naming(Function &f, Places &all) : function(f), places(all), dominators(f), loops(dominators)
    {
        for (const Loop *loop : loops.getLoopsInPreorder())
            headers.insert(loop->getHeader());
    }

    void run()
    {
        SmallVector<std::pair<Loop *, MDNode *>, 8> names;
        for (Loop *loop : loops.getLoopsInPreorder())
            names.push_back({loop, nameOf(*loop)});
        for (auto [loop, name] : names)
            if (name)
                give(*loop, *name);
    }

  private:
    /* Does that way back belong to one loop only? */
    bool isOwn(const BasicBlock &latch) const
    {
        unsigned ways = 0;
        for (const BasicBlock *to : successors(&latch))
            ways += headers.contains(to) && dominators.dominates(to, &latch);
        return ways == 1;
    }

    /* As the front end has it. Where a block is the end of several loops, no more is known than
     * that it has the name of one of them. */
    MDNode *frontEndName(const Loop &loop)
    {
        SmallVector<BasicBlock *, 4> latches;
        loop.getLoopLatches(latches);
        for (const bool own : {true, false})
            for (const BasicBlock *latch : latches) {
                MDNode *name = latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
                if (name && isOwn(*latch) == own && (own || !used.contains(name)))
                    return name;
            }
        return nullptr;
    }

    static DILocation *placeIn(const BasicBlock &header)
    {
        for (const Instruction &i : header)
            if (!i.isDebugOrPseudoInst() && i.getDebugLoc() && i.getDebugLoc().getLine())
                return i.getDebugLoc().get();
        return nullptr;
    }

    /* nullptr: nobody knows a place. */
    MDNode *nameOf(const Loop &loop)
    {
        LLVMContext &context = function.getContext();
        const MDNode *given = frontEndName(loop);
        SmallVector<Metadata *, 8> operands{nullptr, nullptr}; /* itself, and its place */
        DILocation *place = nullptr;
        for (unsigned i = 1; given && i < given->getNumOperands(); i++)
            if (auto *at = dyn_cast_or_null<DILocation>(given->getOperand(i).get()); at && !place)
                place = at;
            else
                operands.push_back(given->getOperand(i));
        used.insert(given);
        if (!place)
            place = placeIn(*loop.getHeader());
        if (!place)
            return nullptr;
        operands[1] = places.take(function, *place);
        /* simplifycfg makes one branch of the ends of a loop and of the one around it, which then
         * has the place of but one of them, unless they say more than that. */
        operands.push_back(MDNode::get(context, {MDString::get(context, "sl.place")}));
        MDNode *name = MDNode::getDistinct(context, operands);
        name->replaceOperandWith(0, name);
        return name;
    }

    void give(Loop &loop, MDNode &name)
    {
        SmallVector<BasicBlock *, 4> latches;
        loop.getLoopLatches(latches);
        BasicBlock *back = loop.getLoopLatch();
        if (!back || !isOwn(*back)) {
            if (any_of(latches, [](const BasicBlock *latch) {
                    return isa<IndirectBrInst>(latch->getTerminator());
                }))
                return;
            for (BasicBlock *latch : latches)
                latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
            back = SplitBlockPredecessors(loop.getHeader(), latches, ".again", &dominators, &loops);
        }
        back->getTerminator()->setMetadata(LLVMContext::MD_loop, &name);
    }

    Function &function;
    Places &places;
    DominatorTree dominators;
    LoopInfo loops;
    SmallPtrSet<const BasicBlock *, 8> headers;
    SmallPtrSet<const MDNode *, 8> used;
};

uint64_t numberOf(const DILocation &place)
{
    return numberOf(place.getLine(), place.getColumn());
}

/* In the source of one function, whatever that was inlined in. */
bool areOneFunctions(const DILocation &a, const DILocation &b)
{
    return a.getScope()->getSubprogram() == b.getScope()->getSubprogram();
}

bool isNameOf(const DILocation &place, const LoopInfo &loops)
{
    return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
        const MDNode *name = loop->getLoopID();
        return name && name->getNumOperands() > 1 && name->getOperand(1) == &place;
    });
}

/* The first one in the text, of the loop itself. */
const DILocation *firstPlaceIn(const Loop &loop, const LoopInfo &loops)
{
    const DILocation *first = nullptr;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            const DILocation *place = i.getDebugLoc().get();
            if (loops.getLoopFor(block) == &loop && place && place->getLine() &&
                (!first ||
                 (areOneFunctions(*first, *place) && numberOf(*place) < numberOf(*first))))
                first = place;
        }
    return first;
}

} // namespace

void sluice::notePlacesOfLoops(Module &module)
{
    NamedMDNode *all = module.getOrInsertNamedMetadata(All);
    for (Function &f : module)
        for (BasicBlock &block : f)
            if (MDNode *name = block.getTerminator()->getMetadata(LLVMContext::MD_loop);
                name && name->getNumOperands() > 1 && isa<DILocation>(name->getOperand(1)))
                all->addOperand(MDNode::get(module.getContext(), {name->getOperand(1)}));
}

namespace
{

/* Of functions of the program: in how many copies each is there if all calls are inlined in one of
 * them; no more than two of each are told apart. */
class Copies
{
  public:
    explicit Copies(Function &kernel)
    {
        add(kernel, 0);
    }

    MDNode *node(LLVMContext &context) const
    {
        SmallVector<Metadata *, 4> several;
        for (const auto &[f, count] : counts)
            if (count > 1 && f->getSubprogram())
                several.push_back(f->getSubprogram());
        return several.empty() ? nullptr : MDNode::get(context, several);
    }

  private:
    enum { Deepest = 32 }; /* there is no recursion */

    void add(Function &f, unsigned depth)
    {
        if (f.isDeclaration() || depth == Deepest || ++counts[&f] > 2)
            return;
        for (BasicBlock &block : f)
            for (Instruction &i : block)
                if (auto *call = dyn_cast<CallBase>(&i); call && call->getCalledFunction())
                    add(*call->getCalledFunction(), depth + 1);
    }

    MapVector<Function *, unsigned> counts;
};

} // namespace

void sluice::noteCopies(Module &module)
{
    for (Function &f : module)
        if (!f.isDeclaration() && f.hasFnAttribute(SL_KERNEL_ATTRIBUTE))
            f.setMetadata(SeveralCopies, Copies(f).node(module.getContext()));
}

bool sluice::isCopied(const Function &kernel, const DILocation &place)
{
    const MDNode *several = kernel.getMetadata(SeveralCopies);
    const DISubprogram *own = place.getScope()->getSubprogram();
    return several && own && any_of(several->operands(), [&](const MDOperand &operand) {
               const auto *of = cast<DISubprogram>(operand.get());
               return of == own ||
                      (of->getName() == own->getName() && of->getLine() == own->getLine());
           });
}

/* Where comparisons become a switch LLVM drops the name: then the loop is the last one in front of
 * its operations that has vanished. */
const DILocation *sluice::placeOfLoop(const Loop &loop, const LoopInfo &loops)
{
    const MDNode *name = loop.getLoopID();
    const NamedMDNode *all = loop.getHeader()->getModule()->getNamedMetadata(All);
    if (name || !all)
        return loop.getStartLoc().get();
    const DILocation *first = firstPlaceIn(loop, loops), *best = nullptr;
    for (const MDNode *node : all->operands()) {
        const auto *place = cast<DILocation>(node->getOperand(0));
        if (first && areOneFunctions(*place, *first) && numberOf(*place) <= numberOf(*first) &&
            (!best || numberOf(*place) > numberOf(*best)) && !isNameOf(*place, loops))
            best = place;
    }
    return best ? best : loop.getStartLoc().get();
}

void sl_llvm_name_loops(LLVMModuleRef handle)
{
    Module &module = *unwrap(handle);
    sluice::separateCopies(module);
    Places places(module);
    for (Function &f : module) {
        if (f.isDeclaration())
            continue;
        sluice::separateExits(f);
        Naming(f, places).run();
    }
}
