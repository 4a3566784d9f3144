// SPDX-License-Identifier: Apache-2.0
// What is kept of the events of a chip: faults with their handlers' faults, and findings.
#include "sim/faults/fault_log.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/faults/run_events.h"

using namespace n6vp;
using models::core::CoreFault;
using models::core::Exception;
using sim::Initiator;
using sim::fault_report::FaultLog;
using sim::fault_report::FaultMoment;
using sim::fault_report::Kind;
using NpuEvent = models::npu::NpuEvent;
using Refusal = models::AccessFault::Kind;

namespace {

/// CFSR.
constexpr std::uint32_t kIbusErr = 1u << 8, kPrecisErr = 1u << 9;

std::uint8_t port(Initiator initiator) {
    return static_cast<std::uint8_t>(initiator);
}

CoreFault fault_at(std::uint32_t address, std::uint32_t ipsr = 0,
                   CoreFault::Where where = CoreFault::Where::Instruction) {
    CoreFault fault;
    fault.fault = {Exception::BusFault, kPrecisErr, address, true};
    fault.pc = 0x08000100;
    fault.ipsr = ipsr;
    fault.where = where;
    return fault;
}

models::AccessFault refusal_at(std::uint32_t address, Initiator initiator = Initiator::CoreData) {
    models::AccessFault fault;
    fault.kind = Refusal::Refused;
    fault.address = address;
    fault.bytes = 4;
    fault.initiator = port(initiator);
    fault.reason = "RISAF";
    return fault;
}

models::BufferInUse use_of(const char* claim, Initiator initiator = Initiator::Gpdma0) {
    models::BufferInUse use;
    use.address = 0x34200000;
    use.bytes = 1;
    use.write = true;
    use.initiator = port(initiator);
    use.user = port(Initiator::Npu1);
    use.being_written = true;
    use.claim = claim;
    return use;
}

NpuEvent event_of(NpuEvent::Kind kind, const char* unit, const char* text,
                  std::uint32_t label = 0) {
    NpuEvent event;
    event.kind = kind;
    event.unit = unit;
    event.text = text;
    event.label = label;
    return event;
}

struct Log {
    sim::Platform platform{sim::PlatformParameters{}};
    FaultLog log{platform};
    Log() { log.listen(); }
    void core(const CoreFault& fault) { platform.events().core_fault(fault); }
};

}  // namespace

TEST_CASE("fault log: a fault is forgotten with the next, unless its handler runs into it") {
    Log test;
    const std::size_t most = FaultLog::kMaxNested;
    CHECK(most == 4);
    test.core(fault_at(0x10));
    test.core(fault_at(0x20));
    REQUIRE(test.log.chain().size() == 1);
    CHECK(test.log.chain()[0].access->address == 0x20);
    for (const std::uint32_t handler : {3u, 4u, 5u, 6u, 7u}) {
        test.core(fault_at(0x30));
        test.core(fault_at(0x40, handler));
        CHECK(test.log.chain().size() == 2);
    }
    // NMI, a reserved number and thread are no handlers of faults.
    for (const std::uint32_t other : {0u, 2u, 8u, 16u}) {
        test.core(fault_at(0x30));
        test.core(fault_at(0x50, other));
        REQUIRE(test.log.chain().size() == 1);
        CHECK(test.log.chain()[0].access->address == 0x50);
        CHECK(test.log.chain()[0].ipsr == other);
    }
    // On the way to its handler: not one instruction in between.
    test.core(fault_at(0x60));
    test.core(fault_at(0x70, 0, CoreFault::Where::Stacking));
    REQUIRE(test.log.chain().size() == 2);
    CHECK(test.log.chain()[1].where == CoreFault::Where::Stacking);
    for (int i = 0; i < 5; ++i) test.core(fault_at(0x80, 3));
    CHECK(test.log.chain().size() == most);
    CHECK(test.log.core_faults() == 2 + 2 * 5 + 2 * 4 + 2 + 5);
    test.log.reset();
    CHECK(test.log.chain().empty());
    CHECK(test.log.core_faults() == 0);
    // The first of all has nothing before it.
    test.core(fault_at(0x90, 0, CoreFault::Where::Vector));
    CHECK(test.log.chain().size() == 1);
}

