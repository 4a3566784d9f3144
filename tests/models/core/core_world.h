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
#include "models/fabric/transfer.h"

namespace n6vp::tests {

inline constexpr std::uint32_t kRam = 0x10000000, kRamBytes = 0x10000, kDevice = 0x40000000;
inline constexpr std::uint32_t kWatched = kRam + 0x8000;  ///< word whose bus reads are noted
inline constexpr std::uint32_t kFlag = kDevice + 16;

/// RAM with direct memory at kRam and a device at kDevice: its word 0 counts kernel microseconds,
/// a write to word 4 raises interrupt 0 half a microsecond later, a write to word 8 lowers it, one
/// to word 12 is `on_write`, word 16 is `flag`. `script` is a process of its own.
class World : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<World> code, data, tcm;

    World(const sc_core::sc_module_name& name, const models::CoreModuleConfig& config)
        : sc_module(name),
          code("code"),
          data("data"),
          tcm("tcm"),
          core("core", config),
          ram(kRamBytes),
          memory(ram.data()) {
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
    /// Simulates until `time`, then `action` comes from a process that no schedule knew before.
    static void surprise_at(const sc_core::sc_time& time, const std::function<void()>& action) {
        sc_core::sc_start(time - sc_core::sc_time_stamp());
        sc_core::sc_spawn(action);
    }

    /// One question for direct memory, and what it said about itself.
    struct Query {
        std::uint32_t page = 0;
        bool secure = false, privileged = false;
    };

    models::CoreModule core;
    std::vector<std::uint8_t> ram;
    std::uint8_t* memory;  ///< behind bus and direct memory: `ram` at first
    std::uint32_t flag = 0;
    std::vector<sc_core::sc_time> device_times;
    std::vector<sc_core::sc_time> watched_times;  ///< of bus reads that kWatched is in
    std::function<void(const sc_core::sc_time& delay)> on_watched;
    sc_core::sc_time first_beat, last_beat;  ///< of a bus read of RAM, after its begin
    sc_core::sc_time raised;
    std::function<void(std::uint32_t value, const sc_core::sc_time& delay)> on_write;
    sc_core::sc_time posts_until;  ///< absolute: said in answer to the write that sets it
    std::function<void()> script;
    std::vector<Query> queries;
    bool takes_back_while_answering = false;
    bool refuses_watched = false;  ///< direct memory of kWatched's page
    bool hints_at_direct = false;  ///< in every answer

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
            access_ram(trans, address, delay);
        } else if (address - kDevice < 20) {
            access_device(trans, delay);
        } else {
            trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
    }
    void access_ram(tlm::tlm_generic_payload& trans, std::uint32_t address,
                    sc_core::sc_time& delay) {
        std::uint8_t* bytes = memory + (address - kRam);
        trans.set_dmi_allowed(hints_at_direct);
        if (trans.is_write()) {
            std::memcpy(bytes, trans.get_data_ptr(), trans.get_data_length());
            return;
        }
        std::memcpy(trans.get_data_ptr(), bytes, trans.get_data_length());
        if (kWatched - address < trans.get_data_length()) {
            watched_times.push_back(sc_core::sc_time_stamp() + delay);
            if (on_watched) on_watched(delay);
        }
        if (last_beat == sc_core::SC_ZERO_TIME) return;
        auto* timing = trans.get_extension<models::Transfer>();
        timing->first_beat = models::absolute_ps(delay + first_beat);
        delay += last_beat;
        timing->last_beat = models::absolute_ps(delay);
    }
    void access_device(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        device_times.push_back(sc_core::sc_time_stamp() + delay);
        const auto microseconds =
            static_cast<std::uint32_t>((sc_core::sc_time_stamp() + delay).to_seconds() * 1e6);
        const bool asks_flag = trans.get_address() == kFlag;
        if (trans.is_read())
            std::memcpy(trans.get_data_ptr(), asks_flag ? &flag : &microseconds, 4);
        if (trans.is_write() && trans.get_address() == kDevice + 4)
            due_.notify(delay + sc_core::sc_time(500, sc_core::SC_NS));
        if (trans.is_write() && trans.get_address() == kDevice + 8) core.set_interrupt(0, false);
        if (trans.is_write() && trans.get_address() == kDevice + 12 && on_write) {
            std::uint32_t value = 0;
            std::memcpy(&value, trans.get_data_ptr(), 4);
            on_write(value, delay);
            trans.get_extension<models::Transfer>()->effect = posts_until.value();
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
        if (refuses_watched && address >> 12 == kWatched >> 12) return false;
        dmi.set_dmi_ptr(memory);
        dmi.set_start_address(kRam);
        dmi.set_end_address(kRam + kRamBytes - 1);
        dmi.allow_read_write();
        return true;
    }

    sc_core::sc_event due_;
};

inline models::CoreModuleConfig config_with(models::core::Timing timing) {
    models::CoreModuleConfig config;
    config.core.timing = timing;
    config.core.system.vector_table = kRam;
    config.core.tcm = {{kRam, kRam + kRamBytes - 1}};
    return config;
}

/// Vector table with stack, reset at 0x100 and interrupt 0 at 0x200.
inline void put_vectors(World& world) {
    world.set_word(kRam, kRam + kRamBytes);
    world.set_word(kRam + 4, kRam + 0x101);
    world.set_word(kRam + 16 * 4, kRam + 0x201);
}

/// Stops the core at its BKPT 0xAB; `time` becomes when.
inline void note_stop(World& world, sc_core::sc_time& time) {
    world.core.on_semihosting = [&time](models::core::Core&) {
        time = sc_core::sc_time_stamp();
        return false;
    };
}

inline sc_core::sc_time ns(double value) {
    return sc_core::sc_time(value, sc_core::SC_NS);
}

}  // namespace n6vp::tests
