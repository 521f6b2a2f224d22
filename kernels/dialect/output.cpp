/* SPDX-License-Identifier: Apache-2.0 */
/* Lexing of our own texts into the token stream. No locks. */
#include "dialect/output.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include "dialect/operations.h"

using namespace clang;

namespace sluice
{

std::vector<Token> TokenOutput::lexed(llvm::StringRef text, SourceLocation place)
{
    std::vector<Token> tokens;
    /* Not `place`, which may be in a macro: a lexer without preprocessor cannot start there. */
    Lexer lexer(ownPlace(), flow.compiler.getLangOpts(), text.begin(), text.begin(), text.end());
    for (Token token; !lexer.LexFromRawLexer(token) || token.isNot(tok::eof);) {
        if (token.is(tok::eof))
            break;
        if (token.is(tok::raw_identifier))
            flow.compiler.getPreprocessor().LookUpIdentifierInfo(token);
        token.setLocation(place);
        tokens.push_back(token);
    }
    return tokens;
}

void TokenOutput::add(Range range)
{
    list.insert(list.end(), flow.tokens.begin() + static_cast<ptrdiff_t>(range.from),
                flow.tokens.begin() + static_cast<ptrdiff_t>(range.to));
}

void TokenOutput::addText(llvm::StringRef text, SourceLocation place)
{
    for (const Token &token : lexed(text, place))
        list.push_back(token);
}

SourceLocation TokenOutput::ownPlace()
{
    SourceManager &sources = flow.compiler.getSourceManager();
    if (own.isInvalid())
        own = sources.getLocForStartOfFile(sources.createFileID(
            llvm::MemoryBuffer::getMemBuffer(operationDeclarations, "<channels and pipes>"),
            SrcMgr::C_System));
    return own;
}

std::vector<Token> TokenOutput::finish()
{
    std::vector<Token> tokens = lexed(operationDeclarations, ownPlace());
    if (flow.usesPipeKeyword)
        for (const char *text : {pipeDeclarations, flow.legacyPipes ? legacyPipeDeclarations : ""})
            for (const Token &token : lexed(text, ownPlace()))
                tokens.push_back(token);
    tokens.insert(tokens.end(), list.begin(), list.end());
    return tokens;
}

} // namespace sluice
