/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What clang says of a source, as lines for the build log with file, line and column: each as soon
 * as it is complete, and not without end. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_DIAGNOSTIC_PRINTER_H
#define SL_KERNELS_CLANG_DIAGNOSTIC_PRINTER_H

#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <functional>
#include <llvm/Support/raw_ostream.h>
#include <string>

namespace sl
{

struct Text { /* comes before the printer that writes to it */
    std::string text;
    llvm::raw_string_ostream stream{text};
};

/* Hands on each message when it is complete, so that none is lost if clang does not come back; of
 * very many only the first. */
class Printer : private Text, public clang::TextDiagnosticPrinter
{
  public:
    using Sink = std::function<void(const std::string &)>;

    Printer(clang::DiagnosticOptions &options, Sink to)
        : clang::TextDiagnosticPrinter(stream, options), sink(std::move(to))
    {
    }
    ~Printer() override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override;

  private:
    Sink sink;
    size_t shown = 0, hidden = 0, bytes = 0;
};

} // namespace sl

#endif
