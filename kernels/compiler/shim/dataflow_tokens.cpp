/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The token stream of a source with channels or pipes, rewritten to what clang can parse. One walk
 * from front to back that knows braces, parentheses and the names of channels; types are left to
 * clang. No locks.
 */
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include "dataflow.h"
#include "dataflow_operations.h"
#include "dataflow_scope.h"

using namespace clang;

namespace sluice
{

namespace
{

class Rewriter
{
  public:
    explicit Rewriter(DataflowState &state)
        : flow(state), preprocessor(state.compiler.getPreprocessor()), in(state.tokens), scopes(in)
    {
        channelWord = identifier("channel");
        attributeWords[identifier("blocking")] = identifier("__sl_blocking");
        attributeWords[identifier("__blocking__")] = identifier("__sl_blocking");
        apInt = identifier("__ap_int");
        computeId = identifier("get_compute_id");
        fpgaReg = identifier("__fpga_reg");
        for (size_t i = 0; i < operationCount; i++)
            operationWords.try_emplace(identifier(operations[i].name), &operations[i]);
    }

    std::vector<Token> run()
    {
        renameAttributes();
        if (!needed())
            return std::move(flow.tokens);
        copy({0, in.size()});
        std::vector<Token> all = prelude();
        all.insert(all.end(), out.begin(), out.end());
        return all;
    }

  private:
    /* ---- tokens ---- */

    const IdentifierInfo *identifier(llvm::StringRef name)
    {
        return preprocessor.getIdentifierInfo(name);
    }

    /* The raw tokens of `text`, all at one place. NUL-terminated text that lives for ever. */
    std::vector<Token> lexed(llvm::StringRef text, SourceLocation place)
    {
        std::vector<Token> tokens;
        /* Not `place`, which may be in a macro: a lexer without preprocessor cannot start there. */
        Lexer lexer(ownPlace(), flow.compiler.getLangOpts(), text.begin(), text.begin(),
                    text.end());
        for (Token token; !lexer.LexFromRawLexer(token) || token.isNot(tok::eof);) {
            if (token.is(tok::eof))
                break;
            if (token.is(tok::raw_identifier))
                preprocessor.LookUpIdentifierInfo(token);
            token.setLocation(place);
            tokens.push_back(token);
        }
        return tokens;
    }

    void add(Range range)
    {
        out.insert(out.end(), flow.tokens.begin() + range.from, flow.tokens.begin() + range.to);
    }

    void addText(llvm::StringRef text, SourceLocation place)
    {
        for (const Token &token : lexed(text, place))
            out.push_back(token);
    }

    /* Of the declarations in front, which no user wrote. */
    SourceLocation ownPlace()
    {
        SourceManager &sources = flow.compiler.getSourceManager();
        if (own.isInvalid())
            own = sources.getLocForStartOfFile(sources.createFileID(
                llvm::MemoryBuffer::getMemBuffer(operationDeclarations, "<channels and pipes>"),
                SrcMgr::C_System));
        return own;
    }

    std::vector<Token> prelude()
    {
        std::vector<Token> tokens = lexed(operationDeclarations, ownPlace());
        if (!flow.usesPipeKeyword)
            return tokens;
        for (const char *text : {pipeDeclarations, flow.legacyPipes ? legacyPipeDeclarations : ""})
            for (const Token &token : lexed(text, ownPlace()))
                tokens.push_back(token);
        return tokens;
    }

    /* ---- before the walk ---- */

    void renameAttributes()
    {
        for (size_t i = 0; i < in.size(); i++) {
            if (in[i].isNot(tok::kw___attribute))
                continue;
            size_t end = in.afterAttribute(i);
            for (; i < end; i++)
                renameAttribute(in[i]);
            i--;
        }
    }

    void renameAttribute(Token &token)
    {
        if (token.isNot(tok::identifier))
            return;
        auto found = attributeWords.find(token.getIdentifierInfo());
        if (found != attributeWords.end())
            token.setIdentifierInfo(const_cast<IdentifierInfo *>(found->second));
        if (token.getIdentifierInfo() == apInt)
            flow.error(token.getLocation(), "integers of arbitrary precision are not supported");
    }

