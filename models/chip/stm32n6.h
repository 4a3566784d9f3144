// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "memmap/clocks.h"
#include "memmap/regions.h"
#include "models/cache/cacheaxi.h"
#include "models/chip/chip_options.h"
#include "models/chip/chip_parameters.h"
#include "models/chip/core_observer.h"
#include "models/chip/initiator.h"
#include "models/chip/master_port.h"
#include "models/chip/peripherals.h"
#include "models/core/core_module.h"
#include "models/event.h"
#include "models/fabric/bus.h"
#include "models/memory/nor_flash.h"
#include "models/memory/psram_device.h"
#include "models/memory/timed_memory.h"
#include "models/memory/xspi_memory.h"
#include "models/npu/module/npu_module.h"
#include "models/simulator/mailbox.h"
#include "models/simulator/traffic_generator.h"
#include "models/soc/base/register_log.h"
#include "models/soc/system/clock_tree.h"

namespace n6vp::models {

/// Events of the running chip, called from inside the simulation. The core may be ahead of kernel
/// time: where relevant, the time is passed.
struct ChipEvents {
    Event<const AccessFault&> access_fault;
    Event<const BufferInUse&> buffer_in_use;
    Event<const core::CoherenceEvent&> core_coherence;
    /// A fault of the program, whether or not a handler takes it.
    Event<const core::CoreFault&> core_fault;
    Event<const NpuCacheEvent&> npu_cache_coherence;
    /// First read of a page that was never written; the time is absolute.
    Event<unsigned /*target*/, std::uint32_t /*offset*/, Picoseconds /*at*/> unwritten_read;
    /// An access to a private register of the core that is not modelled.
    Event<std::uint32_t /*address*/, bool /*write*/> unmodelled_core_register;
    /// The core takes an exception of that number, or returns from it, at its own time.
    Event<unsigned /*number*/, bool /*begins*/> exception;
};

/// The STM32N6 and the memories of its board: the one place that gives models addresses,
/// neighbours and clocks. Its own parts come below its name: "chip.core", "chip.bus".
///
/// Modelled: the core with its TCMs, all RAM, NOR flash on XSPI2, PSRAM on XSPI1, the bus with
/// clock gates, power switches and filters, the NPU and its cache, the DMA controllers, the
/// peripherals, and the simulator's mailbox.
/// Not modelled: code of the boot ROM (BootState::Flash does what it does); access of other masters
/// to the TCMs.
///
/// Standby mode, by PWR.CPUCR.PDDS and a deep sleep: everything loses its power but the backup
/// domain, PWR, the independent watchdog and the memories that PWR keeps. Its end is a reset, after
/// which the core takes its vectors from SYSCFG.INITSVTORCR, if software has set it (source: the
/// vendor's SystemInit and its standby examples), and otherwise starts as after every reset. It
/// takes no time.
///
/// Ports: `host` must be bound; all others may stay unbound. The core stands still until
/// `core().release_reset()` or until `nrst` is true.
class Stm32n6 : public sc_core::sc_module {
  public:
    template <typename Value>
    using OptionalIn =
        sc_core::sc_port<sc_core::sc_signal_in_if<Value>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    /// Of the chip itself among the listeners of an event: the first.
    static constexpr unsigned kOwnPlace = 0;
    static constexpr unsigned kNpuPorts = NpuModule::kPorts;
    static constexpr unsigned kClocks = sizeof memmap::kClocks / sizeof memmap::kClocks[0];

    /// Master beside the core on the system bus, with no data cache: a debugger, a DMA, a loader.
    tlm::tlm_target_socket<> host;
    /// Reset pin: while it is false the chip is held in reset; with its rising edge the core runs.
    OptionalIn<bool> nrst;
    /// External interrupt lines of the core, for units that are not part of this model. Those that
    /// a unit of this model drives must stay unbound.
    sc_core::sc_vector<OptionalIn<bool>> irq;
    /// Frequency in Hz by memmap::ClockDomain: a bound port replaces the parameter, at any time.
    sc_core::sc_vector<OptionalIn<double>> clock;

    /// What it is given must outlive it. An error of SystemC unless its time counts in
    /// picoseconds.
    explicit Stm32n6(const sc_core::sc_module_name& name, const ChipParameters& parameters = {},
                     const ChipOptions& options = {}, RegisterLog* log = nullptr,
                     MailboxService* mailbox = nullptr);
    ~Stm32n6() override;

