/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work-group passes' share of the C++ shim: see pass_support.h. No locks: a module belongs to
 * one thread.
 */
#include "llvm/pass_support.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

/* ---- one address space ----------------------------------------------------------------------- */

namespace
{

class Flattener
{
  public:
    explicit Flattener(Module &m) : module(m)
    {
    }

    void run()
    {
        for (GlobalVariable &g : make_early_inc_range(module.globals()))
            replaceGlobal(g);
        for (Function &f : make_early_inc_range(module))
            replaceFunction(f);
        for (auto [from, to] : initialized)
            to->setInitializer(constant(from->getInitializer()));
        for (Function &f : module)
            flattenBody(f);
        for (GlobalValue *old : stale)
            if (auto *variable = dyn_cast<GlobalVariable>(old))
                variable->setInitializer(nullptr);
        for (GlobalValue *old : stale)
            erase(old);
    }

  private:
    Type *type(Type *from)
    {
        auto known = types.find(from);
        if (known != types.end())
            return known->second;
        Type *to = newType(from);
        types[from] = to;
        return to;
    }

    Type *newType(Type *from)
    {
        if (from->isPointerTy())
            return PointerType::get(from->getContext(), 0);
        if (auto *array = dyn_cast<ArrayType>(from))
            return ArrayType::get(type(array->getElementType()), array->getNumElements());
        if (auto *vector = dyn_cast<VectorType>(from))
            return VectorType::get(type(vector->getElementType()), vector->getElementCount());
        if (auto *record = dyn_cast<StructType>(from))
            return newStruct(record);
        if (auto *function = dyn_cast<FunctionType>(from))
            return FunctionType::get(type(function->getReturnType()), all(function->params()),
                                     function->isVarArg());
        return from;
    }

    Type *newStruct(StructType *from)
    {
        if (from->isOpaque())
            return from;
        SmallVector<Type *, 8> fields = all(from->elements());
        if (ArrayRef<Type *>(fields) == from->elements())
            return from;
        if (from->isLiteral())
            return StructType::get(from->getContext(), fields, from->isPacked());
        return StructType::create(from->getContext(), fields, from->getName(), from->isPacked());
    }

    SmallVector<Type *, 8> all(ArrayRef<Type *> from)
    {
        SmallVector<Type *, 8> to;
        for (Type *each : from)
            to.push_back(type(each));
        return to;
    }

    AttributeList attributes(AttributeList from, unsigned params)
    {
        LLVMContext &context = module.getContext();
        for (unsigned i = 0; i < params + 2; i++) {
            unsigned at = i ? i - 1 + AttributeList::FirstArgIndex : AttributeList::ReturnIndex;
            for (int k = Attribute::FirstTypeAttr; k <= Attribute::LastTypeAttr; k++) {
                auto kind = static_cast<Attribute::AttrKind>(k);
                Type *old = from.getAttributeAtIndex(at, kind).isValid()
                                ? from.getAttributeAtIndex(at, kind).getValueAsType()
                                : nullptr;
                if (old && type(old) != old)
                    from = from.replaceAttributeTypeAtIndex(context, at, kind, type(old));
            }
        }
        return from;
    }

    void replaceGlobal(GlobalVariable &old)
    {
        Type *value = type(old.getValueType());
        if (value == old.getValueType() && !old.getAddressSpace()) {
            if (old.hasInitializer())
                initialized.emplace_back(&old, &old);
            return;
        }
        auto *to = new GlobalVariable(module, value, old.isConstant(), old.getLinkage(), nullptr,
                                      "", &old, old.getThreadLocalMode(), 0u);
        to->copyAttributesFrom(&old);
        to->copyMetadata(&old, 0);
        to->takeName(&old);
        values[&old] = to;
        stale.push_back(&old);
        if (old.hasInitializer())
            initialized.emplace_back(&old, to);
    }

    void replaceFunction(Function &old)
    {
        auto *shape = cast<FunctionType>(type(old.getFunctionType()));
        if (shape == old.getFunctionType())
            return;
        Function *to = Function::Create(shape, old.getLinkage(), 0, "");
        module.getFunctionList().insert(old.getIterator(), to);
        to->copyAttributesFrom(&old);
        to->setAttributes(attributes(old.getAttributes(), old.arg_size()));
        to->copyMetadata(&old, 0);
        to->takeName(&old);
        to->setName(to->getName().str()); /* only this makes it the intrinsic of that name */
        to->splice(to->begin(), &old);
        for (auto [now, before] : zip(to->args(), old.args())) {
            now.takeName(&before);
            before.mutateType(now.getType());
            before.replaceAllUsesWith(&now);
        }
        if (old.getSubprogram())
            old.setSubprogram(nullptr);
        stale.push_back(&old);
        if (auto mangled = Intrinsic::remangleIntrinsicFunction(to)) {
            to->eraseFromParent();
            to = *mangled;
        }
        values[&old] = to;
    }

