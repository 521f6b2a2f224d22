/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: each object belongs to one build. */
#include "clang/extension_pragma.h"

#include <clang/Basic/DiagnosticParse.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringSet.h>
#include <memory>

using namespace clang;

namespace
{

class Accepted : public PPCallbacks
{
  public:
    Accepted(DiagnosticsEngine &engine, llvm::StringRef names) : diagnostics(engine)
    {
        llvm::SmallVector<llvm::StringRef, 64> list;
        names.split(list, ' ', -1, false);
        for (llvm::StringRef name : list)
            known.insert(name);
    }

    /* The parser comes later and asks for the severity that holds at the place of the name. */
    void PragmaOpenCLExtension(SourceLocation place, const IdentifierInfo *name,
                               SourceLocation behind, unsigned) override
    {
        if (!known.contains(name->getName()))
            return;
        diagnostics.pushMappings(place);
        for (diag::kind warning :
             {diag::warn_pragma_unknown_extension, diag::warn_pragma_unsupported_extension})
            diagnostics.setSeverity(warning, diag::Severity::Ignored, place);
        diagnostics.popMappings(behind);
    }

  private:
    DiagnosticsEngine &diagnostics;
    llvm::StringSet<> known;
};

} // namespace

void sl_accept_extension_pragmas(CompilerInstance &compiler, llvm::StringRef names)
{
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<Accepted>(compiler.getDiagnostics(), names));
}
