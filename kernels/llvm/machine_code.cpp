/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. LLVM lets one add a pass to its code generator through a list of the process
 * only: ours is there from the start, and adds nothing but for a thread that listens. `watch`
 * belongs to its thread.
 */
#include "llvm/machine_code.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/CodeGen/MachineBranchProbabilityInfo.h>
#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <memory>
#include <vector>

using namespace llvm;

namespace
{

struct LoopFacts {
    uint64_t rounds = 0;
    uint32_t items = 0, region = 0, line = 0;
    bool masked = false;
};

struct Watch {
    const sl_mc_listener *listener = nullptr;
    DenseMap<const BasicBlock *, LoopFacts> loops; /* by their headers */
    DenseSet<const Function *> functions;          /* that have loops over items */
};

thread_local Watch *watch;

/* ---- what the IR knows of loops -------------------------------------------------------------- */

uint32_t operandOf(const MDNode &node, unsigned number)
{
    const auto *value = mdconst::dyn_extract<ConstantInt>(node.getOperand(number));
    return value ? static_cast<uint32_t>(value->getZExtValue()) : 0;
}

void readItems(const Loop &loop, LoopFacts &facts)
{
    const MDNode *property = findOptionMDForLoop(&loop, SL_ITEMS_PROPERTY);
    if (!property || property->getNumOperands() < 4)
        return;
    facts.items = operandOf(*property, 1);
    facts.region = operandOf(*property, 2);
    facts.masked = operandOf(*property, 3);
}

/* The first line of the source that the loop has code of. */
uint32_t lineOf(const Loop &loop)
{
    uint32_t first = 0;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block)
            if (const DebugLoc &place = i.getDebugLoc())
                first = place.getLine() && (!first || place.getLine() < first) ? place.getLine()
                                                                               : first;
    return first;
}

void lookAtFunction(Watch &w, Function &f)
{
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    TargetLibraryInfoImpl libraries(f.getParent()->getTargetTriple());
    TargetLibraryInfo library(libraries, &f);
    AssumptionCache assumptions(f);
    ScalarEvolution evolution(f, library, assumptions, dominators, loops);
    for (Loop *loop : loops.getLoopsInPreorder()) {
        LoopFacts facts;
        readItems(*loop, facts);
        facts.line = lineOf(*loop);
        facts.rounds = evolution.getSmallConstantTripCount(loop);
        w.loops[loop->getHeader()] = facts;
        if (facts.items)
            w.functions.insert(&f);
    }
}

/* ---- the processor --------------------------------------------------------------------------- */

/* Units of LLVM's model as bits. */
class Processor
{
  public:
    Processor(const TargetMachine &target, const char *name)
        : subtarget(target.getTarget().createMCSubtargetInfo(target.getTargetTriple(), name, "")),
          model(subtarget->getSchedModel())
    {
        facts.name = name;
        facts.width = model.IssueWidth;
        facts.window = model.MicroOpBufferSize;
        if (model.hasExtraProcessorInfo() && model.getExtraProcessorInfo().ReorderBufferSize)
            facts.window = model.getExtraProcessorInfo().ReorderBufferSize;
        masks.resize(model.getNumProcResourceKinds(), 0);
        if (!model.hasInstrSchedModel())
            return;
        for (unsigned k = 1; k < model.getNumProcResourceKinds(); k++)
            addUnits(k);
        for (unsigned k = 1; k < model.getNumProcResourceKinds(); k++)
            addGroup(k);
        if (facts.unit_count < SL_MC_UNITS)
            facts.units[facts.unit_count++] = SL_MC_DIVIDER;
    }

    bool isUsable() const
    {
        return model.hasInstrSchedModel();
    }
    const MCSchedClassDesc *classOf(const MachineInstr &, const MCInstrInfo &) const;
    void describe(sl_mc_instruction &, const MCSchedClassDesc &) const;
    int latency(const MCSchedClassDesc &, unsigned definition) const;
    int advance(const MCSchedClassDesc &sched, unsigned use) const
    {
        return subtarget->getReadAdvanceCycles(&sched, use, 0);
    }
    sl_mc_processor facts = {};

