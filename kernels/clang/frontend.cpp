/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang in process. Sources, embedded headers and OpenCL's own header live in a virtual folder laid
 * over the real file system, which is only reached through -I, the working folder and absolute
 * names. No locks and no state: builds may run side by side.
 */
#include "clang/frontend.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclBase.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <cstring>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dialect/dataflow.h"
#include "dialect/operations.h"
#include "clang/arbitrary_integer.h"
#include "clang/base_header.h"
#include "clang/diagnostic_printer.h"
#include "clang/extension_pragma.h"
#include "clang/packet_types.h"
#include "clang/source_check.h"
#include "clang/source_limits.h"
#include "llvm/llvm_extra.h"

using namespace clang;

namespace
{

const char virtualFolder[] = SL_VIRTUAL_FOLDER;
const char headerFolder[] = "/__sluice_opencl__/";

std::string virtualName(const char *name)
{
    return name[0] == '/' ? std::string(name) : std::string(virtualFolder) + name;
}

void cut(std::string &text, const char *what)
{
    const size_t length = strlen(what);
    std::string result;
    size_t from = 0;
    for (size_t at; (at = text.find(what, from)) != std::string::npos; from = at + length)
        result.append(text, from, at - from);
    text = result.append(text, from);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const sl_frontend_input &in)
{
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto copy = [](const sl_frontend_file &file) {
        return llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(file.text, file.bytes),
                                                    file.name);
    };
    memory->addFile(std::string(headerFolder) + "opencl-c-base.h", 0,
                    llvm::MemoryBuffer::getMemBuffer(sl_opencl_base_header()));
    memory->addFile(std::string(headerFolder) + "ihc_apint.h", 0,
                    llvm::MemoryBuffer::getMemBufferCopy(sluice::arbitraryIntegerHeader()));
    for (size_t i = 0; i < in.header_count; i++)
        memory->addFile(virtualName(in.headers[i].name), 0, copy(in.headers[i]));
    memory->addFile(virtualName(in.source.name), 0, copy(in.source));
    auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(sl_plain_files());
    all->pushOverlay(memory);
    if (in.folder)
        all->setCurrentWorkingDirectory(in.folder);
    return all;
}

/* Real files only: what came with the request is part of it already. */
class Dependencies : public DependencyCollector
{
  public:
    bool sawDependency(llvm::StringRef name, bool, bool, bool, bool missing) override
    {
        return !missing && !name.starts_with("<") && !name.starts_with(virtualFolder) &&
               !name.starts_with(headerFolder);
    }
    bool needSystemDependencies() override
    {
        return true;
    }
};

sluice::DataflowOffer offerOf(const sl_frontend_input &in)
{
    llvm::SmallVector<llvm::StringRef, 32> names;
    llvm::StringRef(in.extensions).split(names, ' ', -1, false);
    auto has = [&](const char *name) { return llvm::is_contained(names, name); };
    if (!has("cl_intel_channels")) /* pipes as clang has them, or none */
        return {false, false, has("cl_intel_fpga_host_pipe"), false};
    return {true, has("__opencl_c_pipes"), has("cl_intel_fpga_host_pipe"), in.channels};
}

/* What clang would define if it were told of the feature; but then it wants generic pointers too.
 */
void offerPipes(CompilerInstance &compiler)
{
    const bool known = compiler.getLangOpts().getOpenCLCompatibleVersion() >= 200;
    compiler.getPreprocessorOpts().addMacroDef(
        known ? "__opencl_c_pipes=1"
              : "CLK_NULL_RESERVE_ID=(__builtin_astype(((void*)(__SIZE_MAX__)), reserve_id_t))");
}

/* A consumer whose code generator is made late: its options depend on what the source uses. */
class LateConsumer : public ASTConsumer
{
  public:
    void Initialize(ASTContext &context) override
    {
        ast = &context;
    }
    void start(std::unique_ptr<CodeGenerator> made)
    {
        generator = std::move(made);
        generator->Initialize(*ast);
    }
    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        return generator->HandleTopLevelDecl(group);
    }
    void HandleTranslationUnit(ASTContext &context) override
    {
        generator->HandleTranslationUnit(context);
    }
    void HandleTagDeclDefinition(TagDecl *decl) override
    {
        generator->HandleTagDeclDefinition(decl);
    }
    void HandleTagDeclRequiredDefinition(const TagDecl *decl) override
    {
        generator->HandleTagDeclRequiredDefinition(decl);
    }
    void HandleInlineFunctionDefinition(FunctionDecl *decl) override
    {
        generator->HandleInlineFunctionDefinition(decl);
    }
    void HandleCXXImplicitFunctionInstantiation(FunctionDecl *decl) override
    {
        generator->HandleCXXImplicitFunctionInstantiation(decl);
    }
    void HandleCXXStaticMemberVarInstantiation(VarDecl *decl) override
    {
        generator->HandleCXXStaticMemberVarInstantiation(decl);
    }
    void CompleteTentativeDefinition(VarDecl *decl) override
    {
        generator->CompleteTentativeDefinition(decl);
    }

  private:
    ASTContext *ast = nullptr;
    std::unique_ptr<CodeGenerator> generator;
};

