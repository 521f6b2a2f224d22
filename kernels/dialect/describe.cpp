/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the passes are told of channels, pipes and kernels: named metadata !sl.pipes, "sl-*" string
 * attributes of kernels and their parameters. No locks.
 */
#include "dialect/declared.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#define _Alignas alignas /* the header is C */
#include "sluice/pipe.h"

using namespace clang;

namespace sluice
{

namespace
{

std::string join(const Attribute &attribute)
{
    std::string text;
    for (int64_t number : attribute.numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

class Description
{
  public:
    Description(const DataflowState &state, llvm::Module &code)
        : flow(state), module(code), context(code.getContext())
    {
    }

    void addVariable(const VarDecl *variable)
    {
        const ASTContext &ast = flow.compiler.getASTContext();
        const bool channel = flow.attributes.findAny(variable, Word::Channel);
        QualType packet = ast.getBaseElementType(variable->getType()).getUnqualifiedType();
        const Attribute *io = flow.attributes.findAny(variable, Word::Io);
        const PresumedLoc place = flow.compiler.getSourceManager().getPresumedLoc(
            variable->getCanonicalDecl()->getLocation());
        llvm::SmallVector<llvm::Metadata *, 16> operands = {
            text(variable->getName()),
            text(channel ? "channel" : "pipe"),
            number(ast.getTypeSizeInChars(packet).getQuantity()),
            number(ast.getTypeAlignInChars(packet).getQuantity()),
            number(depthOf(flow.attributes.all(variable))),
            number(flagsOf(variable)),
            text(io ? io->text : ""),
            text(packet.getAsString(ast.getPrintingPolicy())),
            text(fileOf(place)),
            number(place.isValid() ? place.getLine() : 0),
        };
        const llvm::SmallVector<int64_t, 4> sizes = dimensionsOf(variable);
        operands.push_back(number(sizes.size()));
        for (int64_t size : sizes)
            operands.push_back(number(size));
        module.getOrInsertNamedMetadata("sl.pipes")
            ->addOperand(llvm::MDNode::get(context, operands));
    }

    /* Where debug information says that the loop begins. */
    void addLoop(const LoopWish &wish)
    {
        size_t at = wish.token;
        while (at + 1 < flow.tokens.size() && flow.tokens[at].isAnnotation())
            at++;
        const PresumedLoc place =
            flow.compiler.getSourceManager().getPresumedLoc(flow.tokens[at].getLocation());
        if (place.isInvalid())
            return;
        module.getOrInsertNamedMetadata("sl.loops")
            ->addOperand(llvm::MDNode::get(
                context, {text(wish.name), number(wish.number), number(place.getLine()),
                          number(place.getColumn()), text(fileOf(place))}));
    }

    /* Its calls are to run at once. Functions of C++ have other names. */
    void addRegion(const FunctionDecl *written)
    {
        if (!written->getDeclName().isIdentifier() ||
            !flow.attributes.findAny(written, Word::Dataflow))
            return;
        if (llvm::Function *function = module.getFunction(written->getName()))
            function->addFnAttr("sl-dataflow");
    }

    void addKernel(const FunctionDecl *kernel)
    {
        llvm::Function *function = module.getFunction(kernel->getName());
        if (!function)
            return;
        std::string all;
        llvm::StringSet<> seen; /* declarations may repeat them */
        for (const Attribute *attribute : flow.attributes.all(kernel)) {
            const std::string value = describeKernelAttribute(*function, *attribute);
            if (!value.empty() && seen.insert(value).second)
                all += (all.empty() ? "" : " ") + value;
        }
        if (!all.empty())
            function->addFnAttr("sl-attributes", all);
        for (unsigned i = 0; i < kernel->getNumParams() && i < function->arg_size(); i++)
            if (kernel->getParamDecl(i)->getType()->isPipeType())
                describeParameter(*function, kernel, i);
    }

  private:
    llvm::Metadata *text(llvm::StringRef value)
    {
        return llvm::MDString::get(context, value);
    }

    llvm::Metadata *number(int64_t value)
    {
        return llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), static_cast<uint32_t>(value)));
    }

    /* 0 is as good as none. */
    static int64_t depthOf(llvm::ArrayRef<const Attribute *> all)
    {
        for (const Attribute *attribute : all)
            if (attribute->word == Word::Depth && attribute->numbers[0] > 0)
                return attribute->numbers[0];
        return 0;
    }

    int64_t flagsOf(const VarDecl *variable) const
    {
        return (flow.attributes.findAny(variable, Word::HostAccessible) ? SL_PIPE_HOST : 0) |
               (flow.attributes.findAny(variable, Word::Blocking) ? SL_PIPE_BLOCKING : 0) |
               (flow.attributes.findAny(variable, Word::Defined) ? 0 : SL_PIPE_EXTERN);
    }

    llvm::SmallVector<int64_t, 4> dimensionsOf(const VarDecl *variable) const
    {
        llvm::SmallVector<int64_t, 4> sizes;
        const ASTContext &ast = flow.compiler.getASTContext();
        QualType type = variable->getType();
        while (const ConstantArrayType *array = ast.getAsConstantArrayType(type)) {
            sizes.push_back(static_cast<int64_t>(array->getSize().getZExtValue()));
            type = array->getElementType();
        }
        if (!sizes.empty())
            sizes.pop_back(); /* the one that the rewriting added */
        return sizes;
    }

