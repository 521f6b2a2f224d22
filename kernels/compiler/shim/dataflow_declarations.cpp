/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels, pipes and kernels as declared: rules that the documents set, and what the passes are
 * told (named metadata !sl.pipes, "sl-*" string attributes of kernels and their parameters).
 * No locks.
 */
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include "dataflow.h"
#define _Alignas alignas /* the header is C */
#include "sluice/pipe.h"

using namespace clang;

namespace sluice
{

namespace
{

/* ---- attributes over all declarations of a thing ---------------------------------------------
 */

template <class Callback>
void forEachAttribute(const DataflowState &flow, const Decl *decl, Callback callback)
{
    for (const Decl *each : decl->redecls())
        if (const auto *list = flow.attributes.of(each))
            for (const Attribute &attribute : *list)
                callback(attribute);
}

const Attribute *find(const DataflowState &flow, const Decl *decl, Word word)
{
    for (const Decl *each : decl->redecls())
        if (const Attribute *found = flow.attributes.find(each, word))
            return found;
    return nullptr;
}

/* The same parameter in all declarations of its function. */
const Attribute *findOfParameter(const DataflowState &flow, const FunctionDecl *function,
                                 unsigned index, Word word)
{
    for (const FunctionDecl *each : function->redecls())
        if (index < each->getNumParams())
            if (const Attribute *found = flow.attributes.find(each->getParamDecl(index), word))
                return found;
    return nullptr;
}

std::string join(const Attribute &attribute)
{
    std::string text;
    for (int64_t number : attribute.numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

/* ---- rules for channels and pipes ------------------------------------------------------------
 */

bool isPipeVariable(const DataflowState &flow, const VarDecl *variable)
{
    return find(flow, variable, Word::Channel) || find(flow, variable, Word::Pipe);
}

/* Of a packet: what is left without the array dimensions. The innermost one is ours. */
QualType packetType(const DataflowState &flow, const VarDecl *variable)
{
    return flow.compiler.getASTContext()
        .getBaseElementType(variable->getType())
        .getUnqualifiedType();
}

void checkPipeVariable(DataflowState &flow, const VarDecl *variable)
{
    const bool channel = find(flow, variable, Word::Channel);
    const std::string what = channel ? "a channel" : "a pipe";
    QualType packet = packetType(flow, variable);
    if (packet->isAnyPointerType())
        flow.error(variable->getLocation(),
                   what + " cannot carry pointers: the address space would be lost");
    forEachAttribute(flow, variable, [&](const Attribute &attribute) {
        if (attribute.word == Word::Depth && attribute.numbers[0] < 0)
            flow.warn(attribute.place, "'depth' ignored: a depth cannot be negative");
        if (attribute.word == Word::Depth && attribute.numbers[0] > INT32_MAX)
            flow.error(attribute.place, "the depth is too large");
        if (attribute.word == Word::Io && attribute.text.empty())
            flow.error(attribute.place, "'io' needs a name");
        if (attribute.word == Word::Io && find(flow, variable, Word::HostAccessible))
            flow.error(attribute.place, what + " joins a kernel with the host or with an I/O "
                                               "peripheral, not with both");
    });
}

/* ---- rules for kernels -----------------------------------------------------------------------
 */

bool within(DataflowState &flow, const Attribute &attribute, int64_t least, int64_t most)
{
    for (int64_t number : attribute.numbers)
        if (number < least || number > most) {
            flow.error(attribute.place, "the argument of '" + attribute.name +
                                            "' must be between " + std::to_string(least) + " and " +
                                            std::to_string(most));
            return false;
        }
    return true;
}

void checkKernelAttribute(DataflowState &flow, const Attribute &attribute)
{
    switch (attribute.word) {
    case Word::MaxGlobalWorkDim:
        within(flow, attribute, 0, 3);
        break;
    case Word::UsesGlobalWorkOffset:
        within(flow, attribute, 0, 1);
        break;
    case Word::NumComputeUnits:
        within(flow, attribute, 1, 4096);
        break;
    case Word::MaxWorkGroupSize:
        if (attribute.numbers.size() == 2)
            flow.error(attribute.place, "'max_work_group_size' takes one or three arguments");
        within(flow, attribute, 1, INT32_MAX);
        break;
    case Word::NumSimdWorkItems:
        within(flow, attribute, 1, 1024);
        break;
    case Word::Task:
        flow.warn(attribute.place, "unknown attribute 'task' ignored");
        break;
    default:
        break;
    }
}

bool hasSize(const DataflowState &flow, const FunctionDecl *kernel)
{
    return find(flow, kernel, Word::MaxGlobalWorkDim) ||
           kernel->getMostRecentDecl()->hasAttr<ReqdWorkGroupSizeAttr>();
}

void checkAutorun(DataflowState &flow, const FunctionDecl *kernel, const Attribute &autorun)
{
    if (kernel->getNumParams())
        flow.error(autorun.place, "an autorun kernel cannot have arguments");
    if (!hasSize(flow, kernel))
        flow.error(autorun.place, "an autorun kernel needs 'max_global_work_dim' or "
                                  "'reqd_work_group_size'");
}

void checkParameters(DataflowState &flow, const FunctionDecl *kernel)
{
    for (unsigned i = 0; i < kernel->getNumParams(); i++) {
        const ParmVarDecl *parameter = kernel->getParamDecl(i);
        if (const Attribute *channel = findOfParameter(flow, kernel, i, Word::Channel))
            flow.error(channel->place, "a channel cannot be an argument of a kernel");
        if (const auto *pipe = parameter->getType()->getAs<PipeType>())
            if (pipe->getElementType()->isIncompleteType())
                flow.error(parameter->getLocation(), "the packets of a pipe need a complete type");
        const Attribute *host = findOfParameter(flow, kernel, i, Word::HostAccessible);
        if (host && !flow.hostPipeEnabled)
            flow.error(host->place, "'intel_host_accessible' needs '#pragma OPENCL EXTENSION "
                                    "cl_intel_fpga_host_pipe : enable'");
        for (Word word : {Word::Depth, Word::Io, Word::Blocking, Word::HostAccessible}) {
            const Attribute *found = findOfParameter(flow, kernel, i, word);
            if (found && !parameter->getType()->isPipeType())
                flow.warn(found->place, "'" + (word == Word::Blocking ? "blocking" : found->name) +
                                            "' is for pipes: ignored here");
        }
        const Attribute *io = findOfParameter(flow, kernel, i, Word::Io);
        if (io && parameter->getType()->isPipeType())
            flow.warn(io->place, "'io' is for channels and pipes of the program: ignored here, the "
                                 "kernel uses the pipe that its argument is set to");
    }
}

void checkFunction(DataflowState &flow, const FunctionDecl *function)
{
    const bool kernel = function->hasAttr<DeviceKernelAttr>();
    forEachAttribute(flow, function, [&](const Attribute &attribute) {
        if (attribute.word < Word::Autorun || attribute.word > Word::KernelHint)
            return;
        if (kernel)
            checkKernelAttribute(flow, attribute);
        else
            flow.warn(attribute.place, "'" + attribute.name + "' is for kernels: ignored here");
    });
    if (!kernel)
        return;
    if (const Attribute *autorun = find(flow, function, Word::Autorun))
        checkAutorun(flow, function, *autorun);
    checkParameters(flow, function);
}

/* ---- what the passes are told ----------------------------------------------------------------
 */

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
        const bool channel = find(flow, variable, Word::Channel);
        QualType packet = packetType(flow, variable);
        const Attribute *io = find(flow, variable, Word::Io);
        const PresumedLoc place =
            flow.compiler.getSourceManager().getPresumedLoc(variable->getLocation());
        llvm::SmallVector<llvm::Metadata *, 16> operands = {
            text(variable->getName()),
            text(channel ? "channel" : "pipe"),
            number(ast.getTypeSizeInChars(packet).getQuantity()),
            number(ast.getTypeAlignInChars(packet).getQuantity()),
            number(depthOf(find(flow, variable, Word::Depth))),
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

    void addKernel(const FunctionDecl *kernel)
    {
        llvm::Function *function = module.getFunction(kernel->getName());
        if (!function)
            return;
        std::string all;
        forEachAttribute(flow, kernel, [&](const Attribute &attribute) {
            const std::string value = describeKernelAttribute(*function, attribute);
            if (!value.empty())
                all += (all.empty() ? "" : " ") + value;
        });
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

    static int64_t depthOf(const Attribute *depth)
    {
        return depth && depth->numbers[0] > 0 ? depth->numbers[0] : 0;
    }

    int64_t flagsOf(const VarDecl *variable) const
    {
        return (find(flow, variable, Word::HostAccessible) ? SL_PIPE_HOST : 0) |
               (find(flow, variable, Word::Blocking) ? SL_PIPE_BLOCKING : 0);
    }

    /* As in debug information: without the virtual folder of the request's own files. */
    static std::string fileOf(const PresumedLoc &place)
    {
        llvm::StringRef name = place.isValid() ? place.getFilename() : "";
        name.consume_front("/__sluice__/");
        return name.str();
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
        case Word::NumSimdWorkItems:
            function.addFnAttr("sl-num-simd-work-items", value);
            break;
        case Word::KernelHint:
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
        add("sl-pipe-packet-bytes", std::to_string(ast.getTypeSizeInChars(packet).getQuantity()));
        add("sl-pipe-packet-align", std::to_string(ast.getTypeAlignInChars(packet).getQuantity()));
        if (findOfParameter(flow, kernel, i, Word::Blocking))
            add("sl-pipe-blocking", "");
        if (const Attribute *depth = findOfParameter(flow, kernel, i, Word::Depth))
            if (depthOf(depth))
                add("sl-pipe-depth", std::to_string(depthOf(depth)));
        if (findOfParameter(flow, kernel, i, Word::HostAccessible))
            add("sl-pipe-host", "");
        if (const Attribute *io = findOfParameter(flow, kernel, i, Word::Io))
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

/* Every variable and function of the file once. */
template <class Variable, class Function>
void forEachDeclared(const DataflowState &flow, Variable variable, Function function)
{
    for (Decl *decl : flow.compiler.getASTContext().getTranslationUnitDecl()->decls()) {
        if (!decl->isCanonicalDecl() || decl->isInvalidDecl())
            continue;
        if (auto *object = llvm::dyn_cast<VarDecl>(decl)) {
            if (isPipeVariable(flow, object))
                variable(object);
        } else if (auto *code = llvm::dyn_cast<FunctionDecl>(decl)) {
            function(code);
        }
    }
}

} // namespace

void checkDeclarations(DataflowState &flow)
{
    forEachDeclared(
        flow, [&](const VarDecl *variable) { checkPipeVariable(flow, variable); },
        [&](const FunctionDecl *function) { checkFunction(flow, function); });
}

void describeDeclarations(const DataflowState &flow, llvm::Module &module)
{
    Description description(flow, module);
    forEachDeclared(
        flow, [&](const VarDecl *variable) { description.addVariable(variable); },
        [&](const FunctionDecl *function) {
            if (function->hasAttr<DeviceKernelAttr>())
                description.addKernel(function);
        });
    for (llvm::Function &function : llvm::make_early_inc_range(module))
        if (function.isDeclaration() && function.getName().starts_with("__sl_"))
            passGenericPackets(function);
}

} // namespace sluice