    /* Most programs for the device mention none of this. */
    bool needed() const
    {
        if (!flow.events.empty())
            return true;
        for (const Token &token : flow.tokens)
            if (const IdentifierInfo *name = wordOf(token))
                if (token.is(tok::kw_pipe) || name == channelWord || name == computeId ||
                    name == fpgaReg || operationWords.count(name))
                    return true;
        return false;
    }

    /* ---- the walk ---- */

    void copy(Range range)
    {
        for (size_t i = range.from; i < range.to;)
            i = copyOne(i);
    }

    /* Returns where to go on. */
    size_t copyOne(size_t at)
    {
        const Token &token = in[at];
        passEvents(at);
        if (token.is(tok::annot_pragma_opencl_extension) && isOurs(token.getLocation()))
            return at + 1;
        const IdentifierInfo *name = wordOf(token);
        if (size_t next = name ? copyWord(at, name) : 0)
            return next;
        scopes.pass(at);
        out.push_back(token);
        return at + 1;
    }

    /* 0: the word has no special meaning here. */
    size_t copyWord(size_t at, const IdentifierInfo *name)
    {
        if (name == channelWord && startsChannel(at))
            return copyDeclaration(at, Named::Channel);
        if (name == channelWord && scopes.inTypedef())
            channelIsUsers = true;
        if (in[at].is(tok::kw_pipe) && flow.offer.pipes)
            return copyPipeWord(at);
        const bool call = in.is(at + 1, tok::l_paren);
        if (auto found = operationWords.find(name); found != operationWords.end() && call)
            return copyOperation(at, *found->second);
        if (name == fpgaReg && call)
            return at + 1; /* (x) is left */
        if (name == computeId && call) {
            out.push_back(in[at]);
            out.back().setIdentifierInfo(
                const_cast<IdentifierInfo *>(identifier("__sl_compute_id")));
            return at + 1;
        }
        checkUse(at, name);
        return 0;
    }

    size_t copyPipeWord(size_t at)
    {
        if (flow.legacyPipes && (pipeIsUsers || !startsDeclaration(at))) {
            pipeIsUsers |= scopes.inTypedef();
            out.push_back(in[at]);
            out.back().setKind(tok::identifier); /* before OpenCL C 2.0 it is a name as any other */
            return at + 1;
        }
        flow.usesPipes = flow.usesPipeKeyword = true;
        if (scopes.inFile() && !scopes.inParentheses())
            return copyDeclaration(at, Named::Pipe);
        return 0; /* a parameter, or an error that clang reports */
    }

    void passEvents(size_t at)
    {
        for (; event < flow.events.size() && flow.events[event].token <= at; event++) {
            const ExtensionEvent &passed = flow.events[event];
            if (passed.name == ExtensionEvent::Channels)
                channelsEnabled = passed.enable;
            else
                flow.hostPipeEnabled |= passed.enable;
        }
    }

    bool isOurs(SourceLocation place) const
    {
        for (const ExtensionEvent &each : flow.events)
            if (each.place == place)
                return true;
        return false;
    }

    /* ---- uses ---- */

    static bool endsType(const Token &token)
    {
        return token.is(tok::star) ||
               (wordOf(token) && !token.isOneOf(tok::kw_return, tok::kw_else, tok::kw_do,
                                                tok::kw_case, tok::kw_sizeof, tok::kw_goto));
    }

    /* Not the first of its declaration: "int a, c = 1;". Arguments of calls look alike. */
    bool declaresNext(size_t at) const
    {
        if (in[at - 1].isNot(tok::comma))
            return false;
        return in.is(at + 1, tok::semi) || in.is(at + 1, tok::equal) ||
               (!scopes.inParentheses() &&
                (in.is(at + 1, tok::comma) || in.is(at + 1, tok::l_square)));
    }

