/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk over the tokens of a source with channels or pipes, from front to back, which knows
 * braces, parentheses and the names of channels; types are left to clang. tokens.cpp has
 * the walk itself, channel_declarations.cpp what becomes of declarations, expand.cpp of
 * operations, loops.cpp of what is said of loops and latency.cpp of latency controls. No locks.
 */
#ifndef SL_KERNELS_DIALECT_REWRITER_H
#define SL_KERNELS_DIALECT_REWRITER_H

#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseSet.h>
#include <optional>
#include <string>

#include "dialect/dataflow.h"
#include "dialect/operations.h"
#include "dialect/output.h"
#include "dialect/scope.h"

namespace sluice
{

class Rewriter
{
  public:
    explicit Rewriter(DataflowState &state);
    std::vector<clang::Token> run();

  private:
    using Identifier = clang::IdentifierInfo;

    /* ---- the walk: tokens.cpp ---- */

    const Identifier *identifier(llvm::StringRef name)
    {
        return preprocessor.getIdentifierInfo(name);
    }
    void renameAttributes();
    void noteDataflow(size_t at, size_t end);
    void renameAttribute(clang::Token &token);
    bool needed() const;
    void copy(Range range);
    size_t copyOne(size_t at);
    size_t copyWord(size_t at, const Identifier *name);
    size_t copyPipeWord(size_t at);
    size_t copyIntegerType(size_t at);
    void passEvents(size_t at);
    bool isEvent(size_t at) const;
    void checkUse(size_t at, const Identifier *name);
    bool isArgument(size_t at) const;

    /* ---- what is said of loops: loops.cpp ---- */

    void findJumps();
    size_t skipInLoopHead(size_t at);
    size_t afterLoopHead(size_t at) const;
    bool isLoop(size_t at) const;
    bool isLoopLabel(size_t at) const;
    bool behindAttribute(size_t at) const;
    void pullPragmas(size_t at);

    /* ---- declarations: channel_declarations.cpp ---- */

    struct Declarator {
        size_t last = 0;                  /* token outside attributes */
        size_t named = 0;                 /* the last plain identifier... */
        const Identifier *name = nullptr; /* ... if there is one */
        unsigned rank = 0;
        size_t end = 0;
    };
    bool startsDeclaration(size_t at) const;
    bool startsChannel(size_t at);
    bool checkPlace(size_t at, const std::string &what);
    bool checkLanguage(clang::SourceLocation place, const std::string &what);
    bool declaredExtern(size_t at) const;
    size_t copyDeclaration(size_t at, Named what);
    Declarator readDeclarator(size_t at) const;
    size_t copyDeclarator(size_t at, Named what);
    void copyDeclared(Range range, const std::string &noun);

    /* ---- operations: expand.cpp ---- */

    struct Object {                    /* that the first argument of an operation names */
        Name name = {Named::Other, 0}; /* neither channel nor pipe: there is none */
        size_t at = 0;                 /* its name's token */
        bool indexed = true;           /* with all dimensions of its array */
    };
    Object objectOf(Range argument) const;
    size_t skipUnclosed(size_t at, const Operation &operation);
    size_t copyOperation(size_t at, const Operation &first);
    size_t copyArgumentPipe(size_t at, size_t close, const Operation &first, size_t count);
    void copyClangs(size_t at, size_t close, llvm::StringRef name, bool waits);
    std::string missing(Range argument, Named wanted) const;
    bool checkCall(const clang::Token &token, const Operation &operation,
                   const std::vector<Range> &arguments, const Object &object);
    void refuse(clang::SourceLocation place, const std::string &why);
    void expand(const char *text, clang::SourceLocation place, const Object &object,
                const std::vector<Range> &arguments, std::optional<size_t> latency);
    void addAlignment(clang::SourceLocation place, std::optional<size_t> latency);
    void addValue(clang::SourceLocation place);
    void addElement(clang::SourceLocation place, const Object &object);
    void copyArgument(size_t index, const std::vector<Range> &arguments);

    /* ---- latency controls: latency.cpp ---- */

    bool readLatency(Range item, LatencyWish &wish);
    std::optional<size_t> findLatency(size_t at, const Operation &operation, size_t &end);
    void addLatency(const char *function, size_t number);

    DataflowState &flow;
    clang::Preprocessor &preprocessor;
    TokenList in;
    Scopes scopes;
    TokenOutput out;
    const Identifier *channelWord, *apInt[2], *computeId, *fpgaReg, *hostAccessible[2];
    const Identifier *dataflow[2];
    const Identifier *dependence;
    llvm::DenseSet<const Identifier *> jumps; /* labels that something jumps to */
    llvm::DenseMap<const Identifier *, const Identifier *> attributeWords;
    llvm::DenseMap<const Identifier *, const Operation *> operationWords;
    size_t event = 0; /* the first that the walk has not passed */
    bool channelsEnabled = false, hostPipesEnabled = false, integersEnabled = false;
    size_t valueStart = SIZE_MAX;                     /* of an argument that is a value */
    bool inOperation = false;                         /* in the first argument of one */
    bool channelIsUsers = false, pipeIsUsers = false; /* the source has a type of that name */
    bool waitingIsUsers = false; /* it has read_pipe_block or write_pipe_block of its own */
};

} // namespace sluice

#endif