/* Nothing of clang's own back end is set up: EmitLLVMOnlyAction would, to run no passes. */
class Action : public ASTFrontendAction
{
  public:
    Action(const sl_frontend_input &input, std::shared_ptr<Dependencies> files)
        : in(input), dependencies(std::move(files)), offer(offerOf(input))
    {
    }

    std::unique_ptr<llvm::Module> module;

  protected:
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                   llvm::StringRef file) override
    {
        sl_limit_tokens(compiler, [this] { in.abandon(in.data); });
        sl_accept_extension_pragmas(compiler, in.extensions);
        std::vector<std::unique_ptr<ASTConsumer>> all;
        all.push_back(sl_make_source_check(compiler));
        all.push_back(sl_name_packet_types());
        mainFile = file;
        if (offer.any()) {
            auto result = std::make_unique<LateConsumer>();
            late = result.get();
            all.push_back(std::move(result));
        } else {
            all.push_back(makeGenerator());
        }
        return std::make_unique<MultiplexConsumer>(std::move(all));
    }

    void ExecuteAction() override
    {
        sluice::AttributeTable::use(nullptr); /* this thread's last build may have been abandoned */
        sluice::DataflowState flow(getCompilerInstance(), offer);
        if (late) {
            sluice::parseDataflow(flow, [&] { startLate(flow); });
        } else {
            if (!getCompilerInstance().getLangOpts().OpenCLPipes) /* a name like any other */
                getCompilerInstance()
                    .getPreprocessor()
                    .getIdentifierInfo("pipe")
                    ->revertTokenIDToIdentifier();
            ASTFrontendAction::ExecuteAction();
        }
        module = generator->ReleaseModule();
        if (module) {
            refuseAssembly(*module);
            sluice::wrapArbitraryIntegers(*module);
            markLines(*module);
            markGroups(*module);
            if (late)
                sluice::describeDeclarations(flow, *module);
        }
        reportDependencies();
    }

  private:
    std::unique_ptr<CodeGenerator> makeGenerator()
    {
        auto made = CreateLLVMCodeGen(getCompilerInstance(), mainFile, *llvm::unwrap(in.context));
        generator = made.get();
        return made;
    }

    /* Stall reports name the places of pipe operations: these programs have line tables. */
    void startLate(const sluice::DataflowState &flow)
    {
        CodeGenOptions &options = getCompilerInstance().getCodeGenOpts();
        if ((flow.usesPipes || flow.usesProcesses) &&
            options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo) {
            options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
            options.DwarfVersion = 4;
        }
        late->start(makeGenerator());
    }

    void refuseAssembly(llvm::Module &code)
    {
        DiagnosticsEngine &diagnostics = getCompilerInstance().getDiagnostics();
        unsigned refusal = diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                                       "inline assembly is not supported");
        if (!code.getModuleInlineAsm().empty())
            diagnostics.Report(refusal);
        for (llvm::Function &f : code)
            for (llvm::Instruction &i : llvm::instructions(f))
                if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
                    if (call->isInlineAsm())
                        diagnostics.Report(placeOf(i), refusal);
    }

    /* clang leaves the statement's place in !srcloc for the back end's messages. */
    static SourceLocation placeOf(const llvm::Instruction &i)
    {
        const llvm::MDNode *node = i.getMetadata("srcloc");
        if (!node || node->getNumOperands() == 0)
            return SourceLocation();
        auto *cookie = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0));
        return cookie ? SourceLocation::getFromRawEncoding(
                            static_cast<SourceLocation::UIntTy>(cookie->getZExtValue()))
                      : SourceLocation();
    }

    /* clang takes C++ for an early OpenCL C, whose groups are all of one size. */
    void markGroups(llvm::Module &code)
    {
        const LangOptions &language = getCompilerInstance().getLangOpts();
        if (!language.OpenCLCPlusPlus || language.OffloadUniformBlock)
            return;
        for (llvm::Function &f : code)
            if (f.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
                f.addFnAttr("uniform-work-group-size", "false");
    }

    /* For tools that list kernels; with -g debug information says the same. */
    void markLines(llvm::Module &code)
    {
        markLines(code, getCompilerInstance().getASTContext().getTranslationUnitDecl());
    }

    void markLines(llvm::Module &code, const DeclContext *scope)
    {
        const SourceManager &sources = getCompilerInstance().getSourceManager();
        for (Decl *decl : scope->decls()) {
            if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(decl))
                markLines(code, llvm::cast<DeclContext>(decl));
            auto *function = llvm::dyn_cast<FunctionDecl>(decl);
            if (!function || !function->hasAttr<DeviceKernelAttr>() ||
                !function->isThisDeclarationADefinition())
                continue;
            PresumedLoc place = sources.getPresumedLoc(function->getLocation());
            llvm::Function *kernel = code.getFunction(function->getName());
            if (kernel && place.isValid())
                kernel->addFnAttr(SL_LINE_ATTRIBUTE, std::to_string(place.getLine()));
        }
    }

    void reportDependencies()
    {
        CompilerInstance &compiler = getCompilerInstance();
        for (const std::string &name : dependencies->getDependencies()) {
            auto file = compiler.getFileManager().getOptionalFileRef(name);
            if (!file)
                continue;
            auto text = compiler.getSourceManager().getMemoryBufferForFileOrNone(*file);
            llvm::SmallString<256> path(name);
            compiler.getFileManager().makeAbsolutePath(path);
            if (text)
                in.dependency(in.data, path.c_str(), text->getBufferStart(), text->getBufferSize());
        }
    }

    const sl_frontend_input &in;
    std::shared_ptr<Dependencies> dependencies;
    const sluice::DataflowOffer offer;
    std::string mainFile;
    LateConsumer *late = nullptr;       /* the compiler instance's */
    CodeGenerator *generator = nullptr; /* the compiler instance's */
};

