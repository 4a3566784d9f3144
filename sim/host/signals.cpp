// SPDX-License-Identifier: Apache-2.0
#include "sim/host/signals.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

// The handler may only use async-signal-safe calls, so the names of partial files are plain C
// strings in fixed slots, published by an atomic flag after they are complete.
constexpr std::size_t kMaxOpenFiles = 32;
constexpr std::size_t kMaxPathBytes = 4096;  // PATH_MAX of Linux

struct Slot {
    std::atomic<bool> used{false};
    std::array<char, kMaxPathBytes> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<Slot, kMaxOpenFiles> partial_files;

extern "C" void on_interrupt(int) {
    static constexpr char kMessage[] =
        "\nn6vp: interrupted; unfinished output files were removed\n";
    for (const Slot& slot : partial_files) {
        if (slot.used.load(std::memory_order_acquire)) unlink(slot.path.data());
    }
    // Nothing can be done about a closed stderr here.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
    _exit(kExitInterrupted);
}

int take_slot(const std::string& path) {
    if (path.size() >= kMaxPathBytes) {
        throw UserError("the output path is longer than 4095 bytes", "choose a shorter path");
    }
    for (std::size_t index = 0; index < partial_files.size(); ++index) {
        Slot& slot = partial_files[index];
        if (slot.used.load(std::memory_order_relaxed)) continue;
        std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
        slot.used.store(true, std::memory_order_release);
        return static_cast<int>(index);
    }
    throw std::logic_error("more than 32 output files are open");
}

/// A folder could not be replaced by the file, and a device must not be.
std::filesystem::path replaceable(std::filesystem::path path) {
    std::error_code ignored;
    const std::filesystem::file_status there = std::filesystem::status(path, ignored);
    if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return path;
    throw UserError(fmt::format("cannot write '{}': a folder or device has that name",
                                traces::terminal_text(path.string())),
                    "choose another file");
}

}  // namespace

void catch_signals() {
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    // A parent that made its children ignore Ctrl-C (nohup, a background job) keeps that.
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        sigaction(signal_number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
}

OutputFile::OutputFile(std::filesystem::path path)
    : path_(replaceable(std::move(path))),
      partial_(path_.string() + ".partial"),
      slot_(take_slot(partial_)) {
    stream_.open(partial_, std::ios::binary | std::ios::trunc);
    if (stream_) return;
    const std::string reason = std::strerror(errno);
    partial_files[static_cast<std::size_t>(slot_)].used.store(false, std::memory_order_release);
    throw UserError(fmt::format("cannot create '{}': {}", traces::terminal_text(partial_), reason),
                    "choose a writable folder, or create it first");
}

OutputFile::~OutputFile() {
    if (!open_) return;
    stream_.close();
    unlink(partial_.c_str());
    partial_files[static_cast<std::size_t>(slot_)].used.store(false, std::memory_order_release);
}

void OutputFile::commit() {
    stream_.close();
    const std::string shown = traces::terminal_text(path_.string());
    if (stream_.fail()) {
        throw UserError(fmt::format("cannot write '{}'", shown), "check free space on the disk");
    }
    std::error_code failed;
    std::filesystem::rename(partial_, path_, failed);
    if (failed) {
        throw UserError(fmt::format("cannot write '{}': {}", shown, failed.message()),
                        "check the file of that name and its write permission");
    }
    open_ = false;
    partial_files[static_cast<std::size_t>(slot_)].used.store(false, std::memory_order_release);
}

}  // namespace n6vp::sim