    Constant *constant(Constant *from)
    {
        if (auto known = values.find(from); known != values.end())
            return known->second;
        if (isa<GlobalValue>(from))
            return from;
        Constant *to = newConstant(from);
        values[from] = to;
        return to;
    }

    Constant *newConstant(Constant *from)
    {
        Type *to = type(from->getType());
        if (isa<PoisonValue>(from))
            return PoisonValue::get(to);
        if (isa<UndefValue>(from))
            return UndefValue::get(to);
        if (from->isNullValue())
            return Constant::getNullValue(to);
        if (isa<ConstantData>(from))
            return from;
        SmallVector<Constant *, 8> parts;
        for (Use &use : from->operands())
            parts.push_back(constant(cast<Constant>(use.get())));
        if (auto *expression = dyn_cast<ConstantExpr>(from)) {
            if (expression->getOpcode() == Instruction::AddrSpaceCast)
                return parts[0];
            Type *source = nullptr;
            if (auto *gep = dyn_cast<GEPOperator>(from))
                source = type(gep->getSourceElementType());
            return expression->getWithOperands(parts, to, false, source);
        }
        if (auto *array = dyn_cast<ArrayType>(to))
            return ConstantArray::get(array, parts);
        if (auto *record = dyn_cast<StructType>(to))
            return ConstantStruct::get(record, parts);
        if (isa<VectorType>(to))
            return ConstantVector::get(parts);
        return from;
    }

    void flattenInstruction(Instruction &i)
    {
        for (Use &use : i.operands())
            if (auto *c = dyn_cast<Constant>(use.get()))
                use.set(constant(c));
        if (auto *slot = dyn_cast<AllocaInst>(&i))
            slot->setAllocatedType(type(slot->getAllocatedType()));
        if (auto *gep = dyn_cast<GetElementPtrInst>(&i)) {
            gep->setSourceElementType(type(gep->getSourceElementType()));
            gep->setResultElementType(type(gep->getResultElementType()));
        }
        if (auto *call = dyn_cast<CallBase>(&i)) {
            call->mutateFunctionType(cast<FunctionType>(type(call->getFunctionType())));
            call->setAttributes(attributes(call->getAttributes(), call->arg_size()));
        }
        i.mutateType(type(i.getType()));
    }

    void flattenBody(Function &f)
    {
        SmallVector<AddrSpaceCastInst *, 16> casts;
        for (BasicBlock &block : f)
            for (Instruction &i : block) {
                flattenInstruction(i);
                if (auto *cast = dyn_cast<AddrSpaceCastInst>(&i))
                    casts.push_back(cast);
            }
        for (AddrSpaceCastInst *cast : casts) {
            cast->replaceAllUsesWith(cast->getOperand(0));
            cast->eraseFromParent();
        }
    }

    void erase(GlobalValue *old)
    {
        old->removeDeadConstantUsers();
        if (old->use_empty())
            old->eraseFromParent();
    }

    Module &module;
    DenseMap<Type *, Type *> types;
    DenseMap<Constant *, Constant *> values;
    SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 16> initialized;
    SmallVector<GlobalValue *, 16> stale;
};

} // namespace

void sl_llvm_flatten_address_spaces(LLVMModuleRef module)
{
    Flattener(*unwrap(module)).run();
}

/* ---- single operations ----------------------------------------------------------------------- */

LLVMBasicBlockRef sl_llvm_split_block(LLVMValueRef before, const char *name)
{
    auto *at = unwrap<Instruction>(before);
    return wrap(at->getParent()->splitBasicBlock(at->getIterator(), name));
}

LLVMBasicBlockRef sl_llvm_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    BasicBlock *source = unwrap(from), *sink = unwrap(to);
    BasicBlock *between = BasicBlock::Create(source->getContext(), "", source->getParent(), sink);
    BranchInst::Create(sink, between);
    for (PHINode &phi : sink->phis()) {
        phi.addIncoming(phi.getIncomingValueForBlock(source), between);
        phi.removeIncomingValueIf([&](unsigned k) { return phi.getIncomingBlock(k) == source; },
                                  false);
    }
    source->getTerminator()->replaceSuccessorWith(sink, between);
    return wrap(between);
}