    ChipEvents events;
    /// The program or a watchdog requested a reset, or the chip wakes from Standby mode; without
    /// this function the chip resets and continues.
    std::function<void()> on_reset_request;
    /// Returns true from the entry of Standby mode until the core starts again.
    [[nodiscard]] bool in_standby() const { return standby_ != Standby::No; }
    /// Returns true if the reset that was requested is a wake-up from Standby mode.
    [[nodiscard]] bool wakes_from_standby() const { return standby_ == Standby::Wakes; }

    [[nodiscard]] const ChipParameters& parameters() const { return parameters_; }
    [[nodiscard]] CoreModule& core() { return *core_; }
    [[nodiscard]] Bus& bus() { return *bus_; }
    [[nodiscard]] const Bus& bus() const { return *bus_; }
    [[nodiscard]] CacheAxi& npu_cache() { return *npu_cache_; }
    [[nodiscard]] NpuModule& npu() { return *npu_; }
    [[nodiscard]] Peripherals& soc() { return *soc_; }
    [[nodiscard]] ClockTree& clocks() { return clocks_; }
    /// Another master on the NPU's port of that number, before the elaboration.
    [[nodiscard]] auto& beside_npu(unsigned port) { return npu_ports_[port]->beside; }
    /// Returns true if the interrupt line NPU0 was enabled at a time when an engine of the NPU
    /// began or ended, since the last reset.
    [[nodiscard]] bool npu_line_was_enabled() const { return npu_line_was_enabled_; }

    /// Puts bytes into memory without time passing, read-only memories included, as a programmer
    /// does. Returns false, with nothing guaranteed, if part of the range is not present. After the
    /// elaboration.
    [[nodiscard]] bool store(GuestAddr to, std::span<const std::uint8_t> bytes);
    [[nodiscard]] bool fetch(GuestAddr from, std::span<std::uint8_t> bytes);
    /// Returns true if every byte of `range` has memory behind it that masters beside the core
    /// reach.
    [[nodiscard]] bool present(AddressRange range) const;

    /// PowerOn returns everything to the state after construction but for what memories hold;
    /// Warm leaves memory and fuses alone, but for AXISRAM3 to 6, which every reset shuts down, so
    /// that they lose their contents (assumed). The core starts again if it was released.
    void reset(core::Reset kind);
    /// Reset of all parts except core and memories.
    void reset_units();
    void reset_memories();

    struct Memory {
        const memmap::Region* region = nullptr;
        std::unique_ptr<TimedMemory> model;
    };
    /// The first targets of the bus, in this order.
    [[nodiscard]] const std::vector<Memory>& memories() const { return memories_; }
    [[nodiscard]] unsigned targets() const { return static_cast<unsigned>(memories_.size()) + 2; }
    [[nodiscard]] std::string target_name(unsigned target) const;
    /// Returns the names of all targets, in their order.
    [[nodiscard]] static std::vector<std::string> target_names();
    /// Memory as the core sees it, its caches included. Refused is what is read-only, and what
    /// clock, power or a filter would refuse to a secure privileged access (at a non-secure alias
    /// to a non-secure one).
    [[nodiscard]] GuestView& core_view();
    /// The masters that come in by a port: those of the chip, then the generated ones.
    [[nodiscard]] unsigned initiators() const {
        return static_cast<unsigned>(initiator_names_.size());
    }
    [[nodiscard]] const std::vector<std::string>& initiator_names() const {
        return initiator_names_;
    }
    [[nodiscard]] static std::vector<std::string> initiator_names(const ChipOptions& options);
    /// Generators of traffic, in the order of the options.
    [[nodiscard]] const std::vector<std::unique_ptr<TrafficGenerator>>& traffic() const {
        return traffic_;
    }
    /// The patterns of all generators begin again. A reset does not do this: the streams go on.
    void restart_traffic();
    /// Returns the number of the target of that region, -1 if there is none.
    [[nodiscard]] int target_of(std::string_view region) const;

  private:
    class SleepFilter;
    class TakenByTcms;
    class DirectFilter;
    class EngineClaims;
    class CoreView;

    void end_of_elaboration() override;
    void start_of_simulation() override;
    /// Calls `changed` with the port's value now and at every change.
    template <typename Value>
    void follow(OptionalIn<Value>& port, std::function<void(Value)> changed);
    void follow_reset_pin(bool runs);
    /// Returns what sets an interrupt line of the core for a unit of the chip.
    [[nodiscard]] std::function<void(bool)> drive(unsigned line);

