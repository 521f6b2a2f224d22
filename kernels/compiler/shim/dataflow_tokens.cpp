/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The token stream of a source with channels or pipes, rewritten to what clang can parse. One walk
 * from front to back that knows braces, parentheses and the names of channels; types are left to
 * clang. No locks.
 */
#include <clang/Basic/IdentifierTable.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

#include "dataflow.h"
#include "dataflow_operations.h"

using namespace clang;

namespace sluice
{

namespace
{

struct Range { /* of tokens, [from, to) */
    size_t from, to;
};

enum class Named : uint8_t { Channel, Pipe, Other };

struct Name { /* of a channel or pipe in scope, or what hides one */
    Named what;
    unsigned rank; /* dimensions of the array */
};

class Rewriter
{
  public:
    explicit Rewriter(DataflowState &state)
        : flow(state), preprocessor(state.compiler.getPreprocessor()), in(state.tokens)
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
            return in;
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

    static const IdentifierInfo *word(const Token &token)
    {
        return token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    }

    bool is(size_t at, tok::TokenKind kind) const
    {
        return at < in.size() && in[at].is(kind);
    }

    static int step(const Token &token)
    {
        if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
            return 1;
        return token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) ? -1 : 0;
    }

    /* Where the bracket that opens at `open` is closed; the last token if it never is. */
    size_t closing(size_t open) const
    {
        int depth = 0;
        for (size_t i = open; i < in.size(); i++)
            if ((depth += step(in[i])) <= 0)
                return i;
        return in.size() - 1;
    }

    size_t afterAttribute(size_t at) const
    {
        return is(at + 1, tok::l_paren) ? closing(at + 1) + 1 : at + 1;
    }