    /* What clang would say of the array that stands for it would not help. */
    void checkUse(size_t at, const IdentifierInfo *name)
    {
        const bool elsewhere = scopes.inFile() || inOperation || at == 0;
        const Name *object = elsewhere ? nullptr : scopes.lookUp(name);
        if (!object || object->what == Named::Other)
            return;
        const Token &before = in[at - 1];
        if (before.isOneOf(tok::period, tok::arrow))
            return;
        if (endsType(before) || declaresNext(at)) { /* a local variable hides it */
            scopes.hide(name);
            return;
        }
        const SourceLocation place = in[at].getLocation();
        const std::string quoted = "'" + name->getName().str() + "'";
        if (object->what == Named::Pipe)
            flow.error(place, "pipe " + quoted +
                                  " of the program can only be the first argument of a pipe "
                                  "function");
        else if (at == valueStart || !before.isOneOf(tok::l_paren, tok::comma))
            flow.error(place, "channel " + quoted +
                                  " can only be the argument of a function: its value is read by "
                                  "read_channel_intel()");
    }

    /* ---- declarations ---- */

    static bool startsType(const Token &token)
    {
        const IdentifierInfo *name = wordOf(token);
        return name && token.isNot(tok::kw___attribute) && token.isNot(tok::kw_asm);
    }

    /* "channel" and "pipe" are keywords where a type follows and no other type stands in front. */
    bool startsDeclaration(size_t at) const
    {
        size_t next = at + 1;
        if (in.is(next, tok::kw___attribute))
            next = in.afterAttribute(next);
        if (next >= in.size() || !startsType(in[next]))
            return false;
        return at == 0 || !in[at - 1].isOneOf(tok::period, tok::arrow, tok::kw_struct,
                                              tok::kw_union, tok::kw_enum, tok::kw_goto);
    }

    bool startsChannel(size_t at)
    {
        if (!startsDeclaration(at))
            return false;
        if (channelsEnabled)
            return true;
        if (channelIsUsers || !flow.offer.channels)
            return false;
        flow.error(in[at].getLocation(),
                   "'channel' needs '#pragma OPENCL EXTENSION cl_intel_channels : enable'");
        return channelsEnabled = true; /* said once is enough */
    }

    /* Says what is wrong with a declaration at this place; false: nothing can be made of it. */
    bool checkPlace(size_t at, const std::string &what)
    {
        const SourceLocation place = in[at].getLocation();
        if (scopes.inRecord()) {
            flow.error(place, what + " cannot be a member of a structure");
            return false;
        }
        if (scopes.inTypedef()) {
            flow.error(place, what + " cannot be in a typedef");
            return false;
        }
        if (!scopes.inFile())
            flow.error(place, what + " must be declared at file scope");
        return true;
    }

    bool declaredExtern(size_t at) const
    {
        while (at-- > 0 && !in[at].isAnnotation() &&
               !in[at].isOneOf(tok::semi, tok::r_brace, tok::l_brace))
            if (in[at].is(tok::kw_extern))
                return true;
        return false;
    }

    size_t copyDeclaration(size_t at, Named what)
    {
        const SourceLocation place = in[at].getLocation();
        const bool channel = what == Named::Channel;
        flow.usesPipes = true;
        if (!checkPlace(at, channel ? "a channel" : "a pipe"))
            return at + 1;
        if (!out.empty() && out.back().is(tok::kw_static)) {
            flow.error(out.back().getLocation(),
                       std::string(channel ? "a channel" : "a pipe") +
                           " belongs to the program: it cannot be static");
            out.pop_back();
        }
        if (!scopes.inParentheses() && !declaredExtern(at))
            addText("extern", place);
        addText(channel ? "__constant __attribute__((__sl_channel))"
                        : "__constant __attribute__((__sl_pipe))",
                place);
        size_t next = at + 1;
        for (;;) {
            next = copyDeclarator(next, what);
            if (scopes.inParentheses() || !in.is(next, tok::comma))
                return next;
            out.push_back(in[next++]);
        }
    }

    struct Declarator {
        size_t last = 0;                      /* token outside attributes */
        const IdentifierInfo *name = nullptr; /* the last plain identifier */
        unsigned rank = 0;
        size_t end = 0;
    };