std::vector<std::string> allArguments(const sl_frontend_input &in)
{
    std::vector<std::string> args(in.args, in.args + in.arg_count);
    const std::string folder = in.folder ? in.folder : ".";
    for (const std::string &arg :
         {std::string("-iquote"), std::string(virtualFolder), std::string("-iquote"), folder,
          std::string("-internal-isystem"), std::string(headerFolder),
          std::string("-main-file-name"), std::string(in.source.name),
          std::string("-fdebug-prefix-map=") + virtualFolder + "=",
          std::string("-fmacro-prefix-map=") + virtualFolder + "=",
          "-fexperimental-max-bitint-width=" + std::to_string(sluice::widestInteger)})
        args.push_back(arg);
    llvm::StringRef place = llvm::sys::path::parent_path(in.source.name);
    if (!place.empty())
        args.insert(args.end(), {"-iquote", place.str()});
    /* Before the user's own -I: headers given with the request win. */
    args.insert(args.begin(), {"-I", virtualFolder});
    if (in.folder)
        args.insert(args.end(), {"-working-directory", folder});
    args.push_back(virtualName(in.source.name));
    return args;
}

/* Where there are no channels their attributes mean nothing. */
sl::KnownNames namesOf(const sl_frontend_input &in)
{
    sl::KnownNames names;
    const sluice::DataflowOffer offer = offerOf(in);
    if (offer.any())
        names.attributes = sluice::attributeNames();
    for (size_t i = 0; i < sluice::operationCount; i++)
        if (sluice::operations[i].channel ? offer.channels : offer.pipes)
            names.functions.push_back(sluice::operations[i].name);
    llvm::StringRef(in.extensions).split(names.extensions, ' ', -1, false);
    llvm::erase_if(names.extensions, [](llvm::StringRef name) { return name.starts_with("__"); });
    return names;
}

bool configure(CompilerInstance &compiler, const sl_frontend_input &in,
               const sl::Printer::Sink &log)
{
    std::vector<std::string> args = allArguments(in);
    std::vector<const char *> pointers;
    for (const std::string &arg : args)
        pointers.push_back(arg.c_str());
    DiagnosticOptions options;
    DiagnosticsEngine diagnostics(DiagnosticIDs::create(), options, new sl::Printer(options, log));
    if (!CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers, diagnostics))
        return false;
    if (offerOf(in).pipes)
        offerPipes(compiler);
    return !diagnostics.hasErrorOccurred();
}

