// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/core_module.h"
#include "models/core/system/system.h"

using namespace n6vp::models;
using core::Stop;
using core::Timing;
using sc_core::sc_time;

namespace {

constexpr std::uint32_t kRam = 0x10000000, kRamBytes = 0x10000, kDevice = 0x40000000;

/// RAM with direct memory at kRam and a device at kDevice: its word 0 counts kernel microseconds,
/// a write to word 4 raises interrupt 0 half a microsecond later, a write to word 8 lowers it.
class World : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<World> code, data, tcm;

    World(const sc_core::sc_module_name& name, const CoreModuleConfig& config)
        : sc_module(name),
          code("code"),
          data("data"),
          tcm("tcm"),
          core("core", config),
          ram(kRamBytes) {
        int tag = 0;
        for (auto* socket : {&code, &data, &tcm}) {
            socket->register_b_transport(this, &World::b_transport, tag);
            socket->register_get_direct_mem_ptr(this, &World::get_direct_mem_ptr, tag++);
        }
        core.instruction_port.bind(code);
        core.m_axi.bind(data);
        core.tcm.bind(tcm);
        SC_HAS_PROCESS(World);
        SC_METHOD(raise);
        sensitive << due_;
        dont_initialize();
    }

    void program(std::uint32_t address, std::initializer_list<std::uint16_t> halfwords) {
        for (const std::uint16_t halfword : halfwords) {
            std::memcpy(&ram[address - kRam], &halfword, 2);
            address += 2;
        }
    }
    void set_word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(&ram[address - kRam], &value, 4);
    }

    CoreModule core;
    std::vector<std::uint8_t> ram;
    std::vector<sc_time> device_times;
    sc_time raised;

  private:
    void raise() {
        raised = sc_core::sc_time_stamp();
        core.set_interrupt(0, true);
    }
    void b_transport(int /*tag*/, tlm::tlm_generic_payload& trans, sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        if (address - kRam < kRamBytes) {
            std::uint8_t* bytes = &ram[address - kRam];
            if (trans.is_read()) {
                std::memcpy(trans.get_data_ptr(), bytes, trans.get_data_length());
            } else {
                std::memcpy(bytes, trans.get_data_ptr(), trans.get_data_length());
            }
        } else if (address - kDevice < 16) {
            access_device(trans, delay);
        } else {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
    }
    void access_device(tlm::tlm_generic_payload& trans, sc_time& delay) {
        device_times.push_back(sc_core::sc_time_stamp() + delay);
        const auto microseconds =
            static_cast<std::uint32_t>((sc_core::sc_time_stamp() + delay).to_seconds() * 1e6);
        if (trans.is_read()) std::memcpy(trans.get_data_ptr(), &microseconds, 4);
        if (trans.is_write() && trans.get_address() == kDevice + 4)
            due_.notify(delay + sc_time(500, sc_core::SC_NS));
        if (trans.is_write() && trans.get_address() == kDevice + 8) core.set_interrupt(0, false);
        delay += sc_time(100, sc_core::SC_NS);
    }
    bool get_direct_mem_ptr(int /*tag*/, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        if (address - kRam >= kRamBytes) return false;
        dmi.set_dmi_ptr(ram.data());
        dmi.set_start_address(kRam);
        dmi.set_end_address(kRam + kRamBytes - 1);
        dmi.allow_read_write();
        return true;
    }

    sc_core::sc_event due_;
};

CoreModuleConfig config_with(Timing timing) {
    CoreModuleConfig config;
    config.core.timing = timing;
    config.core.system.vector_table = kRam;
    config.core.tcm = {{kRam, kRam + kRamBytes - 1}};
    return config;
}

/// Vector table with stack, reset at 0x100 and interrupt 0 at 0x200.
void put_vectors(World& world) {
    world.set_word(kRam, kRam + kRamBytes);
    world.set_word(kRam + 4, kRam + 0x101);
    world.set_word(kRam + 16 * 4, kRam + 0x201);
}

