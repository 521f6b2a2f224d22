/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a packet may be: numbers, vectors, addresses in global memory, and structures of those.
 * Other addresses and handles mean nothing at the other end. No locks.
 */
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include "dialect/dataflow.h"

using namespace clang;

namespace sluice
{

namespace
{

/* All kernels see that memory; designs send on where results are to be put. */
bool isGlobalPointer(QualType type)
{
    if (!type->isPointerType())
        return false;
    const LangAS space = type->getPointeeType().getAddressSpace();
    return space == LangAS::opencl_global || space == LangAS::opencl_constant;
}

/* NULL: no handle. */
const char *handleName(QualType type)
{
    if (isGlobalPointer(type))
        return nullptr;
    if (type->isAnyPointerType() || type->isBlockPointerType() || type->isNullPtrType())
        return "pointers: the address space would be lost";
    if (type->isImageType())
        return "images";
    if (type->isSamplerT())
        return "samplers";
    if (type->isEventT() || type->isClkEventT())
        return "events";
    if (type->isQueueT())
        return "queues";
    if (type->isReserveIDT())
        return "reservations";
    if (type->isPipeType())
        return "pipes";
    if (type->isAtomicType())
        return "atomic variables";
    if (type->isFunctionType())
        return "functions";
    return nullptr;
}

class Search
{
  public:
    explicit Search(const ASTContext &ast) : context(ast)
    {
    }

    /* `where`: of which member that is. A type that was found good is not looked at again. */
    std::string fault(QualType type, const std::string &where)
    {
        type = context.getBaseElementType(type).getCanonicalType().getUnqualifiedType();
        if (const char *name = handleName(type))
            return std::string("cannot carry ") + name + where;
        if (type->isIncompleteType())
            return "needs packets of a complete type" + where;
        const auto *record = type->getAsRecordDecl();
        if (!record || !seen.insert(record).second)
            return "";
        for (const FieldDecl *field : record->fields()) {
            const std::string member =
                field->getIdentifier() ? ", see member '" + field->getName().str() + "'" : "";
            std::string found = fault(field->getType(), where.empty() ? member : where);
            if (!found.empty())
                return found;
        }
        return "";
    }

  private:
    const ASTContext &context;
    llvm::SmallPtrSet<const RecordDecl *, 8> seen;
};

} // namespace

std::string packetFault(const DataflowState &flow, QualType packet)
{
    if (packet->isArrayType())
        return "cannot carry arrays, other than as members of structures";
    return Search(flow.compiler.getASTContext()).fault(packet, "");
}

} // namespace sluice
