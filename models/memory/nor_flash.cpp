// SPDX-License-Identifier: Apache-2.0
#include "models/memory/nor_flash.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace n6vp::models {

namespace {

constexpr std::uint8_t kErased = 0xFF, kWip = 1, kWel = 2;
/// What a command in another protocol than the present one reads from an idle device (inferred): of
/// two public first-stage boot loaders that read the status in the protocol that they have just
/// left, one waits for WIP = 0 and one for WEL = 1, and both start their boards.
constexpr std::uint8_t kUnheard = kWel;
constexpr std::uint8_t kWritableStatus = 0x3C;  ///< BP0 to BP3
constexpr std::array<std::uint8_t, 3> kJedecId{0xC2, 0x81, 0x3B};
constexpr std::uint32_t kConfigurationStep = 0x100;

/// What the device answers to "read SFDP" (JESD216), as little-endian words: the headers, then the
/// tables FF00 (basic), FF87, FF0A (commands of the octal protocol), FF05 and FF84.
constexpr std::array<std::uint32_t, 79> kParameters{
    0x50444653, 0xFD040108, 0x14010700, 0xFF000040, 0x1C010187, 0xFF000090, 0x0801000A, 0xFF000100,
    0x05010005, 0xFF000120, 0x02010084, 0xFF000134, 0x00000000, 0x00000000, 0xFFFFFFFF, 0xFFFFFFFF,
    0xFF8A20E5, 0x3FFFFFFF, 0xFF00FF00, 0xFF00FF00, 0xFFFFFFEE, 0xFF00FFFF, 0xFF00FFFF, 0xD810200C,
    0xFF00FF00, 0x0001798B, 0xE200128F, 0x466704CC, 0xB030B030, 0x5CD5BDF4, 0xFF000000, 0x20001010,
    0x00000000, 0xA37C0000, 0x00000048, 0x88880000, 0x00000000, 0x40000000, 0xF3FFD10F, 0xF3FFD10F,
    0x90000500, 0xB1000500, 0x95002B00, 0x96002B00, 0xB8037172, 0xB8037172, 0x00000000, 0x8218A390,
    0x9669C000, 0x00000000, 0x00000000, 0x98007172, 0xB8007172, 0x99007172, 0x00000000, 0x98007172,
    0xF8007172, 0x99007172, 0xF9007172, 0x00000000, 0x00000000, 0xD0011501, 0xD8067172, 0x50860000,
    0x01060000, 0x00000000, 0x03010002, 0x00000200, 0x01060000, 0x00000000, 0x06720000, 0x00000200,
    0x69C0EE00, 0x71717272, 0xF6F7D800, 0x00000A00, 0x80984514, 0x000F0643, 0xFFFFDC21,
};

[[nodiscard]] std::uint8_t parameter_byte(std::uint32_t at) {
    if (at / 4 >= kParameters.size()) return kErased;
    return static_cast<std::uint8_t>(kParameters[at / 4] >> (8 * (at % 4)));
}

[[nodiscard]] std::uint32_t down_to(std::uint32_t address, std::uint32_t step) {
    return address / step * step;
}

}  // namespace

/// Opcodes; with 8 lines their complement follows.
const NorFlash::Row NorFlash::kRows[] = {
    {0x03, Action::Read, true, false, false},
    {0x0B, Action::Read, true, false, false},
    {0x13, Action::Read, true, false, false},
    {0x0C, Action::Read, true, false, false},
    {0xEC, Action::Read, false, true, false},
    {0xEE, Action::Read, false, false, true},
    {0x02, Action::Program, true, false, false},
    {0x12, Action::Program, true, true, true},
    {0x20, Action::EraseSector, true, false, false},
    {0x21, Action::EraseSector, true, true, true},
    {0xD8, Action::EraseBlock, true, false, false},
    {0xDC, Action::EraseBlock, true, true, true},
    {0x60, Action::EraseChip, true, true, true},
    {0xC7, Action::EraseChip, true, false, false},
    {0x06, Action::WriteEnable, true, true, true},
    {0x04, Action::WriteDisable, true, true, true},
    {0x05, Action::ReadStatus, true, true, true},
    {0x01, Action::WriteStatus, true, true, true},
    {0x71, Action::ReadConfiguration, true, true, true},
    {0x72, Action::WriteConfiguration, true, true, true},
    {0x9F, Action::Identify, true, true, true},
    {0x5A, Action::ReadParameters, true, true, true},
    {0x66, Action::EnableReset, true, true, true},
    {0x99, Action::Reset, true, true, true},
};

