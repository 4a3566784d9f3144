// SPDX-License-Identifier: Apache-2.0
// LTDC with a small panel and memory that answers from a map.
#pragma once

#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/soc/graphics/ltdc.h"

namespace n6vp::test::ltdc {

using namespace n6vp::models;

inline constexpr Picoseconds kUs = 1'000'000;
inline constexpr std::uint32_t kGcr = 0x18, kSrcr = 0x24, kBccr = 0x2C, kIer = 0x34, kIsr = 0x38,
                               kIcr = 0x3C, kLipcr = 0x40, kCpsr = 0x44, kCdsr = 0x48, kIsr2 = 0x68;
inline constexpr std::uint32_t kLayer1 = 0x100, kLayer2 = 0x200;
inline constexpr std::uint32_t kRcr = 0x08, kCr = 0x0C, kWhpcr = 0x10, kWvpcr = 0x14, kCkcr = 0x18,
                               kPfcr = 0x1C, kCacr = 0x20, kDccr = 0x24, kBfcr = 0x28,
                               kCfbar = 0x34, kCfblr = 0x38, kCfblnr = 0x3C, kClutwr = 0x50,
                               kFpf0r = 0x74, kFpf1r = 0x78;
inline constexpr std::uint32_t kLine = 1, kError = 4, kReload = 8, kUnderrun = 1u << 6;

/// Memory that answers after 100 ns and keeps the reads.
struct Cells : sc_core::sc_module {
    struct Seen {
        std::uint32_t address, bytes;
        Picoseconds at;
        bool secure;
        unsigned compartment;
    };
    tlm_utils::simple_target_socket<Cells> from;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::vector<Seen> seen;
    std::uint32_t refused = 0xFFFFFFFF;
    Picoseconds takes = 100'000;

    explicit Cells(const sc_core::sc_module_name& name) : sc_module(name), from("from") {
        from.register_b_transport(this, &Cells::serve);
    }
    void serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const auto* const transfer = trans.get_extension<Transfer>();
        REQUIRE(transfer != nullptr);
        REQUIRE(trans.is_read());
        seen.push_back({address, trans.get_data_length(), absolute_ps(delay), transfer->secure,
                        transfer->compartment});
        delay += to_sc_time(takes);
        for (unsigned i = 0; i < trans.get_data_length(); ++i)
            trans.get_data_ptr()[i] = bytes[address + i];
        trans.set_response_status(address == refused ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
    }
};

/// A panel of 4 x 2 pixels at 1 MHz: columns 3 to 6 of 10, lines 2 and 3 of 6; a line takes 10 us.
struct Bench {
    Ltdc ltdc;
    Cells memory;
    std::vector<std::pair<bool, Picoseconds>> levels, errors;

    explicit Bench(const LtdcParameters& parameters = {})
        : ltdc("ltdc", "LTDC", parameters), memory("memory") {
        ltdc.port.to.bind(memory.from);
        ltdc.on_interrupt = [this](bool level) { levels.emplace_back(level, now()); };
        ltdc.on_error_interrupt = [this](bool level) { errors.emplace_back(level, now()); };
        ltdc.set_pixel_hz(1e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(0x08, 0 << 16 | 0);
        set(0x0C, 2 << 16 | 1);
        set(0x10, 6 << 16 | 3);
        set(0x14, 9 << 16 | 5);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return ltdc.write(offset, value, 0xFFFFFFFF, now()).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return ltdc.read(offset, now()).value; }
    static void pass_us(std::uint64_t us) { sc_core::sc_start(to_sc_time(us * kUs)); }
    void enable() { CHECK(set(kGcr, 1)); }
    /// A layer over the whole panel, as the driver sets it up.
    void layer(std::uint32_t base, std::uint32_t format, std::uint32_t pixel_bytes,
               std::uint32_t address) {
        set(base + kWhpcr, 6u << 16 | 3);
        set(base + kWvpcr, 3u << 16 | 2);
        set(base + kPfcr, format);
        set(base + kCfbar, address);
        set(base + kCfblr, 4 * pixel_bytes << 16 | (4 * pixel_bytes + 7));
        set(base + kCfblnr, 2);
        set(base + kCr, 1);
        set(base + kRcr, 1);
    }
    void put(std::uint32_t address, const std::vector<std::uint8_t>& values) {
        for (const std::uint8_t value : values) memory.bytes[address++] = value;
    }
    using Rgb = std::array<unsigned, 3>;
    Rgb pixel(unsigned x, unsigned y) {
        const Picture shown = ltdc.picture();
        REQUIRE(shown.width == 4);
        REQUIRE(shown.height == 2);
        const std::size_t at = 3 * (std::size_t{4} * y + x);
        return {shown.rgb.at(at), shown.rgb.at(at + 1), shown.rgb.at(at + 2)};
    }
};
using Rgb = Bench::Rgb;

}  // namespace n6vp::test::ltdc