    Declarator readDeclarator(size_t at)
    {
        Declarator found;
        for (found.last = at; at < in.size(); at++) {
            const Token &token = in[at];
            if (token.isOneOf(tok::comma, tok::semi, tok::equal, tok::r_paren, tok::eof) ||
                token.isAnnotation())
                break;
            if (token.is(tok::kw___attribute)) {
                at = in.afterAttribute(at) - 1;
                continue;
            }
            if (token.is(tok::identifier)) {
                found.name = token.getIdentifierInfo();
                found.rank = 0;
            }
            found.rank += token.is(tok::l_square);
            if (token.isOneOf(tok::l_square, tok::l_brace, tok::l_paren))
                at = in.closing(at);
            found.last = at;
        }
        found.end = at;
        return found;
    }

    /* Adds the dimension that makes it decay to a pointer. Returns the token that ends it. */
    size_t copyDeclarator(size_t at, Named what)
    {
        const Declarator found = readDeclarator(at);
        const std::string noun = what == Named::Channel ? "channel" : "pipe";
        if (in.is(found.end, tok::equal))
            flow.error(in[found.end].getLocation(), "a " + noun + " cannot be initialized");
        if (found.name)
            scopes.declare(found.name, {what, found.rank});
        copyDeclared({at, found.last + 1}, noun);
        addText("[1]", in[found.last].getLocation());
        add({found.last + 1, found.end});
        return found.end;
    }

    static bool isSpace(const Token &token)
    {
        return token.isOneOf(tok::kw___global, tok::kw___local, tok::kw___private,
                             tok::kw___constant, tok::kw___generic);
    }

    /* Type and name; without what no packet can be, so that clang has nothing to add. */
    void copyDeclared(Range range, const std::string &noun)
    {
        for (size_t i = range.from; i < range.to; i++) {
            const Token &token = in[i];
            const bool nested = token.isOneOf(tok::l_brace, tok::l_square) ||
                                (token.is(tok::l_paren) && i > 0 && wordOf(in[i - 1]) &&
                                 in[i - 1].isNot(tok::identifier));
            const size_t end = nested ? in.closing(i) + 1 : i + 1;
            flow.usesHalf |= token.is(tok::kw_half);
            if (token.is(tok::star))
                flow.error(token.getLocation(), "a " + noun +
                                                    " cannot carry pointers: the address space "
                                                    "would be lost");
            else if (token.is(tok::l_paren) && !nested)
                flow.error(token.getLocation(), "a " + noun + " is no function");
            if (!token.is(tok::star) && !isSpace(token))
                add({i, end});
            i = end - 1;
        }
    }

    /* ---- operations ---- */

    struct Object {                 /* that the first argument of an operation names */
        const Name *name = nullptr; /* NULL: none */
        size_t at = 0;              /* its name's token */
        bool indexed = true;        /* with all dimensions of its array */
    };

    /* The name follows any parentheses. */
    Object objectOf(Range argument) const
    {
        Object object = {nullptr, argument.from, true};
        while (object.at < argument.to && in[object.at].is(tok::l_paren))
            object.at++;
        const IdentifierInfo *word = object.at < argument.to ? wordOf(in[object.at]) : nullptr;
        object.name = word ? scopes.lookUp(word) : nullptr;
        if (!object.name || object.name->what == Named::Other)
            return {};
        unsigned indices = 0;
        size_t next = object.at + 1;
        for (; next < argument.to && in[next].is(tok::l_square); next = in.closing(next) + 1)
            indices++;
        object.indexed = indices == object.name->rank || next < argument.to;
        return object;
    }

    /* Of the rows with the same name, which are neighbours. */
    static const Operation &withArguments(const Operation &first, size_t count)
    {
        const Operation *row = &first;
        while (row->arguments != count && row + 1 < operations + operationCount &&
               llvm::StringRef(row[1].name) == first.name)
            row++;
        return *row;
    }