  private:
    void addUnits(unsigned kind)
    {
        const MCProcResourceDesc &resource = *model.getProcResource(kind);
        for (unsigned n = 0; !resource.SubUnitsIdxBegin && n < resource.NumUnits; n++) {
            if (facts.unit_count == SL_MC_UNITS)
                return;
            masks[kind] |= uint64_t{1} << facts.unit_count;
            facts.units[facts.unit_count++] = resource.Name;
        }
    }
    void addGroup(unsigned kind)
    {
        const MCProcResourceDesc &resource = *model.getProcResource(kind);
        for (unsigned n = 0; resource.SubUnitsIdxBegin && n < resource.NumUnits; n++)
            masks[kind] |= masks[resource.SubUnitsIdxBegin[n]];
    }

    std::unique_ptr<MCSubtargetInfo> subtarget;
    const MCSchedModel &model;
    std::vector<uint64_t> masks; /* of each kind of resource */
};

/* As far as the conditions of classes look at one. */
MCInst plainInstruction(const MachineInstr &i)
{
    MCInst inst;
    inst.setOpcode(i.getOpcode());
    for (const MachineOperand &o : i.explicit_operands()) {
        if (o.isReg())
            inst.addOperand(MCOperand::createReg(o.getReg().isPhysical() ? o.getReg().asMCReg()
                                                                         : MCRegister()));
        else
            inst.addOperand(MCOperand::createImm(o.isImm() ? o.getImm() : 0));
    }
    return inst;
}

const MCSchedClassDesc *Processor::classOf(const MachineInstr &i, const MCInstrInfo &info) const
{
    unsigned number = i.getDesc().getSchedClass();
    const MCSchedClassDesc *sched = model.getSchedClassDesc(number);
    if (sched->isValid() && sched->isVariant()) {
        const MCInst inst = plainInstruction(i);
        while (number && sched->isVariant()) {
            number =
                subtarget->resolveVariantSchedClass(number, &inst, &info, model.getProcessorID());
            sched = model.getSchedClassDesc(number);
        }
    }
    return sched->isValid() && !sched->isVariant() ? sched : nullptr;
}

/* A group's entry includes what the entries of its parts take. */
void Processor::describe(sl_mc_instruction &to, const MCSchedClassDesc &sched) const
{
    SmallVector<sl_mc_use, 16> all;
    for (const auto *e = subtarget->getWriteProcResBegin(&sched),
                    *end = subtarget->getWriteProcResEnd(&sched);
         e != end; e++)
        if (masks[e->ProcResourceIdx] && e->ReleaseAtCycle > e->AcquireAtCycle)
            all.push_back({masks[e->ProcResourceIdx],
                           static_cast<uint16_t>(e->ReleaseAtCycle - e->AcquireAtCycle)});
    llvm::sort(all, [](const sl_mc_use &a, const sl_mc_use &b) {
        const int left = popcount(a.units), right = popcount(b.units);
        return left != right ? left < right : a.units < b.units;
    });
    for (size_t k = 0; k < all.size(); k++) {
        for (size_t later = k + 1; later < all.size(); later++)
            if ((all[later].units & all[k].units) == all[k].units)
                all[later].cycles -= std::min(all[later].cycles, all[k].cycles);
        if (all[k].cycles && to.use_count < SL_MC_MOST_USES)
            to.uses[to.use_count++] = all[k];
    }
    to.steps = static_cast<uint8_t>(std::min<unsigned>(sched.NumMicroOps, 255));
}

int Processor::latency(const MCSchedClassDesc &sched, unsigned definition) const
{
    if (definition >= sched.NumWriteLatencyEntries)
        return std::max(MCSchedModel::computeInstrLatency(*subtarget, sched), 1);
    const int cycles = subtarget->getWriteLatencyEntry(&sched, definition)->Cycles;
    return cycles < 0 ? 1 : cycles;
}

/* ---- a function ------------------------------------------------------------------------------ */

class Extract
{
  public:
    Extract(MachineFunction &mf, const Watch &of, const Processor &on)
        : f(mf), w(of), processor(on), info(*mf.getSubtarget().getInstrInfo()),
          registers(*mf.getSubtarget().getRegisterInfo()),
          frame(mf.getSubtarget().getRegisterInfo()->getFrameRegister(mf)),
          places(registers.getNumRegUnits())
    {
    }

