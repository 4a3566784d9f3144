// SPDX-License-Identifier: Apache-2.0
#include "traces/install_log.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

namespace n6vp::traces {

namespace {

using Kind = InstallEvent::Kind;

[[nodiscard]] std::string nanoseconds(std::uint64_t picoseconds) {
    return fmt::format("{}.{:03}", picoseconds / 1000, picoseconds % 1000);
}

[[nodiscard]] std::string hex(std::uint32_t word) {
    return fmt::format("0x{:08x}", word);
}

void write_event(std::ostream& out, const InstallEvent& event) {
    const bool patches_word = event.kind == Kind::Patch && event.bytes == 4;
    const std::string_view what =
        event.kind == Kind::Cache ? to_text(event.op) : to_text(event.kind);
    out << nanoseconds(event.start_ps) << ',' << nanoseconds(event.duration_ps) << ','
        << to_text(event.phase) << ',' << what << ','
        << (event.kind == Kind::Console ? "" : hex(to_word(event.address))) << ','
        << (event.kind == Kind::Copy ? hex(to_word(event.from)) : "") << ',' << event.bytes << ','
        << (patches_word ? hex(event.before) : "") << ',' << (patches_word ? hex(event.after) : "")
        << ',' << (event.refused ? "bus-error" : "ok") << '\n';
}

}  // namespace

std::string_view to_text(loader::Phase phase) {
    switch (phase) {
        case loader::Phase::Checks:
            return "checks";
        case loader::Phase::Pools:
            return "pools";
        case loader::Phase::ReadOnlyCopy:
            return "ro-copy";
        case loader::Phase::DataBss:
            return "data-bss";
        case loader::Phase::Got:
            return "got";
        case loader::Phase::Relocation:
            return "relocation";
        case loader::Phase::Finish:
            break;
    }
    return "finish";
}

std::string_view to_text(loader::CacheOp op) {
    switch (op) {
        case loader::CacheOp::McuClean:
            return "mcu-clean";
        case loader::CacheOp::McuCleanInvalidate:
            return "mcu-clean-invalidate";
        case loader::CacheOp::McuInvalidate:
            return "mcu-invalidate";
        case loader::CacheOp::McuInstructionInvalidate:
            return "mcu-instruction-invalidate";
        case loader::CacheOp::NpuClean:
            return "npu-clean";
        case loader::CacheOp::NpuCleanInvalidate:
            return "npu-clean-invalidate";
        case loader::CacheOp::NpuInvalidateAll:
            break;
    }
    return "npu-invalidate-all";
}

std::string_view to_text(InstallEvent::Kind kind) {
    switch (kind) {
        case Kind::Copy:
            return "copy";
        case Kind::Clear:
            return "clear";
        case Kind::Patch:
            return "patch";
        case Kind::Cache:
            return "cache";
        case Kind::Console:
            break;
    }
    return "console";
}

void write_install_log(std::ostream& out, std::span<const InstallEvent> events) {
    out << "start_ns,duration_ns,phase,what,address,from,bytes,before,after,result\n";
    for (const InstallEvent& event : events) write_event(out, event);
}

}  // namespace n6vp::traces