    /* 0: left to clang. */
    size_t copyOperation(size_t at, const Operation &first)
    {
        const Token &token = in[at];
        const size_t close = in.closing(at + 1);
        if (in[close].isNot(tok::r_paren))
            return 0; /* never closed: the end of the file has to stay where it is */
        const std::vector<Range> arguments = in.argumentsOf(at + 1, close);
        const Object object = arguments.empty() ? Object() : objectOf(arguments[0]);
        if (first.channel ? !channelsEnabled && !object.name
                          : !object.name || object.name->what != Named::Pipe)
            return 0;
        const Operation &operation = withArguments(first, arguments.size());
        if (!checkCall(token, operation, arguments.size(), object)) {
            addText("((void)0)", token.getLocation());
            return close + 1;
        }
        flow.usesPipes = true;
        expand(operation.text, token.getLocation(), object, arguments);
        return close + 1;
    }

    bool checkCall(const Token &token, const Operation &operation, size_t count,
                   const Object &object)
    {
        const std::string call = std::string("'") + operation.name + "'";
        const char *noun = operation.channel ? "channel" : "pipe";
        const Named wanted = operation.channel ? Named::Channel : Named::Pipe;
        std::string why;
        if (count != operation.arguments)
            why = call + " takes " + std::to_string(operation.arguments) + " arguments, not " +
                  std::to_string(count);
        else if (!object.name || object.name->what != wanted)
            why = "the first argument of " + call + " must be a " + noun;
        else if (!object.indexed)
            why = "'" + wordOf(in[object.at])->getName().str() + "' has " +
                  std::to_string(object.name->rank) + " array dimension" +
                  (object.name->rank == 1 ? "" : "s") + ": " + call + " needs one " + noun;
        if (!why.empty())
            flow.error(token.getLocation(), why);
        return why.empty();
    }

    /* Words of the text with meaning: __sl_0 and so on, __sl_e. */
    void expand(const char *text, SourceLocation place, const Object &object,
                const std::vector<Range> &arguments)
    {
        for (const Token &token : lexed(text, place)) {
            llvm::StringRef spelling = wordOf(token) ? wordOf(token)->getName() : "";
            const bool special = spelling.size() == 6 && spelling.consume_front("__sl_");
            if (special && spelling[0] >= '0' && spelling[0] <= '9')
                copyArgument(static_cast<size_t>(spelling[0] - '0'), arguments);
            else if (special && spelling[0] == 'e')
                addElement(place, object);
            else if (special && spelling[0] == 'v')
                addValue(place);
            else
                out.push_back(token);
        }
    }

    /* As if from a macro: a read whose value nobody uses is no mistake then. */
    void addValue(SourceLocation place)
    {
        addText("__sl_packet",
                flow.compiler.getSourceManager().createExpansionLoc(ownPlace(), place, place, 1));
    }

    /* Some element of the same array: good enough for its type, and evaluates nothing. */
    void addElement(SourceLocation place, const Object &object)
    {
        out.push_back(in[object.at]);
        for (unsigned i = 0; i < object.name->rank; i++)
            addText("[0]", place);
    }

    void copyArgument(size_t index, const std::vector<Range> &arguments)
    {
        const bool outerOperation = inOperation;
        const size_t outerStart = valueStart;
        inOperation = index == 0;
        valueStart = index == 0 ? SIZE_MAX : arguments[index].from;
        copy(arguments[index]);
        inOperation = outerOperation;
        valueStart = outerStart;
    }

    DataflowState &flow;
    Preprocessor &preprocessor;
    TokenList in;
    Scopes scopes;
    std::vector<Token> out;
    const IdentifierInfo *channelWord, *apInt, *computeId, *fpgaReg;
    llvm::DenseMap<const IdentifierInfo *, const IdentifierInfo *> attributeWords;
    llvm::DenseMap<const IdentifierInfo *, const Operation *> operationWords;
    size_t event = 0;
    bool channelsEnabled = false;
    SourceLocation own;
    size_t valueStart = SIZE_MAX;                     /* of an argument that is a value */
    bool inOperation = false;                         /* in the first argument of one */
    bool channelIsUsers = false, pipeIsUsers = false; /* the source has a type of that name */
};

} // namespace

std::vector<Token> rewriteTokens(DataflowState &flow)
{
    return Rewriter(flow).run();
}

} // namespace sluice