TEST_CASE("fault log: a fault has the core's numbers and its kind") {
    Log test;
    test.log.phase = [] { return std::string("inference"); };
    const std::pair<Exception, Kind> kinds[] = {{Exception::MemManage, Kind::MemFault},
                                                {Exception::BusFault, Kind::BusFault},
                                                {Exception::UsageFault, Kind::UsageFault},
                                                {Exception::SecureFault, Kind::SecureFault},
                                                {Exception::HardFault, Kind::HardFault}};
    for (const auto& [exception, kind] : kinds) {
        CoreFault fault = fault_at(0x10);
        fault.fault.exception = exception;
        fault.r[3] = 0x1234;
        fault.apsr = 0x60000000;
        fault.secure = false;
        fault.locked_up = true;
        test.core(fault);
        const FaultMoment& moment = test.log.chain().back();
        CHECK(moment.kind == kind);
        CHECK(moment.who == "core");
        CHECK(moment.of_core);
        CHECK(moment.exact);
        CHECK(moment.pc == 0x08000100);
        CHECK(moment.registers[3] == 0x1234);
        CHECK(moment.apsr == 0x60000000);
        CHECK_FALSE(moment.secure);
        CHECK(moment.locked_up);
        CHECK(moment.status == kPrecisErr);
        CHECK(moment.phase == "inference");
        CHECK(moment.count == 1);
    }
    const FaultMoment now = test.log.now(Kind::NoProgress);
    CHECK(now.kind == Kind::NoProgress);
    CHECK(now.who == "core");
    CHECK(now.of_core);
    CHECK_FALSE(now.exact);
    CHECK(now.phase == "inference");
}

TEST_CASE("fault log: code around a fault goes as far as there is memory") {
    Log test;
    constexpr std::uint32_t kStart = 0x34200000;
    std::vector<std::uint8_t> code(256);
    for (std::size_t i = 0; i < code.size(); ++i) code[i] = static_cast<std::uint8_t>(i);
    REQUIRE(test.platform.store(GuestAddr{kStart}, code));
    const auto around = [&](std::uint32_t pc) {
        CoreFault fault = fault_at(0x10);
        fault.pc = pc;
        test.core(fault);
        return test.log.chain().back();
    };
    const FaultMoment inside = around(kStart + 0x81);
    CHECK(inside.code_start == kStart + 0x40);
    REQUIRE(inside.code.size() == 96);
    CHECK(inside.code[0] == 0x40);
    CHECK(inside.code[95] == 0x9F);
    CHECK(around(0x00000010).code_start == 0);  // 64 bytes before are below zero
    CHECK(around(0xC0000000).code.empty());
}

