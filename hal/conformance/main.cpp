// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite: every guarantee of hal/hal.h and hal/device.h, by name, on the device
// selected by RIVULET_MACHINE and RIVULET_DRIVER.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/build_version.h"
#include "hal/conformance/advice.h"
#include "hal/conformance/session.h"
#include "hal/core/config.h"
#include "hal/core/drivers.h"
#include "tools/command_line/documents.h"

using namespace rivulet;
using namespace rivulet::hal;
using namespace rivulet::hal::conformance;

namespace {

/// After a failure, prints advice for the driver's author and the device's log.
class Porter : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override { clear_log(); }
    void OnTestEnd(const testing::TestInfo &info) override {
        if (!info.result()->Failed())
            return;
        const auto name = std::string(info.test_suite_name()) + "." + info.name();
        const auto text = advice(name);
        std::printf("[  PORTER  ] %s: look at %.*s.\n", name.c_str(), static_cast<int>(text.size()),
                    text.data());
        std::printf("[   LOG    ]\n%s", log_text().c_str());
    }
};

/// Reserves standard output for GoogleTest's JSON; the tests' own output goes to standard error.
class Document {
public:
    Document()
        : output_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)),
          report_(memfd_create("rivulet-hal-test", MFD_CLOEXEC)) {
        if (output_ < 0 || report_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
            std::perror("rivulet hal-test");
            std::exit(1);
        }
    }
    Document(const Document &) = delete;
    ~Document() {
        lseek(report_, 0, SEEK_SET);
        char buffer[4096];
        for (ssize_t got; (got = ::read(report_, buffer, sizeof buffer)) > 0;)
            for (ssize_t put = 0, more; put < got; put += more)
                if ((more = ::write(output_, buffer + put, static_cast<size_t>(got - put))) < 0)
                    return;
    }
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(report_); }

private:
    int output_, report_;
};

/// True if there is a driver to test. Not the default device if a configuration file has an error.
bool is_driver_found() {
    std::vector<Error> errors;
    const auto devices = Config::of_host(errors);
    const auto driver = devices.empty() ? std::unexpected(Error{}) : find_driver(devices.front());
    if (!devices.empty() && !driver)
        errors.push_back(driver.error());
    for (const Error &error : errors)
        std::fprintf(stderr, "rivulet hal-test: %s\n", error.message.c_str());
    return driver.has_value();
}

} // namespace

TEST(Advice, IsThereForEveryTest) {
    const auto &all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
        const auto &tests = *all.GetTestSuite(suite);
        if (std::string_view(tests.name()) != "Advice")
            EXPECT_NE(advice(tests.name()), "") << tests.name();
    }
}

int main(int argc, char **argv) {
    std::string filter, junit;
    int repeat = 1;
    bool list = false, json = false;
    CLI::App app("Runs the HAL conformance suite against the driver that RIVULET_DRIVER names",
                 "rivulet hal-test");
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    app.add_option("-f,--filter", filter, "only tests like this: Start.*:Wait.*-*Dies*")
        ->type_name("PATTERN");
    app.add_flag("-l,--list", list, "list the tests without running them");
    app.add_option("-r,--repeat", repeat, "number of runs")->check(CLI::PositiveNumber);
    app.add_option("--junit", junit, "write the results as JUnit's XML")->type_name("FILE");
    app.add_flag("--json", json,
                 "print the results as GoogleTest's JSON; the tests' words go to "
                 "standard error")
        ->excludes("--junit");
    app.footer("RIVULET_MACHINE and RIVULET_DRIVER name the device, as everywhere. After a failure "
               "the log of\nthe device follows, and what to look at. Options of GoogleTest "
               "(--gtest_…) are taken, too.");
    if (const auto status = rivulet::command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    std::vector<char *> ours, theirs{argv[0]};
    for (int i = 0; i < argc; ++i)
        (i > 0 && std::strncmp(argv[i], "--gtest_", 8) == 0 ? theirs : ours).push_back(argv[i]);
    const auto is_output = [](const char *word) {
        return std::string_view(word).starts_with("--gtest_output");
    };
    try {
        app.parse(static_cast<int>(ours.size()), ours.data());
        if (json && std::ranges::any_of(theirs, is_output))
            throw CLI::ValidationError("--json excludes --gtest_output");
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!filter.empty())
        GTEST_FLAG_SET(filter, filter);
    if (!junit.empty())
        GTEST_FLAG_SET(output, "xml:" + junit);
    if (list)
        GTEST_FLAG_SET(list_tests, true);
    if (repeat != 1)
        GTEST_FLAG_SET(repeat, repeat);
    std::optional<Document> document;
    if (json)
        GTEST_FLAG_SET(output, "json:" + document.emplace().path());
    int count = static_cast<int>(theirs.size());
    theirs.push_back(nullptr); // GoogleTest shifts it along with the arguments
    testing::InitGoogleTest(&count, theirs.data());
    if (!GTEST_FLAG_GET(list_tests) && !is_driver_found())
        return 1;
    testing::UnitTest::GetInstance()->listeners().Append(new Porter);
    return RUN_ALL_TESTS();
}