std::unique_ptr<llvm::Module> compile(const sl_frontend_input &in)
{
    sl::Printer::Sink log = [&in](std::string text) {
        cut(text, virtualFolder);
        cut(text, headerFolder);
        in.log(in.data, text.data(), text.size());
    };
    CompilerInstance compiler;
    if (!configure(compiler, in, log))
        return nullptr;
    compiler.setVerboseOutputStream(llvm::nulls());
    compiler.setVirtualFileSystem(fileSystem(in));
    compiler.createDiagnostics(new sl::Printer(compiler.getDiagnosticOpts(), log, namesOf(in)));
    compiler.createFileManager();
    auto dependencies = std::make_shared<Dependencies>();
    compiler.addDependencyCollector(dependencies);
    Action action(in, dependencies);
    if (compiler.ExecuteAction(action) && !compiler.getDiagnosticClient().getNumErrors())
        return std::move(action.module);
    return nullptr;
}

/*
 * Early compilers of the vendors' had functions of double and half only in sources that asked for
 * those types: `pow(2, n)` was that of float, and is one of three today, which clang refuses.
 * Sources that need neither type mean it still. Messages are handed on until one says so; those
 * behind it only if it stays at that.
 */
class Attempts
{
  public:
    explicit Attempts(const sl_frontend_input &input) : in(input)
    {
    }

    std::unique_ptr<llvm::Module> compileAsEver()
    {
        std::unique_ptr<llvm::Module> module = compile(attempt({}));
        const std::vector<std::string> first = std::exchange(held, {});
        if (!module && !first.empty())
            module = compile(attempt({"-cl-ext=-cl_khr_fp64,-cl_khr_fp16,-__opencl_c_fp64",
                                      "-Ucl_khr_fp64", "-Ucl_khr_fp16", "-U__opencl_c_fp64"}));
        const bool floats = module && !first.empty();
        if (floats)
            tell(asWarning(first.front()));
        for (const std::string &text : floats ? held : first)
            if (!llvm::is_contained(told, text))
                tell(text);
        return module;
    }

  private:
    static bool isAmbiguous(llvm::StringRef text)
    {
        const llvm::StringRef line = text.split('\n').first;
        return line.contains(error) && line.ends_with(ambiguous);
    }

    static std::string asWarning(llvm::StringRef text)
    {
        const auto [place, rest] = text.split('\n').first.split(error);
        return (place + ": warning: call to '" + rest +
                " between types: taken for that of float, as early compilers did where nothing is "
                "double or half; write the type\n")
            .str();
    }

    sl_frontend_input attempt(std::initializer_list<const char *> more)
    {
        args.assign(in.args, in.args + in.arg_count);
        args.insert(args.end(), more);
        holds = more.size() != 0;
        sl_frontend_input next = in;
        next.args = args.data();
        next.arg_count = args.size();
        next.data = this;
        next.log = [](void *data, const char *text, size_t bytes) {
            static_cast<Attempts *>(data)->take(std::string(text, bytes));
        };
        next.abandon = [](void *data) { static_cast<Attempts *>(data)->abandon(); };
        next.dependency = [](void *data, const char *path, const void *text, size_t bytes) {
            const sl_frontend_input &to = static_cast<Attempts *>(data)->in;
            to.dependency(to.data, path, text, bytes);
        };
        return next;
    }

    void take(std::string text)
    {
        holds = holds || isAmbiguous(text);
        if (holds)
            held.push_back(std::move(text));
        else
            tell(std::move(text));
    }

    void tell(std::string text)
    {
        in.log(in.data, text.data(), text.size());
        told.push_back(std::move(text));
    }

    void abandon()
    {
        for (std::string &text : std::exchange(held, {}))
            tell(std::move(text));
        in.abandon(in.data);
    }

    static constexpr llvm::StringLiteral error{": error: call to '"}, ambiguous{"' is ambiguous"};
    const sl_frontend_input &in;
    std::vector<const char *> args;
    std::vector<std::string> told, held;
    bool holds = false;
};

} // namespace

LLVMModuleRef sl_frontend_run(const sl_frontend_input *in)
{
    sl_use_whole_stack();
    return llvm::wrap((in->channels ? Attempts(*in).compileAsEver() : compile(*in)).release());
}