TEST_CASE("fault log: a bus fault knows the refusal that caused it, once") {
    Log test;
    const auto access = [&] { return test.log.chain().back().access; };
    const auto refuse = [&](const models::AccessFault& fault) {
        test.platform.events().access_fault(fault);
    };
    refuse(refusal_at(0x34200000));
    test.core(fault_at(0x34200003));
    REQUIRE(access().has_value());
    CHECK(access()->refusal == Refusal::Refused);
    CHECK(access()->reason == "RISAF");
    CHECK(access()->address == 0x34200000);
    CHECK(access()->bytes == 4);
    test.core(fault_at(0x34200003));
    CHECK_FALSE(access()->refusal.has_value());
    CHECK(access()->address == 0x34200003);
    // The bus saw the whole line of 64 bytes.
    refuse(refusal_at(0x34200000));
    test.core(fault_at(0x3420003F));
    CHECK(access()->refusal.has_value());
    refuse(refusal_at(0x34200000));
    test.core(fault_at(0x34200040));
    CHECK_FALSE(access()->refusal.has_value());
    test.log.reset();
    refuse(refusal_at(0x34200000));
    test.core(fault_at(0x341FFFFF));
    CHECK_FALSE(access()->refusal.has_value());
    // Another master's, and another kind of fault.
    test.log.reset();
    refuse(refusal_at(0x34200000, Initiator::Npu0));
    test.core(fault_at(0x34200000));
    CHECK_FALSE(access()->refusal.has_value());
    refuse(refusal_at(0x34200000));
    CoreFault usage = fault_at(0x34200000);
    usage.fault.exception = Exception::UsageFault;
    test.core(usage);
    CHECK_FALSE(access()->refusal.has_value());
    usage.fault.address_valid = false;
    test.core(usage);
    CHECK_FALSE(access().has_value());
    // Of a fetch the address is the program counter.
    CoreFault fetch = fault_at(0);
    fetch.fault.status = kIbusErr;
    fetch.fault.address_valid = false;
    test.core(fetch);
    CHECK(access()->address == 0x08000100);
    CHECK(access()->fetch);
    refuse(refusal_at(0x080000E0, Initiator::CoreCode));
    test.core(fetch);
    CHECK(access()->refusal.has_value());
    CHECK(access()->address == 0x08000100);
}

TEST_CASE("fault log: findings of one place are counted, the first sixteen places kept") {
    Log test;
    const models::ChipEvents& events = test.platform.events();
    CHECK(FaultLog::kMaxFindings == 16);
    models::AccessFault denied = refusal_at(0x34200000);
    denied.answered_zero = true;
    events.access_fault(denied);
    events.access_fault(denied);
    REQUIRE(test.log.findings().size() == 1);
    CHECK(test.log.findings()[0].kind == Kind::DeniedAccess);
    CHECK(test.log.findings()[0].who == "core data");
    CHECK(test.log.findings()[0].of_core);
    CHECK(test.log.findings()[0].count == 2);
    CHECK(test.log.findings()[0].access->address == 0x34200000);
    // What was answered with zero is no cause of a later fault.
    test.core(fault_at(0x34200000));
    CHECK_FALSE(test.log.chain().back().access->refusal.has_value());
    const std::vector<std::string> claims = {"a", "b", "c", "d", "e", "f", "g", "h",
                                             "i", "j", "k", "l", "m", "n", "o"};
    for (const std::string& claim : claims) events.buffer_in_use(use_of(claim.c_str()));
    CHECK(test.log.findings().size() == 16);
    CHECK(test.log.not_kept() == 0);
    events.buffer_in_use(use_of("p"));
    CHECK(test.log.findings().size() == 16);
    CHECK(test.log.not_kept() == 1);
    events.buffer_in_use(use_of("a"));
    CHECK(test.log.not_kept() == 1);
    const FaultMoment& first = test.log.findings()[1];
    CHECK(first.count == 2);
    CHECK(first.kind == Kind::BufferInUse);
    CHECK(first.who == "GPDMA port 0");
    CHECK_FALSE(first.of_core);
    CHECK(first.text == "NPU port 1 writes this buffer at the same time: a");
    CHECK(first.remedy == "wait for the end of the epoch");
    CHECK(first.access->write);
    CHECK_FALSE(first.access->refusal.has_value());
    test.log.reset();
    CHECK(test.log.findings().empty());
    CHECK(test.log.not_kept() == 0);
    // The same text of another master is a finding of its own.
    events.buffer_in_use(use_of("a"));
    events.buffer_in_use(use_of("a", Initiator::Gpdma1));
    models::BufferInUse reads = use_of("a");
    reads.being_written = false;
    events.buffer_in_use(reads);
    CHECK(test.log.findings().size() == 3);
    CHECK(test.log.findings()[2].text == "NPU port 1 reads this buffer at the same time: a");
}

