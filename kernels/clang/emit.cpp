/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. LLVM offers one of its choices as a command-line option of the process only:
 * `optionLock` guards that from being set until LLVM has made its list of passes.
 */
#include "clang/emit.h"
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

} // namespace

int sl_emit_object(LLVMTargetMachineRef machine, LLVMModuleRef handle,
                   void (*take)(void *data, const char *bytes, size_t count), void *data)
{
    Module &module = *unwrap(handle);
    SmallString<0> code;
    raw_svector_ostream stream(code);
    legacy::PassManager passes;
    TargetMachine &target = *reinterpret_cast<TargetMachine *>(machine);
    const CodeGenOptLevel level = target.getOptLevel();
    if (isLarge(module))
        target.setOptLevel(CodeGenOptLevel::None);
    const bool plain = isPlain(module), reduced = !plain && gainsByStrengthReduction(module);
    if (!plain)
        sl_llvm_keep_moves(handle);
    {
        std::lock_guard<std::mutex> guard(optionLock);
        setStrengthReduction(reduced);
        if (!addPasses(target, passes, stream, isLong(module) && !isLarge(module)))
            return -1;
    }
    passes.run(module);
    target.setOptLevel(level);
    take(data, code.data(), code.size());
    return 0;
}
