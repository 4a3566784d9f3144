// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform_log.h"

#include <systemc>

#include "memmap/clocks.h"
#include "sim/host/log.h"
#include "sim/platform/object_names.h"

namespace n6vp::sim {

namespace {

constexpr double kHzPerMhz = 1e6;

void log_kernel_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    const bool is_error = report.get_severity() > sc_core::SC_WARNING;
    if (is_error) return sc_core::sc_report_handler::default_handler(report, actions);
    // Suppressed reports stay suppressed.
    if ((actions & sc_core::SC_DISPLAY) == 0) return;
    const bool is_warning = report.get_severity() == sc_core::SC_WARNING;
    const char* const text = report.get_msg();
    const char* const process = report.get_process_name();  // null outside of processes
    log(LogComponent::Kernel, is_warning ? LogLevel::Warn : LogLevel::Info, "{}{}{}{}",
        report.get_msg_type(), *text == '\0' ? "" : ": ", text,
        process == nullptr ? std::string() : fmt::format(" (in {})", process));
}

/// Returns "read of 4 bytes at 0x…".
[[nodiscard]] std::string access_text(bool write, std::uint32_t bytes, std::uint64_t address) {
    return fmt::format("{} of {} byte{} at 0x{:08x}", write ? "write" : "read", bytes,
                       bytes == 1 ? "" : "s", address);
}

[[nodiscard]] std::string engine_object(unsigned engine) {
    return npu_object(fmt::format("STRENG{}", engine));
}

[[nodiscard]] const char* text_of(models::AccessFault::Kind kind) {
    using Kind = models::AccessFault::Kind;
    switch (kind) {
        case Kind::Unmapped:
            return "unmapped";
        case Kind::Unreachable:
            return "not reachable for this initiator";
        case Kind::CrossesWindow:
            return "crosses the end of the window";
        case Kind::ReadOnly:
            return "read-only";
        case Kind::Refused:
            return "refused";
        default:
            return "not supported";
    }
}

}  // namespace

void log_kernel_reports() {
    using Handler = sc_core::sc_report_handler;
    Handler::set_actions(sc_core::SC_INFO, sc_core::SC_DISPLAY);
    Handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DISPLAY);
    Handler::set_handler(log_kernel_report);
}

void log_clocks(models::ClockTree& clocks) {
    for (const memmap::Clock& row : memmap::kClocks) {
        if (row.overdrive_hz == 0) continue;
        clocks.follow(row.domain, [name = row.name](double hz) {
            log(LogComponent::Clocks, LogLevel::Info, "{}: {} MHz",
                chip_object(fmt::format("clock_{}", name)), hz / kHzPerMhz);
        });
    }
}

void log_fault(const models::AccessFault& fault, models::Picoseconds at) {
    log_at(at, LogComponent::Bus, LogLevel::Info, "{}: {}: {}{}{}, answered with {}",
           port_object(fault.initiator), access_text(fault.write, fault.bytes, fault.address),
           text_of(fault.kind), fault.reason[0] == '\0' ? "" : ": ", fault.reason,
           fault.answered_zero ? "zero" : "a bus error");
}

void log_buffer_in_use(const models::BufferInUse& use, models::Picoseconds at) {
    log_at(at, LogComponent::Bus, LogLevel::Info, "{}: {} while {} {} the buffer: {}",
           port_object(use.initiator), access_text(use.write, use.bytes, use.address),
           port_object(use.user), use.being_written ? "writes" : "reads", use.claim);
}

void log_unwritten_read(std::string_view memory, std::uint32_t offset, models::Picoseconds at) {
    log_at(at, LogComponent::Bus, LogLevel::Info,
           "read of memory that was never written: {}+0x{:x}", chip_object(memory), offset);
}

void log_register(const models::RegisterAccess& access, models::Picoseconds at) {
    log_at(at, LogComponent::Registers, access.modelled ? LogLevel::Trace : LogLevel::Debug,
           "{}.{} (offset 0x{:x}, address 0x{:08x}): {} 0x{:08x}{}", chip_object(access.block),
           access.name[0] == '\0' ? "?" : access.name, access.offset, access.address,
           access.write ? "write" : "read", access.value, access.modelled ? "" : ", not modelled");
}

void log_npu_event(const models::npu::NpuEvent& event, models::Picoseconds at) {
    log_at(at, LogComponent::Npu, LogLevel::Info, "{}: {}; epoch label {}", npu_object(event.unit),
           event.text, event.label);
}

void log_engine(unsigned engine, const models::npu::StreamConfig& stream,
                const models::npu::EngineCounters* counters, models::Picoseconds at) {
    if (counters == nullptr) {
        log_at(at, LogComponent::Npu, LogLevel::Debug, "{}: {} from 0x{:08x} on begins",
               engine_object(engine), stream.dir ? "output" : "input", stream.addr);
    } else {
        log_at(at, LogComponent::Npu, LogLevel::Debug, "{}: ends after {} bytes",
               engine_object(engine), counters->bytes);
    }
}

void log_epoch_label(std::uint32_t label, models::Picoseconds at) {
    log_at(at, LogComponent::Npu, LogLevel::Debug, "{}: epoch label {}", npu_object(""), label);
}

}  // namespace n6vp::sim
