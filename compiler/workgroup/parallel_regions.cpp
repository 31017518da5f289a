// SPDX-License-Identifier: Apache-2.0
//
// Splits work-item functions at barriers and collectives: a region is what a work-item does from
// one to the next (parallel_regions.h), a function of its own that all work-items of a group run
// before the group goes on. What is live across a boundary is in memory, or recomputed where that
// is cheap. Takes what rvl-work-items left.
//
// Without regions a barrier would have to suspend a work-item in the middle of its code; hardware
// threads or stacks for each are what this pass does without.
#include "compiler/workgroup/parallel_regions.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/analysis/debug_mark.h"
#include "compiler/spmd/analysis/entry_rematerialisation.h"
#include "compiler/spmd/transform/interleave_private_arrays.h"
#include "compiler/support/program_pass.h"
#include "compiler/work_items/launch_end.h"
#include "compiler/work_items/work_item_loop.h"
#include "compiler/workgroup/context_values.h"
#include "compiler/workgroup/debugger_variables.h"
#include "compiler/workgroup/kernel_lowering.h"
#include "compiler/workgroup/region_boundaries.h"

namespace rivulet::compiler {

using namespace llvm;

RVL_PROGRAM_PASS(ParallelRegionsPass);

namespace {

class RegionBuilder {
public:
    RegionBuilder(Function &body, Regions &regions, int returned)
        : body_(body), regions_(regions), returned_(returned), boundary_of_(find_ends(regions)) {
        body.renumberBlocks();
    }

    Region build(int boundary) {
        create(boundary);
        Region region;
        region.function = function_;
        region.next = copy_blocks(boundary);
        for (unsigned end : region.next)
            end_at(*cast<CallInst>(map_[regions_.boundaries[end].call]), end);
        begin(boundary);
        for (BasicBlock &block : *function_)
            if (auto *end = dyn_cast<ReturnInst>(block.getTerminator());
                end && !at_boundary_.contains(&block)) {
                region.may_return = true;
                mark_returned(*end);
            }
        resolve_arrivals(region);
        promote();
        drop_idle_saves();
        if (is_debuggable(body_))
            describe_work_item(*function_, body_);
        return region;
    }

private:
    unsigned count() const { return unsigned(body_.arg_size()); }

    void create(int boundary) {
        LLVMContext &context = body_.getContext();
        SmallVector<Type *, 48> types(body_.getFunctionType()->params());
        for (unsigned index : regions_.uniform_values())
            types.push_back(regions_.values[index].type);
        types.append(uniforms() + regions_.variables().size() + 1, PointerType::get(context, 0));
        map_.clear();
        at_boundary_.clear();
        saves_.clear();
        reloaded_.clear();
        function_ =
            Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                             GlobalValue::InternalLinkage, body_.getAddressSpace(),
                             body_.getName() + "." + Twine(boundary + 1), body_.getParent());
        function_->setAttributes(body_.getAttributes());
        function_->setSubprogram(body_.getSubprogram());
        for (llvm::Argument &argument : body_.args()) {
            function_->getArg(argument.getArgNo())->setName(argument.getName());
            map_[&argument] = function_->getArg(argument.getArgNo());
        }
    }

    // Copies the reachable blocks of the work-item function. Returns the boundaries among them.
    std::vector<unsigned> copy_blocks(int boundary) {
        BasicBlock *start =
            boundary < 0 ? &body_.getEntryBlock() : regions_.boundaries[boundary].after;
        const SetVector<BasicBlock *> found = reached(start, boundary_of_);
        SmallVector<BasicBlock *> blocks(found.begin(), found.end());
        llvm::sort(blocks, [](auto *a, auto *b) { return a->getNumber() < b->getNumber(); });
        entry_ = BasicBlock::Create(body_.getContext(), "region", function_);
        std::vector<unsigned> ends;
        for (BasicBlock *block : blocks) {
            BasicBlock *copy = CloneBasicBlock(block, map_, "", function_);
            map_[block] = copy;
            if (auto end = boundary_of_.find(block); end != boundary_of_.end()) {
                ends.push_back(end->second);
                copy->getTerminator()->eraseFromParent();
                at_boundary_.insert(copy);
                ReturnInst::Create(body_.getContext(), copy);
            }
        }
        llvm::sort(ends);
        copy_variables(blocks, boundary, ends);
        for (BasicBlock *block : blocks)
            for (Instruction &instruction : *cast<BasicBlock>(map_[block])) {
                if (auto *phi = dyn_cast<PHINode>(&instruction))
                    phi->removeIncomingValueIf(
                        [&](unsigned i) { return !found.contains(phi->getIncomingBlock(i)); });
                RemapInstruction(&instruction, map_, RF_NoModuleLevelChanges);
                RemapDbgRecordRange(body_.getParent(), instruction.getDbgRecordRange(), map_,
                                    RF_NoModuleLevelChanges);
            }
        start_ = cast<BasicBlock>(map_[start]);
        return ends;
    }