NorFlash::NorFlash(BackingStore& cells, const NorFlashParameters& parameters)
    : cells_(cells), parameters_(parameters) {}

void NorFlash::power_on() {
    protocol_ = Protocol::Spi;
    write_enabled_ = reset_enabled_ = false;
    status_bits_ = 0;
    configuration_ = {};
    busy_until_ = 0;
    action_ = Action::None;
}

NorFlash::Action NorFlash::action_of(const SerialCommand& command, Protocol protocol) {
    const SerialCommand::Phase& sent = command.instruction_phase;
    std::uint32_t opcode = command.instruction;
    if (protocol == Protocol::Spi) {
        if (sent.lines != 1 || sent.bytes != 1 || sent.double_rate) return Action::None;
    } else {
        const bool rate = sent.double_rate == (protocol == Protocol::Dopi);
        if (sent.lines != 8 || sent.bytes != 2 || !rate) return Action::None;
        if (((opcode >> 8 ^ opcode) & 0xFF) != 0xFF) return Action::None;
        opcode >>= 8;
    }
    for (const Row& row : kRows) {
        const bool here = protocol == Protocol::Spi    ? row.in_spi
                          : protocol == Protocol::Sopi ? row.in_sopi
                                                       : row.in_dopi;
        if (here && row.opcode == (opcode & 0xFF)) return row.action;
    }
    return Action::None;
}

unsigned NorFlash::address_bytes(Action action, const SerialCommand& command) {
    switch (action) {
        case Action::Read:
        case Action::Program:
        case Action::EraseSector:
        case Action::EraseBlock: {
            constexpr std::uint32_t kShort[] = {0x02, 0x03, 0x0B, 0x20, 0xD8};
            const bool three = command.instruction_phase.bytes == 1 &&
                               std::find(std::begin(kShort), std::end(kShort),
                                         command.instruction) != std::end(kShort);
            return three ? 3 : 4;
        }
        case Action::ReadConfiguration:
        case Action::WriteConfiguration:
            return 4;
        default:
            return 0;
    }
}

void NorFlash::settle(Picoseconds at) {
    if (busy_until_ == 0 || at < busy_until_) return;
    busy_until_ = 0;
    write_enabled_ = false;
}

Picoseconds NorFlash::next_change(Picoseconds at) const {
    return at < busy_until_ ? busy_until_ : 0;
}

void NorFlash::begin(const SerialCommand& command, Picoseconds at) {
    settle(at);
    action_ = action_of(command, protocol_);
    const bool resets = action_ == Action::EnableReset || action_ == Action::Reset;
    if (busy(at) && action_ != Action::ReadStatus && !resets) action_ = Action::None;
    // The reset must follow its enabling directly.
    if (action_ == Action::Reset && !reset_enabled_) action_ = Action::None;
    reset_enabled_ = false;
    address_ = command.address;
    position_ = 0;
    // On the lines an address is an address in whichever phase the controller sends it.
    address_bytes_to_come_ = command.address_phase.lines == 0 ? address_bytes(action_, command) : 0;
    if (address_bytes_to_come_ != 0) address_ = 0;
    doubled_ =
        protocol_ == Protocol::Dopi && action_ != Action::Read && action_ != Action::ReadParameters;
    in_page_.fill(false);
    written_.clear();
}

std::uint8_t NorFlash::status(Picoseconds at) {
    settle(at);
    const unsigned bits = status_bits_ | (busy(at) ? kWip : 0u) | (write_enabled_ ? kWel : 0u);
    return static_cast<std::uint8_t>(bits);
}

