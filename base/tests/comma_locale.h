// SPDX-License-Identifier: Apache-2.0
//
// A locale with decimal commas and thousands separators, created for the test: by default, systems
// only have the C locale.
#pragma once

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace rivulet::test {

constexpr const char *name_of_comma_locale = "comma";

class CommaLocale {
public:
    CommaLocale() {
        std::string name = testing::TempDir() + "localeXXXXXX";
        folder_ = mkdtemp(name.data());
        std::ofstream(folder_ + "/source") << "LC_NUMERIC\ndecimal_point \",\"\n"
                                              "thousands_sep \".\"\ngrouping 3;3\n"
                                              "END LC_NUMERIC\nLC_CTYPE\ncopy \"POSIX\"\n"
                                              "END LC_CTYPE\n";
        const std::string make =
            "cd " + folder_ + " && localedef -c -i ./source --no-archive ./comma >log 2>&1";
        (void)!std::system(make.c_str()); // ignored: it fails after mere warnings
        setenv("LOCPATH", folder_.c_str(), 1);
        EXPECT_NE(std::setlocale(LC_ALL, name_of_comma_locale), nullptr)
            << "localedef needs Debian's package locales";
        EXPECT_STREQ(std::localeconv()->decimal_point, ",");
    }
    CommaLocale(const CommaLocale &) = delete;
    CommaLocale &operator=(const CommaLocale &) = delete;
    ~CommaLocale() {
        EXPECT_STREQ(std::localeconv()->decimal_point, ","); // unchanged by the library
        std::setlocale(LC_ALL, "C");
        std::filesystem::remove_all(folder_);
    }

private:
    std::string folder_;
};

} // namespace rivulet::test
