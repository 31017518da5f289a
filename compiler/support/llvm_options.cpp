// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/llvm_options.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>

namespace rivulet::compiler {
namespace {

llvm::cl::Option &registered(llvm::StringRef name) {
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
    if (!option)
        llvm::report_fatal_error("this build of rivulet-cc expects LLVM's option -" + name, false);
    return *option;
}

} // namespace

void reset_option(llvm::StringRef name) { registered(name).reset(); }

void set_option(llvm::StringRef name, llvm::StringRef text) {
    reset_option(name); // an option is given once at most
    if (registered(name).addOccurrence(1, name, text))
        llvm::report_fatal_error("LLVM's option -" + name + " doesn't take '" + text + "'", false);
}

} // namespace rivulet::compiler