TEST_CASE("fault log: what stopped the NPU first is kept, with the access that failed") {
    Log test;
    const auto& on_event = test.platform.npu().on_event;
    on_event(event_of(NpuEvent::Kind::Illegal, "ARITH0", "breaks a rule"));
    on_event(event_of(NpuEvent::Kind::Assumption, "ARITH0", "never observed"));
    CHECK_FALSE(test.log.npu().has_value());
    const std::pair<NpuEvent::Kind, Kind> kinds[] = {{NpuEvent::Kind::EpochFault, Kind::NpuProgram},
                                                     {NpuEvent::Kind::BeyondLimit, Kind::NpuLimit},
                                                     {NpuEvent::Kind::Deadlock, Kind::NpuDeadlock},
                                                     {NpuEvent::Kind::BusError, Kind::NpuBusError}};
    for (const auto& [what, kind] : kinds) {
        test.log.reset();
        test.platform.events().access_fault(refusal_at(0x34200040, Initiator::Npu0));
        on_event(event_of(what, "STRENG3", "text", 7));
        on_event(event_of(NpuEvent::Kind::Deadlock, "", "later"));
        REQUIRE(test.log.npu().has_value());
        CHECK(test.log.npu()->kind == kind);
        CHECK(test.log.npu()->who == "NPU STRENG3");
        CHECK(test.log.npu()->text == "text");
        CHECK(test.log.npu()->label == 7);
        CHECK_FALSE(test.log.npu()->of_core);
        const bool bus = kind == Kind::NpuBusError;
        CHECK(test.log.npu()->access.has_value() == bus);
        if (bus) CHECK(test.log.npu()->access->address == 0x34200040);
    }
    test.log.reset();
    on_event(event_of(NpuEvent::Kind::BusError, "", "t"));
    CHECK(test.log.npu()->who == "NPU");
    CHECK_FALSE(test.log.npu()->access.has_value());
}

TEST_CASE("fault log: stale bytes name who met them") {
    Log test;
    models::core::CoherenceEvent event;
    event.address = 0x34200000;
    event.bytes = 8;
    event.pc = 0x08000100;
    event.other = "NPU port 0";
    test.platform.events().core_coherence(event);
    event.kind = models::core::CoherenceEvent::Kind::OtherReadStale;
    event.pc = 0;
    test.platform.events().core_coherence(event);
    models::NpuCacheEvent cache;
    cache.address = 0x90000000;
    cache.bytes = 4;
    cache.actor = models::NpuCacheEvent::kNobody;
    cache.writer = port(Initiator::CoreData);
    test.platform.events().npu_cache_coherence(cache);
    cache.actor = port(Initiator::Npu1);
    test.platform.events().npu_cache_coherence(cache);
    const auto& findings = test.log.findings();
    REQUIRE(findings.size() == 4);
    CHECK(findings[0].who == "core");
    CHECK(findings[0].of_core);
    CHECK(findings[0].pc == 0x08000100);
    CHECK(findings[1].who == "NPU port 0");
    CHECK_FALSE(findings[1].of_core);
    CHECK(findings[2].who == "an NPU cache maintenance command");
    CHECK(findings[2].of_core);
    CHECK(findings[3].who == "NPU port 1");
    CHECK_FALSE(findings[3].of_core);
    for (const FaultMoment& moment : findings) {
        CHECK(moment.kind == Kind::StaleBytes);
        CHECK_FALSE(moment.text.empty());
        CHECK_FALSE(moment.remedy.empty());
    }
    CHECK(findings[0].access->bytes == 8);
    CHECK(findings[3].access->address == 0x90000000);
}

