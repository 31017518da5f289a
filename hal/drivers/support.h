// SPDX-License-Identifier: Apache-2.0
//
// Helpers that drivers written in C++ share. A driver in C needs nothing of it: see null/null.c.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "hal/core/error.h"
#include "hal/core/file_descriptor.h"

namespace rivulet::hal {

/// A function of the driver's table that allocates: no exception may cross the C ABI.
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

/// Speaks to the library that called the driver.
class Reporter {
public:
    explicit Reporter(const rvl_host *host) : host_(host) {}

    void log(int level, const std::string &line) const {
        if (host_ != nullptr && host_->log != nullptr)
            host_->log(host_->user, level, line.c_str());
    }
    /// Logs what went wrong and what to do, and is the status to return.
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