    void run()
    {
        MachineDominatorTree dominators(f);
        MachineLoopInfo machineLoops(dominators);
        MachineBranchProbabilityInfo probabilities;
        for (MachineBasicBlock &block : f)
            numbers[&block] = static_cast<uint32_t>(numbers.size());
        for (MachineLoop *loop : machineLoops.getLoopsInPreorder())
            addLoop(*loop);
        for (MachineBasicBlock &block : f)
            addBlock(block, machineLoops, probabilities);
        const sl_mc_function out = {
            .name = f.getName().data(),
            .processor = &processor.facts,
            .instructions = instructions.data(),
            .blocks = blocks.data(),
            .loops = loops.data(),
            .instruction_count = static_cast<uint32_t>(instructions.size()),
            .block_count = static_cast<uint32_t>(blocks.size()),
            .loop_count = static_cast<uint32_t>(loops.size()),
            .place_count = places,
        };
        w.listener->take(w.listener->data, &out);
    }

  private:
    void addLoop(const MachineLoop &loop)
    {
        sl_mc_loop out = {};
        out.header = numbers[loop.getHeader()];
        const auto found = w.loops.find(loop.getHeader()->getBasicBlock());
        if (found != w.loops.end()) {
            out.rounds = found->second.rounds;
            out.items = found->second.items;
            out.region = found->second.region;
            out.masked = found->second.masked;
            out.line = found->second.line;
        }
        if (const MachineLoop *parent = loop.getParentLoop())
            out.parent = loopNumbers[parent];
        loops.push_back(out);
        loopNumbers[&loop] = static_cast<uint32_t>(loops.size());
    }

    void addBlock(MachineBasicBlock &block, const MachineLoopInfo &machineLoops,
                  const MachineBranchProbabilityInfo &probabilities)
    {
        sl_mc_block out = {};
        out.first = static_cast<uint32_t>(instructions.size());
        for (const MachineInstr &i : block)
            if (!i.isMetaInstruction() && !i.isBundledWithPred())
                addInstruction(i);
        out.count = static_cast<uint32_t>(instructions.size()) - out.first;
        if (const MachineLoop *loop = machineLoops.getLoopFor(&block))
            out.loop = loopNumbers[loop];
        addWays(out, block, probabilities);
        blocks.push_back(out);
    }

    /* The two that are likeliest; of alike ones that which comes first. */
    void addWays(sl_mc_block &to, const MachineBasicBlock &block,
                 const MachineBranchProbabilityInfo &probabilities)
    {
        const MachineBasicBlock *best[2] = {};
        for (const MachineBasicBlock *way : block.successors()) {
            const auto is = probabilities.getEdgeProbability(&block, way);
            const auto beats = [&](const MachineBasicBlock *other) {
                return !other || is > probabilities.getEdgeProbability(&block, other);
            };
            if (beats(best[0])) {
                best[1] = best[0];
                best[0] = way;
            } else if (beats(best[1])) {
                best[1] = way;
            }
        }
        for (const MachineBasicBlock *way : best)
            if (way)
                to.ways[to.way_count++] = numbers[way];
    }

    void read(sl_mc_instruction &to, uint32_t place, int advance)
    {
        for (unsigned k = 0; k < to.read_count; k++)
            if (to.reads[k].place == place) {
                to.reads[k].advance =
                    std::min<int16_t>(to.reads[k].advance, static_cast<int16_t>(advance));
                return;
            }
        if (to.read_count < SL_MC_MOST_READS)
            to.reads[to.read_count++] = {static_cast<uint16_t>(place),
                                         static_cast<int16_t>(advance)};
    }
    void write(sl_mc_instruction &to, uint32_t place, int latency)
    {
        if (to.write_count < SL_MC_MOST_WRITES)
            to.writes[to.write_count++] = {static_cast<uint16_t>(place),
                                           static_cast<uint16_t>(latency)};
    }

    /* Of the stack's words those at plain addresses. */
    bool stackPlace(const MachineInstr &i, uint32_t &place)
    {
        for (unsigned k = 0; k + 4 < i.getNumExplicitOperands(); k++) {
            const MachineOperand &base = i.getOperand(k);
            const bool plain = base.isReg() && i.getOperand(k + 1).isImm() &&
                               i.getOperand(k + 2).isReg() && i.getOperand(k + 3).isImm() &&
                               i.getOperand(k + 4).isReg() && base.getReg() &&
                               base.getReg() == frame && !i.getOperand(k + 2).getReg();
            if (!plain)
                continue;
            const auto added = stack.try_emplace(i.getOperand(k + 3).getImm(), places);
            places += added.second;
            place = added.first->second;
            return true;
        }
        return false;
    }