    // Copies the variables that are used here, or live at the region's start or ends.
    void copy_variables(ArrayRef<BasicBlock *> blocks, int boundary, ArrayRef<unsigned> ends) {
        SetVector<AllocaInst *> used;
        auto add = [&](Value *value) {
            auto *variable = dyn_cast<AllocaInst>(value);
            if (variable && isa<ConstantInt>(variable->getArraySize()))
                used.insert(variable);
        };
        for (BasicBlock *block : blocks)
            for (Instruction &instruction : *block) {
                for_each(instruction.operands(), add);
                add(&instruction); // in the entry block
            }
        for (const LiveValue &value : regions_.values)
            if (!value.live.empty() &&
                ((boundary >= 0 && value.live[boundary]) ||
                 any_of(ends, [&](unsigned end) { return value.live[end]; })))
                add(value.memory);
        auto variables = used.takeVector();
        llvm::sort(variables, [](auto *a, auto *b) { return a->comesBefore(b); });
        for (AllocaInst *variable : variables) {
            if (boundary >= 0) {
                auto *copy = variable->clone();
                copy->setName(variable->getName());
                map_[variable] = copy;
            } else {
                cast<AllocaInst>(map_[variable])->removeFromParent();
            }
            cast<AllocaInst>(map_[variable])->insertInto(entry_, entry_->end());
        }
    }

    AllocaInst *memory(const LiveValue &value) { return cast<AllocaInst>(map_[value.memory]); }

    // Where the work-item's own value is saved; of an array's elements: the first one, or all.
    Value *address(IRBuilder<> &builder, const LiveValue &value) {
        Value *linear = function_->getArg(parameter::id + 2);
        for (unsigned d : {1u, 0u})
            linear = builder.CreateAdd(
                builder.CreateMul(linear, function_->getArg(parameter::local_size + d), "", true,
                                  true),
                function_->getArg(parameter::id + d), "", true, true);
        if (value.in_variable)
            return builder.CreateInBoundsGEP(
                ArrayType::get(builder.getInt8Ty(), value.bytes), variable(value),
                builder.CreateZExt(linear, builder.getInt64Ty(), "", true));
        return saved_address(builder, function_->getArg(parameter::saved),
                             function_->getArg(parameter::work_items), linear, value.offset,
                             value.element_bytes ? value.element_bytes : value.bytes);
    }

    Value *variable(const LiveValue &value) {
        const auto indices = regions_.variables();
        const auto index = unsigned(&value - regions_.values.data());
        return function_->getArg(count() + 2 * uniforms() +
                                 unsigned(find(indices, index) - indices.begin()));
    }

    // From now on the variable is its slot in saved memory.
    void move_to_memory(IRBuilder<> &builder, const LiveValue &value) {
        auto *variable = dyn_cast_or_null<AllocaInst>(map_.lookup(value.memory));
        Value *address = this->address(builder, value);
        if (is_debuggable(body_))
            describe_saved_variable(builder, *value.memory, variable, address,
                                    unsigned(&value - regions_.values.data()));
        if (!variable)
            return; // only debuggers read it in this region
        auto array = value.element_bytes ? PrivateArray::of(*variable) : std::nullopt;
        if (array)
            array->replace_accesses([&](IRBuilderBase &builder, Value *index) {
                // Accesses to the variable itself: the address comes after all variables.
                if (builder.GetInsertBlock() == entry_)
                    builder.SetInsertPoint(entry_);
                Value *before = builder.CreateMul(index, function_->getArg(parameter::work_items),
                                                  "", true, true);
                return builder.CreateInBoundsGEP(
                    builder.getIntNTy(value.element_bytes * 8), address,
                    builder.CreateZExt(before, builder.getInt64Ty(), "", true));
            });
        variable->replaceAllUsesWith(address);
    }

