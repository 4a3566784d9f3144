// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/cache/cacheaxi.h"

namespace n6vp::test {

using models::Picoseconds;

inline constexpr std::uint32_t kMemoryBase = 0x90000000;  ///< cacheable
inline constexpr std::uint32_t kOnChipBase = 0x34200000;  ///< not cacheable
inline constexpr unsigned kTarget = 11;
inline constexpr std::uint8_t kNpu0 = 3, kNpu1 = 4, kCore = 1;

/// Memory behind the cache: 100 ns to the first beat, then 8 bytes in 2.5 ns; one port per way.
class Behind : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<Behind> port0, port1;
    static constexpr Picoseconds kLatency = 100'000, kBeat = 2'500;

    explicit Behind(const sc_core::sc_module_name& name)
        : sc_module(name), bytes(std::size_t{4} << 20) {
        for (auto* port : {&port0, &port1}) {
            port->register_b_transport(this, &Behind::b_transport, 0);
            port->register_transport_dbg(this, &Behind::transport_dbg, 0);
        }
    }

    struct Seen {
        std::uint32_t address, bytes;
        bool write, cacheable;
        Picoseconds at;
        const void* trans;  ///< to compare only
        std::uint8_t compartment;
    };
    std::vector<Seen> seen;
    std::vector<std::uint8_t> bytes;
    bool failing = false, refusing = false;
    Picoseconds waited = 0;  ///< what it says of every access, for `holder`
    std::uint8_t holder = 0;

    [[nodiscard]] std::uint8_t& at(std::uint32_t address) {
        return bytes[address & (bytes.size() - 1)];
    }

  private:
    void b_transport(int, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        auto* transfer = trans.get_extension<models::Transfer>();
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const Picoseconds arrival = models::absolute_ps(delay);
        seen.push_back({address, trans.get_data_length(), trans.is_write(), transfer->cacheable,
                        arrival, &trans, transfer->compartment});
        if (failing) {
            trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            return;
        }
        if (refusing) {
            transfer->refused = true;
            if (trans.is_read()) std::memset(trans.get_data_ptr(), 0, trans.get_data_length());
        } else {
            transport_dbg(0, trans);
        }
        transfer->waited = waited;
        transfer->holder = holder;
        transfer->first_beat = arrival + kLatency + kBeat;
        transfer->last_beat = arrival + kLatency + (trans.get_data_length() + 7) / 8 * kBeat;
        delay = models::delay_until(transfer->last_beat);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    unsigned transport_dbg(int, tlm::tlm_generic_payload& trans) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        // By bytes: a transfer may run over the end, and goes on at the start.
        for (std::uint32_t i = 0; i < trans.get_data_length(); ++i) {
            std::uint8_t& place = at(address + i);
            std::uint8_t& data = trans.get_data_ptr()[i];
            if (trans.is_read()) {
                data = place;
            } else {
                place = data;
            }
        }
        return trans.get_data_length();
    }
};

/// One port of the NPU, doing what a test says.
class Stream : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<Stream> port;
    explicit Stream(const sc_core::sc_module_name& name) : sc_module(name), port("port") {}

    bool cacheable = true, allocate = false;
    std::uint8_t compartment = 1;
    models::Transfer answer;
    std::vector<std::uint8_t> data;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    const void* payload = nullptr;  ///< address of the last transaction, to compare only

    /// Returns when the access has ended.
    Picoseconds read(std::uint32_t at, std::uint32_t count, Picoseconds start = 0) {
        data.assign(count, 0);
        return transact(tlm::TLM_READ_COMMAND, at, start);
    }
    Picoseconds write(std::uint32_t at, std::vector<std::uint8_t> what, Picoseconds start = 0) {
        data = std::move(what);
        return transact(tlm::TLM_WRITE_COMMAND, at, start);
    }

  private:
    Picoseconds transact(tlm::tlm_command command, std::uint32_t at, Picoseconds start) {
        tlm::tlm_generic_payload trans;
        payload = &trans;
        answer = models::Transfer();
        answer.cacheable = cacheable;
        answer.allocate = allocate;
        answer.compartment = compartment;
        trans.set_command(command);
        trans.set_address(at);
        trans.set_data_ptr(data.data());
        trans.set_data_length(static_cast<unsigned>(data.size()));
        trans.set_streaming_width(static_cast<unsigned>(data.size()));
        trans.set_extension(&answer);
        sc_core::sc_time delay = models::delay_until(start);
        port->b_transport(trans, delay);
        trans.clear_extension(&answer);
        status = trans.get_response_status();
        return models::absolute_ps(delay);
    }
};

/// The cache with two streams, a memory behind it and the events it reported. It has left its busy
/// state of reset at `kReady`.
struct CacheBench {
    static constexpr Picoseconds kReady = 1'000'000;
    Behind memory{"memory"};
    models::CacheAxi cache;
    Stream npu{"npu"}, npu1{"npu1"};
    std::vector<models::NpuCacheEvent> events;
    std::vector<models::AccessFault> faults;

    explicit CacheBench(models::core::Coherence coherence = models::core::Coherence::Ideal,
                        const models::NpuCacheParameters& parameters = {})
        : cache("cache", 900e6, parameters, coherence, {kNpu0, kNpu1}) {
        npu.port.bind(cache.from[0]);
        npu1.port.bind(cache.from[1]);
        cache.to[0].bind(memory.port0);
        cache.to[1].bind(memory.port1);
        cache.add_memory(kTarget, {GuestAddr{kMemoryBase}, 4 << 20}, 0, true);
        cache.on_event([this](const models::NpuCacheEvent& event) { events.push_back(event); });
        cache.on_fault = [this](const models::AccessFault& fault) { faults.push_back(fault); };
        for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
            memory.bytes[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8));
        }
    }

    std::uint32_t get(std::uint32_t offset, Picoseconds at = kReady) {
        return cache.registers().read(offset, at).value;
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = kReady) {
        (void)cache.registers().write(offset, value, 0xFFFFFFFF, at);
    }
    void enable(std::uint32_t monitors = 0) { set(0x00, 1 | monitors); }
    /// Clean (1) or clean and invalidate (3) of [start, start + bytes); returns when it has ended.
    Picoseconds range(std::uint32_t command, std::uint32_t start, std::uint32_t bytes,
                      Picoseconds at = kReady) {
        set(0x104, start, at);
        set(0x108, start + bytes - 1, at);
        set(0x100, command << 1 | 1, at);
        return end_of(8, at);
    }
    /// Returns when the status bit that is set at `at` will be clear.
    Picoseconds end_of(std::uint32_t bit, Picoseconds at) {
        Picoseconds busy = at, idle = at + 1'000'000'000;
        while (idle - busy > 1) {
            const Picoseconds middle = busy + (idle - busy) / 2;
            ((get(0x04, middle) & bit) != 0 ? busy : idle) = middle;
        }
        return idle;
    }
    /// Another master writes to memory, as the bus would let the cache know.
    void other_writes(std::uint32_t address, const std::vector<std::uint8_t>& what,
                      std::uint8_t who = kCore) {
        cache.before_write(who, kTarget, address - kMemoryBase,
                           static_cast<std::uint32_t>(what.size()));
        std::copy(what.begin(), what.end(), &memory.at(address));
    }
    void other_reads(std::uint32_t address, std::uint32_t count, std::uint8_t who = kCore) {
        cache.before_read(who, kTarget, address - kMemoryBase, count);
    }
    [[nodiscard]] std::uint64_t count(models::CacheAxi::Monitor monitor) const {
        return cache.statistics().of(monitor);
    }
};

}  // namespace n6vp::test
