// SPDX-License-Identifier: Apache-2.0
//
// Helpers shared by drivers written in C++. Drivers in C don't need them: see null/null.c.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "hal/hal.h"

namespace rivulet::hal {

/// Wraps a table function that allocates, because exceptions must not cross the C ABI.
template <auto function> struct Guard;
template <class... Arguments, rvl_status (*function)(Arguments...)> struct Guard<function> {
    static rvl_status call(Arguments... arguments) noexcept {
        try {
            return function(arguments...);
        } catch (const std::bad_alloc &) {
            return RVL_NO_MEMORY;
        } catch (const std::exception &) { // of threads and the like
            return RVL_IO;
        }
    }
};
template <auto function> inline constexpr auto guarded = &Guard<function>::call;

/// Reports to the library that called the driver.
class Reporter {
public:
    explicit Reporter(const rvl_host *host) : host_(host) {}

    void log(int level, const std::string &line) const {
        if (host_ != nullptr && host_->log != nullptr)
            host_->log(host_->user, level, line.c_str());
    }
    /// Logs what went wrong and what to do, and returns the status.
    rvl_status fail(rvl_status status, const std::string &text) const {
        log(0, text);
        return status;
    }
    rvl_status fail(rvl_status status, std::initializer_list<Part> parts) const {
        return fail(status, text(parts));
    }
    rvl_status fail(const Error &error) const { return fail(error.status, error.message); }
    void died(const std::string &reason) const {
        if (host_ != nullptr && host_->died != nullptr)
            host_->died(host_->user, reason.c_str());
    }

private:
    const rvl_host *host_;
};

} // namespace rivulet::hal
