/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: each object belongs to one build. */
#include "clang/source_limits.h"

#include <clang/Basic/Stack.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <memory>
#include <pthread.h>

using namespace clang;

/* ---- files ----------------------------------------------------------------------------------- */

namespace
{

class PlainFiles : public llvm::vfs::ProxyFileSystem
{
  public:
    using ProxyFileSystem::ProxyFileSystem;

    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
    openFileForRead(const llvm::Twine &path) override
    {
        if (!isPlain(path))
            return std::make_error_code(std::errc::not_supported);
        return ProxyFileSystem::openFileForRead(path);
    }

  private:
    bool isPlain(const llvm::Twine &path)
    {
        auto status = ProxyFileSystem::status(path);
        if (!status)
            return true; /* opening says what is wrong */
        llvm::SmallString<256> real;
        if (!status->isRegularFile() && !status->isDirectory())
            return false;
        if (ProxyFileSystem::getRealPath(path, real))
            return true;
        llvm::StringRef name = real;
        return !name.starts_with("/proc/") && !name.starts_with("/sys/") &&
               !name.starts_with("/dev/");
    }
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> sl_plain_files()
{
    return llvm::makeIntrusiveRefCnt<PlainFiles>(llvm::vfs::createPhysicalFileSystem());
}

/* ---- tokens ---------------------------------------------------------------------------------- */

namespace
{

constexpr uint64_t mostTokens = 20'000'000;

class TokenCount
{
  public:
    TokenCount(Preprocessor &from, std::function<void()> then)
        : preprocessor(from), abandon(std::move(then))
    {
    }
    void add(uint64_t tokens, SourceLocation place)
    {
        count += tokens;
        if (count <= mostTokens)
            return;
        DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
        diagnostics.Report(preprocessor.getSourceManager().getExpansionLoc(place),
                           diagnostics.getCustomDiagID(
                               DiagnosticsEngine::Fatal,
                               "the program is too long: more than %0 tokens with its macros"))
            << static_cast<unsigned>(mostTokens);
        abandon();
    }

  private:
    Preprocessor &preprocessor;
    std::function<void()> abandon;
    uint64_t count = 0;
};

/* Arguments are expanded before they are put in, out of the token watcher's sight. */
class Expansions : public PPCallbacks
{
  public:
    explicit Expansions(std::shared_ptr<TokenCount> to) : count(std::move(to))
    {
    }
    void MacroExpands(const Token &name, const MacroDefinition &definition, SourceRange,
                      const MacroArgs *args) override
    {
        const MacroInfo *macro = definition.getMacroInfo();
        uint64_t tokens = macro ? macro->getNumTokens() : 0;
        for (unsigned i = 0; args && i < args->getNumMacroArguments(); i++)
            tokens += MacroArgs::getArgLength(args->getUnexpArgument(i));
        count->add(tokens, name.getLocation());
    }

  private:
    std::shared_ptr<TokenCount> count;
};

/* `::` other than in the names of `[[...]]`: where a type may stand, LLVM 22's parser of C asks for
 * ever whether it begins one. Seen here before the parser has it. */
class Scopes
{
  public:
    Scopes(Preprocessor &from, std::function<void()> then)
        : preprocessor(from), abandon(std::move(then))
    {
    }
    void add(const Token &token)
    {
        if (token.is(tok::l_square) && last == tok::l_square)
            attribute = true;
        else if (token.is(tok::r_square) && last == tok::r_square)
            attribute = false;
        depth = !attribute ? 0 : depth + token.is(tok::l_paren) - token.is(tok::r_paren);
        last = token.getKind();
        if (!token.is(tok::coloncolon) || (attribute && !depth) ||
            preprocessor.getLangOpts().CPlusPlus)
            return;
        DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
        diagnostics.Report(
            token.getLocation(),
            diagnostics.getCustomDiagID(DiagnosticsEngine::Fatal,
                                        "'::' is not OpenCL C: C++ wants -cl-std=CLC++2021"));
        abandon();
    }

  private:
    Preprocessor &preprocessor;
    std::function<void()> abandon;
    tok::TokenKind last = tok::unknown;
    bool attribute = false;
    int depth = 0; /* of parentheses in it */
};

} // namespace

/* What clang compares with all names that there are: the time goes with the product of lengths, and
 * nobody mistypes such a name. */
static void limitName(const Token &token, LangOptions &language)
{
    constexpr unsigned longest = 256;
    const IdentifierInfo *name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    if (name && name->getLength() > longest)
        language.SpellChecking = false;
}

void sl_limit_tokens(CompilerInstance &compiler, const std::function<void()> &abandon)
{
    Preprocessor &preprocessor = compiler.getPreprocessor();
    auto count = std::make_shared<TokenCount>(preprocessor, abandon);
    auto scopes = std::make_shared<Scopes>(preprocessor, abandon);
    preprocessor.addPPCallbacks(std::make_unique<Expansions>(count));
    LangOptions &language = compiler.getLangOpts();
    preprocessor.setTokenWatcher([count, scopes, &language](const Token &token) {
        limitName(token, language);
        count->add(1, token.getLocation());
        scopes->add(token);
    });
}

/* ---- stack ----------------------------------------------------------------------------------- */

namespace
{

/* clang takes a distance of more than 8 MiB for a sign that it does not understand the stack. */
__attribute__((noinline)) void noteFarBottom(size_t distance)
{
    volatile char *gap = static_cast<char *>(__builtin_alloca(distance));
    (void)gap;
    noteBottomOfStack(true);
}

} // namespace

void sl_use_whole_stack()
{
    constexpr size_t reserve = 4 << 20, small = 64 << 20;
    pthread_attr_t attributes;
    void *lowest = nullptr;
    size_t size = 0;
    noteBottomOfStack(true);
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    size_t left = static_cast<char *>(__builtin_frame_address(0)) - static_cast<char *>(lowest);
    if (left <= size && left > small)
        noteFarBottom(left - reserve);
}
