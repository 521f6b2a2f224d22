/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds for what a source can make clang do: read files that never end, print without end, expand
 * macros without end, look at a token without end. C++, for the other files of this folder only.
 */
#ifndef SL_KERNELS_CLANG_SOURCE_LIMITS_H
#define SL_KERNELS_CLANG_SOURCE_LIMITS_H

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <functional>
#include <llvm/Support/VirtualFileSystem.h>
#include <string>

/* The real files, without pipes, terminals, devices and what the system makes up when asked. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> sl_plain_files();

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

/* `abandon` does not return; it is called after a message says why. */
void sl_limit_tokens(clang::CompilerInstance &compiler, const std::function<void()> &abandon);

/* clang moves to a thread of its own after 8 MiB of stack, where nobody catches crashes: it shall
 * first use up the stack that it has. */
void sl_use_whole_stack();

#endif
