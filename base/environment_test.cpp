// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/tests/comma_locale.h"

namespace rivulet {
namespace {

/// Sets a variable for the duration of the test.
class Set {
public:
    Set(Variable variable, const char *value) : name_(name_of(variable)) {
        if (const char *before = std::getenv(name_.c_str()))
            before_ = before;
        setenv(name_.c_str(), value, 1);
    }
    ~Set() {
        if (before_)
            setenv(name_.c_str(), before_->c_str(), 1);
        else
            unsetenv(name_.c_str());
    }

private:
    std::string name_;
    std::optional<std::string> before_;
};

TEST(Environment, NumbersWithinTheirLimitsAreRead) {
    const Set seconds(Variable::compiler_seconds, "17");
    const Set limit(Variable::time_limit, "0.5");
    EXPECT_EQ(environment_number(Variable::compiler_seconds), 17);
    EXPECT_EQ(environment_number(Variable::time_limit), 0.5);
}

TEST(Environment, OthersAreAnErrorThatNamesVariableAndPermittedValues) {
    for (const char *bad : {"soon", "0", "-1", "1.5", "4294967296", "17s"}) {
        const Set seconds(Variable::compiler_seconds, bad);
        testing::internal::CaptureStderr();
        EXPECT_EQ(environment_number(Variable::compiler_seconds), 300) << bad;
        const std::string told = testing::internal::GetCapturedStderr();
        if (std::string(bad) == "soon") {
            EXPECT_EQ(told, "rivulet: error: RIVULET_CC_SECONDS=soon: permitted are whole numbers "
                            "1..4294967295; the default is used: 300\n");
        } else {
            EXPECT_EQ(told, "") << "it was already reported";
        }
    }
}

TEST(Environment, UnknownVariablesAreNamed) {
    setenv("RIVULET_MASCHINE", "rv64-v512", 1);
    setenv("RIVULET_WHATEVER_ELSE", "1", 1);
    testing::internal::CaptureStderr();
    warn_of_unknown_variables();
    const std::string told = testing::internal::GetCapturedStderr();
    unsetenv("RIVULET_MASCHINE");
    unsetenv("RIVULET_WHATEVER_ELSE");
    EXPECT_NE(
        told.find("rivulet: warning: the environment's RIVULET_MASCHINE is not known (did you "
                  "mean RIVULET_MACHINE?)\n"),
        told.npos)
        << told;
    EXPECT_NE(
        told.find("RIVULET_WHATEVER_ELSE is not known; `rivulet info --environment` lists all "
                  "variables\n"),
        told.npos)
        << told;
    const Set known(Variable::machine, "rv64-v512");
    testing::internal::CaptureStderr();
    warn_of_unknown_variables();
    EXPECT_EQ(testing::internal::GetCapturedStderr().find("RIVULET_MACHINE"), told.npos);
}

TEST(Environment, DecimalsHaveLimits) {
    for (const char *bad : {"nan", "inf", "1e300", "-0.5", "soon", "5 s"}) {
        const Set limit(Variable::time_limit, bad);
        EXPECT_EQ(environment_number(Variable::time_limit), 600) << bad;
    }
}

TEST(Environment, DecimalsAreReadInAnyLocale) {
    const test::CommaLocale locale;
    const Set limit(Variable::time_limit, "0.5");
    EXPECT_EQ(environment_number(Variable::time_limit), 0.5);
}

TEST(Environment, EmptyIsLikeNotSet) {
    const Set log(Variable::log, "");
    EXPECT_EQ(environment(Variable::log), nullptr);
    EXPECT_EQ(environment_number(Variable::log), std::nullopt);
}

TEST(Environment, ChoicesAreWordsOfTheTable) {
    const Set type(Variable::device_type, "GPU");
    EXPECT_EQ(environment_choice(Variable::device_type), 2U);
    const Set other(Variable::device_type, "gpu");
    EXPECT_EQ(environment_choice(Variable::device_type), 0U);
    EXPECT_EQ(environment(Variable::device_type), nullptr);
}

} // namespace
} // namespace rivulet