std::uint8_t NorFlash::byte_at(std::uint32_t index, Picoseconds at) {
    switch (action_) {
        case Action::Read: {
            std::uint8_t byte = kErased;
            cells_.read((address_ + index) % cells_.bytes(), &byte, 1);
            return byte;
        }
        case Action::ReadStatus:
            return status(at);
        case Action::ReadConfiguration:
            return configuration_[address_ / kConfigurationStep % configuration_.size()];
        case Action::Identify:
            return kJedecId[index % kJedecId.size()];
        case Action::ReadParameters:
            return parameter_byte(address_ + index);
        default:
            return busy(at) ? kUndrivenLines : kUnheard;
    }
}

std::uint8_t NorFlash::read(Picoseconds at) {
    const std::uint32_t index = position_++;
    return byte_at(doubled_ ? index / 2 : index, at);
}

void NorFlash::write(std::uint8_t byte) {
    if (address_bytes_to_come_ != 0) {
        address_ = address_ << 8 | byte;
        --address_bytes_to_come_;
    } else if (action_ == Action::Program) {
        const std::uint32_t at = (address_ + position_++) % kPage;
        page_[at] = byte;
        in_page_[at] = true;
    } else if (written_.empty()) {
        written_.push_back(byte);
    }
}

void NorFlash::work(const Parameter& time, Picoseconds at) {
    constexpr double kPsPerUs = 1e6;
    // Time 0 ends at once, and WEL falls with it.
    busy_until_ = at + static_cast<Picoseconds>(time.value * kPsPerUs);
    settle(at);
}

void NorFlash::program(Picoseconds at) {
    const std::uint32_t start = down_to(address_ % cells_.bytes(), kPage);
    std::array<std::uint8_t, kPage> cells{};
    cells_.read(start, cells.data(), kPage);
    bool any = false;
    for (std::uint32_t i = 0; i < kPage; ++i) {
        if (!in_page_[i]) continue;
        cells[i] &= page_[i];
        any = true;
    }
    if (!any) return;
    if (on_change) on_change(start, kPage);
    cells_.write(start, cells.data(), kPage);
    work(parameters_.page_program, at);
}

void NorFlash::erase(std::uint32_t start, std::uint32_t bytes, const Parameter& time,
                     Picoseconds at) {
    constexpr std::uint32_t kPiece = BackingStore::kPageBytes;
    const std::vector<std::uint8_t> erased(kPiece, kErased);
    if (on_change) on_change(start, bytes);
    for (std::uint32_t offset = start; offset < start + bytes; offset += kPiece) {
        // What was never written is erased.
        if (cells_.known(offset)) cells_.write(offset, erased.data(), kPiece);
    }
    work(time, at);
}

void NorFlash::write_configuration() {
    configuration_[address_ / kConfigurationStep % configuration_.size()] = written_.front();
    const unsigned mode = configuration_[0] & 3u;
    protocol_ = mode == 2 ? Protocol::Dopi : mode == 1 ? Protocol::Sopi : Protocol::Spi;
    // Volatile bits: drivers send the next write enable at once.
    write_enabled_ = false;
}

void NorFlash::end(Picoseconds at) {
    const Action action = std::exchange(action_, Action::None);
    if (action == Action::WriteEnable) write_enabled_ = true;
    if (action == Action::WriteDisable) write_enabled_ = false;
    if (action == Action::EnableReset) reset_enabled_ = true;
    if (action == Action::Reset) power_on();
    if (write_enabled_) change(action, at);
}

void NorFlash::change(Action action, Picoseconds at) {
    const std::uint32_t place = address_ % cells_.bytes();
    const bool has_value = !written_.empty();
    switch (action) {
        case Action::Program:
            return program(at);
        case Action::EraseSector:
            return erase(down_to(place, kSector), kSector, parameters_.sector_erase, at);
        case Action::EraseBlock:
            return erase(down_to(place, kBlock), kBlock, parameters_.block_erase, at);
        case Action::EraseChip:
            return erase(0, cells_.bytes(), parameters_.chip_erase, at);
        case Action::WriteStatus:
            if (!has_value) return;
            status_bits_ = written_.front() & kWritableStatus;
            return work(parameters_.write_register, at);
        case Action::WriteConfiguration:
            if (has_value) write_configuration();
            return;
        default:
            return;
    }
}

}  // namespace n6vp::models