TEST_CASE("run events: one place, kind and target count as one, a hundred are kept") {
    sim::Platform platform{sim::PlatformParameters{}};
    sim::RunEvents events(platform, nullptr);
    events.listen();
    models::AccessFault fault = refusal_at(0x34200000, Initiator::Npu0);
    fault.write = true;
    platform.events().access_fault(fault);
    fault.address = 0x34200040;
    platform.events().access_fault(fault);
    REQUIRE(events.events().size() == 1);
    CHECK(events.events()[0].count == 2);
    CHECK(events.events()[0].kind == "access_fault");
    CHECK(events.events()[0].pc == 0);
    CHECK(events.events()[0].cause ==
          "NPU port 0: write of 4 bytes at 0x34200000 (AXISRAM3+0x0): refused: RISAF; bus error");
    CHECK(events.events()[0].remedy ==
          "set-up step 9: access rights to the memories: RISAF regions");
    // Each of these makes another event.
    fault.write = false;
    platform.events().access_fault(fault);
    fault.initiator = port(Initiator::Npu1);
    platform.events().access_fault(fault);
    fault.target = 3;
    platform.events().access_fault(fault);
    fault.kind = Refusal::Unmapped;
    fault.bytes = 1;
    fault.reason = "";
    fault.address = 0xF0000000;
    fault.answered_zero = true;
    platform.events().access_fault(fault);
    REQUIRE(events.events().size() == 5);
    CHECK(events.events()[4].cause ==
          "NPU port 1: read of 1 byte at 0xf0000000: there is no memory "
          "at this address; answered with zero");
    CHECK(events.events()[4].remedy.starts_with("nearest memory: "));
    platform.events().buffer_in_use(use_of("weights"));
    platform.events().buffer_in_use(use_of("other"));
    models::BufferInUse use = use_of("weights");
    use.write = false;
    platform.events().buffer_in_use(use);
    REQUIRE(events.events().size() == 7);
    CHECK(events.events()[5].count == 2);
    CHECK(events.events()[5].cause ==
          "GPDMA port 0: write of 1 byte at 0x34200000 while NPU port 1 writes the buffer: "
          "weights");
    const auto& on_event = platform.npu().on_event;
    on_event(event_of(NpuEvent::Kind::NoRegister, "", "nothing"));
    CHECK(events.events().size() == 7);
    CHECK(events.npu_fault().empty());
    on_event(event_of(NpuEvent::Kind::GatedWrite, "ARITH0", "closed"));
    CHECK(events.npu_fault().empty());
    on_event(event_of(NpuEvent::Kind::Illegal, "ARITH0", "breaks a rule", 4));
    on_event(event_of(NpuEvent::Kind::Deadlock, "", "waits"));
    CHECK(events.npu_fault() == "NPU ARITH0: breaks a rule; epoch label 4");
    REQUIRE(events.events().size() == 10);
    CHECK(events.events()[7].kind == "npu_gated_write");
    CHECK(events.events()[8].kind == "npu_illegal");
    CHECK(events.events()[9].kind == "npu_deadlock");
    CHECK(events.events()[9].cause == "NPU: waits");
    std::string asked;
    events.on_npu_refusal = [&asked](const std::string& what) { asked = what; };
    NpuEvent refused = event_of(NpuEvent::Kind::Refused, "POOL1", "not described");
    refused.limit.feature = "MODE";
    on_event(refused);
    CHECK(asked == "NPU POOL1 with MODE");
    for (int i = 0; i < 100; ++i)
        on_event(event_of(NpuEvent::Kind::Illegal, "ARITH1", std::to_string(i).c_str()));
    CHECK(events.events().size() == sim::RunEvents::kMaxKept);
    CHECK(events.not_kept() == 11);
    std::ostringstream text;
    sim::write_events(text, events);
    CHECK(text.str().find("; bus error; at 0.000 us; 2 times\n    set-up step 9: ") !=
          std::string::npos);
    CHECK(text.str().ends_with("  and 11 more\n"));
    const sim::Json list = sim::events_json(events);
    REQUIRE(list.size() == 100);
    CHECK(list[0]["count"] == 2);
    CHECK(list[0]["kind"] == "access_fault");
    CHECK_FALSE(list[0].contains("pc"));
    events.reset();
    CHECK(events.events().empty());
    CHECK(events.not_kept() == 0);
    CHECK(events.npu_fault().empty());
    on_event(event_of(NpuEvent::Kind::Illegal, "ARITH0", "breaks a rule", 4));
    CHECK(events.events().size() == 1);
}