    // Bits as bytes, which lanes can load and store.
    void save(IRBuilder<> &builder, const LiveValue &value) {
        Value *now = builder.CreateLoad(value.type, memory(value));
        if (value.type->isIntegerTy(1))
            now = builder.CreateZExt(now, builder.getInt8Ty());
        saves_.emplace_back(&value, builder.CreateStore(now, address(builder, value)));
    }

    Value *reload(IRBuilder<> &builder, const LiveValue &value) {
        Value *slot = address(builder, value);
        Value *before = value.type->isIntegerTy(1)
                            ? builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), slot))
                            : builder.CreateLoad(value.type, slot);
        reloaded_[&value] = before;
        return before;
    }

    // Unchanged values are in their slots already.
    void drop_idle_saves() {
        for (auto &[value, handle] : saves_) {
            auto *save = dyn_cast_or_null<StoreInst>(handle);
            if (!save) // at a boundary that isn't reached
                continue;
            Value *now = save->getValueOperand();
            if (auto *byte = dyn_cast<ZExtInst>(now); byte && value->type->isIntegerTy(1))
                now = byte->getOperand(0);
            if (now == reloaded_.lookup(value))
                save->eraseFromParent();
        }
    }

    // A boundary: live values are saved, and the work-item returns.
    void end_at(CallInst &call, unsigned boundary) {
        IRBuilder<> builder(&call);
        unsigned uniform = 0;
        for (const LiveValue &value : regions_.values) {
            unsigned number = value.kind == LiveValue::uniform ? uniform++ : 0;
            if (value.live.empty() || !value.live[boundary])
                continue;
            if (value.kind == LiveValue::uniform)
                builder.CreateStore(builder.CreateLoad(value.type, memory(value)),
                                    function_->getArg(count() + uniforms() + number));
            else if (value.kind == LiveValue::saved)
                save(builder, value);
        }
        builder.CreateStore(builder.getInt32(boundary),
                            function_->getArg(unsigned(function_->arg_size()) - 1));
        call.replaceAllUsesWith(PoisonValue::get(call.getType()));
        call.eraseFromParent();
    }

    unsigned uniforms() const { return unsigned(regions_.uniform_values().size()); }

    // A new entry that takes up what lives, and goes to where the region starts.
    void begin(int boundary) {
        IRBuilder<> builder(entry_);
        DenseMap<Value *, Value *> known;
        for (llvm::Argument &argument : body_.args())
            known[&argument] = function_->getArg(argument.getArgNo());
        unsigned uniform = 0;
        for (const LiveValue &value : regions_.values) {
            unsigned number = value.kind == LiveValue::uniform ? uniform++ : 0;
            if (value.live.empty()) {
                if (map_.count(value.memory) || is_debuggable(body_))
                    move_to_memory(builder, value);
                continue;
            }
            if (boundary < 0 || !value.live[boundary])
                continue;
            Value *now = nullptr;
            if (value.kind == LiveValue::uniform)
                now = function_->getArg(count() + number);
            else if (value.kind == LiveValue::recomputed)
                now = recompute(builder, value.value, known);
            else
                now = reload(builder, value);
            builder.CreateStore(now, memory(value));
        }
        if (returned_ < 0) {
            builder.CreateBr(start_);
            return;
        }
        Value *flag = address(builder, regions_.values[returned_]);
        if (boundary < 0) {
            builder.CreateStore(builder.getInt8(0), flag);
            builder.CreateBr(start_);
            return;
        }
        auto *away = BasicBlock::Create(body_.getContext(), "returned", function_);
        at_boundary_.insert(away);
        ReturnInst::Create(body_.getContext(), away);
        builder.CreateCondBr(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), flag)),
                             start_, away);
    }

    void mark_returned(ReturnInst &end) {
        if (returned_ < 0)
            return;
        IRBuilder<> builder(&end);
        builder.CreateStore(builder.getInt8(1), address(builder, regions_.values[returned_]));
    }

    // A region with one way out needs no record of the way.
    void resolve_arrivals(const Region &region) {
        const bool has_ways = region.next.size() + (region.may_return ? 1 : 0) > 1;
        DenseMap<uint64_t, unsigned> boundaries;
        for (auto [i, boundary] : enumerate(regions_.boundaries))
            if (MDNode *number = boundary.call->getMetadata(arrival))
                boundaries[mdconst::extract<ConstantInt>(number->getOperand(0))->getZExtValue()] =
                    unsigned(i);
        for (Instruction &instruction : make_early_inc_range(instructions(*function_))) {
            auto *call = dyn_cast<CallInst>(&instruction);
            if (!call || !is_arrival(*call))
                continue;
            const uint64_t number = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
            const auto known = boundaries.find(number);
            IRBuilder<> builder(call);
            Value *other = builder.getInt32(nowhere);
            if (has_ways && (number == returned_early || known != boundaries.end())) {
                Value *at = function_->getArg(unsigned(function_->arg_size()) - 1);
                Value *here =
                    builder.getInt32(number == returned_early ? returned_early : known->second);
                FunctionCallee callee = body_.getParent()->getOrInsertFunction(
                    arrival_at, FunctionType::get(builder.getInt32Ty(),
                                                  {builder.getInt32Ty(), at->getType()}, false));
                auto *function = cast<Function>(callee.getCallee());
                function->setDoesNotThrow();
                function->setWillReturn();
                function->setConvergent();
                function->setMemoryEffects(MemoryEffects::argMemOnly());
                CallInst *arrives = builder.CreateCall(callee, {here, at});
                for (User *user : call->users())
                    if (auto *compare = dyn_cast<ICmpInst>(user))
                        for (Use &operand : compare->operands())
                            if (auto *constant = dyn_cast<ConstantInt>(operand);
                                constant && constant->getZExtValue() == number)
                                operand.set(here);
                other = arrives;
            }
            call->replaceAllUsesWith(other);
            call->eraseFromParent();
        }
    }

    void promote() {
        DominatorTree dominators(*function_);
        SmallVector<AllocaInst *> variables;
        for (Instruction &instruction : function_->getEntryBlock())
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                if (isAllocaPromotable(variable))
                    variables.push_back(variable);
        PromoteMemToReg(variables, dominators);
    }

    Function &body_;
    Regions &regions_;
    int returned_;
    const Ends boundary_of_;
    Function *function_ = nullptr;
    BasicBlock *entry_ = nullptr; // takes up what lives
    BasicBlock *start_ = nullptr;
    ValueToValueMapTy map_;
    SmallPtrSet<BasicBlock *, 8> at_boundary_;
    SmallVector<std::pair<const LiveValue *, WeakVH>> saves_;
    DenseMap<const LiveValue *, WeakVH> reloaded_;
};