    void add_memory(const memmap::Region& region);
    void add_core();
    /// Where the core starts after a reset; nothing: by its vector table.
    [[nodiscard]] std::optional<CoreModule::Start> start_of_core();
    /// By a vector table in RAM.
    [[nodiscard]] CoreModule::Start start_from(std::uint32_t vectors);
    /// The core has fallen asleep deeply: Stop or Standby mode.
    void sleep_deeply();
    void lose_memories();
    void wake_from_standby();
    /// Copies the image at the start of the NOR flash to where it runs; takes no time. Returns its
    /// start, or an address without memory if there is no valid image: the core locks up there.
    [[nodiscard]] CoreModule::Start run_boot_rom();
    void connect_bus();
    void add_npu();
    void add_traffic();
    void connect_npu_side();
    void connect_npu();
    /// Reports the responder of the last burst of the NPU.
    [[nodiscard]] NpuModule::Place place_of(const memmap::Region* region, bool cacheable);
    /// The flash and the PSRAM of the board on the lines of their controllers.
    void connect_serial_devices();
    /// The target of the bus that is at the port of an XSPI, 1 or 2, without swapping; or -1.
    [[nodiscard]] int external_memory(unsigned instance) const;
    [[nodiscard]] XspiMemory* xspi_memory(unsigned instance) const;
    /// Cipher engines, and ports that XSPIM can swap.
    void connect_external_memories();
    void external_contents_changed(unsigned instance);
    void swap_ports(bool swapped);
    /// Returns what tells the core that such a device changes contents of that memory.
    [[nodiscard]] std::function<void(std::uint32_t offset, std::uint32_t bytes)> change_of(
        const memmap::Region& region);
    void connect_filters();
    void add_filter(unsigned target, AccessFilter* filter);
    void connect_switch_filters(unsigned target);
    void connect_risafs(unsigned target);
    void connect_check_bits();
    void connect_tcm_sizes();
    void resize_tcm(std::string_view region, std::uint32_t bytes);
    void connect_npu_cache_filters();
    void erase(std::string_view memory);
    /// Returns the filter of a unit's sleep clock, null if there is no such gate.
    [[nodiscard]] AccessFilter* sleep_filter(std::string_view unit);
    void connect_clocks();
    void connect_events();
    void request_reset();
    void set_routes();
    void set_xspi_clocks();
    [[nodiscard]] Route route(Initiator from, const memmap::Region& region) const;
    [[nodiscard]] Route dma_route(Initiator from, const memmap::Region& region) const;
    [[nodiscard]] bool reaches(Initiator from, const memmap::Region& region) const;
    [[nodiscard]] unsigned peripheral_target() const { return targets() - 2; }
    [[nodiscard]] unsigned mailbox_target() const { return targets() - 1; }
    void set_master_attributes();
    [[nodiscard]] unsigned debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                                 std::size_t count);

    ChipParameters parameters_;
    ChipOptions options_;
    const std::vector<std::string> initiator_names_;
    ClockTree clocks_;
    std::vector<Memory> memories_;
    std::unique_ptr<NorFlash> nor_;
    std::unique_ptr<PsramDevice> psram_;
    std::unique_ptr<RegisterLog> no_log_;
    std::unique_ptr<Peripherals> soc_;
    std::unique_ptr<Bus> bus_;
    std::unique_ptr<CoreModule> core_;
    std::unique_ptr<CoreObserver> core_observer_;
    std::unique_ptr<CacheAxi> npu_cache_;
    std::unique_ptr<CoreView> core_view_;
    std::unique_ptr<MailboxService> no_service_;
    std::unique_ptr<Mailbox> mailbox_;
    std::array<std::unique_ptr<MasterPort>, kNpuPorts> npu_ports_;
    std::unique_ptr<NpuModule> npu_;
    std::unique_ptr<EngineClaims> engine_claims_;
    std::vector<std::unique_ptr<TrafficGenerator>> traffic_;
    std::uint64_t npu_cache_misses_ = 0;  ///< when a burst was last explained
    bool npu_line_was_enabled_ = false;
    bool started_ = false;  ///< the reset pin was true once
    enum class Standby : std::uint8_t { No, Asleep, Wakes };
    Standby standby_ = Standby::No;
    std::uint32_t standby_vectors_ = 0;  ///< INITSVTORCR, over Standby mode
    std::vector<std::unique_ptr<SleepFilter>> sleep_filters_;
    std::unique_ptr<TakenByTcms> taken_by_tcms_;
    std::vector<std::unique_ptr<DirectFilter>> direct_filters_;
    std::set<unsigned> driven_lines_;
};

}  // namespace n6vp::models
