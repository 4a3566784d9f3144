// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/microcontroller.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller_parts.h"
#include "models/chip/mcu/set_up_tables.h"
#include "models/chip/mcu/timer.h"
#include "models/memory/flash_memory.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/time_resolution.h"

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipMemory;
using memmap::ChipMemoryKind;
using memmap::ChipPeripheral;

constexpr std::uint32_t kPeripheralsStart = 0x40000000, kPeripheralsEnd = 0x60000000;

[[nodiscard]] Picoseconds now() {
    return sc_core::sc_time_stamp().value();
}

[[nodiscard]] bool starts_with_one_of(std::string_view name,
                                      std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings,
                               [name](std::string_view each) { return name.starts_with(each); });
}

[[nodiscard]] bool is_uart(std::string_view name) {
    return starts_with_one_of(name, {"USART", "UART", "LPUART"});
}

/// "TIM2" and the like, not the "TIM1_..." of other tables.
[[nodiscard]] bool is_timer(std::string_view name) {
    return name.starts_with("TIM");
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
    for (std::size_t i = 0; i < chip_.peripherals.size(); ++i) {
        const ChipPeripheral& row = chip_.peripherals[i];
        // Registers beyond the device header's are its own, too, up to the next one's.
        constexpr std::uint32_t kSlot = 0x400;
        std::uint32_t room = kSlot - row.base % kSlot;
        if (i + 1 < chip_.peripherals.size())
            room = std::min(room, chip_.peripherals[i + 1].base - row.base);
        add_peripheral(row, std::max(room, row.bytes));
    }
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
    config.core.timing = options_.timing;
    config.core.system.exceptions = parameters_.exception;
    config.core.system.vector_table = options_.vectors.value_or(chip_.vectors);
    config.core.system.unmodelled = [this](std::uint32_t address, bool write) {
        unmodelled_core_register(address, write);
    };
    config.core.system.exception = [this](unsigned number, bool begins) {
        exception(number, begins);
    };
    core_ = std::make_unique<CoreModule>("core", config);
}

void Microcontroller::add_uart(const ChipPeripheral& row) {
    const bool low_power = std::string_view(row.name).starts_with("LPUART");
    std::string name = row.name;
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    uarts_.push_back(
        {&row, std::make_unique<Uart>(name.c_str(), row.name,
                                      low_power ? Uart::Kind::LowPower : Uart::Kind::Usart,
                                      parameters_.uart)});
    if (row.lines.count != 0) {
        uarts_.back().model->on_interrupt = [this, line = *row.lines.begin()](bool level) {
            core_->set_interrupt(line, level);
        };
    }
}

std::unique_ptr<RegisterBlock> Microcontroller::make_block(const ChipPeripheral& row) {
    const std::string_view name = row.name;
    const StubTable* const table = set_up_table(chip_.family, name);
    if (is_timer(name)) {
        constexpr unsigned kShort = 16, kLong = 32;
        // Device headers: IS_TIM_32B_COUNTER_INSTANCE.
        const bool long_one =
            name == "TIM2" || name == "TIM5" ||
            (chip_.family == memmap::ChipFamily::U5 && (name == "TIM3" || name == "TIM4"));
        auto timer = std::make_unique<Timer>(row.name, long_one ? kLong : kShort);
        timers_.push_back({&row, timer.get()});
        return timer;
    }
    auto block = std::make_unique<StubBlock>(table != nullptr ? *table : no_table(), row.name);
    const bool watched = name == "RCC" || name == "FLASH" || name == "ICACHE";
    if (!watched) return block;
    auto wrapped = std::make_unique<Watched>(std::move(block), [this] { update_clocks(); });
    if (name == "RCC") {
        for (const ChipPeripheral& each : chip_.peripherals)
            if (each.clock_register >= 0)
                wrapped->know(static_cast<std::uint32_t>(each.clock_register));
        rcc_ = wrapped.get();
    } else if (name == "FLASH") {
        flash_registers_ = wrapped.get();
    } else {
        icache_registers_ = wrapped.get();
    }
    return wrapped;
}

void Microcontroller::add_peripheral(const ChipPeripheral& row, std::uint32_t room) {
    RegisterBlock* block = nullptr;
    if (is_uart(row.name)) {
        add_uart(row);
        block = uarts_.back().model.get();
    } else {
        blocks_.push_back(make_block(row));
        block = blocks_.back().get();
    }
    // Of memory that stands among the peripherals the registers must not take anything.
    for (const ChipMemory& memory : chip_.memories) {
        if (memory.start > row.base) room = std::min(room, memory.start - row.base);
    }
    const bool two = chip_.secure_offset != 0;
    peripherals_->add(*block, GuestAddr{row.base + (two ? chip_.secure_offset : 0)}, room, !two);
    if (row.clock_bit < 0) return;
    gates_.push_back(std::make_unique<Gate>([this, &row] { return gate_open(row); }));
    peripherals_->add_filter(*block, *gates_.back());
}

std::uint32_t Microcontroller::rcc(std::uint32_t offset) {
    return rcc_ == nullptr ? 0 : rcc_->read(offset, now()).value;
}

