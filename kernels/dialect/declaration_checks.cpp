/* SPDX-License-Identifier: Apache-2.0 */
/* Channels, pipes and kernels as declared: the rules that the documents set. No locks. */
#include "dialect/declared.h"

#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace sluice
{

namespace
{

/* ---- rules for channels and pipes ------------------------------------------------------------ */

/* What is written twice says the same: in one file, as in objects that are linked. */
void checkAgreement(DataflowState &flow, llvm::ArrayRef<const Attribute *> all)
{
    const SourceManager &sources = flow.compiler.getSourceManager();
    llvm::SmallDenseMap<int, const Attribute *, 8> first;
    for (const Attribute *attribute : all) {
        if (attribute->word == Word::Depth && attribute->numbers[0] <= 0)
            continue; /* as good as none */
        const auto [found, fresh] = first.try_emplace(static_cast<int>(attribute->word), attribute);
        const Attribute *a = found->second, *b = attribute;
        const bool comparable = a->word < Word::KernelHint;
        if (fresh || !comparable || (a->numbers == b->numbers && a->text == b->text))
            continue;
        if (sources.isBeforeInTranslationUnit(b->place, a->place))
            std::swap(a, b);
        const PresumedLoc place = sources.getPresumedLoc(a->place);
        flow.error(b->place, "'" + b->name + "' contradicts the one at " +
                                 std::string(place.getFilename()) + ":" +
                                 std::to_string(place.getLine()) + ":" +
                                 std::to_string(place.getColumn()));
    }
}

/* Of a packet: what is left without the dimensions that are written with the name. Those of the
 * type are the packet's. */
QualType writtenPacket(QualType type)
{
    if (const auto *decayed = llvm::dyn_cast<AdjustedType>(type.getTypePtr()))
        type = decayed->getOriginalType();
    while (const auto *array = llvm::dyn_cast<ArrayType>(type.getTypePtr()))
        type = array->getElementType();
    return type;
}

/* The innermost dimension is the rewriting's. */
void checkDimensions(DataflowState &flow, const VarDecl *variable, const std::string &what)
{
    for (QualType type = variable->getType(); const auto *array = type->getAsArrayTypeUnsafe();
         type = array->getElementType()) {
        const auto *sized = llvm::dyn_cast<ConstantArrayType>(array);
        if (!sized || sized->isZeroSize()) {
            flow.error(variable->getLocation(),
                       "the array of " + what + " needs a number of elements, which is not 0");
            return;
        }
    }
}

void checkPipeVariable(DataflowState &flow, const VarDecl *variable)
{
    const auto attributes = flow.attributes.all(variable);
    const bool channel = flow.attributes.findAny(variable, Word::Channel);
    const std::string what = channel ? "a channel" : "a pipe";
    const std::string fault = packetFault(flow, writtenPacket(variable->getType()));
    if (!fault.empty())
        flow.error(variable->getLocation(), what + " " + fault);
    checkDimensions(flow, variable, channel ? "channels" : "pipes");
    checkAgreement(flow, attributes);
    for (const Attribute *attribute : attributes) {
        if (attribute->word == Word::Depth && attribute->numbers[0] < 0)
            flow.warn(attribute->place, "'depth' ignored: a depth cannot be negative");
        if (attribute->word == Word::Depth && attribute->numbers[0] > INT32_MAX)
            flow.error(attribute->place, "the depth is too large");
        if (attribute->word == Word::Io && attribute->text.empty())
            flow.error(attribute->place, "'io' needs a name");
        if (attribute->word == Word::Io && flow.attributes.findAny(variable, Word::HostAccessible))
            flow.error(attribute->place, what + " joins a kernel with the host or with an I/O "
                                                "peripheral, not with both");
    }
}

/* ---- rules for kernels ----------------------------------------------------------------------- */

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
    default:
        break;
    }
}

bool hasSize(const DataflowState &flow, const FunctionDecl *kernel)
{
    return flow.attributes.findAny(kernel, Word::MaxGlobalWorkDim) ||
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

/* Of any function. */
void checkPackets(DataflowState &flow, const FunctionDecl *function)
{
    for (unsigned i = 0; i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        const bool channel = flow.attributes.findAny(function, i, Word::Channel);
        std::string fault;
        if (const auto *pipe = parameter->getType()->getAs<PipeType>())
            fault = packetFault(flow, pipe->getElementType());
        else if (channel)
            fault = packetFault(flow, writtenPacket(parameter->getType()));
        if (!fault.empty())
            flow.error(parameter->getLocation(), (channel ? "a channel " : "a pipe ") + fault);
    }
}

void checkParameter(DataflowState &flow, const FunctionDecl *kernel, unsigned index)
{
    const AttributeTable &table = flow.attributes;
    const bool pipe = kernel->getParamDecl(index)->getType()->isPipeType();
    if (const Attribute *channel = table.findAny(kernel, index, Word::Channel))
        flow.error(channel->place, "a channel cannot be an argument of a kernel");
    for (Word word : {Word::Depth, Word::Io, Word::Blocking, Word::HostAccessible}) {
        const Attribute *found = table.findAny(kernel, index, word);
        if (found && !pipe)
            flow.warn(found->place, "'" + (word == Word::Blocking ? "blocking" : found->name) +
                                        "' is for pipes: ignored here");
    }
    if (const Attribute *io = pipe ? table.findAny(kernel, index, Word::Io) : nullptr)
        flow.warn(io->place, "'io' is for channels and pipes of the program: ignored here, the "
                             "kernel uses the pipe that its argument is set to");
    checkAgreement(flow, table.all(kernel, index));
}

void checkFunction(DataflowState &flow, const FunctionDecl *function)
{
    const bool kernel = function->hasAttr<DeviceKernelAttr>();
    const auto attributes = flow.attributes.all(function);
    for (const Attribute *attribute : attributes) {
        if (attribute->word < Word::Autorun || attribute->word > Word::KernelHint)
            continue;
        if (kernel)
            checkKernelAttribute(flow, *attribute);
        else
            flow.warn(attribute->place, "'" + attribute->name + "' is for kernels: ignored here");
    }
    checkPackets(flow, function);
    if (!kernel)
        return;
    checkAgreement(flow, attributes);
    if (const Attribute *autorun = flow.attributes.findAny(function, Word::Autorun))
        checkAutorun(flow, function, *autorun);
    for (unsigned i = 0; i < function->getNumParams(); i++)
        checkParameter(flow, function, i);
}

} // namespace

void checkDeclarations(DataflowState &flow)
{
    forEachDeclared(
        flow, [&](const VarDecl *variable) { checkPipeVariable(flow, variable); },
        [&](const FunctionDecl *function) { checkFunction(flow, function); });
}

} // namespace sluice
