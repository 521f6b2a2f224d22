/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LLVM's static libraries want beyond the parts that we link. lld initialises all targets that
 * LLVM was built with, although it only uses them for bitcode; these make that no more than x86,
 * whose own functions are renamed away here and so stay LLVM's. No state.
 */
#include <llvm/Plugins/PassPlugin.h>

#define LLVMInitializeX86TargetInfo sl_unused_x86_info
#define LLVMInitializeX86Target sl_unused_x86_target
#define LLVMInitializeX86TargetMC sl_unused_x86_mc
#define LLVMInitializeX86AsmPrinter sl_unused_x86_printer

#define SL_NOTHING(name)                                                                           \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
    }
#define LLVM_TARGET(name)                                                                          \
    SL_NOTHING(LLVMInitialize##name##TargetInfo)                                                   \
    SL_NOTHING(LLVMInitialize##name##Target)                                                       \
    SL_NOTHING(LLVMInitialize##name##TargetMC)
#define LLVM_ASM_PRINTER(name) SL_NOTHING(LLVMInitialize##name##AsmPrinter)
#define LLVM_ASM_PARSER(name) SL_NOTHING(LLVMInitialize##name##AsmParser)

extern "C" {
#include <llvm/Config/AsmParsers.def>
#include <llvm/Config/AsmPrinters.def>
#include <llvm/Config/Targets.def>
}

/* An extension that Debian's LLVM was built with and whose library is in no package we need. */
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}, nullptr};
}
