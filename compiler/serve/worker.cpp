// SPDX-License-Identifier: Apache-2.0
#include "compiler/serve/worker.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/image/symbolize.h"
#include "compiler/serve/client_files.h"
#include "compiler/serve/compile_protocol.h"
#include "compiler/serve/fd_passing.h"
#include "compiler/support/version.h"

namespace rivulet::compiler {

// Memory that a worker keeps from job to job: given back, it only costs page faults again. Page
// faults of a fresh process were a quarter of a small build; the size was not measured.
constexpr int worker_kept_bytes = 256 << 20; // bytes

// Larger blocks are mapped on their own, outside of the heap; the most that glibc allows. A limit
// of glibc.
constexpr int worker_max_heap_block = 32 << 20; // bytes

namespace {

WorkerStatus *words;

[[noreturn]] void die(const char *reason) {
    words->leave(reason);
    _exit(1);
}

void limit(int resource, uint64_t value) {
    rlimit limits = {};
    getrlimit(static_cast<__rlimit_resource>(resource), &limits);
    limits.rlim_cur = std::min<rlim_t>(value, limits.rlim_max);
    setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

// In bytes: address space, what of it is in memory, and what of that others have, too.
struct MemoryInUse {
    unsigned long long space = 0, resident = 0, shared = 0;
};

MemoryInUse memory_in_use() {
    MemoryInUse use;
    if (FILE *file = fopen("/proc/self/statm", "re")) {
        if (fscanf(file, "%llu %llu %llu", &use.space, &use.resident, &use.shared) != 3)
            use = {};
        fclose(file);
    }
    const auto page = static_cast<unsigned long long>(sysconf(_SC_PAGESIZE));
    return {use.space * page, use.resident * page, use.shared * page};
}

// Begun ones count.
uint64_t seconds_used() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1;
}

// In addition to what earlier jobs have used. Set before reading the request's other fields.
void set_limits(const Request &request) {
    words->seconds = request.seconds;
    words->memory_bytes = request.memory_bytes;
    limit(RLIMIT_CPU, request.seconds ? seconds_used() + request.seconds : RLIM_INFINITY);
    limit(RLIMIT_AS,
          request.memory_bytes ? memory_in_use().space + request.memory_bytes : RLIM_INFINITY);
}

// The worker keeps its memory from one job to the next. The heap used by jobs has huge pages if
// available, because syntax trees and code are widely spread.
void configure_heap() {
    constexpr uintptr_t huge_page = 2 << 20;
    mallopt(M_MMAP_THRESHOLD, worker_max_heap_block);
    mallopt(M_TRIM_THRESHOLD, worker_kept_bytes);
    mallopt(M_TOP_PAD, worker_max_heap_block);
    void *before = sbrk(0);
    void *volatile first = malloc(worker_max_heap_block / 2); // creates the heap
    free(first);
    const uintptr_t begin = llvm::alignTo(reinterpret_cast<uintptr_t>(before), huge_page);
    const uintptr_t end = llvm::alignDown(reinterpret_cast<uintptr_t>(sbrk(0)), huge_page);
    if (begin < end)
        madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

bool exceeds_retained_heap() {
    const MemoryInUse use = memory_in_use();
    return use.resident - use.shared > worker_kept_bytes;
}

// A failure of LLVM's is this process' end, and its reason the parent's to tell.
void install_handlers() {
    limit(RLIMIT_CORE, 0);
    llvm::install_fatal_error_handler([](void *, const char *reason, bool) { die(reason); });
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { die("it ran out of memory"); });
    std::set_new_handler([] { die("it ran out of memory"); });
}

void progress(const char *phase) { words->enter(phase); }

Answer compile(Request &request, int socket) {
    Job &job = request.job;
    if (request.folder)
        job.source.files = client_files(socket, *request.folder);
    else
        job.source.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
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

Answer answer(Request &request, int socket) {
    switch (request.kind) {
    case RVL_FRAME_BUILD:
    case RVL_FRAME_COMPILE:
    case RVL_FRAME_LINK:
        return compile(request, socket);
    case RVL_FRAME_SYMBOLIZE:
        progress("looking up a source line");
        if (auto location = symbolize(request.image, request.address))
            return {RVL_COMPILE_OK, *location, {}, {}};
        else
            return {RVL_COMPILE_FAILED, location.error(), {}, {}};
    case RVL_FRAME_PING:
        return {RVL_COMPILE_OK, compiler_version(), {}, {}};
    default:
        return {RVL_COMPILE_BAD_REQUEST, "rivulet-cc does not know this kind of request\n", {}, {}};
    }
}

void do_job(int socket) {
    progress("reading the request");
    set_limits({}); // none of the job before
    Answer reply;
    if (auto request = read_request(socket, set_limits)) {
        reply = answer(*request, socket);
    } else {
        reply = {RVL_COMPILE_BAD_REQUEST, request.error() + "\n", {}, {}};
    }
    std::string frame = encode(reply);
    words->is_answering = true;
    write_all(socket, frame);
    close(socket);
}

} // namespace

void work(int control, WorkerStatus &last_words) {
    words = &last_words;
    install_handlers();
    configure_heap();
    for (unsigned jobs = 0;;) {
        const int job = receive_job(control);
        if (job == no_job)
            continue;
        if (job == no_more_jobs)
            break;
        do_job(job);
        if (++jobs == worker_max_jobs || exceeds_retained_heap())
            break;
        send(control, "", 1, MSG_NOSIGNAL); // done
    }
    _exit(0); // no destructors: the process ends faster than they run
}

} // namespace rivulet::compiler
