/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What clang says of a source, as lines for the build log with file, line and column: each as soon
 * as it is complete, and not without end. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_DIAGNOSTIC_PRINTER_H
#define SL_KERNELS_CLANG_DIAGNOSTIC_PRINTER_H

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <functional>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/raw_ostream.h>
#include <string>

namespace sl
{

struct Text { /* comes before the printer that writes to it */
    std::string text;
    llvm::raw_string_ostream stream{text};
};

/* What a source may have meant by a name that nobody knows: the names that there are. */
struct KnownNames {
    llvm::SmallVector<llvm::StringRef, 0> attributes, extensions, functions;
};

/* Hands on each message when it is complete, so that none is lost if clang does not come back; of
 * very many only the first. */
class Printer : private Text, public clang::TextDiagnosticPrinter
{
  public:
    using Sink = std::function<void(const std::string &)>;

    Printer(clang::DiagnosticOptions &options, Sink to, KnownNames names = {})
        : clang::TextDiagnosticPrinter(stream, options), sink(std::move(to)),
          known(std::move(names))
    {
    }
    ~Printer() override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override;

  private:
    void suggest(const clang::Diagnostic &info);
    /* The names of which a message says that one is unknown. */
    llvm::ArrayRef<llvm::StringRef> meantBy(unsigned id) const;
    void explain(const clang::Diagnostic &info);
    bool isExplained(const clang::Diagnostic &info) const;

    Sink sink;
    KnownNames known;
    clang::SourceLocation explained; /* of the last assertion of ours that failed */
    size_t shown = 0, hidden = 0, bytes = 0;
};

} // namespace sl

#endif
