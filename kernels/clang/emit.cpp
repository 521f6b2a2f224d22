/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. LLVM offers one of its choices as a command-line option of the process only:
 * `optionLock` guards that from being set until LLVM has made its list of passes.
 */
#include "clang/emit.h"
#include "llvm/instruction_order.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/memory/long_addresses.h"
#include "llvm/loops/rounds/extremes.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/RegAllocRegistry.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <memory>
#include <mutex>

using namespace llvm;

namespace
{

std::mutex optionLock;
constexpr size_t longFunction = 2500; /* blocks */
constexpr size_t wideFunction = 1000; /* blocks */

bool isPlain(const Module &module)
{
    for (const Function &f : module)
        if (!f.isDeclaration() && !f.hasFnAttribute(SL_PLAIN_ATTRIBUTE) && !f.hasOptNone())
            return false;
    return true;
}

bool isLarge(const Module &module)
{
    return any_of(module, [](const Function &f) { return f.hasFnAttribute(SL_LARGE_ATTRIBUTE); });
}

void setStrengthReduction(bool wanted)
{
    static cl::Option *option = cl::getRegisteredOptions().lookup("disable-lsr");
    if (option)
        static_cast<cl::opt<bool> *>(option)->setValue(!wanted);
}

/* The usual register allocator takes a time that grows with the square of so many blocks. */
bool isLong(const Module &module)
{
    return any_of(module, [](const Function &f) { return f.size() > longFunction; });
}

/*
 * With the loops of many regions and their forms, loop strength reduction is half of what the
 * generator does, and its code is larger by a third: each loop gets pointers of its own. Where
 * addresses are long its code is several times as large.
 */
bool gainsByStrengthReduction(const Module &module)
{
    return none_of(module, [](const Function &f) {
        return f.size() > wideFunction || sl_llvm_has_long_addresses(wrap(&f));
    });
}

bool addPasses(TargetMachine &target, legacy::PassManager &passes, raw_pwrite_stream &stream,
               bool basicRegisters)
{
    const RegisterRegAlloc::FunctionPassCtor usual = RegisterRegAlloc::getDefault();
    const bool change = basicRegisters && usual; /* none before the first build */
    if (change)
        RegisterRegAlloc::setDefault(createBasicRegisterAllocator);
    const bool failed =
        target.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile);
    if (change)
        RegisterRegAlloc::setDefault(usual);
    return !failed;
}

using Code = SmallString<0>;

bool emit(TargetMachine &target, Module &module, Code &code)
{
    raw_svector_ostream stream(code);
    legacy::PassManager passes;
    const CodeGenOptLevel level = target.getOptLevel();
    if (isLarge(module))
        target.setOptLevel(CodeGenOptLevel::None);
    const bool plain = isPlain(module), reduced = !plain && gainsByStrengthReduction(module);
    if (!plain)
        sl_llvm_keep_moves(wrap(&module));
    {
        std::lock_guard<std::mutex> guard(optionLock);
        setStrengthReduction(reduced);
        if (!addPasses(target, passes, stream, isLong(module) && !isLarge(module)))
            return false;
    }
    passes.run(module);
    target.setOptLevel(level);
    return true;
}

/* The generator changes a module on its way. */
bool emitCopy(TargetMachine &target, const Module &module, bool keepOrder, Code &code,
              uint32_t &spills)
{
    const std::unique_ptr<Module> copy = CloneModule(module);
    sl_llvm_order_begin(keepOrder);
    const bool made = emit(target, *copy, code);
    spills = sl_llvm_order_end();
    return made;
}

/* Of two orders the one with less in memory; `code` has it. */
bool chooseOrder(TargetMachine &target, const Module &module, Code &code, bool &keep)
{
    Code kept;
    uint32_t fewer, scheduled;
    if (!emitCopy(target, module, false, code, scheduled))
        return false;
    keep = sl_llvm_order_pays(0, scheduled) && emitCopy(target, module, true, kept, fewer) &&
           sl_llvm_order_pays(fewer, scheduled);
    if (keep)
        code = std::move(kept);
    return true;
}

} // namespace

int sl_emit_object(LLVMTargetMachineRef machine, LLVMModuleRef handle, bool heard,
                   void (*take)(void *data, const char *bytes, size_t count), void *data)
{
    Module &module = *unwrap(handle);
    TargetMachine &target = *reinterpret_cast<TargetMachine *>(machine);
    Code code;
    const bool usual = !isLarge(module) && !isLong(module);
    bool keep = false, chosen = usual && sl_llvm_order_matters(handle);
    if (chosen && !chooseOrder(target, module, code, keep))
        return -1;
    if (heard || !chosen) {
        code.clear();
        if (chosen)
            sl_llvm_order_begin(keep);
        const bool made = emit(target, module, code);
        sl_llvm_order_end();
        if (!made)
            return -1;
    }
    take(data, code.data(), code.size());
    return 0;
}
