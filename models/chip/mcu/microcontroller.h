// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "memmap/chips/chip.h"
#include "models/chip/mcu/microcontroller_parameters.h"
#include "models/core/core_module.h"
#include "models/event.h"
#include "models/fabric/bus.h"
#include "models/memory/timed_memory.h"
#include "models/soc/base/peripheral_bus.h"
#include "models/soc/base/register_log.h"
#include "models/soc/mcu/rcc.h"
#include "models/soc/serial/uart.h"
#include "models/soc/system/crc_unit.h"
#include "models/soc/system/exti.h"
#include "models/soc/timers/iwdg.h"
#include "models/soc/timers/timer.h"

namespace n6vp::models::mcu_chip {

struct MicrocontrollerOptions {
    core::Timing timing = core::Timing::Functional;
    Picoseconds quantum = 1'000'000;
    std::optional<std::uint32_t> vectors;  ///< VTOR out of reset; none: the chip's
};

/// Ports of the bus.
enum class Master : std::uint8_t { CoreCode, CoreData, CoreTcm, Host };
inline constexpr unsigned kMasters = 4;
[[nodiscard]] const char* master_name(unsigned master);

/// A chip of memmap/chips with its core, memories and peripherals: all that differs between chips
/// is their row and the tables of their family.
///
/// Modelled: the core by its profile, with time; flash, RAM, TCM at all their aliases, wait states,
/// accelerator or cache of the flash; the peripherals of models/soc/mcu: RCC with its clocks and
/// gates, registers that firmware sets up and polls, timers, CRC unit, pins, external interrupts,
/// random numbers, watchdog; serial ports. A peripheral without clock reads zero, ignores writes
/// and keeps what it holds; `access_fault` tells. Every other peripheral keeps what is written to
/// it and counts as not modelled.
/// Not modelled: boot loader, option bytes beyond the banks of the STM32L4R5, programming of flash,
/// DMA, bit-band aliases, TrustZone of the U5 (TZEN = 0), low-power modes, memory protection of the
/// chip, gates of memories, pins that are connected to anything, what DBGMCU does for a debugger.
class Microcontroller : public sc_core::sc_module {
  public:
    /// What it is given must outlive it.
    Microcontroller(const sc_core::sc_module_name& name, const memmap::Chip& chip,
                    const MicrocontrollerParameters& parameters = {},
                    const MicrocontrollerOptions& options = {}, RegisterLog* log = nullptr);
    ~Microcontroller() override;

    Event<const AccessFault&> access_fault;
    Event<const core::CoreFault&> core_fault;
    Event<unsigned /*number*/, bool /*begins*/> exception;
    Event<std::uint32_t /*address*/, bool /*write*/> unmodelled_core_register;
    /// The program requested a reset; without this function the chip resets and continues.
    std::function<void()> on_reset_request;

    [[nodiscard]] const memmap::Chip& chip() const { return chip_; }
    [[nodiscard]] const MicrocontrollerParameters& parameters() const { return parameters_; }
    [[nodiscard]] CoreModule& core() { return *core_; }
    [[nodiscard]] Bus& bus() { return *bus_; }
    /// Returns the serial port of that name, or null.
    [[nodiscard]] Uart* uart(std::string_view name);
    [[nodiscard]] const mcu::Frequencies& clocks() const { return clocks_; }
    [[nodiscard]] const FlashMemory& flash() const { return *flash_; }
    [[nodiscard]] PeripheralBus& peripherals() { return *peripherals_; }

    /// Puts bytes into memory without time passing, flash included. Returns false, with nothing
    /// guaranteed, if part of the range has no memory. After the elaboration.
    [[nodiscard]] bool store(GuestAddr to, std::span<const std::uint8_t> bytes);
    [[nodiscard]] bool fetch(GuestAddr from, std::span<std::uint8_t> bytes);

    /// Reset of all but memories; the core starts again if it was released.
    void reset(core::Reset kind);

    struct Memory {
        const memmap::ChipMemory* row = nullptr;
        std::unique_ptr<TimedMemory> model;
    };
    /// The first targets of the bus, in this order; the peripherals are the last.
    [[nodiscard]] const std::vector<Memory>& memories() const { return memories_; }

  private:
    class Gate;
    /// Who drives an interrupt line: a block, and which of its outputs.
    using Source = std::pair<const void*, unsigned>;

    void start_of_simulation() override;
    void add_memory(const memmap::ChipMemory& row);
    void add_core();
    void add_peripherals();
    void add_peripheral(const memmap::ChipPeripheral& row, std::uint32_t room);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_block(const memmap::ChipPeripheral& row);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_timer(const memmap::ChipPeripheral& row);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_exti(const memmap::ChipPeripheral& row);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_iwdg(const memmap::ChipPeripheral& row);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_rcc(const memmap::ChipPeripheral& row);
    [[nodiscard]] std::unique_ptr<RegisterBlock> make_set_up(const memmap::ChipPeripheral& row);
    void add_uart(const memmap::ChipPeripheral& row);
    /// Returns true if a register of the chip stands there on the core's private bus.
    [[nodiscard]] bool access_private(std::uint32_t address, bool write, std::uint32_t mask,
                                      std::uint32_t& value);
    /// The line is high while any of its sources drives it.
    void drive(unsigned line, Source source, bool level);
    void request_reset();
    void connect_bus();
    void map_peripherals();
    void connect_events();
    void reset_units();
    void set_option_bytes();
    /// Frequencies and gates are those of the registers from the absolute time `at` on.
    void update_clocks(Picoseconds at);
    void update_flash();
    [[nodiscard]] unsigned peripheral_target() const {
        return static_cast<unsigned>(memories_.size());
    }
    void set_flash_size();
    [[nodiscard]] unsigned debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                                 std::size_t count);

    const memmap::Chip& chip_;
    MicrocontrollerParameters parameters_;
    MicrocontrollerOptions options_;
    std::vector<Memory> memories_;
    FlashMemory* flash_ = nullptr;
    std::unique_ptr<RegisterLog> no_log_;
    std::unique_ptr<PeripheralBus> peripherals_;
    std::unique_ptr<Bus> bus_;
    std::unique_ptr<CoreModule> core_;
    struct Serial {
        const memmap::ChipPeripheral* row = nullptr;
        std::unique_ptr<Uart> model;
    };
    std::vector<Serial> uarts_;
    struct Counter {
        const memmap::ChipPeripheral* row = nullptr;
        Timer* model = nullptr;
        double hz = -1;  ///< as the timer was told
    };
    std::vector<Counter> timers_;
    std::vector<std::unique_ptr<RegisterBlock>> blocks_;  ///< all but the serial ports
    struct Private {
        const memmap::ChipPeripheral* row = nullptr;
        std::unique_ptr<RegisterBlock> block;
    };
    std::vector<Private> private_;  ///< on the private bus of the core
    std::vector<std::unique_ptr<Gate>> gates_;
    mcu::Rcc* rcc_ = nullptr;
    CrcUnit* crc_ = nullptr;
    mcu::SetUpBlock* flash_registers_ = nullptr;
    mcu::SetUpBlock* icache_registers_ = nullptr;  ///< of the U5
    mcu::Frequencies clocks_;
    std::map<unsigned, std::set<Source>> driven_;               ///< by line
    tlm_utils::simple_initiator_socket<Microcontroller> host_;  ///< of `store` and `fetch`
};

}  // namespace n6vp::models::mcu_chip
