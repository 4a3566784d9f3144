// SPDX-License-Identifier: Apache-2.0
#pragma once

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

namespace n6vp::tests {

inline constexpr std::uint32_t kRam = 0x10000000, kRamBytes = 0x10000, kDevice = 0x40000000;

/// RAM with direct memory at kRam and a device at kDevice: its word 0 counts kernel microseconds,
/// a write to word 4 raises interrupt 0 half a microsecond later, a write to word 8 lowers it, one
/// to word 12 is `on_write`. `script` is a process of its own.
class World : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<World> code, data, tcm;

    World(const sc_core::sc_module_name& name, const models::CoreModuleConfig& config)
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
        SC_THREAD(play);
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

    void raise_after(const sc_core::sc_time& delay) { due_.notify(delay); }
    /// Lets some deltas pass, so that the core goes ahead without having seen what comes then.
    static void hide_from_core() {
        for (int i = 0; i < 4; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
    }

    /// One question for direct memory, and what it said about itself.
    struct Query {
        std::uint32_t page = 0;
        bool secure = false, privileged = false;
    };

    models::CoreModule core;
    std::vector<std::uint8_t> ram;
    std::vector<sc_core::sc_time> device_times;
    sc_core::sc_time raised;
    std::function<void(std::uint32_t value, const sc_core::sc_time& delay)> on_write;
    std::function<void()> script;
    std::vector<Query> queries;
    bool takes_back_while_answering = false;

  private:
    void play() {
        if (script) script();
    }
    void raise() {
        raised = sc_core::sc_time_stamp();
        core.set_interrupt(0, true);
    }
    void b_transport(int /*tag*/, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
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
    void access_device(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        device_times.push_back(sc_core::sc_time_stamp() + delay);
        const auto microseconds =
            static_cast<std::uint32_t>((sc_core::sc_time_stamp() + delay).to_seconds() * 1e6);
        if (trans.is_read()) std::memcpy(trans.get_data_ptr(), &microseconds, 4);
        if (trans.is_write() && trans.get_address() == kDevice + 4)
            due_.notify(delay + sc_core::sc_time(500, sc_core::SC_NS));
        if (trans.is_write() && trans.get_address() == kDevice + 8) core.set_interrupt(0, false);
        if (trans.is_write() && trans.get_address() == kDevice + 12 && on_write) {
            std::uint32_t value = 0;
            std::memcpy(&value, trans.get_data_ptr(), 4);
            on_write(value, delay);
        }
        delay += sc_core::sc_time(100, sc_core::SC_NS);
    }
    bool get_direct_mem_ptr(int /*tag*/, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        if (address - kRam >= kRamBytes) return false;
        const auto* attributes = trans.get_extension<models::Transfer>();
        REQUIRE(attributes != nullptr);
        queries.push_back({address >> 12, attributes->secure, attributes->privileged});
        if (takes_back_while_answering) tcm->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
        dmi.set_dmi_ptr(ram.data());
        dmi.set_start_address(kRam);
        dmi.set_end_address(kRam + kRamBytes - 1);
        dmi.allow_read_write();
        return true;
    }

    sc_core::sc_event due_;
};

}  // namespace n6vp::tests
