// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/type_rewriter.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace rivulet::compiler {
namespace {

using llvm::Type;

class TypeRewriter : llvm::ValueMapTypeRemapper, llvm::ValueMaterializer {
public:
    TypeRewriter(Program &program, ReplaceLeaf replace_leaf)
        : program_(program), module_(*program.module), replace_leaf_(replace_leaf) {}

    // Values come from arguments, calls and variables.
    bool changes_anything() {
        auto changes = [&](Type *type) { return remapType(type) != type; };
        return llvm::any_of(module_, [&](llvm::Function &function) {
            return changes(function.getFunctionType()) ||
                   llvm::any_of(llvm::instructions(function), [&](llvm::Instruction &instruction) {
                       auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
                       return variable && changes(variable->getAllocatedType());
                   });
        });
    }

    void run() {
        for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module_.globals()))
            declare(variable);
        for (llvm::Function &function : llvm::make_early_inc_range(module_))
            declare(function);
        for (auto [old_variable, variable] : variables_)
            if (old_variable->hasInitializer())
                variable->setInitializer(llvm::cast<llvm::Constant>(
                    llvm::MapValue(old_variable->getInitializer(), map_, flags, this, this)));
        for (llvm::Function &function : module_)
            if (!function.isDeclaration()) {
                llvm::RemapFunction(function, map_, flags, this, this);
                remove_casts(function);
            }
        for (Kernel &kernel : program_.kernels)
            if (llvm::Value *replaced = map_.lookup(kernel.function))
                kernel.function = llvm::cast<llvm::Function>(replaced);
        for (auto [old_variable, variable] : variables_)
            if (old_variable != variable)
                old_variable->setInitializer(nullptr);
        for (llvm::GlobalValue *value : replaced_) {
            value->removeDeadConstantUsers();
            value->eraseFromParent();
        }
    }

private:
    static constexpr auto flags = static_cast<llvm::RemapFlags>(
        unsigned(llvm::RF_IgnoreMissingLocals) | llvm::RF_NoModuleLevelChanges);

    Type *remapType(Type *type) override {
        Type *&known = types_[type];
        if (known)
            return known;
        Type *result = rebuild(type);
        return types_[type] = result;
    }

    Type *rebuild(Type *type) {
        if (type->isPointerTy() || type->isTargetExtTy())
            return replace_leaf_(type);
        if (type->getNumContainedTypes() == 0)
            return type;
        llvm::SmallVector<Type *> parts;
        for (Type *part : type->subtypes())
            parts.push_back(remapType(part));
        if (llvm::equal(parts, type->subtypes()))
            return type;
        if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
            return llvm::ArrayType::get(parts[0], array->getNumElements());
        if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
            return llvm::VectorType::get(parts[0], vector->getElementCount());
        if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type))
            return llvm::FunctionType::get(parts[0], llvm::ArrayRef(parts).drop_front(),
                                           function->isVarArg());
        auto *structure = llvm::cast<llvm::StructType>(type);
        return llvm::StructType::get(type->getContext(), parts, structure->isPacked());
    }

    // A cast between address spaces that became one is its operand.
    llvm::Value *materialize(llvm::Value *value) override {
        auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
        if (!cast || cast->getOpcode() != llvm::Instruction::AddrSpaceCast ||
            remapType(cast->getType()) != remapType(cast->getOperand(0)->getType()))
            return nullptr;
        return llvm::MapValue(cast->getOperand(0), map_, flags, this, this);
    }

    static void remove_casts(llvm::Function &function) {
        for (llvm::Instruction &instruction :
             llvm::make_early_inc_range(llvm::instructions(function))) {
            auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
            if (cast && cast->getType() == cast->getOperand(0)->getType()) {
                cast->replaceAllUsesWith(cast->getOperand(0));
                cast->eraseFromParent();
            }
        }
    }

    void declare(llvm::GlobalVariable &old_variable) {
        Type *type = remapType(old_variable.getValueType());
        Type *pointer = remapType(old_variable.getType());
        auto *variable = &old_variable;
        if (type != old_variable.getValueType() || pointer != old_variable.getType()) {
            variable = new llvm::GlobalVariable(
                module_, type, old_variable.isConstant(), old_variable.getLinkage(), nullptr, "",
                &old_variable, old_variable.getThreadLocalMode(),
                llvm::cast<llvm::PointerType>(pointer)->getAddressSpace());
            variable->copyAttributesFrom(&old_variable);
            variable->copyMetadata(&old_variable, 0);
            variable->takeName(&old_variable);
            map_[&old_variable] = variable;
            replaced_.push_back(&old_variable);
        }
        variables_.emplace_back(&old_variable, variable);
    }

    void declare(llvm::Function &old_function) {
        auto *type = llvm::cast<llvm::FunctionType>(remapType(old_function.getFunctionType()));
        if (type == old_function.getFunctionType() && old_function.getAddressSpace() == 0)
            return;
        auto *function = llvm::Function::Create(type, old_function.getLinkage(), "", &module_);
        function->copyAttributesFrom(&old_function);
        function->copyMetadata(&old_function, 0);
        const std::string name = old_function.getName().str();
        old_function.setName("");
        function->setName(name); // takeName would not notice an intrinsic
        for (auto [old_argument, argument] : llvm::zip(old_function.args(), function->args())) {
            argument.takeName(&old_argument);
            map_[&old_argument] = &argument;
        }
        function->splice(function->begin(), &old_function);
        replaced_.push_back(&old_function);
        // The name of an intrinsic spells its types.
        if (auto renamed = llvm::Intrinsic::remangleIntrinsicFunction(function)) {
            function->eraseFromParent();
            function = *renamed;
        }
        map_[&old_function] = function;
    }

    Program &program_;
    llvm::Module &module_;
    ReplaceLeaf replace_leaf_;
    llvm::DenseMap<Type *, Type *> types_;
    llvm::ValueToValueMapTy map_;
    std::vector<std::pair<llvm::GlobalVariable *, llvm::GlobalVariable *>> variables_;
    std::vector<llvm::GlobalValue *> replaced_;
};

} // namespace

void replace_types(Program &program, ReplaceLeaf replace_leaf) {
    TypeRewriter(program, replace_leaf).run();
}

bool would_replace_types(Program &program, ReplaceLeaf replace_leaf) {
    return TypeRewriter(program, replace_leaf).changes_anything();
}

} // namespace rivulet::compiler