    void addRegisters(sl_mc_instruction &to, const MachineInstr &i, const MCSchedClassDesc *sched)
    {
        unsigned use = 0, definition = 0;
        for (const MachineOperand &o : i.operands()) {
            if (!o.isReg() || !o.getReg().isPhysical())
                continue;
            const MCRegister r = o.getReg().asMCReg();
            if (const TargetRegisterClass *c = registers.getMinimalPhysRegClass(r))
                to.bits = std::max<uint16_t>(to.bits,
                                             static_cast<uint16_t>(registers.getRegSizeInBits(*c)));
            const bool reads = o.readsReg() && !o.isDef();
            const int advance = sched && reads ? processor.advance(*sched, use) : 0;
            const int latency = sched && o.isDef() ? processor.latency(*sched, definition) : 1;
            use += reads;
            definition += o.isDef();
            if (o.isDef() && o.isDead())
                continue;
            for (MCRegUnit unit : registers.regunits(r)) {
                const auto place = static_cast<uint32_t>(unit);
                if (reads)
                    read(to, place, advance);
                if (o.isDef())
                    write(to, place, latency);
            }
        }
    }

    void addInstruction(const MachineInstr &i)
    {
        sl_mc_instruction to = {};
        uint32_t place;
        const MCSchedClassDesc *sched = processor.classOf(i, info);
        to.name = info.getName(i.getOpcode()).data();
        to.line = i.getDebugLoc() ? i.getDebugLoc().getLine() : 0;
        to.loads = i.mayLoad();
        to.stores = i.mayStore();
        to.branches = i.isBranch();
        to.calls = i.isCall();
        to.is_move = i.isMoveReg();
        to.steps = 1;
        if (sched)
            processor.describe(to, *sched);
        addRegisters(to, i, sched);
        to.is_idiom = isIdiom(i);
        if (to.loads && stackPlace(i, place))
            read(to, place, 0);
        if (to.stores && stackPlace(i, place))
            write(to, place, 1);
        instructions.push_back(to);
    }

    /* Both operands one register that nobody has written. */
    static bool isIdiom(const MachineInstr &i)
    {
        unsigned undefined = 0;
        if (i.mayLoad() || i.mayStore())
            return false;
        for (const MachineOperand &o : i.uses()) {
            if (!o.isReg() || o.isImplicit() || !o.getReg())
                continue;
            if (!o.isUndef())
                return false;
            undefined++;
        }
        return undefined >= 2;
    }

    MachineFunction &f;
    const Watch &w;
    const Processor &processor;
    const TargetInstrInfo &info;
    const TargetRegisterInfo &registers;
    const Register frame;
    uint32_t places;
    DenseMap<const MachineBasicBlock *, uint32_t> numbers;
    DenseMap<const MachineLoop *, uint32_t> loopNumbers;
    DenseMap<int64_t, uint32_t> stack; /* displacement -> place */
    std::vector<sl_mc_instruction> instructions;
    std::vector<sl_mc_block> blocks;
    std::vector<sl_mc_loop> loops;
};

class Listen : public MachineFunctionPass
{
  public:
    static char ID;
    Listen() : MachineFunctionPass(ID)
    {
    }

    void getAnalysisUsage(AnalysisUsage &usage) const override
    {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(MachineFunction &f) override
    {
        if (!watch || !watch->functions.contains(&f.getFunction()))
            return false;
        const Processor processor(f.getTarget(), watch->listener->processor);
        if (processor.isUsable())
            Extract(f, *watch, processor).run();
        return false;
    }
};

char Listen::ID;

} // namespace

void sl_mc_init(void)
{
    static RegisterTargetPassConfigCallback registered(
        [](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
            if (watch)
                config->insertPass(&StackMapLivenessID, new Listen);
        });
}

void sl_mc_watch(const struct sl_mc_listener *listener, LLVMModuleRef module)
{
    watch = new Watch;
    watch->listener = listener;
    for (Function &f : *unwrap(module))
        if (!f.isDeclaration())
            lookAtFunction(*watch, f);
}

void sl_mc_unwatch(void)
{
    delete watch;
    watch = nullptr;
}

const char *sl_mc_host(void)
{
    static const std::string name = sys::getHostCPUName().str();
    return name.c_str();
}
