// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/microcontroller.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller_parts.h"
#include "models/memory/flash_memory.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/time_resolution.h"

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipMemory;
using memmap::ChipMemoryKind;
using memmap::ChipPeripheral;

[[nodiscard]] Picoseconds now() {
    return sc_core::sc_time_stamp().value();
}

/// Allows every access to a register and tells nobody.
class NoLog : public RegisterLog {
  public:
    [[nodiscard]] bool accessed(const RegisterAccess&) override { return true; }
};

}  // namespace

const char* master_name(unsigned master) {
    constexpr const char* kNames[kMasters] = {"core code", "core data", "core TCM", "host"};
    return master < kMasters ? kNames[master] : "unknown";
}

Microcontroller::Microcontroller(const sc_core::sc_module_name& name, const memmap::Chip& chip,
                                 const MicrocontrollerParameters& parameters,
                                 const MicrocontrollerOptions& options, RegisterLog* log)
    : sc_module(name), chip_(chip), parameters_(parameters), options_(options), host_("host") {
    require_picoseconds();
    for (const ChipMemory& row : chip_.memories) add_memory(row);
    if (log == nullptr) no_log_ = std::make_unique<NoLog>();
    peripherals_ = std::make_unique<PeripheralBus>("peripheral_bus", parameters_.peripheral_bus,
                                                   log != nullptr ? *log : *no_log_);
    bus_ = std::make_unique<Bus>("bus", kMasters, peripheral_target() + 1);
    add_core();
    add_peripherals();
    connect_bus();
    connect_events();
}

Microcontroller::~Microcontroller() = default;

void Microcontroller::add_memory(const ChipMemory& row) {
    std::unique_ptr<TimedMemory> model;
    const double hz = chip_.reset_hz;
    switch (row.kind) {
        case ChipMemoryKind::Flash: {
            auto flash = std::make_unique<FlashMemory>(row.name, row.bytes, hz, parameters_.flash);
            flash_ = flash.get();
            model = std::move(flash);
            break;
        }
        case ChipMemoryKind::Rom:
            model = std::make_unique<FlashMemory>(row.name, row.bytes, hz, parameters_.flash);
            break;
        case ChipMemoryKind::External:
            model = std::make_unique<ExternalMemory>(row.name, row.bytes, hz, parameters_.external);
            break;
        case ChipMemoryKind::Ram: {
            SramParameters ram = parameters_.ram;
            ram.beat_bytes.value = row.width_bits / 8.0;
            model = std::make_unique<Sram>(row.name, row.bytes, hz, ram);
            break;
        }
        default:
            model = std::make_unique<Tcm>(row.name, row.bytes, hz, parameters_.tcm);
            break;
    }
    memories_.push_back({&row, std::move(model)});
}

void Microcontroller::add_core() {
    CoreModuleConfig config = core_of_chip(chip_);
    config.quantum = to_sc_time(options_.quantum);
    // The clocks are slow and events rare: without any, a turn is as long as on a fast chip.
    constexpr double kIdleQuanta = 64;
    config.idle_quanta = kIdleQuanta;
    config.core.timing = options_.timing;
    config.core.cortex_m4 = parameters_.cortex_m4;
    config.core.cortex_m33 = parameters_.cortex_m33;
    config.core.cortex_m7 = parameters_.cortex_m7;
    config.core.caches = parameters_.cache;
    const core::Pipeline pipeline = config.core.system.core.pipeline;
    if (const auto* const exceptions = parameters_.exceptions.of(pipeline))
        config.core.system.exceptions = *exceptions;
    config.core.system.vector_table = options_.vectors.value_or(chip_.vectors);
    config.core.system.unmodelled = [this](std::uint32_t address, bool write) {
        unmodelled_core_register(address, write);
    };
    config.core.system.chip_register = [this](std::uint32_t address, bool write, std::uint32_t mask,
                                              std::uint32_t& value) {
        return access_private(address, write, mask, value);
    };
    config.core.system.exception = [this](unsigned number, bool begins) {
        exception(number, begins);
    };
    core_ = std::make_unique<CoreModule>("core", config);
}

Uart* Microcontroller::uart(std::string_view name) {
    for (const Serial& each : uarts_) {
        if (name == each.row->name) return each.model.get();
    }
    return nullptr;
}

void Microcontroller::start_of_simulation() {
    set_flash_size();
    reset_units();
}

void Microcontroller::set_flash_size() {
    constexpr std::uint32_t kKib = 1024, kByte = 8;
    const std::uint32_t kib = flash_->contents().bytes() / kKib;
    const std::array<std::uint8_t, 2> bytes{static_cast<std::uint8_t>(kib),
                                            static_cast<std::uint8_t>(kib >> kByte)};
    (void)store(GuestAddr{chip_.flash_size_at}, bytes);
}

void Microcontroller::reset_units() {
    peripherals_->reset();
    for (const auto& block : blocks_) block->reset_at(now());
    for (const Serial& each : uarts_) each.model->reset_at(now());
    for (const Private& each : private_) each.block->reset_at(now());
    set_option_bytes();
    bus_->reset();
    flash_->forget();
    update_clocks(now());
}

void Microcontroller::reset(core::Reset kind) {
    reset_units();
    core_->reset(kind);
}

unsigned Microcontroller::debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                                std::size_t count) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(to_word(at));
    trans.set_data_ptr(bytes);
    trans.set_data_length(static_cast<unsigned>(count));
    return host_->transport_dbg(trans);
}

bool Microcontroller::store(GuestAddr to, std::span<const std::uint8_t> bytes) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    auto* data = const_cast<std::uint8_t*>(bytes.data());
    return debug(tlm::TLM_WRITE_COMMAND, to, data, bytes.size()) == bytes.size();
}

bool Microcontroller::fetch(GuestAddr from, std::span<std::uint8_t> bytes) {
    return debug(tlm::TLM_READ_COMMAND, from, bytes.data(), bytes.size()) == bytes.size();
}

}  // namespace n6vp::models::mcu_chip
