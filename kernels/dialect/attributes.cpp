/* SPDX-License-Identifier: Apache-2.0 */
/* One table of words, registered with clang by the number of arguments they take. No locks. */
#include "dialect/attributes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <vector>

#include "clang/attribute_number.h"

using namespace clang;

namespace sluice
{

namespace
{

enum class Arguments : uint8_t {
    None,
    Numbers,
    Count, /* a number from 1 on */
    Power, /* of two */
    Text,
    Any
};

struct Row {
    const char *name;
    Word word;
    Arguments arguments;
    uint8_t needed, optional;
};

const Row rows[] = {
    {"__sl_channel", Word::Channel, Arguments::None, 0, 0},
    {"__sl_pipe", Word::Pipe, Arguments::None, 0, 0},
    {"__sl_defined", Word::Defined, Arguments::None, 0, 0},
    {"__sl_blocking", Word::Blocking, Arguments::None, 0, 0},
    {"__sl_dependence", Word::CodeHint, Arguments::None, 0, 0},
    {"depth", Word::Depth, Arguments::Numbers, 1, 0},
    {"xcl_reqd_pipe_depth", Word::Depth, Arguments::Numbers, 1, 0},
    {"io", Word::Io, Arguments::Text, 1, 0},
    {"intel_host_accessible", Word::HostAccessible, Arguments::None, 0, 0},
    {"autorun", Word::Autorun, Arguments::None, 0, 0},
    {"max_global_work_dim", Word::MaxGlobalWorkDim, Arguments::Numbers, 1, 0},
    {"num_compute_units", Word::NumComputeUnits, Arguments::Numbers, 1, 2},
    {"max_work_group_size", Word::MaxWorkGroupSize, Arguments::Numbers, 1, 2},
    {"uses_global_work_offset", Word::UsesGlobalWorkOffset, Arguments::Numbers, 1, 0},
    {"num_simd_work_items", Word::NumSimdWorkItems, Arguments::Numbers, 1, 0},
    {"xcl_max_work_group_size", Word::MaxWorkGroupSize, Arguments::Numbers, 1, 2},
    {"xcl_zero_global_work_offset", Word::NoGlobalWorkOffset, Arguments::None, 0, 0},
    {"scheduler_target_fmax_mhz", Word::KernelHint, Arguments::Numbers, 1, 0},
    {"use_stall_enable_clusters", Word::KernelHint, Arguments::None, 0, 0},
    {"task", Word::Task, Arguments::None, 0, 0}, /* Altera's first versions */
    {"stall_enable", Word::KernelHint, Arguments::None, 0, 0},
    {"xcl_max_memory_ports", Word::KernelHint, Arguments::Any, 0, 1},
    {"xcl_dataflow", Word::Dataflow, Arguments::None, 0, 0},
    {"xcl_latency", Word::CodeHint, Arguments::Any, 0, 3},
    {"xcl_loop_tripcount", Word::CodeHint, Arguments::Any, 0, 3},
    {"xcl_pipeline_loop", Word::CodeHint, Arguments::Any, 0, 1},
    {"xcl_pipeline_workitems", Word::CodeHint, Arguments::Any, 0, 1},
    {"singlepump", Word::SinglePump, Arguments::None, 0, 0},
    {"doublepump", Word::DoublePump, Arguments::None, 0, 0},
    {"register", Word::MemoryHint, Arguments::None, 0, 0},
    {"simple_dual_port", Word::MemoryHint, Arguments::None, 0, 0},
    {"memory", Word::MemoryHint, Arguments::Any, 0, 1},
    {"numbanks", Word::MemoryHint, Arguments::Power, 1, 0},
    {"bankwidth", Word::MemoryHint, Arguments::Power, 1, 0},
    {"numreadports", Word::MemoryHint, Arguments::Count, 1, 0},
    {"numwriteports", Word::MemoryHint, Arguments::Count, 1, 0},
    {"max_replicates", Word::MemoryHint, Arguments::Count, 1, 0},
    {"private_copies", Word::MemoryHint, Arguments::Any, 1, 0},
    {"max_private_copies", Word::MemoryHint, Arguments::Any, 1, 0},
    {"max_concurrency", Word::Concurrency, Arguments::Numbers, 1, 0},
    {"force_pow2_depth", Word::MemoryHint, Arguments::Any, 1, 0},
    {"merge", Word::MemoryHint, Arguments::Any, 2, 0},
    {"numports_readonly_writeonly", Word::MemoryHint, Arguments::Any, 2, 0},
    {"xcl_array_partition", Word::MemoryHint, Arguments::Any, 0, 3},
    {"xcl_array_reshape", Word::MemoryHint, Arguments::Any, 0, 3},
    {"xcl_data_pack", Word::MemoryHint, Arguments::Any, 0, 1},
    {"buffer_location", Word::MemoryHint, Arguments::Any, 1, 0},
    {"bank_bits", Word::MemoryHint, Arguments::Any, 1, 14},
};

const Row *findRow(llvm::StringRef name)
{
    for (const Row &row : rows)
        if (name == row.name)
            return &row;
    return nullptr;
}

/* ---- one attribute --------------------------------------------------------------------------- */

void warn(Sema &sema, SourceLocation place, const std::string &text)
{
    DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(DiagnosticsEngine::Warning, "%0"))
        << text;
}

bool readNumbers(Sema &sema, const ParsedAttr &parsed, Attribute &attribute)
{
    for (unsigned i = 0; i < parsed.getNumArgs(); i++) {
        const std::optional<int64_t> value = attributeNumber(sema, parsed, i, attribute.name);
        if (!value)
            return false;
        attribute.numbers.push_back(*value);
    }
    return true;
}

/* What is no such number says nothing of a circuit: nobody is to believe that it did. */
bool readHint(Sema &sema, const ParsedAttr &parsed, const Row &row, Attribute &attribute)
{
    if (!readNumbers(sema, parsed, attribute))
        return false;
    const int64_t number = attribute.numbers[0];
    const bool power = row.arguments == Arguments::Power;
    if (number >= 1 && (!power || !(number & (number - 1))))
        return true;
    warn(sema, parsed.getLoc(),
         "'" + attribute.name + "' takes " + (power ? "a power of two" : "a number from 1 on") +
             ", not " + std::to_string(number) + ": ignored");
    return false;
}

bool readArguments(Sema &sema, const ParsedAttr &parsed, const Row &row, Attribute &attribute)
{
    switch (row.arguments) {
    case Arguments::Count:
    case Arguments::Power:
        return readHint(sema, parsed, row, attribute);
    case Arguments::Numbers:
        return readNumbers(sema, parsed, attribute);
    case Arguments::Text: {
        StringRef text;
        if (!sema.checkStringLiteralArgumentAttr(parsed, 0, text))
            return false;
        attribute.text = text.str();
        return true;
    }
    case Arguments::None:
    case Arguments::Any:
        break;
    }
    return true;
}

bool isOfKernels(Word word)
{
    return word >= Word::Autorun && word <= Word::KernelHint;
}

/* ---- registration ---------------------------------------------------------------------------- */

template <unsigned needed, unsigned optional> class Shape : public ParsedAttrInfo
{
  public:
    Shape()
    {
        NumArgs = needed;
        OptArgs = optional;
        for (const Row &row : rows)
            if (row.needed == needed && row.optional == optional)
                spellings.push_back({ParsedAttr::AS_GNU, row.name});
        Spellings = spellings;
    }

    bool existsInTarget(const TargetInfo &) const override
    {
        return AttributeTable::current() != nullptr;
    }

    AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                     const ParsedAttr &parsed) const override
    {
        const std::string name = parsed.getNormalizedFullName();
        const Row *row = findRow(name);
        AttributeTable *table = AttributeTable::current();
        if (!row || !table)
            return NotHandled;
        if (isOfKernels(row->word) && !llvm::isa<FunctionDecl>(decl)) {
            warn(sema, parsed.getLoc(), "'" + name + "' is for kernels: ignored here");
            return AttributeNotApplied;
        }
        Attribute attribute = {row->word, parsed.getLoc(), name, {}, {}};
        if (!readArguments(sema, parsed, *row, attribute))
            return AttributeNotApplied;
        const bool single = row->word == Word::SinglePump, pumped = row->word == Word::DoublePump;
        if ((single && table->find(decl, Word::DoublePump)) ||
            (pumped && table->find(decl, Word::SinglePump)))
            attributeError(sema, parsed.getLoc(),
                           "'singlepump' and 'doublepump' exclude each other");
        table->add(decl, std::move(attribute));
        return AttributeApplied;
    }