bool Microcontroller::gate_open(const ChipPeripheral& row) {
    const auto offset = static_cast<std::uint32_t>(row.clock_register);
    if ((rcc(offset) >> row.clock_bit & 1) == 0) return false;
    if (chip_.family != memmap::ChipFamily::U5) return true;
    // U5: whole buses can be stopped by CFGR2 and CFGR3 (RM0456: AHB1DIS and so on).
    struct Stop {
        std::uint32_t first, last;  ///< offsets of enable registers
        std::uint32_t of;           ///< register with the stop bit
        unsigned bit;
    };
    constexpr std::array<Stop, 7> kStops{{
        {0x88, 0x88, 0x20, 16},
        {0x8C, 0x8C, 0x20, 17},
        {0x90, 0x90, 0x20, 18},
        {0x94, 0x94, 0x24, 16},
        {0x9C, 0xA0, 0x20, 19},
        {0xA4, 0xA4, 0x20, 20},
        {0xA8, 0xA8, 0x24, 17},
    }};
    return std::ranges::none_of(kStops, [&](const Stop& stop) {
        return offset >= stop.first && offset <= stop.last && (rcc(stop.of) >> stop.bit & 1) != 0;
    });
}

Uart* Microcontroller::uart(std::string_view name) {
    for (const Serial& each : uarts_) {
        if (name == each.row->name) return each.model.get();
    }
    return nullptr;
}

void Microcontroller::connect_bus() {
    const auto number = [](Master master) { return static_cast<unsigned>(master); };
    core_->instruction_port.bind(bus_->from[number(Master::CoreCode)]);
    core_->m_axi.bind(bus_->from[number(Master::CoreData)]);
    core_->tcm.bind(bus_->from[number(Master::CoreTcm)]);
    host_.bind(bus_->from[number(Master::Host)]);
    for (unsigned i = 0; i < memories_.size(); ++i) {
        const ChipMemory& row = *memories_[i].row;
        bus_->to[i].bind(memories_[i].model->port);
        bus_->map(i, {GuestAddr{row.start}, row.bytes});
        for (const std::uint32_t alias : row.aliases) {
            if (alias != memmap::kNoAlias) bus_->map(i, {GuestAddr{alias}, row.bytes});
        }
        const bool tcm = row.kind == ChipMemoryKind::Itcm || row.kind == ChipMemoryKind::Dtcm;
        Route way;
        way.beat_bytes = row.width_bits / 8u;
        for (const Master from : {Master::CoreCode, Master::CoreData, Master::CoreTcm}) {
            if (tcm == (from == Master::CoreTcm)) bus_->set_route(number(from), i, way);
        }
        bus_->set_route(number(Master::Host), i, way);
    }
    bus_->to[peripheral_target()].bind(peripherals_->port);
    map_peripherals();
    for (const Master from : {Master::CoreData, Master::Host})
        bus_->set_route(number(from), peripheral_target(), {0, 0, 0, 4});
}

/// Offsets of the peripheral bus are addresses; memories among the peripherals are cut out.
void Microcontroller::map_peripherals() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> holes;
    for (const ChipMemory& row : chip_.memories) {
        const auto add = [&](std::uint32_t start) {
            if (start >= kPeripheralsStart && start < kPeripheralsEnd)
                holes.emplace_back(start, start + row.bytes);
        };
        add(row.start);
        for (const std::uint32_t alias : row.aliases) add(alias);
    }
    std::ranges::sort(holes);
    holes.emplace_back(kPeripheralsEnd, kPeripheralsEnd);
    std::uint32_t start = kPeripheralsStart;
    for (const auto& [hole, end] : holes) {
        bus_->map(peripheral_target(), {GuestAddr{start}, hole - start}, start);
        start = end;
    }
}

void Microcontroller::connect_events() {
    const auto fault = [this](const AccessFault& what) { access_fault(what); };
    bus_->on_fault = fault;
    core_->core().set_fault_hook([this](const core::CoreFault& what) { core_fault(what); });
    core_->on_reset_request = [this] {
        if (on_reset_request) {
            on_reset_request();
        } else {
            reset(core::Reset::Warm);
        }
    };
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
    bus_->reset();
    flash_->forget();
    update_clocks();
}

void Microcontroller::reset(core::Reset kind) {
    reset_units();
    core_->reset(kind);
}

void Microcontroller::update_clocks() {
    const RccReader reader = [this](std::uint32_t offset) { return rcc(offset); };
    const Frequencies before =
        std::exchange(clocks_, frequencies(chip_.family, reader, parameters_.oscillators));
    // A source that is off or not connected: the chip would stand still.
    if (!(clocks_.core > 0)) clocks_ = before;
    if (clocks_.core != before.core) core_->set_clock_hz(clocks_.core);
    if (clocks_.bus != before.bus) {
        peripherals_->set_clock_hz(clocks_.bus);
        for (const Memory& memory : memories_) {
            const bool tcm = memory.row->kind == ChipMemoryKind::Itcm ||
                             memory.row->kind == ChipMemoryKind::Dtcm;
            memory.model->set_clock_hz(tcm ? clocks_.core : clocks_.bus);
        }
    }
    for (const Serial& each : uarts_)
        each.model->set_kernel_hz(serial_kernel_hz(chip_.family, *each.row, reader, clocks_));
    for (const Counter& each : timers_)
        each.model->set_kernel_hz(clocks_.timer[apb_of(chip_.family, each.row->base)],
                                  core_->own_time());
    if (flash_registers_ == nullptr) return;
    const auto icache = icache_registers_ == nullptr ? 0 : icache_registers_->read(0, now()).value;
    flash_->set(flash_setting(chip_.family, flash_registers_->read(0, now()).value, icache));
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
