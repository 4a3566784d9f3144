// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/graphics/dma2d.h"

namespace n6vp::test {

/// Memory from address 0 on that answers after 100 ns and keeps the accesses.
struct PixelMemory : sc_core::sc_module {
    struct Seen {
        bool write;
        std::uint32_t address, bytes;
        models::Picoseconds at;
        bool secure;
        unsigned compartment;
    };
    static constexpr models::Picoseconds kTakes = 100'000;
    tlm_utils::simple_target_socket<PixelMemory> from;
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x10000);
    std::vector<Seen> seen;

    explicit PixelMemory(const sc_core::sc_module_name& name) : sc_module(name), from("from") {
        from.register_b_transport(this, &PixelMemory::serve);
    }
    void serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const unsigned length = trans.get_data_length();
        const auto* const transfer = trans.get_extension<models::Transfer>();
        REQUIRE(transfer != nullptr);
        seen.push_back({trans.is_write(), address, length, models::absolute_ps(delay),
                        transfer->secure, transfer->compartment});
        delay += models::to_sc_time(kTakes);
        if (std::size_t{address} + length > bytes.size())
            return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        for (unsigned i = 0; i < length; ++i) {
            if (trans.is_write()) {
                bytes[address + i] = trans.get_data_ptr()[i];
            } else {
                trans.get_data_ptr()[i] = bytes[address + i];
            }
        }
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// DMA2D at 100 MHz.
struct Dma2dBench {
    static constexpr std::uint32_t kCr = 0x00, kIsr = 0x04, kIfcr = 0x08, kFgmar = 0x0C,
                                   kFgor = 0x10, kBgmar = 0x14, kBgor = 0x18, kFgpfccr = 0x1C,
                                   kFgcolr = 0x20, kBgpfccr = 0x24, kBgcolr = 0x28, kFgcmar = 0x2C,
                                   kBgcmar = 0x30, kOpfccr = 0x34, kOcolr = 0x38, kOmar = 0x3C,
                                   kOor = 0x40, kNlr = 0x44, kLwr = 0x48, kAmtcr = 0x4C,
                                   kFgclut = 0x400, kBgclut = 0x800;
    static constexpr std::uint32_t kTe = 1, kTc = 2, kTw = 4, kCae = 8, kCtc = 16, kCe = 32;
    static constexpr std::uint32_t kStart = 1, kSusp = 2, kAbort = 4, kAllEnables = 0x3F00;

    models::Dma2d dma2d;
    PixelMemory memory;
    std::vector<std::pair<bool, models::Picoseconds>> levels;

    explicit Dma2dBench(const models::Dma2dParameters& parameters = {})
        : dma2d("dma2d", "DMA2D", parameters), memory("memory") {
        dma2d.port.to.bind(memory.from);
        dma2d.on_interrupt = [this](bool level) { levels.emplace_back(level, now()); };
        dma2d.set_clock_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static models::Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(dma2d.write(offset, value, 0xFFFFFFFF, now()).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return dma2d.read(offset, now()).value; }
    static void pass_ns(std::uint64_t ns) { sc_core::sc_start(models::to_sc_time(ns * 1000)); }
    /// Starts a mode with `more` bits of CR and runs it to its end. Returns the flags, cleared.
    std::uint32_t run(std::uint32_t mode, std::uint32_t more = 0) {
        set(kCr, mode << 16 | kStart | more);
        for (unsigned i = 0; i < 1000 && (get(kCr) & kStart) != 0; ++i) pass_ns(10'000);
        CHECK((get(kCr) & kStart) == 0);
        const std::uint32_t flags = get(kIsr);
        set(kIfcr, flags);
        CHECK(get(kIsr) == 0);
        return flags;
    }
    void put(std::uint32_t address, const std::vector<std::uint8_t>& values) {
        for (const std::uint8_t value : values) memory.bytes.at(address++) = value;
    }
    std::uint32_t word(std::uint32_t address) const {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i)
            value |= std::uint32_t{memory.bytes.at(address + i)} << 8 * i;
        return value;
    }
    void size(std::uint32_t columns, std::uint32_t lines) { set(kNlr, columns << 16 | lines); }
};

}  // namespace n6vp::test
