// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/spirv_fault.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace rivulet::compiler {
namespace {

using namespace spirv;

// Writes a module that ends after its first instructions. What those need of the rest is added in
// the shortest form: functions without bodies, and blocks that end at once.
class Beginning {
public:
    Beginning(const Words &words, const Module &module, size_t count)
        : words_(words), module_(module), count_(count) {}

    Words module() {
        const auto &all = module_.instructions();
        const auto first_function = std::ranges::find(all, op::Function, &Instruction::operation);
        has_functions_ = all.begin() + static_cast<ptrdiff_t>(count_) > first_function;
        while (count_ < all.size() && all[count_].operation() == op::FunctionParameter)
            ++count_; // a function's head stays whole
        for (size_t i = 0; i < all.size(); ++i)
            if ((i < count_ || is_added(all[i])) && all[i].result())
                defined_.insert(all[i].result());
        uint32_t label = 0;
        for (size_t i = 0; i < count_; ++i) {
            if (all[i].operation() == op::Label)
                label = all[i].result();
            if (ends_block(all[i]))
                complete_.insert(label);
        }
        result_.assign(words_.begin(), words_.begin() + header_words);
        for (size_t i = 0; i < count_; ++i)
            if (!is_about_other_ids(all[i]))
                take(all[i]);
        if (is_in_function_)
            end_function();
        for (size_t i = count_; i < all.size(); ++i)
            if (is_added(all[i]))
                copy(all[i]);
        if (!has_functions_)
            add(op::TypeSampler,
                {result_[bound_word]++}); // llvm-spirv reads beyond a last structure
        return std::move(result_);
    }

private:
    static bool ends_block(const Instruction &words) {
        return words.operation() >= op::Branch && words.operation() <= op::Unreachable;
    }
    // Of what follows, each module needs its memory model, and calls need the functions' heads.
    bool is_added(const Instruction &words) const {
        const uint32_t operation = words.operation();
        return operation == op::MemoryModel ||
               (has_functions_ &&
                (operation == op::Function || operation == op::FunctionParameter ||
                 operation == op::FunctionEnd));
    }

    // Names, decorations and entry points of what is not in the module.
    bool is_about_other_ids(const Instruction &words) const {
        switch (words.operation()) {
        case op::Name:
        case op::MemberName:
        case op::Decorate:
        case op::DecorateId:
        case op::MemberDecorate:
        case op::ExecutionMode:
        case op::ExecutionModeId:
            return !defined_.contains(words[1]);
        case op::EntryPoint:
            return !defined_.contains(words[2]);
        default:
            return false;
        }
    }
    void copy(const Instruction &words) {
        result_.insert(result_.end(), words.words.begin(), words.words.end());
    }
    void add(uint32_t operation, const Words &operands) {
        result_.push_back(operation | static_cast<uint32_t>(operands.size() + 1) << 16);
        result_.insert(result_.end(), operands.begin(), operands.end());
    }

    void take(const Instruction &words) {
        switch (words.operation()) {
        case op::Function:
            is_in_function_ = true;
            break;
        case op::FunctionEnd:
            is_in_function_ = false;
            labels_.clear();
            break;
        case op::Label:
            is_in_block_ = true;
            break;
        case op::Phi: // pairs of a value and the block that it comes from
            for (size_t i = 4; i < words.size(); i += 2)
                if (!complete_.contains(words[i]))
                    return add(op::Undef, {words[1], words[2]});
            break;
        case op::Branch:
        case op::LoopMerge:
        case op::SelectionMerge:
        case op::BranchConditional:
        case op::Switch: // with literals, which are hardly ever the id of a label
            for (const uint32_t id : words.words.subspan(1))
                if (module_.definition(id, op::Label))
                    labels_.insert(id);
            break;
        default:
            break;
        }
        copy(words);
        if (ends_block(words))
            is_in_block_ = false;
    }
    void end_function() {
        if (is_in_block_)
            add(op::Unreachable, {});
        for (const uint32_t label : labels_)
            if (!defined_.contains(label)) {
                add(op::Label, {label});
                add(op::Unreachable, {});
            }
        add(op::FunctionEnd, {});
        // The function's own end is not added once more.
        const auto &all = module_.instructions();
        while (count_ < all.size() && all[count_].operation() != op::FunctionEnd)
            ++count_;
        count_ = std::min(count_ + 1, all.size());
    }

    const Words &words_;
    const Module &module_;
    size_t count_; // of the instructions that are kept
    Words result_;
    std::set<uint32_t> defined_;
    std::set<uint32_t> complete_; // blocks that keep their ends
    std::set<uint32_t> labels_;   // that the current function branches to
    bool is_in_function_ = false, is_in_block_ = false;
    bool has_functions_ = false;
};

} // namespace

std::string find_spirv_fault(const Words &words, const std::function<bool(const Words &)> &fails) {
    const auto module = Module::of(words);
    if (!module)
        return {};
    const auto &all = module->instructions();
    const auto fails_with = [&](size_t count) {
        return fails(Beginning(words, *module, count).module());
    };
    size_t fine = 0, failing = all.size();
    if (fails_with(fine) || !fails_with(failing))
        return {};
    while (failing > fine + 1) {
        const size_t middle = fine + (failing - fine) / 2;
        (fails_with(middle) ? failing : fine) = middle;
    }
    return all[failing - 1].description();
}

} // namespace rivulet::compiler
