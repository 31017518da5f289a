// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/printf_checks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

struct Conversion {
    bool has_star = false; // in the width or the precision
    bool is_vector = false;
    StringRef components; // digits after v
    StringRef length;     // "", "hh", "h", "hl", "l" and what C99 has
    char letter = 0;      // 0: the text ends before
};

constexpr StringRef integers = "diouxX", reals = "aAeEfFgG";

StringRef take_letters(StringRef &text, StringRef letters) {
    StringRef taken = text.substr(0, text.find_first_not_of(letters));
    text = text.drop_front(taken.size());
    return taken;
}

// Parses what follows a '%'.
Conversion take_conversion(StringRef &text) {
    Conversion result;
    take_letters(text, "-+ #0");
    auto number = [&] {
        if (text.consume_front("*"))
            result.has_star = true;
        take_letters(text, "0123456789");
    };
    number();
    if (text.consume_front("."))
        number();
    if (text.consume_front("v")) {
        result.is_vector = true;
        result.components = take_letters(text, "0123456789");
    }
    result.length = take_letters(text, "hljztLq");
    if (!text.empty()) {
        result.letter = text.front();
        text = text.drop_front();
    }
    return result;
}

std::vector<Conversion> conversions_of(StringRef text) {
    std::vector<Conversion> all;
    while (text.contains('%')) {
        text = text.substr(text.find('%') + 1);
        if (!text.consume_front("%"))
            all.push_back(take_conversion(text));
    }
    return all;
}

void check_conversion(const Conversion &conversion, bool is_opencl_c_3_1,
                      std::vector<FormatFlaw> &flaws) {
    const StringRef length = conversion.length, letter(&conversion.letter, 1);
    auto say = [&](bool is_error, std::string sentence) {
        flaws.push_back({std::move(sentence), is_error});
    };
    if (conversion.has_star)
        say(true, "a field width or precision of printf is a number in OpenCL C, not '*'");
    if (letter == "n") {
        say(true, "printf has no conversion %n in OpenCL C");
        return;
    }
    const bool is_integer = integers.contains(letter), is_real = reals.contains(letter);
    if (conversion.is_vector) {
        constexpr StringRef sizes[] = {"2", "3", "4", "8", "16"};
        if (!is_integer && !is_real)
            say(true, llvm::formatv("printf prints no vectors by %{0}", letter));
        else if (!llvm::is_contained(sizes, conversion.components))
            say(true,
                llvm::formatv("printf prints vectors of 2, 3, 4, 8 or 16 components, not 'v{0}'",
                              conversion.components));
        else if (length.empty())
            say(false, llvm::formatv("a vector's conversion has a length modifier: hh, h, hl or l "
                                     "before '{0}'",
                                     letter));
        else if (length != "h" && length != "hl" && length != "l" && (length != "hh" || is_real))
            say(false, llvm::formatv("there is no length modifier '{0}' for vectors by %{1}",
                                     length, letter));
        return;
    }
    if (length == "l" && (letter == "c" || letter == "s"))
        say(true, llvm::formatv("printf has no conversion %l{0} in OpenCL C", letter));
    else if (is_integer && (length == "z" || length == "t")) {
        if (!is_opencl_c_3_1)
            say(false, llvm::formatv("the length modifier '{0}' is reserved in OpenCL C before "
                                     "3.1; a long is printed with 'l'",
                                     length));
    } else if (is_integer && (length == "ll" || length == "j" || length == "q" || length == "L"))
        say(false, llvm::formatv("the length modifier '{0}' is reserved in OpenCL C; a long is "
                                 "printed with 'l'",
                                 length));
    else if (!is_integer && !is_real && !length.empty() && StringRef("csp").contains(letter))
        say(false, llvm::formatv("%{0} takes no length modifier '{1}'", letter, length));
}

} // namespace

std::vector<FormatFlaw> flaws_of_format(StringRef format, bool is_opencl_c_3_1) {
    std::vector<FormatFlaw> flaws;
    for (const Conversion &conversion : conversions_of(format))
        check_conversion(conversion, is_opencl_c_3_1, flaws);
    return flaws;
}

std::vector<bool> printed_as_text(StringRef format) {
    std::vector<bool> texts;
    for (const Conversion &conversion : conversions_of(format))
        texts.push_back(conversion.letter == 's');
    return texts;
}

} // namespace rivulet::compiler