    /* The raw tokens of `text`, all at one place. NUL-terminated text that lives for ever. */
    std::vector<Token> lexed(llvm::StringRef text, SourceLocation place)
    {
        std::vector<Token> tokens;
        Lexer lexer(place, flow.compiler.getLangOpts(), text.begin(), text.begin(), text.end());
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

    void addText(llvm::StringRef text, SourceLocation place)
    {
        for (const Token &token : lexed(text, place))
            out.push_back(token);
    }

    std::vector<Token> prelude()
    {
        SourceManager &sources = flow.compiler.getSourceManager();
        const SourceLocation place = sources.getLocForStartOfFile(sources.createFileID(
            llvm::MemoryBuffer::getMemBuffer(operationDeclarations, "<channels and pipes>"),
            SrcMgr::C_System));
        std::vector<Token> tokens = lexed(operationDeclarations, place);
        if (!flow.usesPipeKeyword)
            return tokens;
        for (const char *text : {pipeDeclarations, flow.legacyPipes ? legacyPipeDeclarations : ""})
            for (const Token &token : lexed(text, place))
                tokens.push_back(token);
        return tokens;
    }

    /* ---- before the walk ---- */

    void renameAttributes()
    {
        for (size_t i = 0; i < in.size(); i++) {
            if (in[i].isNot(tok::kw___attribute))
                continue;
            size_t end = afterAttribute(i);
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
        for (const Token &token : in)
            if (const IdentifierInfo *name = word(token))
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
        if (const IdentifierInfo *name = word(token)) {
            if (size_t next = copyWord(at, name))
                return next;
        } else {
            track(at);
        }
        out.push_back(token);
        return at + 1;
    }

    /* 0: the word has no special meaning here. */
    size_t copyWord(size_t at, const IdentifierInfo *name)
    {
        if (name == channelWord && startsChannel(at))
            return copyDeclaration(at, Named::Channel);
        if (name == channelWord && inTypedef(at))
            channelIsUsers = true;
        if (in[at].is(tok::kw_pipe) && flow.offer.pipes)
            return copyPipeWord(at);
        const bool call = is(at + 1, tok::l_paren);
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
        noteParameter(at, name);
        checkUse(at, name);
        return 0;
    }

    size_t copyPipeWord(size_t at)
    {
        if (flow.legacyPipes && (pipeIsUsers || !startsDeclaration(at))) {
            pipeIsUsers |= inTypedef(at);
            out.push_back(in[at]);
            out.back().setKind(tok::identifier); /* before OpenCL C 2.0 it is a name as any other */
            return at + 1;
        }
        flow.usesPipes = flow.usesPipeKeyword = true;
        if (braces.empty() && !isParameter())
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

    /* ---- scopes ---- */

    enum class Brace : uint8_t { Record, Code };

    void track(size_t at)
    {
        const Token &token = in[at];
        if (token.is(tok::l_brace)) {
            braces.push_back(opensRecord(at) ? Brace::Record : Brace::Code);
        } else if (token.is(tok::r_brace) && !braces.empty()) {
            leaveBrace();
        } else if (token.is(tok::l_paren)) {
            parens++;
        } else if (token.is(tok::r_paren) && parens) {
            parens--;
        } else if (token.is(tok::semi) && braces.empty()) {
            parameters.clear();
        }
    }

    void leaveBrace()
    {
        braces.pop_back();
        if (braces.empty())
            parameters.clear();
        for (auto i = locals.begin(); i != locals.end(); i++)
            if (i->second.second > braces.size())
                locals.erase(i);
    }

    /* After struct or union, attributes and a name. */
    bool opensRecord(size_t at) const
    {
        while (at > 0) {
            at--;
            if (in[at].isOneOf(tok::kw_struct, tok::kw_union, tok::kw_enum))
                return true;
            if (in[at].isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::equal) ||
                in[at].isAnnotation())
                return false;
            if (in[at].is(tok::r_paren) && !(at > 1 && in[at - 1].is(tok::r_paren)))
                return false; /* of a function's parameters */
        }
        return false;
    }

    /* Parameters hide channels of the same name. */
    void noteParameter(size_t at, const IdentifierInfo *name)
    {
        if (braces.empty() && parens && at + 1 < in.size() && names.count(name) &&
            in[at + 1].isOneOf(tok::comma, tok::r_paren, tok::l_square, tok::kw___attribute))
            parameters[name] = {Named::Other, 0};
    }

    static bool endsType(const Token &token)
    {
        return token.is(tok::star) ||
               (word(token) && !token.isOneOf(tok::kw_return, tok::kw_else, tok::kw_do,
                                              tok::kw_case, tok::kw_sizeof, tok::kw_goto));
    }

    /* What clang would say of the array that stands for it would not help. */
    void checkUse(size_t at, const IdentifierInfo *name)
    {
        const Name *object = braces.empty() || inOperation || at == 0 ? nullptr : lookUp(name);
        if (!object || object->what == Named::Other)
            return;
        const Token &before = in[at - 1];
        if (before.isOneOf(tok::period, tok::arrow))
            return;
        if (endsType(before)) { /* a local variable hides it */
            locals[name] = {{Named::Other, 0}, braces.size()};
            return;
        }
        const SourceLocation place = in[at].getLocation();
        const std::string quoted = "'" + name->getName().str() + "'";
        if (object->what == Named::Pipe)
            flow.error(place, "pipe " + quoted +
                                  " of the program can only be the first argument of a pipe "
                                  "function");
        else if (!before.isOneOf(tok::l_paren, tok::comma))
            flow.error(place, "channel " + quoted +
                                  " can only be the argument of a function: its value is read by "
                                  "read_channel_intel()");
    }

    const Name *lookUp(const IdentifierInfo *name) const
    {
        auto local = locals.find(name);
        if (local != locals.end())
            return &local->second.first;
        auto found = parameters.find(name);
        if (found != parameters.end())
            return &found->second;
        found = names.find(name);
        return found == names.end() ? nullptr : &found->second;
    }

    /* ---- declarations ---- */

    static bool startsType(const Token &token)
    {
        const IdentifierInfo *name = word(token);
        return name && token.isNot(tok::kw___attribute) && token.isNot(tok::kw_asm);
    }

    bool inTypedef(size_t at) const
    {
        int depth = 0;
        while (at-- > 0) {
            depth -= step(in[at]);
            if (depth < 0 || (depth == 0 && in[at].is(tok::semi)))
                return false;
            if (depth == 0 && in[at].is(tok::kw_typedef))
                return true;
        }
        return false;
    }

    /* "channel" and "pipe" are keywords where a type follows and no other type stands in front. */
    bool startsDeclaration(size_t at) const
    {
        size_t next = at + 1;
        if (is(next, tok::kw___attribute))
            next = afterAttribute(next);
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

    bool isParameter() const
    {
        return parens > 0;
    }

    /* Says what is wrong with a declaration at this place; false: nothing can be made of it. */
    bool checkPlace(size_t at, const std::string &what)
    {
        const SourceLocation place = in[at].getLocation();
        if (!braces.empty() && braces.back() == Brace::Record) {
            flow.error(place, what + " cannot be a member of a structure");
            return false;
        }
        if (inTypedef(at)) {
            flow.error(place, what + " cannot be in a typedef");
            return false;
        }
        if (!braces.empty())
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
        if (!isParameter() && !declaredExtern(at))
            addText("extern", place);
        addText(channel ? "__constant __attribute__((__sl_channel))"
                        : "__constant __attribute__((__sl_pipe))",
                place);
        size_t next = at + 1;
        for (;;) {
            next = copyDeclarator(next, what);
            if (isParameter() || !is(next, tok::comma))
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
                at = afterAttribute(at) - 1;
                continue;
            }
            if (token.is(tok::identifier)) {
                found.name = token.getIdentifierInfo();
                found.rank = 0;
            }
            found.rank += token.is(tok::l_square);
            if (token.isOneOf(tok::l_square, tok::l_brace, tok::l_paren))
                at = closing(at);
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
        if (is(found.end, tok::equal))
            flow.error(in[found.end].getLocation(), "a " + noun + " cannot be initialized");
        if (found.name)
            (isParameter() ? parameters : names)[found.name] = {what, found.rank};
        copyDeclared({at, found.last + 1}, noun);
        addText("[1]", in[found.last].getLocation());
        out.insert(out.end(), in.begin() + found.last + 1, in.begin() + found.end);
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
                                (token.is(tok::l_paren) && i > 0 && word(in[i - 1]) &&
                                 in[i - 1].isNot(tok::identifier));
            const size_t end = nested ? closing(i) + 1 : i + 1;
            flow.usesHalf |= token.is(tok::kw_half);
            if (token.is(tok::star))
                flow.error(token.getLocation(), "a " + noun +
                                                    " cannot carry pointers: the address space "
                                                    "would be lost");
            else if (token.is(tok::l_paren) && !nested)
                flow.error(token.getLocation(), "a " + noun + " is no function");
            if (!token.is(tok::star) && !isSpace(token))
                out.insert(out.end(), in.begin() + i, in.begin() + end);
            i = end - 1;
        }
    }

    /* ---- operations ---- */

    std::vector<Range> argumentsOf(size_t open, size_t close) const
    {
        std::vector<Range> list;
        size_t from = open + 1;
        int depth = 0;
        for (size_t i = from; i < close; i++) {
            depth += step(in[i]);
            if (depth == 0 && in[i].is(tok::comma)) {
                list.push_back({from, i});
                from = i + 1;
            }
        }
        if (from < close || !list.empty())
            list.push_back({from, close});
        return list;
    }

    /* The channel or pipe that an argument names: its name follows any parentheses. */
    const Name *objectOf(Range argument, const IdentifierInfo *&name, bool &indexed) const
    {
        size_t at = argument.from;
        while (at < argument.to && in[at].is(tok::l_paren))
            at++;
        name = at < argument.to ? word(in[at]) : nullptr;
        const Name *object = name ? lookUp(name) : nullptr;
        unsigned indices = 0;
        for (at++; at < argument.to && in[at].is(tok::l_square); at = closing(at) + 1)
            indices++;
        indexed = !object || indices == object->rank || at < argument.to;
        return object && object->what != Named::Other ? object : nullptr;
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
        const size_t close = closing(at + 1);
        const std::vector<Range> arguments = argumentsOf(at + 1, close);
        const IdentifierInfo *name = nullptr;
        bool indexed = true;
        const Name *object = arguments.empty() ? nullptr : objectOf(arguments[0], name, indexed);
        if (first.channel ? !channelsEnabled && !object : !object || object->what != Named::Pipe)
            return 0;
        const Operation &operation = withArguments(first, arguments.size());
        if (!checkCall(token, operation, arguments.size(), object, name, indexed)) {
            addText("((void)0)", token.getLocation());
            return close + 1;
        }
        flow.usesPipes = true;
        expand(operation.text, token.getLocation(), arguments);
        return close + 1;
    }

    bool checkCall(const Token &token, const Operation &operation, size_t count, const Name *object,
                   const IdentifierInfo *name, bool indexed)
    {
        const std::string call = std::string("'") + operation.name + "'";
        if (count != operation.arguments) {
            flow.error(token.getLocation(), call + " takes " + std::to_string(operation.arguments) +
                                                " arguments, not " + std::to_string(count));
            return false;
        }
        const char *noun = operation.channel ? "channel" : "pipe";
        if (!object || object->what != (operation.channel ? Named::Channel : Named::Pipe)) {
            flow.error(token.getLocation(), "the first argument of " + call + " must be a " + noun);
            return false;
        }
        if (!indexed) {
            flow.error(token.getLocation(), "'" + name->getName().str() + "' has " +
                                                std::to_string(object->rank) + " array dimension" +
                                                (object->rank == 1 ? "" : "s") + ": " + call +
                                                " needs one " + noun);
            return false;
        }
        return true;
    }

    /* Identifiers A0, A1... of the text stand for the arguments. */
    void expand(const char *text, SourceLocation place, const std::vector<Range> &arguments)
    {
        for (const Token &token : lexed(text, place)) {
            const IdentifierInfo *name = word(token);
            const llvm::StringRef spelling = name ? name->getName() : "";
            if (spelling.size() == 6 && spelling.starts_with("__sl_") && spelling[5] >= '0' &&
                spelling[5] <= '9')
                copyArgument(static_cast<size_t>(spelling[5] - '0'), arguments);
            else
                out.push_back(token);
        }
    }

    void copyArgument(size_t index, const std::vector<Range> &arguments)
    {
        const bool outer = inOperation;
        inOperation = index == 0;
        copy(arguments[index]);
        inOperation = outer;
    }

    DataflowState &flow;
    Preprocessor &preprocessor;
    std::vector<Token> &in;
    std::vector<Token> out;
    const IdentifierInfo *channelWord, *apInt, *computeId, *fpgaReg;
    llvm::DenseMap<const IdentifierInfo *, const IdentifierInfo *> attributeWords;
    llvm::DenseMap<const IdentifierInfo *, const Operation *> operationWords;
    llvm::DenseMap<const IdentifierInfo *, Name> names, parameters;
    llvm::DenseMap<const IdentifierInfo *, std::pair<Name, size_t>> locals; /* with their braces */
    std::vector<Brace> braces;
    unsigned parens = 0;
    size_t event = 0;
    bool channelsEnabled = false;
    bool inOperation = false;                         /* in the first argument of one */
    bool channelIsUsers = false, pipeIsUsers = false; /* the source has a type of that name */
};

} // namespace

std::vector<Token> rewriteTokens(DataflowState &flow)
{
    return Rewriter(flow).run();
}

} // namespace sluice
