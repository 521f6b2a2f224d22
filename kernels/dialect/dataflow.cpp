/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a dataflow source through clang: lex all, rewrite, parse, check. No locks. */
#include "dialect/dataflow.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/TokenKinds.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/PrettyStackTrace.h>

using namespace clang;

namespace sluice
{

namespace
{

void report(const DataflowState &flow, DiagnosticsEngine::Level level, SourceLocation place,
            const std::string &text)
{
    DiagnosticsEngine &diagnostics = flow.compiler.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(level, "%0")) << text;
}

void lexAll(DataflowState &flow)
{
    Preprocessor &preprocessor = flow.compiler.getPreprocessor();
    Token token;
    flow.tokens.reserve(4096);
    preprocessor.EnterMainSourceFile();
    do {
        preprocessor.Lex(token);
        flow.tokens.push_back(token);
    } while (token.isNot(tok::eof));
}

/* Where the parser is, for messages about a crash. clang keeps its own to itself. */
class ParserPlace : public llvm::PrettyStackTraceEntry
{
  public:
    ParserPlace(const Parser &at, const SourceManager &of) : parser(at), sources(of)
    {
    }
    void print(llvm::raw_ostream &out) const override
    {
        parser.getCurToken().getLocation().print(out, sources);
        out << ": current parser token\n";
    }

  private:
    const Parser &parser;
    const SourceManager &sources;
};

/* Intel's compiler lets half values through channels on devices that do not list the extension. */
void allowHalf(Sema &sema)
{
    sema.getOpenCLOptions().support("cl_khr_fp16");
    sema.getOpenCLOptions().enable("cl_khr_fp16");
}

/* What stands for channels is extern, which OpenCL C has since 1.2. */
void allowExtern(Sema &sema)
{
    sema.getOpenCLOptions().support("cl_clang_storage_class_specifiers");
    sema.getOpenCLOptions().enable("cl_clang_storage_class_specifiers");
}

void parseAll(const DataflowState &flow, Parser &parser, Sema &sema, ASTConsumer &consumer)
{
    Parser::DeclGroupPtrTy group;
    Sema::ModuleImportState imports;
    EnterExpressionEvaluationContext context(
        sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    for (bool end = parser.ParseFirstTopLevelDecl(group, imports); !end;
         end = parser.ParseTopLevelDecl(group, imports)) {
        if (flow.usesHalf)
            allowHalf(sema); /* what is set before the first declaration is lost */
        if (flow.usesPipes)
            allowExtern(sema);
        if (group && !consumer.HandleTopLevelDecl(group.get()))
            return;
    }
    for (Decl *decl : sema.WeakTopLevelDecls())
        consumer.HandleTopLevelDecl(DeclGroupRef(decl));
}

/* ---- pipes where clang has none -------------------------------------------------------------- */

const unsigned pipeBuiltins[] = {
    Builtin::BIread_pipe,
    Builtin::BIwrite_pipe,
    Builtin::BIreserve_read_pipe,
    Builtin::BIreserve_write_pipe,
    Builtin::BIcommit_read_pipe,
    Builtin::BIcommit_write_pipe,
    Builtin::BIwork_group_reserve_read_pipe,
    Builtin::BIwork_group_reserve_write_pipe,
    Builtin::BIwork_group_commit_read_pipe,
    Builtin::BIwork_group_commit_write_pipe,
    Builtin::BIsub_group_reserve_read_pipe,
    Builtin::BIsub_group_reserve_write_pipe,
    Builtin::BIsub_group_commit_read_pipe,
    Builtin::BIsub_group_commit_write_pipe,
    Builtin::BIget_pipe_num_packets,
    Builtin::BIget_pipe_max_packets,
};

/* Functions of pipes become builtins only now, so that other programs may have the names. */
void addPipes(DataflowState &flow)
{
    Preprocessor &preprocessor = flow.compiler.getPreprocessor();
    flow.compiler.getLangOpts().OpenCLPipes = true;
    for (unsigned builtin : pipeBuiltins)
        preprocessor.getIdentifierInfo(preprocessor.getBuiltinInfo().getName(builtin))
            ->setBuiltinID(builtin);
}

/*
 * The parser asks for the version when it meets the word, and takes it for a name if that is below
 * 2.0. It has the version of a later one only while the word is the current token: all else that
 * depends on the version stays as the user asked.
 */
void watchPipeWords(DataflowState &flow)
{
    LangOptions &language = flow.compiler.getLangOpts();
    const unsigned version = language.OpenCLVersion;
    flow.compiler.getPreprocessor().setTokenWatcher([&language, version](const Token &token) {
        language.OpenCLVersion = token.is(tok::kw_pipe) ? 200 : version;
    });
}

void addReserveType(Sema &sema)
{
    TypedefDecl *type =
        sema.Context.buildImplicitTypedef(sema.Context.OCLReserveIDTy, "reserve_id_t");
    sema.PushOnScopeChains(type, sema.TUScope);
}

} // namespace

void DataflowState::error(SourceLocation place, const std::string &text) const
{
    report(*this, DiagnosticsEngine::Error, place, text);
}

void DataflowState::warn(SourceLocation place, const std::string &text) const
{
    report(*this, DiagnosticsEngine::Warning, place, text);
}

void parseDataflow(DataflowState &flow, const std::function<void()> &start)
{
    CompilerInstance &compiler = flow.compiler;
    AttributeTable::use(&flow.attributes);
    compiler.createSema(TU_Complete, nullptr);
    Sema &sema = compiler.getSema();
    addDataflowPragmas(flow);
    Parser parser(compiler.getPreprocessor(), sema, false); /* its pragmas become tokens */
    lexAll(flow);
    std::vector<Token> tokens = rewriteTokens(flow);
    start();
    const bool legacy = flow.legacyPipes && flow.usesPipeKeyword;
    if (flow.legacyPipes && !legacy) /* clang knows the name in the place of a type only */
        compiler.getPreprocessor().getIdentifierInfo("pipe")->revertTokenIDToIdentifier();
    if (flow.usesPipeKeyword && !compiler.getLangOpts().OpenCLPipes)
        addPipes(flow);
    if (legacy)
        watchPipeWords(flow);
    ParserPlace place(parser, compiler.getSourceManager());
    compiler.getPreprocessor().EnterTokenStream(tokens, true, !legacy);
    parser.Initialize();
    if (legacy)
        addReserveType(sema);
    parseAll(flow, parser, sema, compiler.getASTConsumer());
    checkDeclarations(flow);
    if (flow.usesPipes)
        checkCalls(flow);
    compiler.getASTConsumer().HandleTranslationUnit(compiler.getASTContext());
    AttributeTable::use(nullptr);
}

} // namespace sluice