    /* Sets the attribute that stands for it; returns its text for CL_KERNEL_ATTRIBUTES. */
    std::string describeKernelAttribute(llvm::Function &function, const Attribute &attribute)
    {
        const std::string value = join(attribute);
        switch (attribute.word) {
        case Word::Autorun:
            function.addFnAttr("sl-autorun");
            return "autorun";
        case Word::MaxGlobalWorkDim:
            function.addFnAttr("sl-max-global-work-dim", value);
            break;
        case Word::NumComputeUnits: {
            const size_t count = attribute.numbers.size();
            function.addFnAttr("sl-num-compute-units", value + (count == 1   ? ",1,1"
                                                                : count == 2 ? ",1"
                                                                             : ""));
            break;
        }
        case Word::MaxWorkGroupSize:
            function.addFnAttr("sl-max-work-group-size", value);
            break;
        case Word::UsesGlobalWorkOffset:
            function.addFnAttr("sl-uses-global-work-offset", value);
            break;
        case Word::NoGlobalWorkOffset:
            function.addFnAttr("sl-uses-global-work-offset", "0");
            break;
        case Word::NumSimdWorkItems:
            function.addFnAttr("sl-num-simd-work-items", value);
            break;
        case Word::Task:
            function.addFnAttr("sl-task");
            break;
        case Word::KernelHint:
        case Word::Concurrency:
            break;
        default:
            return "";
        }
        return attribute.name + (value.empty() ? "" : "(" + value + ")");
    }

    void describeParameter(llvm::Function &function, const FunctionDecl *kernel, unsigned i)
    {
        auto add = [&](const char *name, const std::string &value) {
            function.addParamAttr(i, llvm::Attribute::get(context, name, value));
        };
        const ASTContext &ast = flow.compiler.getASTContext();
        QualType packet = kernel->getParamDecl(i)->getType()->castAs<PipeType>()->getElementType();
        if (!kernel->getParamDecl(i)->getName().empty())
            add("sl-pipe-name", kernel->getParamDecl(i)->getNameAsString());
        add("sl-pipe-packet-bytes", std::to_string(ast.getTypeSizeInChars(packet).getQuantity()));
        add("sl-pipe-packet-align", std::to_string(ast.getTypeAlignInChars(packet).getQuantity()));
        if (flow.attributes.findAny(kernel, i, Word::Blocking))
            add("sl-pipe-blocking", "");
        if (const int64_t depth = depthOf(flow.attributes.all(kernel, i)))
            add("sl-pipe-depth", std::to_string(depth));
        if (flow.attributes.findAny(kernel, i, Word::HostAccessible))
            add("sl-pipe-host", "");
        if (const Attribute *io = flow.attributes.findAny(kernel, i, Word::Io))
            add("sl-pipe-io", io->text);
    }

    const DataflowState &flow;
    llvm::Module &module;
    llvm::LLVMContext &context;
};

/* Operations take generic pointers, as clang's own on pipes do, but OpenCL C 1.2 cannot say so. */
void passGenericPackets(llvm::Function &operation)
{
    llvm::LLVMContext &context = operation.getContext();
    llvm::SmallVector<llvm::Type *, 6> types(operation.getFunctionType()->params());
    enum { Generic = 4 };
    bool changed = false;
    for (llvm::Type *&type : types)
        if (type->isPointerTy() && type->getPointerAddressSpace() == 0) {
            type = llvm::PointerType::get(context, Generic);
            changed = true;
        }
    if (!changed)
        return;
    auto *type = llvm::FunctionType::get(operation.getReturnType(), types, false);
    llvm::Function *generic =
        llvm::Function::Create(type, operation.getLinkage(), "", operation.getParent());
    generic->copyAttributesFrom(&operation);
    generic->takeName(&operation);
    for (llvm::User *user : operation.users()) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        for (unsigned i = 0; i < types.size(); i++)
            if (call->getArgOperand(i)->getType() != types[i])
                call->setArgOperand(i, new llvm::AddrSpaceCastInst(call->getArgOperand(i), types[i],
                                                                   "", call->getIterator()));
        call->mutateFunctionType(type);
    }
    operation.replaceAllUsesWith(generic);
    operation.eraseFromParent();
}

/* "__sl_waits(__read_pipe_2(...))" */
void joinWaiting(llvm::Function &waits)
{
    for (llvm::User *user : llvm::make_early_inc_range(waits.users())) {
        auto *outer = llvm::cast<llvm::CallInst>(user);
        auto *inner = llvm::cast<llvm::CallInst>(outer->getArgOperand(0));
        const llvm::Function *operation = inner->getCalledFunction();
        inner->setCalledFunction(waits.getParent()->getOrInsertFunction(
            (operation->getName() + "_bl").str(), operation->getFunctionType(),
            operation->getAttributes()));
        outer->replaceAllUsesWith(inner);
        outer->eraseFromParent();
    }
    waits.eraseFromParent();
}

} // namespace

std::string fileOf(const PresumedLoc &place)
{
    llvm::StringRef name = place.isValid() ? place.getFilename() : "";
    name.consume_front("/__sluice__/");
    return name.str();
}

void describeDeclarations(const DataflowState &flow, llvm::Module &module)
{
    Description description(flow, module);
    forEachDeclared(
        flow, [&](const VarDecl *variable) { description.addVariable(variable); },
        [&](const FunctionDecl *function) {
            if (function->hasAttr<DeviceKernelAttr>())
                description.addKernel(function);
            description.addRegion(function);
        });
    for (const LoopWish &wish : flow.loops)
        description.addLoop(wish);
    if (llvm::Function *waits = module.getFunction("__sl_waits"))
        joinWaiting(*waits);
    noteLatencies(flow, module);
    for (llvm::Function &function : llvm::make_early_inc_range(module))
        if (function.isDeclaration() && function.getName().starts_with("__sl_"))
            passGenericPackets(function);
}

} // namespace sluice