/// Enables interrupt 0 (r4 = ISER0 address), then: str r0,[r5,#4] arms the device; counts in r6
/// until the handler stops the core with BKPT 0xAB.
void put_interrupt_program(World& world) {
    world.program(kRam + 0x100, {0x4C04,  // ldr r4, =0xE000E100
                                 0x4D05,  // ldr r5, =0x40000000
                                 0x2001,  // movs r0, #1
                                 0x6020,  // str r0, [r4]
                                 0x6068,  // str r0, [r5, #4]
                                 0x3601,  // 1: adds r6, #1
                                 0xE7FD,  // b 1b
                                 0xBF00, 0xBF00, 0xBF00});
    world.set_word(kRam + 0x114, 0xE000E100);
    world.set_word(kRam + 0x118, 0x40000000);
    world.program(kRam + 0x200, {0xBEAB});
    put_vectors(world);
}

}  // namespace

TEST_CASE("an announced interrupt is taken at its time, whatever the quantum") {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(100, sc_core::SC_US);
    World world("world", config);
    put_interrupt_program(world);
    world.core.release_reset();
    sc_core::sc_start(sc_time(200, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.raised > sc_core::SC_ZERO_TIME);
    const auto cycle = static_cast<double>(world.core.core().cycles());
    const double raised = world.raised.to_seconds() * 800e6;
    // Exception entry takes 12 cycles or a few more for the frame; a block here is two
    // instructions.
    CHECK(cycle >= raised);
    CHECK(cycle <= raised + 40);
    // 500 ns at 800 MHz, two instructions of one cycle each or less per round.
    CHECK(world.core.core().reg(6) >= 200);
    CHECK(world.core.core().reg(6) <= 400);
}

TEST_CASE("a device is accessed at the core's time") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    // ldr r5,=dev; ldr r0,[r5]; dls lr,r2 loop of 800 cycles ...; ldr r1,[r5]; bkpt
    world.program(kRam + 0x100, {0x4D05,          // ldr r5, [pc, #20]
                                 0x6828,          // ldr r0, [r5]
                                 0xF44F, 0x7248,  // mov.w r2, #800
                                 0x3A01,          // 1: subs r2, #1
                                 0xD1FD,          // bne 1b
                                 0x6829,          // ldr r1, [r5]
                                 0xBEAB});
    world.set_word(kRam + 0x118, kDevice);
    world.core.release_reset();
    sc_core::sc_start(sc_time(100, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 2);
    const double between = (world.device_times[1] - world.device_times[0]).to_seconds() * 1e9;
    // The device takes 100 ns; 800 rounds of a subtraction and a branch at 1.25 ns a cycle, which
    // pair: 1000 ns, or twice that if they did not.
    CHECK(between >= 1100);
    CHECK(between <= 2110);
}

TEST_CASE("time passes for a sleeping core and an interrupt wakes it") {
    World world("world", config_with(Timing::Approx));
    put_interrupt_program(world);
    // In place of the counting loop: 1: wfi; b 1b
    world.program(kRam + 0x10A, {0xBF30, 0xE7FD});
    world.core.release_reset();
    sc_core::sc_start(sc_time(200, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    const auto cycle = static_cast<double>(world.core.core().cycles());
    const double raised = world.raised.to_seconds() * 800e6;
    CHECK(cycle >= raised);
    CHECK(cycle <= raised + 60);
}

TEST_CASE("an access error is a bus fault") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.set_word(kRam + 3 * 4, kRam + 0x201);     // HardFault
    world.program(kRam + 0x100, {0x4D01, 0x6828});  // ldr r5, =nowhere; ldr r0, [r5]
    world.set_word(kRam + 0x108, 0xA0000000);
    world.program(kRam + 0x200, {0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(sc_time(100, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    std::uint32_t cfsr = 0, bfar = 0;
    auto& module_core = world.core.core();
    REQUIRE(module_core.system().read_ppb(module_core.state(), 0xE000ED28, 4, 0, cfsr));
    REQUIRE(module_core.system().read_ppb(module_core.state(), 0xE000ED38, 4, 0, bfar));
    CHECK((cfsr & core::cfsr::kPrecisErr) != 0);
    CHECK(bfar == 0xA0000000);
}
