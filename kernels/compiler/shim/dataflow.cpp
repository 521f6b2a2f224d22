/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a dataflow source through clang: lex all, rewrite, parse, check. No locks. */
#include "dataflow.h"

#include <clang/Basic/TokenKinds.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Sema.h>

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
    preprocessor.EnterMainSourceFile();
    do {
        preprocessor.Lex(token);
        flow.tokens.push_back(token);
    } while (token.isNot(tok::eof));
}

void parseAll(Parser &parser, Sema &sema, ASTConsumer &consumer)
{
    Parser::DeclGroupPtrTy group;
    Sema::ModuleImportState imports;
    EnterExpressionEvaluationContext context(
        sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    for (bool end = parser.ParseFirstTopLevelDecl(group, imports); !end;
         end = parser.ParseTopLevelDecl(group, imports))
        if (group && !consumer.HandleTopLevelDecl(group.get()))
            return;
    for (Decl *decl : sema.WeakTopLevelDecls())
        consumer.HandleTopLevelDecl(DeclGroupRef(decl));
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
    compiler.getPreprocessor().EnterTokenStream(tokens, true, false);
    parser.Initialize();
    parseAll(parser, sema, compiler.getASTConsumer());
    checkDeclarations(flow);
    compiler.getASTConsumer().HandleTranslationUnit(compiler.getASTContext());
    AttributeTable::use(nullptr);
}

} // namespace sluice
