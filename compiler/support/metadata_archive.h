// SPDX-License-Identifier: Apache-2.0
//
// Structures as metadata of LLVM IR, so that what one pass knows is in the IR that the next one
// gets. A structure lists its fields once, for both directions:
//
//   template <class Archive> void describe(Archive &archive, Thing &thing) {
//       archive(thing.number, thing.name, thing.function, thing.parts);
//   }
//
// Fields are numbers, enumerations, strings, functions, types, other structures, and arrays of
// these. A function that is erased is null when it is read again.
#ifndef RIVULET_COMPILER_SUPPORT_METADATA_ARCHIVE_H
#define RIVULET_COMPILER_SUPPORT_METADATA_ARCHIVE_H

#include <optional>
#include <string>
#include <type_traits>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace rivulet::compiler {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept Sequence = requires(T &t) { t.resize(1); } && !std::is_same_v<T, std::string>;
template <class T>
concept Structure = std::is_class_v<T> && !Sequence<T> && !std::is_same_v<T, std::string>;

class MetadataWriter {
public:
    explicit MetadataWriter(llvm::LLVMContext &context) : context_(context) {}

    template <class... Fields> void operator()(Fields &...fields) { (add(fields), ...); }

    llvm::MDNode *node() const { return llvm::MDNode::get(context_, operands_); }

private:
    template <Number T> void add(const T &number) {
        operands_.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
            llvm::Type::getInt64Ty(context_), static_cast<uint64_t>(number))));
    }
    void add(const std::string &text) { operands_.push_back(llvm::MDString::get(context_, text)); }
    void add(llvm::Function *function) {
        operands_.push_back(function ? llvm::ValueAsMetadata::get(function) : nullptr);
    }
    void add(llvm::Type *type) {
        operands_.push_back(type ? llvm::ConstantAsMetadata::get(llvm::PoisonValue::get(type))
                                 : nullptr);
    }
    template <Sequence T> void add(T &sequence) {
        MetadataWriter part(context_);
        if constexpr (std::is_same_v<typename T::value_type, bool>)
            for (bool element : sequence)
                part.add(element);
        else
            for (auto &element : sequence)
                part.add(element);
        operands_.push_back(part.node());
    }
    template <class T, size_t size> void add(T (&array)[size]) {
        for (T &element : array)
            add(element);
    }
    template <Structure T> void add(T &structure) {
        MetadataWriter part(context_);
        describe(part, structure);
        operands_.push_back(part.node());
    }

    llvm::LLVMContext &context_;
    llvm::SmallVector<llvm::Metadata *> operands_;
};

class MetadataReader {
public:
    explicit MetadataReader(const llvm::MDNode &node) : node_(node) {}

    template <class... Fields> void operator()(Fields &...fields) { (get(fields), ...); }

private:
    const llvm::MDOperand &next() { return node_.getOperand(at_++); }

    template <Number T> void get(T &number) {
        number = static_cast<T>(llvm::mdconst::extract<llvm::ConstantInt>(next())->getZExtValue());
    }
    void get(std::string &text) { text = llvm::cast<llvm::MDString>(next())->getString().str(); }
    void get(llvm::Function *&function) {
        function = llvm::mdconst::extract_or_null<llvm::Function>(next());
    }
    void get(llvm::Type *&type) {
        auto *example = llvm::mdconst::extract_or_null<llvm::Constant>(next());
        type = example ? example->getType() : nullptr;
    }
    template <Sequence T> void get(T &sequence) {
        const auto &part = *llvm::cast<llvm::MDNode>(next());
        MetadataReader reader(part);
        sequence.resize(part.getNumOperands());
        for (size_t i = 0; i < sequence.size(); ++i) {
            typename T::value_type element{};
            reader.get(element);
            sequence[i] = std::move(element);
        }
    }
    template <class T, size_t size> void get(T (&array)[size]) {
        for (T &element : array)
            get(element);
    }
    template <Structure T> void get(T &structure) {
        MetadataReader part(*llvm::cast<llvm::MDNode>(next()));
        describe(part, structure);
    }

    const llvm::MDNode &node_;
    unsigned at_ = 0;
};

// The structure in a function's metadata `kind`, if there is any.
template <class T>
std::optional<T> read_structure(const llvm::Function &function, llvm::StringRef kind) {
    const llvm::MDNode *node = function.getMetadata(kind);
    if (!node)
        return std::nullopt;
    T structure;
    MetadataReader reader(*node);
    describe(reader, structure);
    return structure;
}

template <class T>
void write_structure(llvm::Function &function, llvm::StringRef kind, T &structure) {
    MetadataWriter writer(function.getContext());
    describe(writer, structure);
    function.setMetadata(kind, writer.node());
}

} // namespace rivulet::compiler

#endif
