// SPDX-License-Identifier: Apache-2.0
// What the platform logs of SystemC and of its models.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>

#include "memmap/regions.h"
#include "sim/host/log.h"
#include "sim/platform/object_names.h"
#include "sim/platform/platform.h"
#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

struct LoggedPlatform {
    explicit LoggedPlatform(std::string_view levels) {
        Log::open(LogLevels::parse(levels), out);
        platform.elaborate();
    }
    ~LoggedPlatform() { static_cast<void>(Log::close()); }

    std::ostringstream out;
    Platform platform{PlatformParameters{}};
};

}  // namespace

TEST_CASE("log: a SystemC warning reaches the log with its time, an info only if it is wanted") {
    LoggedPlatform work("warn");
    work.platform.let_pass(2'500'000);
    SC_REPORT_INFO("/test/info", "not shown");
    SC_REPORT_WARNING("/test/warning", "what is \033wrong");
    CHECK(work.out.str() == "[2.500000 us] warn kernel: /test/warning: what is \\x1bwrong\n");
    work.out.str("");
    Log::open(LogLevels::parse("kernel=info"), work.out);
    SC_REPORT_INFO("/test/info", "shown");
    CHECK(work.out.str() == "[2.500000 us] info kernel: /test/info: shown\n");
}

TEST_CASE("log: a warning from a process has the process's hierarchical name") {
    LoggedPlatform work("warn");
    sc_core::sc_spawn([] { SC_REPORT_WARNING("/test/warning", "x"); }, "worker");
    work.platform.let_pass(1'000'000);
    CHECK(work.out.str() == "[0.000000 us] warn kernel: /test/warning: x (in worker)\n");
}

TEST_CASE("log: a warning that SystemC was told to suppress stays so") {
    LoggedPlatform work("trace,clocks=off,platform=off,registers=off,bus=off");
    sc_core::sc_report_handler::set_actions("/test/hushed", sc_core::SC_DO_NOTHING);
    SC_REPORT_WARNING("/test/hushed", "x");
    CHECK(work.out.str().empty());
}

TEST_CASE("log: an error of SystemC is an exception still") {
    LoggedPlatform work("off");
    CHECK_THROWS_AS(SC_REPORT_ERROR("/test/error", "x"), sc_core::sc_report);
}

TEST_CASE("log: registers and refused accesses are logged at their component's level") {
    LoggedPlatform work("off,registers=trace,bus=info");
    work.out.str("");
    work.platform.run([&] {
        tlm::tlm_generic_payload access;
        std::uint32_t word = 0;
        access.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        access.set_data_length(4);
        access.set_streaming_width(4);
        access.set_read();
        sc_core::sc_time delay;
        access.set_address(0x56028000);  // RCC_CR
        work.platform.data_path().m_axi->b_transport(access, delay);
        access.set_address(0xA0000000);  // no memory is there
        work.platform.data_path().m_axi->b_transport(access, delay);
    });
    const std::string text = work.out.str();
    CAPTURE(text);
    CHECK(text.find("trace registers: chip.rcc.") != std::string::npos);
    CHECK(text.find("(offset 0x0, address 0x56028000): read 0x") != std::string::npos);
    CHECK(
        text.find("info bus: chip.host: read of 4 bytes at 0xa0000000: unmapped, answered with ") !=
        std::string::npos);
}

TEST_CASE("log: events of chip and NPU are one line each, with their time and their objects") {
    LoggedPlatform work("off,bus=info,npu=debug");
    work.platform.let_pass(3'000'000);
    work.out.str("");
    const auto logged = [&work] {
        std::string text = work.out.str();
        work.out.str("");
        return text;
    };
    models::BufferInUse use;
    use.address = 0x34200010;
    use.bytes = 1;
    use.write = true;
    use.initiator = static_cast<std::uint8_t>(number(Initiator::Host));
    use.user = static_cast<std::uint8_t>(number(Initiator::Npu1));
    use.claim = "epoch 7";
    use.at = 1'500'000;
    work.platform.events().buffer_in_use(use);
    CHECK(logged() == "[1.500000 us] info bus: chip.host: write of 1 byte at 0x34200010 while " +
                          port_object(use.user) + " reads the buffer: epoch 7\n");
    use.being_written = true;
    use.write = false;
    use.bytes = 2;
    work.platform.events().buffer_in_use(use);
    CHECK(logged() == "[1.500000 us] info bus: chip.host: read of 2 bytes at 0x34200010 while " +
                          port_object(use.user) + " writes the buffer: epoch 7\n");
    unsigned axisram3 = 0;
    while (work.platform.target_name(axisram3) != "AXISRAM3") ++axisram3;
    work.platform.events().unwritten_read(axisram3, 0x40, 2'000'000);
    CHECK(logged() ==
          "[2.000000 us] info bus: read of memory that was never written: "
          "chip.axisram3+0x40\n");
    models::npu::NpuEvent event;
    event.unit = "STRENG4";
    event.text = "stopped";
    event.label = 12;
    event.at = 2'500'000;
    work.platform.npu().on_event(event);
    CHECK(logged() == "[2.500000 us] info npu: chip.npu.streng4: stopped; epoch label 12\n");
    work.platform.npu().on_label(13, 2'750'000);
    CHECK(logged() == "[2.750000 us] debug npu: chip.npu: epoch label 13\n");
    models::npu::StreamConfig stream;
    stream.addr = 0x34200000;
    work.platform.npu().on_engine(3, stream, nullptr, 2'800'000);
    CHECK(logged() ==
          "[2.800000 us] debug npu: chip.npu.streng3: input from 0x34200000 on begins\n");
    stream.dir = true;
    work.platform.npu().on_engine(4, stream, nullptr, 2'800'000);
    CHECK(logged() ==
          "[2.800000 us] debug npu: chip.npu.streng4: output from 0x34200000 on begins\n");
    models::npu::EngineCounters counters;
    counters.bytes = 96;
    work.platform.npu().on_engine(4, stream, &counters, 2'900'000);
    CHECK(logged() == "[2.900000 us] debug npu: chip.npu.streng4: ends after 96 bytes\n");
}