    AttrHandling handleStmtAttribute(Sema &, Stmt *, const ParsedAttr &parsed,
                                     Attr *&) const override
    {
        const Row *row = findRow(parsed.getNormalizedFullName());
        const bool known = row && (row->word == Word::CodeHint || row->word == Word::Dataflow);
        return known && AttributeTable::current() ? AttributeNotApplied : NotHandled;
    }

  private:
    std::vector<Spelling> spellings;
};

const ParsedAttrInfoRegistry::Add<Shape<0, 0>> noArgument("sluice-0", "");
const ParsedAttrInfoRegistry::Add<Shape<0, 1>> oneAtMost("sluice-0-1", "");
const ParsedAttrInfoRegistry::Add<Shape<0, 3>> threeAtMost("sluice-0-3", "");
const ParsedAttrInfoRegistry::Add<Shape<1, 0>> oneArgument("sluice-1", "");
const ParsedAttrInfoRegistry::Add<Shape<1, 2>> oneToThree("sluice-1-3", "");
const ParsedAttrInfoRegistry::Add<Shape<1, 14>> oneOrMore("sluice-1-15", "");
const ParsedAttrInfoRegistry::Add<Shape<2, 0>> twoArguments("sluice-2", "");

thread_local AttributeTable *currentTable;

} // namespace