// Private variables that live over a barrier are in the memory for saved values, which has no
// lifetime markers.
void remove_stale_lifetimes(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *marker = dyn_cast<LifetimeIntrinsic>(&instruction);
            marker && !isa<AllocaInst>(marker->getArgOperand(0)))
            marker->eraseFromParent();
}

} // namespace

std::vector<unsigned> Regions::uniform_values() const {
    std::vector<unsigned> indices;
    for (unsigned i = 0; i < values.size(); ++i)
        if (values[i].kind == LiveValue::uniform)
            indices.push_back(i);
    return indices;
}

std::vector<unsigned> Regions::variables() const {
    std::vector<unsigned> indices;
    for (unsigned i = 0; i < values.size(); ++i)
        if (values[i].in_variable)
            indices.push_back(i);
    return indices;
}

Value *saved_address(IRBuilderBase &builder, Value *saved, Value *items, Value *linear_id,
                     uint32_t offset, uint32_t bytes) {
    auto wide = [&](Value *value) {
        return builder.CreateZExt(value, builder.getInt64Ty(), "", true);
    };
    Value *array = builder.CreateInBoundsGEP(
        builder.getInt8Ty(), saved, builder.CreateMul(wide(items), builder.getInt64(offset)));
    return builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), bytes), array,
                                     wide(linear_id));
}

