// SPDX-License-Identifier: Apache-2.0
// Write-backs to a target that lets time pass before it takes the bytes.
#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/core_module.h"

using namespace n6vp::models;
using core::Coherence;
using sc_core::sc_time;

namespace {

constexpr std::uint32_t kRam = 0x20000000, kBytes = 0x10000, kBuffer = kRam + 0x8000;

/// RAM with direct memory, whose bus writes take 1 us of the kernel's time before they are done.
class SlowWorld : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<SlowWorld> code, data, tcm;

    SlowWorld(const sc_core::sc_module_name& name, const CoreModuleConfig& config)
        : sc_module(name), code("code"), data("data"), tcm("tcm"), core("core", config) {
        for (auto* socket : {&code, &data, &tcm}) {
            socket->register_b_transport(this, &SlowWorld::b_transport, 0);
            socket->register_get_direct_mem_ptr(this, &SlowWorld::get_direct_mem_ptr, 0);
        }
        core.instruction_port.bind(code);
        core.m_axi.bind(data);
        core.tcm.bind(tcm);
        SC_HAS_PROCESS(SlowWorld);
        SC_THREAD(write_meanwhile);
    }
    void set_word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(&ram[address - kRam], &value, 4);
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, &ram[address - kRam], 4);
        return value;
    }

    CoreModule core;
    std::vector<std::uint8_t> ram = std::vector<std::uint8_t>(kBytes);
    unsigned write_backs = 0;

  private:
    void b_transport(int /*tag*/, tlm::tlm_generic_payload& trans, sc_time& delay) {
        std::uint8_t* const bytes = &ram[trans.get_address() - kRam];
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        if (trans.is_read()) {
            std::memcpy(trans.get_data_ptr(), bytes, trans.get_data_length());
            return;
        }
        if (trans.get_address() != kBuffer) return;
        ++write_backs;
        written_.notify(sc_time(500, sc_core::SC_NS));
        wait(delay + sc_time(1, sc_core::SC_US));
        delay = sc_core::SC_ZERO_TIME;
        for (unsigned i = 0; i < trans.get_data_length(); ++i) {
            const std::uint8_t* const enable = trans.get_byte_enable_ptr();
            if (enable != nullptr && enable[i % trans.get_byte_enable_length()] != TLM_BYTE_ENABLED)
                continue;
            bytes[i] = trans.get_data_ptr()[i];
        }
    }
    bool get_direct_mem_ptr(int /*tag*/, tlm::tlm_generic_payload& /*trans*/, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(ram.data());
        dmi.set_start_address(kRam);
        dmi.set_end_address(kRam + kBytes - 1);
        dmi.allow_read_write();
        return true;
    }
    /// Another master writes the line's second word while the first is being written back.
    void write_meanwhile() {
        wait(written_);
        core.core().other_writes(kBuffer + 4, kBuffer + 7, "dma");
        set_word(kBuffer + 4, 9);
    }

    sc_core::sc_event written_;
};

/// Stores 7 to kBuffer, cleans its line, waits for the barrier.
void run(Coherence coherence, std::uint32_t meanwhile) {
    CoreModuleConfig config;
    config.core.timing = core::Timing::Approx;
    config.core.coherence = coherence;
    config.core.system.vector_table = kRam;
    SlowWorld world("world", config);
    world.set_word(kRam, kRam + kBytes);
    world.set_word(kRam + 4, kRam + 0x101);
    // ldr r3,=CCR; ldr r4,=caches on; str r4,[r3]; ldr r0,=kBuffer; movs r1,#7; str r1,[r0];
    // ldr r2,=DCCMVAC; str r0,[r2]; dsb sy; bkpt
    std::uint32_t at = kRam + 0x100;
    for (const std::uint16_t halfword :
         std::initializer_list<std::uint16_t>{0x4B05, 0x4C06, 0x601C, 0x4806, 0x2107, 0x6001,
                                              0x4A05, 0x6010, 0xF3BF, 0x8F4F, 0xBEAB, 0xBF00}) {
        std::memcpy(&world.ram[at - kRam], &halfword, 2);
        at += 2;
    }
    for (const std::uint32_t literal : {0xE000ED14u, 0x00030201u, kBuffer, 0xE000EF68u}) {
        world.set_word(at, literal);
        at += 4;
    }
    world.core.release_reset();
    sc_core::sc_start(sc_time(100, sc_core::SC_US));
    REQUIRE(world.core.stopped() == core::Stop::Semihosting);
    CHECK(world.write_backs == 1);
    CHECK(world.word(kBuffer) == 7);
    CHECK(world.word(kBuffer + 4) == meanwhile);
}

}  // namespace

TEST_CASE("ideal: a write-back does not undo what another master writes meanwhile") {
    run(Coherence::Ideal, 9);
}
TEST_CASE("real: a write-back undoes what another master writes meanwhile") {
    run(Coherence::Real, 0);
}
