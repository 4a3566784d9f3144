// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/bus_interface.h"

#include <algorithm>

namespace n6vp::models::npu {

namespace {

using memmap::npu::kBusif;
using memmap::npu::kIntctrl;

constexpr Register kBusifControl = reg(kBusif, "CTRL");
constexpr Register kErrors = reg(kBusif, "ERR");
constexpr Register kFirstKey = reg(kBusif, "KEY0_31_0");
constexpr unsigned kFirstSource = field(kIntctrl, "INTREG.BUSIF_0").lsb;
constexpr unsigned kEngineMasters = 5;  ///< engines on each BUSIF
constexpr unsigned kKeyWords = 4;

}  // namespace

BusInterface::BusInterface(NpuBus& bus, RegisterWindow& window, EventQueue& event_queue,
                           Reporter& report, const Picoseconds& now)
    : bus_(bus), window_(window), events_(event_queue), report_(report), now_(now) {}

BurstAnswer BusInterface::read(const EngineBurst& burst, std::span<std::uint8_t> to,
                               Picoseconds at) {
    if (on_burst) on_burst(burst.engine / kEngineMasters, burst.beats, false);
    const BurstAnswer answer = bus_.read(burst, to, std::max(at, now_));
    if (!answer.ok) note_error(burst.engine, burst.address, answer.last);
    return answer;
}

BurstAnswer BusInterface::write(const EngineBurst& burst, std::span<const std::uint8_t> from,
                                Picoseconds at) {
    if (on_burst) on_burst(burst.engine / kEngineMasters, burst.beats, true);
    const BurstAnswer answer = bus_.write(burst, from, std::max(at, now_));
    if (!answer.ok) note_error(burst.engine, burst.address, answer.last);
    return answer;
}

EpochControllerBus::Fetched BusInterface::fetch(std::uint32_t address, Picoseconds at) {
    if (on_burst) on_burst(1, 1, false);
    const EpochControllerBus::Fetched answer = bus_.fetch(address, std::max(at, now_));
    if (!answer.ok) {
        masters_[EventQueue::kController].told = false;
        note_error(EventQueue::kController, address, answer.done);
    }
    return answer;
}

void BusInterface::note_error(unsigned who, std::uint32_t address, Picoseconds at) {
    if (!masters_[who].told) {
        masters_[who].address = address;
        events_.add({std::max(at, now_), EventQueue::Kind::BusError, who, 0});
    }
    masters_[who].told = true;
}

void BusInterface::show_error(unsigned who) {
    const bool controller = who == EventQueue::kController;
    const unsigned unit = controller ? 1 : who / kEngineMasters;
    const unsigned port = controller ? kEngineMasters : who % kEngineMasters;
    const memmap::npu::Unit busif{&kBusif, unit};
    const std::uint32_t errors = window_.registers(busif.page()).word(kErrors);
    window_.set_word(busif, kErrors, errors | 1u << port);
    window_.set_source(kFirstSource + unit, true);
    report_.tell(
        NpuEvent::Kind::BusError,
        controller ? name_of({&memmap::npu::kEpochctrl, 0}) : name_of({&memmap::npu::kStreng, who}),
        "memory answered an access at " + hex_text(masters_[who].address) + " with an error");
}

void BusInterface::on_write(const memmap::npu::Unit& unit, const Register& at) {
    const RegisterFile& registers = window_.registers(unit.page());
    if (at.offset == kErrors.offset) {
        window_.set_source(kFirstSource + unit.index, registers.word(kErrors) != 0);
    } else if (at.offset >= kFirstKey.offset) {
        const unsigned word = (at.offset - kFirstKey.offset) / 4u;
        std::uint8_t& written = key_words_[unit.index][word / kKeyWords];
        written = static_cast<std::uint8_t>(written | 1u << word % kKeyWords);
        if (written != (1u << kKeyWords) - 1) return;
        constexpr Field kValid = field(kBusif, "CTRL.KEY0_VALID");
        const std::uint32_t valid = kValid.mask() << word / kKeyWords;
        window_.set_word(unit, kBusifControl, registers.word(kBusifControl) | valid);
    }
}

void BusInterface::on_configuration_clear(const memmap::npu::Unit& unit) {
    constexpr std::uint32_t kValid =
        field(kBusif, "CTRL.KEY0_VALID").mask() | field(kBusif, "CTRL.KEY1_VALID").mask();
    key_words_[unit.index] = {};
    const std::uint32_t control = window_.registers(unit.page()).word(kBusifControl);
    window_.set_word(unit, kBusifControl, control & ~kValid);
}

void BusInterface::reset() {
    masters_ = {};
    key_words_ = {};
}

}  // namespace n6vp::models::npu
