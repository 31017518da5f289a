// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_LLVM_OPTIONS_H
#define RIVULET_COMPILER_SUPPORT_LLVM_OPTIONS_H

#include <llvm/Support/CommandLine.h>

namespace rivulet::compiler {

// What of LLVM has no other way to be told: an option of its command lines. lld sets all back, so
// they are set each time. The text is any that the option takes.
template <class Value>
void set_option(llvm::StringRef name, Value value, llvm::StringRef text = "true") {
    auto found = llvm::cl::getRegisteredOptions().find(name);
    if (found == llvm::cl::getRegisteredOptions().end())
        return;
    auto *option = static_cast<llvm::cl::opt<Value> *>(found->second);
    if (option->getNumOccurrences() == 0)
        option->addOccurrence(1, name, text);
    option->setValue(value);
}

} // namespace rivulet::compiler

#endif