void sl_llvm_expand_constant_users(LLVMValueRef global)
{
    convertUsersOfConstantsToInstructions({unwrap<Constant>(global)});
}

bool sl_llvm_is_speculatable(LLVMValueRef instruction)
{
    auto *i = unwrap<Instruction>(instruction);
    return !isa<PHINode>(i) && !i->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(i);
}

void sl_llvm_set_loop_properties(LLVMValueRef branch, LLVMMetadataRef *properties, size_t count)
{
    auto *i = unwrap<Instruction>(branch);
    SmallVector<Metadata *, 8> operands = {nullptr};
    for (size_t n = 0; n < count; n++)
        operands.push_back(unwrap(properties[n]));
    MDNode *node = MDNode::getDistinct(i->getContext(), operands);
    node->replaceOperandWith(0, node);
    i->setMetadata(LLVMContext::MD_loop, node);
}

LLVMMetadataRef sl_llvm_distinct_node(LLVMContextRef context)
{
    return wrap(MDNode::getDistinct(*unwrap(context), {}));
}

LLVMMetadataRef sl_llvm_delete_body(LLVMValueRef function)
{
    auto *f = unwrap<Function>(function);
    DISubprogram *program = f->getSubprogram();
    f->setSubprogram(nullptr);
    SmallVector<std::pair<unsigned, MDNode *>, 8> metadata;
    f->getAllMetadata(metadata);
    f->deleteBody();
    for (auto [kind, node] : metadata)
        f->setMetadata(kind, node);
    return wrap(program);
}

bool sl_llvm_has_only_bits(LLVMValueRef number, uint64_t mask)
{
    auto *i = unwrap<Instruction>(number);
    APInt most = computeKnownBits(i, i->getModule()->getDataLayout()).getMaxValue();
    return most.isSubsetOf(APInt(most.getBitWidth(), mask, false, true));
}

LLVMValueRef sl_llvm_strip_offset(LLVMValueRef pointer, int64_t *offset)
{
    Value *from = unwrap(pointer);
    auto *i = dyn_cast<Instruction>(from);
    const Module *module = i ? i->getModule() : nullptr;
    DataLayout fallback("");
    const DataLayout &layout = module ? module->getDataLayout() : fallback;
    APInt sum(64, 0);
    Value *base = from->stripAndAccumulateConstantOffsets(layout, sum, true);
    *offset += sum.getSExtValue();
    return wrap(base);
}

LLVMValueRef sl_llvm_emit_gep_offset(LLVMBuilderRef builder, LLVMValueRef gep)
{
    auto *i = unwrap<Instruction>(gep);
    return wrap(emitGEPOffset(unwrap(builder), i->getModule()->getDataLayout(), i));
}

LLVMValueRef sl_llvm_behind(LLVMValueRef instruction)
{
    return wrap(&**unwrap<Instruction>(instruction)->getInsertionPointAfterDef());
}

LLVMValueRef sl_llvm_clone_function(LLVMValueRef function, const char *name)
{
    ValueToValueMapTy values;
    Function *copy = CloneFunction(unwrap<Function>(function), values);
    copy->setName(name);
    return wrap(copy);
}

void sl_llvm_remove_unreachable_blocks(LLVMValueRef function)
{
    removeUnreachableBlocks(*unwrap<Function>(function));
}

/* ---- copies in another form ------------------------------------------------------------------ */

void sl_llvm_copy_flags(LLVMValueRef from, LLVMValueRef to)
{
    auto *source = unwrap<Instruction>(from);
    auto *target = unwrap<Instruction>(to);
    target->copyIRFlags(source);
    target->copyMetadata(*source, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                                   LLVMContext::MD_noalias, LLVMContext::MD_access_group,
                                   LLVMContext::MD_nontemporal, LLVMContext::MD_fpmath});
}

void sl_llvm_drop_promises(LLVMValueRef instruction)
{
    unwrap<Instruction>(instruction)->dropPoisonGeneratingAnnotations();
}

bool sl_llvm_may_write(LLVMValueRef instruction)
{
    auto &i = *unwrap<Instruction>(instruction);
    return i.mayWriteToMemory() && !isa<FenceInst>(i) &&
           !isa<AssumeInst, NoAliasScopeDeclInst, LifetimeIntrinsic, DbgInfoIntrinsic>(i);
}

void sl_llvm_set_argument_alignment(LLVMValueRef call, unsigned argument, uint32_t align)
{
    auto *target = unwrap<CallBase>(call);
    target->addParamAttr(argument, Attribute::getWithAlignment(target->getContext(), Align(align)));
}
