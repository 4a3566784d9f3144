// SPDX-License-Identifier: Apache-2.0
#include "traces/install_log.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace n6vp;
using traces::InstallEvent;
using EventKind = InstallEvent::Kind;

namespace {

InstallEvent event_of(EventKind kind, std::uint32_t bytes) {
    InstallEvent event{kind};
    event.phase = loader::Phase::DataBss;
    event.address = GuestAddr{0x34060010};
    event.from = GuestAddr{0x71000020};
    event.bytes = bytes;
    event.before = 0x40000004;
    event.after = 0x34060014;
    event.op = loader::CacheOp::McuClean;
    event.start_ps = 1'002'003;
    event.duration_ps = 45;
    return event;
}

}  // namespace

TEST_CASE("install log: each kind of event fills the columns that it has") {
    InstallEvent refused = event_of(EventKind::Clear, 24);
    refused.refused = true;
    const std::vector<InstallEvent> events = {
        event_of(EventKind::Copy, 64),  refused,
        event_of(EventKind::Patch, 4),  event_of(EventKind::Patch, 8),
        event_of(EventKind::Cache, 32), event_of(EventKind::Console, 7)};
    std::ostringstream out;
    traces::write_install_log(out, events);
    CHECK(out.str() ==
          "start_ns,duration_ns,phase,what,address,from,bytes,before,after,result\n"
          "1002.003,0.045,data-bss,copy,0x34060010,0x71000020,64,,,ok\n"
          "1002.003,0.045,data-bss,clear,0x34060010,,24,,,bus-error\n"
          "1002.003,0.045,data-bss,patch,0x34060010,,4,0x40000004,0x34060014,ok\n"
          "1002.003,0.045,data-bss,patch,0x34060010,,8,,,ok\n"
          "1002.003,0.045,data-bss,mcu-clean,0x34060010,,32,,,ok\n"
          "1002.003,0.045,data-bss,console,,,7,,,ok\n");
}

TEST_CASE("install log: phases, cache operations and kinds have names") {
    using loader::CacheOp;
    using loader::Phase;
    const std::pair<Phase, const char*> phases[] = {
        {Phase::Checks, "checks"},    {Phase::Pools, "pools"}, {Phase::ReadOnlyCopy, "ro-copy"},
        {Phase::DataBss, "data-bss"}, {Phase::Got, "got"},     {Phase::Relocation, "relocation"},
        {Phase::Finish, "finish"}};
    for (const auto& [phase, name] : phases) CHECK(traces::to_text(phase) == name);
    const std::pair<CacheOp, const char*> operations[] = {
        {CacheOp::McuClean, "mcu-clean"},
        {CacheOp::McuCleanInvalidate, "mcu-clean-invalidate"},
        {CacheOp::McuInvalidate, "mcu-invalidate"},
        {CacheOp::McuInstructionInvalidate, "mcu-instruction-invalidate"},
        {CacheOp::NpuClean, "npu-clean"},
        {CacheOp::NpuCleanInvalidate, "npu-clean-invalidate"},
        {CacheOp::NpuInvalidateAll, "npu-invalidate-all"}};
    for (const auto& [operation, name] : operations) CHECK(traces::to_text(operation) == name);
    CHECK(traces::to_text(EventKind::Cache) == "cache");
    CHECK(traces::to_text(EventKind::Console) == "console");
}
