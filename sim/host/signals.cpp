// SPDX-License-Identifier: Apache-2.0
#include "sim/host/signals.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"

namespace n6vp::sim {

namespace {

// A handler may only use async-signal-safe calls: paths are plain C strings in fixed slots, which
// an atomic flag publishes once they are complete, and folders are read with the kernel's own call.
constexpr std::size_t kMaxPaths = 64;
constexpr std::size_t kMaxPathBytes = 4096;  // PATH_MAX of Linux
constexpr std::size_t kMaxChildren = 16;
constexpr unsigned kMaxDepth = 16;  // of folders; what this tool makes has two levels

enum Use : int { kFree, kTaken, kPublished };

struct Slot {
    std::atomic<int> use{kFree};
    std::array<char, kMaxPathBytes> path{};
};
static_assert(std::atomic<pid_t>::is_always_lock_free);  // pid_t is int, which Slot::use is, too
std::array<Slot, kMaxPaths> removed_paths;
std::array<std::atomic<pid_t>, kMaxChildren> children;
std::atomic<int> guards{0};
std::atomic<bool> asked{false};
std::atomic<pid_t> owner{0};  // a copy of this process made by fork removes nothing

void remove_tree(int parent, const char* name, unsigned depth) {
    if (unlinkat(parent, name, 0) == 0 || depth == kMaxDepth) return;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    alignas(dirent64) std::array<char, 4096> entries;
    for (;;) {
        const long bytes = syscall(SYS_getdents64, folder, entries.data(), entries.size());
        if (bytes <= 0) break;
        for (long at = 0; at < bytes;) {
            const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
            const char* const inner = entry->d_name;
            if (std::strcmp(inner, ".") != 0 && std::strcmp(inner, "..") != 0) {
                remove_tree(folder, inner, depth + 1);
            }
            at += entry->d_reclen;
        }
    }
    close(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void clean_up() {
    if (owner.load() != getpid()) return;
    for (const std::atomic<pid_t>& child : children) {
        if (child.load() > 0) kill(child.load(), SIGTERM);
    }
    for (const Slot& slot : removed_paths) {
        if (slot.use.load() == kPublished) remove_tree(AT_FDCWD, slot.path.data(), 0);
    }
}

extern "C" void on_interrupt(int) {
    const int error = errno;
    if (guards.load() > 0 && !asked.exchange(true)) {
        for (const std::atomic<pid_t>& child : children) {
            if (child.load() > 0) kill(child.load(), SIGTERM);
        }
        errno = error;
        return;
    }
    static constexpr char kMessage[] =
        "\nn6vp: interrupted; unfinished output files were removed\n";
    clean_up();
    // Nothing can be done about a closed stderr here.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
    _exit(kExitInterrupted);
}

/// The handler is gone by the time it runs, so the signal does again what it did before.
extern "C" void on_abort(int number) {
    clean_up();
    raise(number);
}

std::size_t take_slot(const std::string& path) {
    if (path.size() >= kMaxPathBytes) {
        throw UserError("the output path is longer than 4095 bytes", "choose a shorter path");
    }
    for (std::size_t index = 0; index < removed_paths.size(); ++index) {
        Slot& slot = removed_paths[index];
        int free = kFree;
        if (!slot.use.compare_exchange_strong(free, kTaken)) continue;
        std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
        slot.use.store(kPublished);
        return index;
    }
    throw std::logic_error("more than 64 temporary files and folders are open");
}

std::size_t take_child(pid_t child) {
    for (std::size_t index = 0; index < children.size(); ++index) {
        pid_t none = 0;
        if (children[index].compare_exchange_strong(none, child)) return index;
    }
    throw std::logic_error("more than 16 child processes run");
}

thread_local sigset_t mask_before;

}  // namespace

void catch_signals() {
    owner.store(getpid());
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, number);
    // A parent that made its children ignore Ctrl-C (nohup, a background job) keeps that.
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
    }
    action.sa_handler = on_abort;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int number : {SIGQUIT, SIGABRT, SIGXCPU}) {
        struct sigaction before = {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler == SIG_DFL) sigaction(number, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

InterruptGuard::InterruptGuard() {
    // In this order: a signal that arrives in between ends the process, and none is forgotten.
    if (guards.load() == 0) asked.store(false);
    guards.fetch_add(1);
}

InterruptGuard::~InterruptGuard() {
    guards.fetch_sub(1);
}

bool interrupted() {
    return asked.load();
}

RemovedBySignal::RemovedBySignal(const std::string& path) : slot_(take_slot(path)) {}

RemovedBySignal::~RemovedBySignal() {
    removed_paths[slot_].use.store(kFree);
}

SignalsHeld::SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask_before);
}

SignalsHeld::~SignalsHeld() {
    pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
}

SignalledChild::SignalledChild(pid_t child) : slot_(take_child(child)) {}

SignalledChild::~SignalledChild() {
    children[slot_].store(0);
}

}  // namespace n6vp::sim