llvm::SmallVector<llvm::StringRef, 0> attributeNames()
{
    llvm::SmallVector<llvm::StringRef, 0> names = {"reqd_work_group_size",
                                                   "work_group_size_hint",
                                                   "vec_type_hint",
                                                   "intel_reqd_sub_group_size",
                                                   "opencl_unroll_hint",
                                                   "blocking",
                                                   "packed",
                                                   "aligned",
                                                   "always_inline",
                                                   "noinline",
                                                   "latency_anchor",
                                                   "latency_constraint"};
    for (const Row &row : rows)
        if (!llvm::StringRef(row.name).starts_with("__"))
            names.push_back(row.name);
    return names;
}

/* ---- the table ------------------------------------------------------------------------------- */

void AttributeTable::use(AttributeTable *table)
{
    currentTable = table;
}

AttributeTable *AttributeTable::current()
{
    return currentTable;
}

void AttributeTable::add(const Decl *decl, Attribute attribute)
{
    table[decl].push_back(std::move(attribute));
}

const llvm::SmallVector<Attribute, 2> *AttributeTable::of(const Decl *decl) const
{
    auto found = table.find(decl);
    return found == table.end() ? nullptr : &found->second;
}

const Attribute *AttributeTable::find(const Decl *decl, Word word) const
{
    if (const auto *list = of(decl))
        for (const Attribute &attribute : *list)
            if (attribute.word == word)
                return &attribute;
    return nullptr;
}

/* ---- all declarations of a thing ------------------------------------------------------------- */

llvm::SmallVector<const Attribute *, 4> AttributeTable::all(const Decl *decl) const
{
    llvm::SmallVector<const Attribute *, 4> found;
    for (const Decl *each : decl->redecls())
        if (const auto *list = of(each))
            for (const Attribute &attribute : *list)
                found.push_back(&attribute);
    return found;
}

llvm::SmallVector<const Attribute *, 4> AttributeTable::all(const FunctionDecl *function,
                                                            unsigned parameter) const
{
    llvm::SmallVector<const Attribute *, 4> found;
    for (const FunctionDecl *each : function->redecls())
        if (const auto *list =
                parameter < each->getNumParams() ? of(each->getParamDecl(parameter)) : nullptr)
            for (const Attribute &attribute : *list)
                found.push_back(&attribute);
    return found;
}

const Attribute *AttributeTable::findAny(const Decl *decl, Word word) const
{
    for (const Attribute *attribute : all(decl))
        if (attribute->word == word)
            return attribute;
    return nullptr;
}

const Attribute *AttributeTable::findAny(const FunctionDecl *function, unsigned parameter,
                                         Word word) const
{
    for (const Attribute *attribute : all(function, parameter))
        if (attribute->word == word)
            return attribute;
    return nullptr;
}

} // namespace sluice
