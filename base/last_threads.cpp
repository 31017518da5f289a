// SPDX-License-Identifier: Apache-2.0
#include "base/last_threads.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/fork.h"
#include "base/thread.h"

namespace rivulet {
namespace {

constexpr int look_ms = 2000;      // how often to check whether other threads are left
constexpr timespec patience{1, 0}; // for the application to take a signal

/// Signals whose default action terminates or stops a process.
sigset_t signals_of_processes() {
    sigset_t set;
    sigfillset(&set);
    for (const int other : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGCHLD,
                            SIGCONT, SIGURG, SIGWINCH, SIGPIPE})
        sigdelset(&set, other);
    return set;
}

/// The thread's blocked signals as /proc formats them; "" if it has ended, "?" if unknown.
std::string blocked_by(const char *thread) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
        std::fopen(text({"/proc/self/task/", thread, "/status"}).c_str(), "re"), std::fclose);
    if (!file)
        return errno == ENOENT || errno == ESRCH ? "" : "?";
    char line[256];
    char state = 'X';
    while (std::fgets(line, sizeof line, file.get())) {
        if (std::strncmp(line, "State:\t", 7) == 0)
            state = line[7];
        if (std::strncmp(line, "SigBlk:\t", 8) == 0 && state != 'Z' && state != 'X')
            return line + 8;
    }
    return "";
}

struct Threads {
    bool application = true; // also if unknown
    int other = 1;           // than the calling thread
};

/// Threads with exactly the calling thread's signal mask are taken for the library's.
Threads look() {
    const std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir("/proc/self/task"), closedir);
    const std::string self = text({gettid()});
    const std::string ours = blocked_by(self.c_str());
    if (!folder || ours.empty() || ours == "?")
        return {};
    Threads found{false, 0};
    while (const dirent *entry = readdir(folder.get())) {
        if (entry->d_name[0] == '.' || self == entry->d_name)
            continue;
        const std::string blocked = blocked_by(entry->d_name);
        found.other += !blocked.empty();
        found.application |= !blocked.empty() && blocked != ours;
    }
    return found;
}

void *watch(void *) {
    prctl(PR_SET_NAME, "rivulet-signals");
    const sigset_t signals = signals_of_processes();
    pollfd pending{signalfd(-1, &signals, SFD_CLOEXEC), POLLIN, 0}; // used for polling only
    for (;;) {
        const bool is_pending = poll(&pending, 1, look_ms) == 1;
        const Threads threads = look();
        if (threads.other == 0)
            std::exit(0); // the process's last thread has ended
        if (!is_pending)
            continue;
        if (threads.application) {
            nanosleep(&patience, nullptr);
            continue;
        }
        sigset_t before;
        pthread_sigmask(SIG_UNBLOCK, &signals, &before);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
}

uint32_t process;

void thread_ended(void *) {
    static std::atomic<bool> is_watched = false;
    if (process != process_generation() ||
        is_watched.exchange(true)) // a forked child has no library threads
        return;
    const ThreadDefaults defaults;
    pthread_t thread;
    if (pthread_create(&thread, nullptr, watch, nullptr) == 0)
        pthread_detach(thread);
}

} // namespace

void watch_for_last_thread() {
    static pthread_key_t key;
    static const bool has_key = [] {
        process = process_generation();
        return pthread_key_create(&key, thread_ended) == 0;
    }();
    if (has_key)
        pthread_setspecific(key, &key);
}

} // namespace rivulet
