// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/soc/sdmmc/sdmmc_controller.h"

namespace n6vp::test {

/// Memory that takes 100 ns for each access, or so, and keeps what it sees.
class CardMemory : public sc_core::sc_module {
  public:
    struct Seen {
        std::uint32_t address, bytes;
        bool write, secure;
        unsigned compartment;
        models::Picoseconds at;
    };
    tlm_utils::simple_target_socket<CardMemory> from;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::vector<Seen> seen;
    std::uint32_t refused = 0xFFFFFFFF;
    models::Picoseconds takes = 100'000;

    explicit CardMemory(const sc_core::sc_module_name& name) : sc_module(name), from("from") {
        from.register_b_transport(this, &CardMemory::serve);
    }
    void put_words(std::uint32_t at, const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) {
            for (unsigned i = 0; i < 4; ++i) bytes[at++] = static_cast<std::uint8_t>(word >> 8 * i);
        }
    }

  private:
    void serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const auto* const transfer = trans.get_extension<models::Transfer>();
        REQUIRE(transfer != nullptr);
        seen.push_back({address, trans.get_data_length(), trans.is_write(), transfer->secure,
                        transfer->compartment, models::absolute_ps(delay)});
        delay += models::to_sc_time(takes);
        trans.set_response_status(address == refused ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
        if (address == refused) return;
        for (unsigned i = 0; i < trans.get_data_length(); ++i) {
            std::uint8_t& kept = bytes[address + i];
            std::uint8_t& moved = trans.get_data_ptr()[i];
            (trans.is_write() ? kept : moved) = trans.is_write() ? moved : kept;
        }
    }
};

/// A card of 1024 blocks on a controller at 100 MHz; CLKDIV = 2 gives 25 MHz, 40 ns a bit.
struct SdmmcBench {
    static constexpr models::Picoseconds kUs = 1'000'000, kBit = 40'000;
    enum : std::uint32_t {
        kPower = 0x00,
        kClkcr = 0x04,
        kArg = 0x08,
        kCmd = 0x0C,
        kRespcmd = 0x10,
        kResp1 = 0x14,
        kTimer = 0x24,
        kLen = 0x28,
        kCtrl = 0x2C,
        kCount = 0x30,
        kSta = 0x34,
        kIcr = 0x38,
        kMask = 0x3C,
        kIdmaCtrl = 0x50,
        kIdmaSize = 0x54,
        kIdmaBase = 0x58,
        kIdmaLink = 0x64,
        kIdmaList = 0x68,
        kFifo = 0x80,
    };
    static constexpr std::uint32_t kCcrcFail = 1, kDcrcFail = 2, kCtimeout = 4, kDtimeout = 8,
                                   kTxUnderrun = 0x10, kRxOverrun = 0x20, kCmdrEnd = 0x40,
                                   kCmdSent = 0x80, kDataEnd = 0x100, kDabort = 0x800,
                                   kDpsm = 0x1000, kCpsm = 0x2000, kTxHalf = 0x4000,
                                   kRxHalf = 0x8000, kRxEmpty = 0x80000, kBusyD0 = 0x100000,
                                   kBusyD0End = 0x200000, kIdmaError = 1u << 27,
                                   kBufferEnd = 1u << 28;
    static constexpr std::uint32_t kNone = 0, kShort = 1u << 8, kNoCrc = 2u << 8, kLong = 3u << 8;
    static constexpr std::uint32_t kTrans = 1u << 6, kStop = 1u << 7, kGo = 1u << 12;
    static constexpr std::uint32_t kBlock512 = 9u << 4, kRead = 2;
    static constexpr std::uint32_t kFour = 1u << 14, kFlow = 1u << 17;

    models::sdmmc::Controller sdmmc{"sdmmc", "SDMMC2"};
    CardMemory memory{"memory"};
    models::sdmmc::Card card{contents()};
    bool line = false;

    explicit SdmmcBench(bool present = true) {
        sdmmc.port.to.bind(memory.from);
        sdmmc.on_interrupt = [this](bool level) { line = level; };
        if (present) sdmmc.insert(&card);
        sdmmc.set_kernel_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        sdmmc.reset();
        set(kPower, 3);
        set(kClkcr, 2);
    }
    static std::vector<std::uint8_t> contents() {
        std::vector<std::uint8_t> bytes(std::size_t{1024} * models::sdmmc::Card::kBlock);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = value(i / 512, i % 512);
        return bytes;
    }
    static std::uint8_t value(std::size_t block, std::size_t index) {
        return static_cast<std::uint8_t>(block * 13 + index * 3 + index / 256);
    }
    static models::Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(models::Picoseconds time) { sc_core::sc_start(models::to_sc_time(time)); }
    std::uint32_t get(std::uint32_t offset) { return sdmmc.read(offset, now()).value; }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return sdmmc.write(offset, value, 0xFFFFFFFF, now()).modelled;
    }
    /// Waits until one of the flags of STAR is set, at most 100 ms, and returns the status.
    std::uint32_t wait(std::uint32_t flags) {
        for (unsigned i = 0; i < 1'000'000; ++i) {
            if (const std::uint32_t status = get(kSta); (status & flags) != 0) return status;
            pass(100'000);
        }
        return get(kSta);
    }
    /// Sends a command and returns the flags of its end, which it clears.
    std::uint32_t send(unsigned index, std::uint32_t argument, std::uint32_t how) {
        set(kArg, argument);
        set(kCmd, index | how | kGo);
        const std::uint32_t ends = kCcrcFail | kCtimeout | kCmdrEnd | kCmdSent;
        const std::uint32_t status = wait(ends);
        set(kIcr, ends);
        return status & ends;
    }
    void initialise(unsigned lines = 4, std::uint32_t clock = 2) {
        CHECK(send(0, 0, kNone) == kCmdSent);
        CHECK(send(8, 0x1AA, kShort) == kCmdrEnd);
        do {
            CHECK(send(55, 0, kShort) == kCmdrEnd);
            CHECK(send(41, 0x40FF8000, kNoCrc) == kCmdrEnd);
        } while ((get(kResp1) >> 31) == 0 && now() < 100'000 * kUs);
        CHECK(send(2, 0, kLong) == kCmdrEnd);
        CHECK(send(3, 0, kShort) == kCmdrEnd);
        const std::uint32_t address = get(kResp1) & 0xFFFF0000;
        CHECK(send(7, address, kShort) == kCmdrEnd);
        if (lines == 4) {
            CHECK(send(55, address, kShort) == kCmdrEnd);
            CHECK(send(6, 2, kShort) == kCmdrEnd);
        }
        set(kClkcr, clock | (lines == 4 ? kFour : 0));
    }
    /// The command of a transfer of so many blocks of 512 bytes.
    void transfer(unsigned index, std::uint32_t first, std::uint32_t blocks,
                  std::uint32_t timer = 0xFFFFFFFF) {
        const bool reads = index == 17 || index == 18;
        set(kTimer, timer);
        set(kLen, blocks * 512);
        set(kCtrl, kBlock512 | (reads ? kRead : 0));
        CHECK(send(index, first, kShort | kTrans) == kCmdrEnd);
    }
    unsigned stop() { return send(12, 0, kShort | kStop); }
    std::vector<std::uint32_t> take(std::size_t words) {
        std::vector<std::uint32_t> taken;
        for (std::size_t i = 0; i < words; ++i) taken.push_back(get(kFifo));
        return taken;
    }
    static std::uint32_t word(std::size_t block, std::size_t index) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i)
            word |= static_cast<std::uint32_t>(value(block, 4 * index + i)) << 8 * i;
        return word;
    }
};

}  // namespace n6vp::test
