/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM operations that the C interface lacks, for the passes and the compiler. No locks: a module
 * belongs to one thread.
 */
#include "llvm/llvm_extra.h"

#include <cstring>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

/* ---- kernel twins ---------------------------------------------------------------------------- */

namespace
{

void takeDebugName(Function &kernel)
{
    DISubprogram *program = kernel.getSubprogram();
    if (!program)
        return;
    LLVMContext &context = kernel.getContext();
    MDString *name = MDString::get(context, kernel.getName());
    if (program->getName().starts_with(SL_KERNEL_TWIN_PREFIX))
        program->replaceOperandWith(2, name);
    if (program->getLinkageName().starts_with(SL_KERNEL_TWIN_PREFIX))
        program->replaceLinkageName(name);
}

void moveBody(Function &kernel, Function &twin)
{
    auto linkage = kernel.getLinkage();
    SmallVector<std::pair<unsigned, MDNode *>, 8> own;
    kernel.getAllMetadata(own);
    kernel.deleteBody(); /* takes the metadata along */
    kernel.setLinkage(linkage);
    kernel.copyMetadata(&twin, 0);
    for (auto [kind, node] : own) /* in SPIR-V the twin has none */
        if (kind != LLVMContext::MD_dbg && !kernel.hasMetadata(kind))
            kernel.setMetadata(kind, node);
    kernel.splice(kernel.begin(), &twin);
    for (auto [to, from] : zip(kernel.args(), twin.args())) {
        from.replaceAllUsesWith(&to);
        to.takeName(&from);
    }
    twin.setSubprogram(nullptr);
    takeDebugName(kernel);
    twin.eraseFromParent();
}

void keepTwinForCallers(Function &kernel, Function &twin)
{
    for (User *user : make_early_inc_range(twin.users())) {
        auto *call = dyn_cast<CallInst>(user);
        if (call && call->getFunction() == &kernel) {
            InlineFunctionInfo info;
            InlineFunction(*call, info);
        }
    }
    twin.setLinkage(GlobalValue::InternalLinkage);
    for (const char *name : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                             "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name",
                             "vec_type_hint", "work_group_size_hint", "reqd_work_group_size"})
        twin.setMetadata(name, nullptr);
}

} // namespace

void sl_fold_kernel_twins(LLVMModuleRef handle)
{
    Module &module = *unwrap(handle);
    for (Function &f : module)
        if (f.getCallingConv() == CallingConv::SPIR_KERNEL && !f.isDeclaration())
            f.addFnAttr(SL_KERNEL_ATTRIBUTE);
    for (Function &twin : make_early_inc_range(module)) {
        StringRef name = twin.getName();
        if (!name.consume_front(SL_KERNEL_TWIN_PREFIX) || twin.isDeclaration())
            continue;
        Function *kernel = module.getFunction(name);
        if (!kernel || !kernel->hasFnAttribute(SL_KERNEL_ATTRIBUTE))
            continue;
        if (twin.hasOneUse() && twin.getFunctionType() == kernel->getFunctionType())
            moveBody(*kernel, twin);
        else
            keepTwinForCallers(*kernel, twin);
    }
}

/* ---- opaque types ---------------------------------------------------------------------------- */

namespace
{

class TypeLowering : public ValueMapTypeRemapper
{
  public:
    Type *remapType(Type *from) override
    {
        Type *&to = known[from];
        if (to)
            return to;
        Type *result = lower(from);
        return known[from] = result;
    }

  private:
    Type *lower(Type *from)
    {
        LLVMContext &context = from->getContext();
        if (auto *target = dyn_cast<TargetExtType>(from)) {
            StringRef name = target->getName();
            if (name == "spirv.Image" || name == "spirv.Pipe" || name == "spirv.SampledImage")
                return PointerType::get(context, 0);
            return name.starts_with("spirv.") ? Type::getInt64Ty(context) : from;
        }
        if (auto *array = dyn_cast<ArrayType>(from))
            return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
        if (auto *function = dyn_cast<FunctionType>(from))
            return FunctionType::get(remapType(function->getReturnType()),
                                     remapAll(function->params()), function->isVarArg());
        if (auto *record = dyn_cast<StructType>(from))
            return lowerStruct(record);
        return from;
    }

