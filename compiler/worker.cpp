// SPDX-License-Identifier: Apache-2.0
#include "compiler/worker.h"

#include <cstdio>
#include <cstring>
#include <new>

#include <sys/resource.h>
#include <unistd.h>

#include <llvm/Support/ErrorHandling.h>

#include "compiler/frames.h"
#include "compiler/symbolize.h"
#include "compiler/target.h"
#include "compiler/version.h"

namespace rivulet::compiler {
namespace {

LastWords *words;

[[noreturn]] void die(const char *reason) {
    snprintf(words->message, sizeof words->message, "%s", reason);
    _exit(1);
}

void limit(int resource, uint64_t value) {
    rlimit limits = {};
    getrlimit(static_cast<__rlimit_resource>(resource), &limits);
    limits.rlim_cur = std::min<rlim_t>(value, limits.rlim_max);
    setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

// Address space that is in use before the job: libraries, mostly.
uint64_t address_space_in_use() {
    unsigned long long pages = 0;
    if (FILE *file = fopen("/proc/self/statm", "re")) {
        if (fscanf(file, "%llu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void set_limits(const Request &request) {
    words->seconds = request.seconds;
    words->memory_bytes = request.memory_bytes;
    if (request.seconds)
        limit(RLIMIT_CPU, request.seconds);
    if (request.memory_bytes)
        limit(RLIMIT_AS, address_space_in_use() + request.memory_bytes);
}

// A failure of LLVM's is this process' end, and its reason the parent's to tell.
void install_handlers() {
    limit(RLIMIT_CORE, 0);
    llvm::install_fatal_error_handler([](void *, const char *reason, bool) { die(reason); });
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { die("it ran out of memory"); });
    std::set_new_handler([] { die("it ran out of memory"); });
}

void progress(const char *phase) { words->phase = phase; }

Answer compile(Request &request) {
    Job &job = request.job;
    job.stage = request.kind == RVL_FRAME_LINK      ? Stage::link
                : request.kind == RVL_FRAME_COMPILE ? Stage::compile
                                                    : Stage::build;
    job.output = request.kind == RVL_FRAME_COMPILE ? Output::object : Output::image;
    if (request.kind == RVL_FRAME_LINK && job.objects.empty())
        return {RVL_COMPILE_BAD_REQUEST, "nothing to link\n", {}, {}};
    Result result = run(job, progress);
    const bool is_object = result.bytes.starts_with("BC");
    return {result.status, result.log, is_object ? RVL_FIELD_OBJECT : RVL_FIELD_IMAGE,
            result.bytes};
}

Answer answer(Request &request) {
    switch (request.kind) {
    case RVL_FRAME_BUILD:
    case RVL_FRAME_COMPILE:
    case RVL_FRAME_LINK:
        return compile(request);
    case RVL_FRAME_SYMBOLIZE:
        progress("looking up a source line");
        if (auto place = symbolize(request.image, request.address))
            return {RVL_COMPILE_OK, *place, {}, {}};
        else
            return {RVL_COMPILE_FAILED, place.error(), {}, {}};
    case RVL_FRAME_PING:
        return {RVL_COMPILE_OK, compiler_version, {}, {}};
    default:
        return {RVL_COMPILE_BAD_REQUEST, "rivulet-cc does not know this kind of request\n", {}, {}};
    }
}

} // namespace

void work(int socket, LastWords &last_words) {
    words = &last_words;
    install_handlers();
    progress("reading the request");
    Answer reply;
    if (auto request = read_request(socket)) {
        set_limits(*request);
        reply = answer(*request);
    } else {
        reply = {RVL_COMPILE_BAD_REQUEST, request.error() + "\n", {}, {}};
    }
    std::string frame = encode(reply);
    words->is_answering = true;
    write_all(socket, frame);
    _exit(0); // no destructors: the process ends faster than they run
}

void warm_up() {
    Job job;
    job.source = {"warm.cl",
                  "kernel void warm(global float *a) { size_t i = get_global_id(0);"
                  " a[i] = fmax(a[i], 0.0f); }",
                  {}};
    job.isa = default_isa;
    run(job);
}

} // namespace rivulet::compiler