// The sites of arrivals get the lines of all boundaries, by their numbers.
static void complete_arrival_sites(Function &work_item, const Regions &regions) {
    std::string lines;
    for (const Boundary &boundary : regions.boundaries)
        lines += " " + std::to_string(boundary.call->getDebugLoc()
                                          ? boundary.call->getDebugLoc().getLine()
                                          : 0);
    for (Instruction &instruction : instructions(work_item)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        auto *site =
            call && ends_launch(*call) ? dyn_cast<GlobalVariable>(call->getArgOperand(0)) : nullptr;
        if (!site || !site->hasAttribute(arrival_site))
            continue;
        const StringRef room = cast<ConstantDataArray>(site->getInitializer())->getAsString();
        std::string text = room.take_until([](char c) { return c == 0; }).str() + lines + "\n";
        text.resize(room.size() - 1);
        site->setInitializer(ConstantDataArray::getString(work_item.getContext(), text));
        site->setAttributes({});
    }
}

Regions split_into_regions(Function &work_item, bool lanes, uint64_t items) {
    Regions regions;
    find_boundaries(work_item, regions);
    complete_arrival_sites(work_item, regions);
    bool early = !regions.boundaries.empty() && may_return_early(work_item, regions);
    if (!regions.boundaries.empty()) {
        demote_live_values(work_item, regions);
        find_saved_variables(work_item, regions, lanes);
    }
    int returned = -1;
    if (early) {
        IRBuilder<> builder(&*work_item.getEntryBlock().getFirstInsertionPt());
        LiveValue flag;
        flag.memory = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "returned");
        flag.type = builder.getInt8Ty();
        returned = int(regions.values.size());
        regions.values.push_back(std::move(flag));
    }
    lay_out_saved_values(regions, work_item.getDataLayout(), items, returned);
    RegionBuilder builder(work_item, regions, returned);
    for (int i = -1; i < int(regions.boundaries.size()); ++i)
        regions.regions.push_back(builder.build(i));
    for (LiveValue &value : regions.values)
        value.memory = nullptr;
    for (Boundary &boundary : regions.boundaries)
        boundary.call = nullptr;
    work_item.eraseFromParent();
    return regions;
}

void ParallelRegionsPass::lower(Program &program, const Target &target, ModuleAnalysisManager &) {
    const bool lanes = has_lanes(program, target);
    for (Kernel &kernel : program.kernels) {
        auto known = lowering_after("rvl-work-items", kernel, program);
        if (!known)
            return;
        KernelLowering &lowering = *known;
        const WorkItem &work_item = lowering.work_item;
        lowering.has_y = !work_item.function->getArg(parameter::id + 1)->use_empty();
        const uint32_t *size = kernel.required_group_size; // 0: unknown
        lowering.regions =
            split_into_regions(*work_item.function, lanes, uint64_t(size[0]) * size[1] * size[2]);
        lowering.work_item.function = nullptr; // consumed
        for (const Region &region : lowering.regions.regions)
            remove_stale_lifetimes(*region.function);
        kernel.saved_bytes = memory_bytes(lowering.regions.saved_bytes);
        // Registers in groups of four, elements of 32 bits.
        kernel.preferred_multiple = work_item.sub_groups ? kernel.sub_group_size
                                    : lanes              ? 4 * target.min_vlen / 32
                                                         : 1;

        bool local_arguments = any_of(kernel.arguments, [](const compiler::Argument &argument) {
            return argument.kind == RVL_ARGUMENT_LOCAL;
        });
        lowering.flat = !work_item.asks_for_group && !work_item.local_bytes && !local_arguments;
        kernel.flags |= lowering.flat ? RVL_KERNEL_FLAT : 0;
        kernel.flags |= lowering.regions.boundaries.empty() ? 0 : RVL_KERNEL_BARRIERS;
        kernel.flags |= kernel.uniform_work_groups ? RVL_KERNEL_UNIFORM : 0;
        kernel.flags |= work_item.sub_groups ? RVL_KERNEL_SUB_GROUPS : 0;
        save_lowering("rvl-parallel-regions", kernel, lowering);
    }
}

} // namespace rivulet::compiler
