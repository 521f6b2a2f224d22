/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/ranges/constant_tables.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace sluice
{

namespace
{

enum { MOST_ENTRIES = 4096 };

struct Write {
    uint64_t offset;
    const ConstantInt *value;
};

/* What is ever written to a variable. */
struct Contents {
    SmallVector<Write, 16> writes;
    const GlobalVariable *copied = nullptr; /* from its start on */
    uint64_t copiedFrom = 0;
    bool zeroed = false;
};

const GlobalVariable *constantTable(const Value *base)
{
    const auto *global = dyn_cast<GlobalVariable>(base);
    return global && global->isConstant() && global->hasDefinitiveInitializer() ? global : nullptr;
}

bool isWholeConstant(const Value *value, uint64_t &number)
{
    const auto *constant = dyn_cast<ConstantInt>(value);
    if (!constant || constant->getBitWidth() > 64)
        return false;
    number = constant->getZExtValue();
    return true;
}

bool addStore(const StoreInst &store, const Value *address, std::optional<uint64_t> offset,
              Contents &out)
{
    const auto *value = dyn_cast<ConstantInt>(store.getValueOperand());
    if (store.getPointerOperand() != address || !value || !offset || value->getBitWidth() > 64)
        return false;
    out.writes.push_back({*offset, value});
    return true;
}

bool addCopy(const MemTransferInst &copy, const Value *address, std::optional<uint64_t> offset,
             const DataLayout &layout, Contents &out)
{
    if (copy.getRawDest() != address)
        return true; /* read from it */
    uint64_t bytes;
    APInt from(layout.getIndexTypeSizeInBits(copy.getRawSource()->getType()), 0);
    const Value *source =
        copy.getRawSource()->stripAndAccumulateConstantOffsets(layout, from, true);
    if (!offset || *offset || out.copied || !isWholeConstant(copy.getLength(), bytes))
        return false;
    out.copied = constantTable(source);
    out.copiedFrom = from.getZExtValue();
    return out.copied;
}

bool addFill(const MemSetInst &fill, Contents &out)
{
    uint64_t value;
    out.zeroed = true;
    return isWholeConstant(fill.getValue(), value) && !value;
}

bool addUse(const Value *user, const Value *address, std::optional<uint64_t> offset,
            const DataLayout &, Contents &);

/* False: somebody may write there what is no constant. */
bool addUses(const Value *address, std::optional<uint64_t> offset, const DataLayout &layout,
             Contents &out)
{
    bool good = true;
    for (const User *user : address->users())
        good = good && addUse(user, address, offset, layout, out);
    return good;
}

bool addUse(const Value *user, const Value *address, std::optional<uint64_t> offset,
            const DataLayout &layout, Contents &out)
{
    if (const auto *step = dyn_cast<GEPOperator>(user)) {
        APInt more(layout.getIndexTypeSizeInBits(step->getType()), 0);
        bool known = offset && step->accumulateConstantOffset(layout, more);
        return addUses(step, known ? std::optional(*offset + more.getZExtValue()) : std::nullopt,
                       layout, out);
    }
    if (isa<AddrSpaceCastInst>(user) || isa<BitCastInst>(user))
        return addUses(user, offset, layout, out);
    if (const auto *store = dyn_cast<StoreInst>(user))
        return addStore(*store, address, offset, out);
    if (const auto *copy = dyn_cast<MemTransferInst>(user))
        return addCopy(*copy, address, offset, layout, out);
    if (const auto *fill = dyn_cast<MemSetInst>(user))
        return addFill(*fill, out);
    const auto *marker = dyn_cast<IntrinsicInst>(user);
    return isa<LoadInst>(user) || (marker && marker->isLifetimeStartOrEnd());
}

/* Adds what a load there gives; false: not known. */
bool addEntry(const GlobalVariable &table, const LoadInst &load, uint64_t offset,
              const DataLayout &layout, SmallVectorImpl<uint64_t> &out)
{
    Constant *value = ConstantFoldLoadFromConst(const_cast<Constant *>(table.getInitializer()),
                                                load.getType(), APInt(64, offset), layout);
    const auto *number = dyn_cast_or_null<ConstantInt>(value);
    if (number)
        out.push_back(number->getZExtValue());
    return number;
}

bool addWritten(const Contents &contents, const LoadInst &load, uint64_t offset,
                const DataLayout &layout, SmallVectorImpl<uint64_t> &out)
{
    uint64_t bytes = layout.getTypeStoreSize(load.getType());
    for (const Write &write : contents.writes) {
        uint64_t size = layout.getTypeStoreSize(write.value->getType());
        if (write.offset == offset && size == bytes)
            out.push_back(write.value->getZExtValue());
        else if (write.offset < offset + bytes && offset < write.offset + size)
            return false;
    }
    if (contents.zeroed)
        out.push_back(0);
    return !contents.copied ||
           addEntry(*contents.copied, load, contents.copiedFrom + offset, layout, out);
}

uint64_t sizeOf(const Value *base, const DataLayout &layout)
{
    if (const auto *global = dyn_cast<GlobalVariable>(base))
        return layout.getTypeAllocSize(global->getValueType());
    const auto *variable = dyn_cast<AllocaInst>(base);
    std::optional<TypeSize> size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    return size && !size->isScalable() ? size->getFixedValue() : 0;
}

} // namespace

ValueSet loadedFrom(const Value *base, const LoadInst &load, const ValueSet &offsets,
                    const DataLayout &layout)
{
    unsigned bits = load.getType()->getIntegerBitWidth();
    uint64_t bytes = layout.getTypeStoreSize(load.getType()), size = sizeOf(base, layout);
    const GlobalVariable *table = constantTable(base);
    Contents contents;
    SmallVector<uint64_t, 64> places, values;
    bool known = size >= bytes && !load.isVolatile() && load.getType()->isIntegerTy() &&
                 (table || (isa<AllocaInst>(base) && addUses(base, 0, layout, contents)));
    if (!known)
        return ValueSet::all(bits);
    ConstantRange inside(APInt(64, 0), APInt(64, size - bytes + 1));
    if (!offsets.meet(ValueSet::of(inside)).list(MOST_ENTRIES, places))
        return ValueSet::all(bits);
    for (uint64_t at : places)
        if (!(table ? addEntry(*table, load, at, layout, values)
                    : addWritten(contents, load, at, layout, values)))
            return ValueSet::all(bits);
    return ValueSet::of(bits, values);
}

} // namespace sluice