    Type *lowerStruct(StructType *from)
    {
        if (from->isOpaque())
            return from;
        SmallVector<Type *, 8> fields = remapAll(from->elements());
        if (ArrayRef<Type *>(fields) == from->elements())
            return from;
        return StructType::get(from->getContext(), fields, from->isPacked());
    }

    SmallVector<Type *, 8> remapAll(ArrayRef<Type *> types)
    {
        SmallVector<Type *, 8> result;
        for (Type *type : types)
            result.push_back(remapType(type));
        return result;
    }

    DenseMap<Type *, Type *> known;
};

bool usesLoweredTypes(Module &module, TypeLowering &types)
{
    for (Function &f : module) {
        if (types.remapType(f.getFunctionType()) != f.getFunctionType())
            return true;
        for (BasicBlock &block : f)
            for (Instruction &i : block)
                if (auto *slot = dyn_cast<AllocaInst>(&i))
                    if (types.remapType(slot->getAllocatedType()) != slot->getAllocatedType())
                        return true;
    }
    return false;
}

void retypeFunction(Function &old, FunctionType *type)
{
    Function *f = Function::Create(type, old.getLinkage(), old.getAddressSpace(), "");
    old.getParent()->getFunctionList().insert(old.getIterator(), f);
    f->copyAttributesFrom(&old);
    f->copyMetadata(&old, 0);
    f->takeName(&old);
    f->splice(f->begin(), &old);
    for (auto [to, from] : zip(f->args(), old.args())) {
        to.takeName(&from);
        /* The body still has the old types everywhere: give both the same one, then swap. */
        from.mutateType(to.getType());
        from.replaceAllUsesWith(&to);
    }
    old.replaceAllUsesWith(f);
    old.eraseFromParent();
}

} // namespace

void sl_lower_target_types(LLVMModuleRef handle)
{
    Module &module = *unwrap(handle);
    TypeLowering types;
    if (!usesLoweredTypes(module, types))
        return;
    for (Function &f : make_early_inc_range(module)) {
        auto *type = cast<FunctionType>(types.remapType(f.getFunctionType()));
        if (type != f.getFunctionType())
            retypeFunction(f, type);
    }
    ValueToValueMapTy values;
    ValueMapper mapper(values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals, &types);
    for (Function &f : module)
        for (BasicBlock &block : f)
            for (Instruction &i : block)
                mapper.remapInstruction(i);
}

/* ---- debug information ----------------------------------------------------------------------- */

namespace
{

/* Without each "constu SPACE, swap, xderef". */
DIExpression *plainAddress(DIExpression *from)
{
    SmallVector<uint64_t, 8> kept;
    ArrayRef<uint64_t> ops = from->getElements();
    for (size_t i = 0; i < ops.size();) {
        if (i + 3 < ops.size() && ops[i] == dwarf::DW_OP_constu &&
            ops[i + 2] == dwarf::DW_OP_swap && ops[i + 3] == dwarf::DW_OP_xderef) {
            i += 4;
            continue;
        }
        unsigned width = DIExpression::ExprOperand(&ops[i]).getSize();
        kept.append(ops.begin() + i, ops.begin() + i + width);
        i += width;
    }
    return DIExpression::get(from->getContext(), kept);
}

} // namespace

void sl_plain_debug_addresses(LLVMModuleRef handle)
{
    for (Function &f : *unwrap(handle))
        for (BasicBlock &block : f)
            for (Instruction &i : block)
                for (DbgVariableRecord &record : filterDbgVars(i.getDbgRecordRange()))
                    record.setExpression(plainAddress(record.getExpression()));
}

/* ---- names ----------------------------------------------------------------------------------- */

char *sl_readable_name(const char *symbol)
{
    StringRef name(symbol);
    name.consume_front(SL_KERNEL_TWIN_PREFIX);
    return strdup(demangle(name).c_str());
}

/* ---- globals --------------------------------------------------------------------------------- */

void sl_raise_global_alignment(LLVMModuleRef handle, unsigned align)
{
    Module &module = *unwrap(handle);
    const DataLayout &layout = module.getDataLayout();
    for (GlobalVariable &g : module.globals())
        if (!g.isDeclaration() && layout.getTypeAllocSize(g.getValueType()) >= 16 &&
            g.getAlign().valueOrOne().value() < align)
            g.setAlignment(Align(align));
}