TEST_CASE("log: events below their component's level are not logged") {
    LoggedPlatform work("info,bus=warn");
    work.out.str("");
    work.platform.events().unwritten_read(0, 0x40, 0);
    work.platform.events().buffer_in_use({});
    work.platform.npu().on_label(13, 0);
    CHECK(work.out.str().empty());
}

TEST_CASE("log: refused accesses name kind, reason and answer") {
    LoggedPlatform work("off,bus=info");
    using Kind = models::AccessFault::Kind;
    models::AccessFault fault;
    fault.address = 0x56028000;
    fault.bytes = 4;
    fault.write = true;
    fault.initiator = static_cast<std::uint8_t>(number(Initiator::Host));
    for (const auto& each : {std::pair{Kind::Unmapped, "unmapped"},
                             {Kind::Unreachable, "not reachable for this initiator"},
                             {Kind::CrossesWindow, "crosses the end of the window"},
                             {Kind::ReadOnly, "read-only"},
                             {Kind::Refused, "refused"},
                             {Kind::NotSupported, "not supported"}}) {
        const auto& [kind, text] = each;
        CAPTURE(each.second);
        fault.kind = kind;
        for (const bool zero : {false, true}) {
            fault.answered_zero = zero;
            fault.reason = zero ? "privileged" : "";
            work.out.str("");
            work.platform.events().access_fault(fault);
            CHECK(work.out.str() ==
                  "[0.000000 us] info bus: chip.host: write of 4 bytes at 0x56028000: " +
                      std::string(text) +
                      (zero ? ": privileged, answered with zero\n"
                            : ", answered with a bus error\n"));
        }
    }
}

TEST_CASE("log: ports, memories and clocks have the names that SystemC knows them by") {
    LoggedPlatform work("off");
    for (unsigned port = 0; port < kInitiators; ++port) {
        const std::string name(port_object(port));
        CAPTURE(name);
        CHECK(sc_core::sc_find_object(name.c_str()) != nullptr);
    }
    for (const char* part : {"AXISRAM3", "DTCM", "USART1", "clock_CPU"}) {
        const std::string name = chip_object(part);
        CAPTURE(name);
        CHECK(sc_core::sc_find_object(name.c_str()) != nullptr);
    }
    CHECK(sc_core::sc_find_object(npu_object("").c_str()) == &work.platform.npu());
    CHECK(npu_object("STRENG4") == "chip.npu.streng4");
    CHECK(port_object(kInitiators + models::kMaxTrafficMasters) == "unknown");
}

TEST_CASE("log: clocks are logged when they are set") {
    LoggedPlatform work("off,clocks=info");
    CHECK(work.out.str().find("[-] info clocks: chip.clock_cpu: 800 MHz\n") == std::string::npos);
    work.out.str("");
    work.platform.clocks().set(memmap::ClockDomain::Cpu, 12.5e6);
    CHECK(work.out.str() == "[0.000000 us] info clocks: chip.clock_cpu: 12.5 MHz\n");
}

TEST_CASE("log: its level changes no trace hash") {
    std::ostringstream out;
    Log::open(LogLevels::parse("trace"), out);
    n6vp::test::Chip chip;
    // RCC_CR, and a word of AXISRAM2.
    chip.load(n6vp::test::Thumb().set(1, 0x56028000).load(0, 1).write(0x34100000, 7).end());
    const std::uint64_t before = chip.platform.trace_hash();
    chip.run();
    const std::uint64_t loud = chip.platform.trace_hash();
    CHECK(Log::close());
    CHECK(loud != before);
    CHECK(out.str().find("trace registers: chip.rcc.") != std::string::npos);
    chip.platform.reset();
    CHECK(chip.platform.trace_hash() != loud);
    chip.run();
    CHECK(chip.platform.trace_hash() == loud);
}
