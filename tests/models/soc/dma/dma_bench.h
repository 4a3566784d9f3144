// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/duration.h"
#include "models/soc/dma/dma_controller.h"

namespace n6vp::test {

inline constexpr models::Picoseconds kNs = 1000;

/// Memory behind the ports of a DMA controller: each access takes 100 ns. Keeps what it sees.
class SlowMemory : public sc_core::sc_module {
  public:
    struct Seen {
        std::uint32_t address, bytes;
        bool write;
        unsigned port;
        models::Picoseconds at;
        bool secure, privileged;
        unsigned compartment;
    };

    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<SlowMemory>> from;
    std::vector<Seen> seen;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::uint32_t refused = 0xFFFFFFFF;  ///< accesses to it are bus errors

    explicit SlowMemory(const sc_core::sc_module_name& name) : sc_module(name), from("from", 2) {
        for (unsigned i = 0; i < 2; ++i)
            from[i].register_b_transport(this, &SlowMemory::serve, static_cast<int>(i));
    }
    void put(std::uint32_t at, const std::vector<std::uint8_t>& values) {
        for (const std::uint8_t value : values) bytes[at++] = value;
    }
    void put_words(std::uint32_t at, const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) {
            for (unsigned i = 0; i < 4; ++i) bytes[at++] = static_cast<std::uint8_t>(word >> 8 * i);
        }
    }
    [[nodiscard]] std::vector<std::uint8_t> get(std::uint32_t at, std::uint32_t count) {
        std::vector<std::uint8_t> values;
        for (std::uint32_t i = 0; i < count; ++i) values.push_back(bytes[at + i]);
        return values;
    }

  private:
    void serve(int port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const auto* const transfer = trans.get_extension<models::Transfer>();
        REQUIRE(transfer != nullptr);
        seen.push_back({address, trans.get_data_length(), trans.is_write(),
                        static_cast<unsigned>(port), models::absolute_ps(delay), transfer->secure,
                        transfer->privileged, transfer->compartment});
        delay += models::to_sc_time(100 * kNs);
        if (address == refused) {
            trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            return;
        }
        for (unsigned i = 0; i < trans.get_data_length(); ++i) {
            std::uint8_t& kept = bytes[address + i];
            std::uint8_t& moved = trans.get_data_ptr()[i];
            (trans.is_write() ? kept : moved) = trans.is_write() ? moved : kept;
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// A controller at 100 MHz: 10 ns a cycle, so 20 ns to a burst and 40 ns for a link.
struct DmaBench {
    static constexpr std::uint32_t kSource = 0x1000, kDest = 0x2000, kList = 0x34000000;
    static constexpr std::uint32_t kWords = 2u | 2u << 16;                  ///< CTR1: SDW, DDW
    static constexpr std::uint32_t kBoth = 1u << 3 | 1u << 19;              ///< CTR1: SINC, DINC
    static constexpr std::uint32_t kSoftware = 1u << 9, kAll = 0xFFFFFFFF;  ///< CTR2: SWREQ
    static constexpr std::uint32_t kComplete = 1u << 8, kHalf = 1u << 9;
    using Kind = models::dma::Controller::Kind;

    models::dma::Requests requests;
    models::dma::Controller dma;
    SlowMemory memory;
    std::array<bool, 16> lines{};

    explicit DmaBench(Kind kind = Kind::General)
        : dma("dma", "GPDMA1", kind, requests), memory("memory") {
        for (unsigned i = 0; i < 2; ++i) dma.to[i].bind(memory.from[i]);
        dma.on_interrupt = [this](unsigned channel, bool level) { lines[channel] = level; };
        dma.reset();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static std::uint32_t at(unsigned channel, std::uint32_t offset) {
        return 0x50 + 0x80 * channel + offset;
    }
    static models::Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    std::uint32_t get(std::uint32_t offset) { return dma.read(offset, now()).value; }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return dma.write(offset, value, kAll, now()).modelled;
    }
    std::uint32_t status(unsigned channel) { return get(at(channel, 0x10)); }
    static void pass_ns(std::uint64_t ns) { sc_core::sc_start(models::to_sc_time(ns * kNs)); }
    void program(unsigned channel, std::uint32_t tr1, std::uint32_t tr2, std::uint32_t br1) {
        set(at(channel, 0x40), tr1);
        set(at(channel, 0x44), tr2);
        set(at(channel, 0x48), br1);
        set(at(channel, 0x4C), kSource);
        set(at(channel, 0x50), kDest);
    }
    void enable(unsigned channel, std::uint32_t more = 0) { set(at(channel, 0x14), 1 | more); }
    /// What arrives of `source` by these settings.
    std::vector<std::uint8_t> moved(std::uint32_t tr1, std::uint32_t bytes, std::uint32_t arrive) {
        memory.put(kSource, {0x81, 0x02, 0x83, 0x04, 0x05, 0x86, 0x07, 0x08});
        memory.put(kDest, std::vector<std::uint8_t>(64, 0xEE));
        set(at(0, 0x0C), 0x7F00);
        program(0, tr1 | kBoth, kSoftware, bytes);
        enable(0);
        pass_ns(10'000);
        CHECK(status(0) == (1 | kComplete | kHalf));
        CHECK(memory.bytes[kDest + arrive] == 0xEE);
        return memory.get(kDest, arrive);
    }
};

}  // namespace n6vp::test
