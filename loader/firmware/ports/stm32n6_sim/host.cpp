// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/host.h"

#include "loader/firmware/base/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"
#include "loader/firmware/semihosting.h"

/// The simulator: its mailbox or, if the job says so, semihosting. Whoever starts the program
/// writes the job.

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record;

namespace n6vp::firmware::chip::host {

bool arguments(char* words, std::uint32_t capacity) {
    words[0] = '\0';
    if (!wanted(kUseMailbox) || !wanted(kUseArguments)) return true;
    return mailbox::arguments(words, capacity);
}

void open() {
    if (wanted(kUseConsole)) console::initialise(job().uart_divider);
}

void say(const char* text) {
    if (wanted(kUseMailbox)) {
        mailbox::print(text);
    } else {
        semihosting::print(text);
    }
}

void end(std::uint32_t code) {
    if (wanted(kUseMailbox)) mailbox::exit(code);
    semihosting::exit(code);
}

bool hears_phases() {
    return wanted(kUseMailbox);
}

void begin_phase(std::uint32_t id, const char* name) {
    if (wanted(kUseMailbox)) mailbox::begin_phase(id, name);
}

void end_phase(std::uint32_t id) {
    if (wanted(kUseMailbox)) mailbox::end_phase(id);
}

bool read_file(const char* name, void* to, std::uint32_t bytes) {
    const std::uint32_t handle = mailbox::open(name, mailbox::OpenMode::Read);
    if (handle == mailbox::kNoHandle) return false;
    const bool whole = mailbox::read(handle, to, bytes) == bytes;
    mailbox::close(handle);
    return whole;
}

bool write_file(const char* name, const void* from, std::uint32_t bytes) {
    const std::uint32_t handle = mailbox::open(name, mailbox::OpenMode::Write);
    if (handle == mailbox::kNoHandle) return false;
    const bool written = mailbox::write(handle, from, bytes);
    mailbox::close(handle);
    return written;
}

}  // namespace n6vp::firmware::chip::host
