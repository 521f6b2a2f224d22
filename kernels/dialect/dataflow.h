/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dataflow device's language adds to clang's OpenCL C: channels, program-scope pipes,
 * pipes in every language version, Intel's attributes and pragmas.
 *
 * clang has no hook for new types. So the whole translation unit is lexed first; the token stream,
 * with macros expanded and each token still knowing its place, is rewritten (rewriter.h)
 * and only then parsed. `channel int c[4]` becomes `extern __constant int c[4][1]`: a channel is an
 * address that nothing defines, whose type decays to a pointer to its packets; operations become
 * calls of functions __sl_* that nothing defines either. Rewritten tokens keep the place of what
 * they stand for, so messages and line tables are about the user's text.
 *
 * After parsing, declarations are checked and described to the passes as metadata !sl.pipes and as
 * string attributes of kernels (describe.cpp). No locks: one object per compilation.
 */
#ifndef SL_KERNELS_DIALECT_DATAFLOW_H
#define SL_KERNELS_DIALECT_DATAFLOW_H

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>
#include <functional>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <vector>

#include "dialect/attributes.h"
#include "dialect/token_list.h"

namespace sluice
{

struct DataflowOffer { /* what the device has */
    bool channels, pipes, hostPipes;
    bool unasked; /* channels also without the pragma for them, with a warning */
    bool any() const
    {
        return channels || pipes || hostPipes;
    }
};

/* A "#pragma OPENCL EXTENSION" of ours, at the token that follows it. */
struct ExtensionEvent {
    enum Name { Channels, HostPipe, Integers } name;
    bool enable;
    size_t token;
    clang::SourceLocation place;
};

/* A pragma for the loop whose first token, annotations apart, is at `token`. */
struct LoopWish {
    std::string name;
    uint32_t number; /* 0: none that is known */
    size_t token;
};

/* Latency controls of an operation on a pipe; ranges of tokens are valid while they are rewritten.
 */
struct LatencyWish {
    clang::SourceLocation place;
    std::string pipe;
    bool writes = false, hasAnchor = false, hasConstraint = false;
    bool wrong = false; /* an error was told */
    uint32_t type = 0;  /* llvm/latency.h */
    Range anchor = {}, from = {}, cycles = {};
};

struct DataflowState {
    DataflowState(clang::CompilerInstance &instance, const DataflowOffer &has)
        : compiler(instance), offer(has),
          legacyPipes(instance.getLangOpts().getOpenCLCompatibleVersion() < 200)
    {
    }

    clang::CompilerInstance &compiler;
    const DataflowOffer offer;
    AttributeTable attributes;
    std::vector<clang::Token> tokens; /* of the translation unit, as lexed so far */
    std::vector<ExtensionEvent> events;
    std::vector<LoopWish> loops;
    std::vector<LatencyWish> latencies;
    std::vector<std::unique_ptr<std::string>> texts; /* that tokens point to */
    const bool legacyPipes;       /* the language version has no pipes of its own */
    bool usesPipes = false;       /* channels or pipes, of any kind */
    bool usesProcesses = false;   /* functions or loops whose calls run at once */
    bool usesPipeKeyword = false; /* `pipe` starts a declaration somewhere */
    bool usesHalf = false;        /* as a packet */

    void error(clang::SourceLocation, const std::string &text) const;
    void warn(clang::SourceLocation, const std::string &text) const;
};

/* pragma.cpp: handlers that note extensions and swallow Intel's loop pragmas. */
void addDataflowPragmas(DataflowState &);
/* rewriter.h */
std::vector<clang::Token> rewriteTokens(DataflowState &);
/* calls.cpp: refuses channels as arguments of functions that do not take channels. */
void checkCalls(DataflowState &);
/* declaration_checks.cpp: the rules that the documents set. Before code generation. */
void checkDeclarations(DataflowState &);
/* packets.cpp: what keeps a type from being that of a packet, "" if nothing does. */
std::string packetFault(const DataflowState &, clang::QualType);
/* latency.cpp: what stands behind operations on pipes. After code generation. */
void noteLatencies(const DataflowState &, llvm::Module &);
/* describe.cpp: as in debug information: without the virtual folder of the request's own files. */
std::string fileOf(const clang::PresumedLoc &);
/* The same: what the passes are told. After code generation. */
void describeDeclarations(const DataflowState &, llvm::Module &);

/*
 * dataflow.cpp: lexes, rewrites and parses the main file, in place of clang::ParseAST. `start` is
 * called when it is known what the source uses, before anything is given to the consumer.
 */
void parseDataflow(DataflowState &, const std::function<void()> &start);

} // namespace sluice

#endif
