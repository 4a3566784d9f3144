// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/fabric/serial_device.h"
#include "models/memory/backing_store.h"
#include "models/parameter.h"

namespace n6vp::models {

/// Defaults are the typical times of the device's own parameter table (SFDP).
struct NorFlashParameters {
    Parameter page_program{"page_program", 152, "us", Confidence::Documented,
                           "SFDP of the MX66UW1G45G: typical; at most 4,900"};
    Parameter sector_erase{"sector_erase", 25'000, "us", Confidence::Documented,
                           "4 KiB; SFDP: typical; at most 600,000"};
    Parameter block_erase{"block_erase", 256'000, "us", Confidence::Documented,
                          "64 KiB; SFDP: typical; at most 6,100,000"};
    Parameter chip_erase{"chip_erase",
                         192'000'000,
                         {"us", {0, 1e9, false}},
                         Confidence::Documented,
                         "SFDP: typical"};
    Parameter write_register{"write_register", 40, "us", Confidence::Assumed,
                             "WRSR to WIP = 0; the board support package waits 40 ms"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.page_program);
        function(self.sector_erase);
        function(self.block_erase);
        function(self.chip_erase);
        function(self.write_register);
    }
};

/// The NOR flash of the discovery kit, MX66UW1G45G, as commands see it.
///
/// Modelled: the protocols SPI (1-1-1), SOPI (8 lines, single rate) and DOPI (double rate), between
/// which configuration register 2 and the reset switch; identification, SFDP, status with WIP and
/// WEL, reads, page program (clears bits, wraps inside 256 bytes), erase of 4 KiB, 64 KiB and the
/// chip, write enable and disable, status and configuration registers, reset enable and reset.
/// While WIP is one only the status is read. Data change at the end of the command, WIP falls after
/// the time of the parameters; in DOPI, registers and identification give each byte twice.
/// Not modelled: block protection, suspend and resume, security registers, lock bits, the order of
/// bytes by which DOPI differs from SPI (contents are one linear image), wrong dummy clocks, reads
/// of the memory-mapped window while WIP is one.
class NorFlash : public SerialDevice {
  public:
    static constexpr std::uint32_t kPage = 256, kSector = 4096, kBlock = 65536;

    /// `cells` must outlive it.
    NorFlash(BackingStore& cells, const NorFlashParameters& parameters);

    /// Cells [offset, offset + bytes) are about to change.
    std::function<void(std::uint32_t offset, std::uint32_t bytes)> on_change;

    void begin(const SerialCommand& command, Picoseconds at) override;
    [[nodiscard]] std::uint8_t read(Picoseconds at) override;
    void write(std::uint8_t byte) override;
    void end(Picoseconds at) override;
    [[nodiscard]] Picoseconds next_change(Picoseconds at) const override;
    void power_on() override;

    enum class Protocol : std::uint8_t { Spi, Sopi, Dopi };
    [[nodiscard]] Protocol protocol() const { return protocol_; }
    [[nodiscard]] bool busy(Picoseconds at) const { return at < busy_until_; }

  private:
    enum class Action : std::uint8_t {
        None,
        Read,
        Program,
        EraseSector,
        EraseBlock,
        EraseChip,
        WriteEnable,
        WriteDisable,
        ReadStatus,
        WriteStatus,
        ReadConfiguration,
        WriteConfiguration,
        Identify,
        ReadParameters,
        EnableReset,
        Reset,
    };
    struct Row {
        std::uint8_t opcode;
        Action action;
        bool in_spi, in_sopi, in_dopi;
    };
    static const Row kRows[];

    /// Bytes of the address that the action's commands have.
    [[nodiscard]] static unsigned address_bytes(Action action, const SerialCommand& command);
    [[nodiscard]] static Action action_of(const SerialCommand& command, Protocol protocol);
    void settle(Picoseconds at);
    /// Begins work of that many microseconds, at whose end WEL falls.
    void work(const Parameter& time, Picoseconds at);
    /// What commands do that need a write enable.
    void change(Action action, Picoseconds at);
    void program(Picoseconds at);
    void erase(std::uint32_t start, std::uint32_t bytes, const Parameter& time, Picoseconds at);
    void write_configuration();
    [[nodiscard]] std::uint8_t byte_at(std::uint32_t index, Picoseconds at);
    [[nodiscard]] std::uint8_t status(Picoseconds at);

    BackingStore& cells_;
    const NorFlashParameters parameters_;
    Protocol protocol_ = Protocol::Spi;
    bool write_enabled_ = false, reset_enabled_ = false;
    std::uint8_t status_bits_ = 0;                 ///< those that WRSR sets
    std::array<std::uint8_t, 4> configuration_{};  ///< register 2 at 0, 0x100, 0x200, 0x300
    Picoseconds busy_until_ = 0;
    // Of the command under way.
    Action action_ = Action::None;
    std::uint32_t address_ = 0, position_ = 0;
    unsigned address_bytes_to_come_ = 0;  ///< at the start of the data
    bool doubled_ = false;
    std::array<std::uint8_t, kPage> page_{};
    std::array<bool, kPage> in_page_{};
    std::vector<std::uint8_t> written_;  ///< of a register
};

}  // namespace n6vp::models
