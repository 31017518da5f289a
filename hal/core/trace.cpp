// SPDX-License-Identifier: Apache-2.0
#include "hal/core/trace.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/fork.h"
#include "base/now.h"

namespace rivulet::hal::trace {
namespace {

std::atomic<bool> is_child = false;

TraceWriter *load_writer(const char *path) {
    void *library = dlopen((find_driver_directory() + "/trace.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto open_trace =
        library != nullptr
            ? reinterpret_cast<decltype(&rivulet_open_trace)>(dlsym(library, "rivulet_open_trace"))
            : nullptr;
    if (open_trace == nullptr) {
        std::fprintf(stderr,
                     "rivulet: error: tracing is off, because trace.so can't be loaded: "
                     "%s; install all of lib/rivulet\n",
                     dlerror());
        return nullptr;
    }
    return open_trace(path);
}

/// Allocates nothing if tracing is off: entry points call it before they are prepared for
/// out-of-memory.
TraceWriter *begin() try {
    const char *path = environment(Variable::trace);
    TraceWriter *writer = path != nullptr ? load_writer(path) : nullptr;
    if (writer != nullptr) {
        call_in_forked_children([] { is_child = true; });
        std::atexit([] {
            if (TraceWriter *own = trace::writer())
                own->flush();
        });
    }
    return writer;
} catch (const std::bad_alloc &) {
    return nullptr;
}

thread_local Span *innermost = nullptr;

} // namespace

TraceWriter *writer() {
    static TraceWriter *const opened = begin();
    return opened != nullptr && !is_child.load(std::memory_order_relaxed) ? opened : nullptr;
}

Span::Span(std::string_view name) : name_(name) {
    if (!is_on())
        return;
    start_ = now_ns();
    outer_ = std::exchange(innermost, this);
}

Span::~Span() {
    if (start_ == 0)
        return;
    innermost = outer_;
    if (TraceWriter *out = writer())
        out->add_span({name_, start_, now_ns(), {}, flow_});
}

void Span::begin_flow(uint64_t flow) {
    if (innermost != nullptr)
        innermost->flow_ = flow;
}

void instant(std::string_view name) {
    if (TraceWriter *out = writer())
        out->add_instant(name, now_ns());
}

Counter::Counter(std::string_view name, std::string_view unit)
    : row_(is_on() ? writer()->add_counter(name, unit) : 0) {}

void Counter::add(int64_t difference) {
    if (TraceWriter *out = writer())
        out->set_counter(row_, now_ns(), value_ += difference);
}

} // namespace rivulet::hal::trace
