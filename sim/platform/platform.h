// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/regions.h"
#include "models/cache/cacheaxi.h"
#include "models/core/core_module.h"
#include "models/core/data_path.h"
#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/xspi_memory.h"
#include "models/npu/module/npu_module.h"
#include "models/simulator/mailbox.h"
#include "models/soc/clock_tree.h"
#include "models/soc/register_log.h"
#include "sim/platform/platform_master.h"
#include "sim/platform/platform_observer.h"
#include "sim/platform/platform_options.h"
#include "sim/platform/platform_parameters.h"
#include "sim/platform/platform_soc.h"

namespace n6vp::sim {

/// What the platform has to tell while it runs. Every function may be empty. All are called from
/// inside the simulation. The core may be ahead of kernel time: where the time matters it is told.
struct PlatformHooks {
    std::function<void(const models::AccessFault&)> access_fault;
    std::function<void(const models::BufferInUse&)> buffer_in_use;
    std::function<void(const models::core::CoherenceEvent&)> core_coherence;
    /// A fault of the program, whether or not a handler takes it.
    std::function<void(const models::core::CoreFault&)> core_fault;
    std::function<void(const models::NpuCacheEvent&)> npu_cache_coherence;
    /// First read of a page in which nothing was ever stored; the time is absolute.
    std::function<void(unsigned target, std::uint32_t offset, models::Picoseconds at)>
        unwritten_read;
    /// The program asked for a reset; without this function the chip resets and goes on.
    std::function<void()> reset_request;
    std::function<bool(models::core::Core&)> semihosting;
    /// An access to a private register of the core that is not modelled.
    std::function<void(std::uint32_t address, bool write)> unmodelled_core_register;
    std::function<void(const models::npu::NpuEvent&)> npu_event;
    /// The core takes an exception of that number, or returns from it, at its own time.
    std::function<void(unsigned number, bool begins)> exception;
};

/// When `Platform::advance` is to return. 0: no such limit.
struct RunLimits {
    models::Picoseconds time = 0;    ///< simulated, from the call on
    std::uint64_t instructions = 0;  ///< since reset; passed by less than those of a quantum
};

enum class RunEnd : std::uint8_t {
    Time,
    Instructions,
    Stopped,  ///< the core: `Platform::core().stopped()` says why
    Asleep,   ///< the core sleeps, and nothing is left that could wake it
    Polled,   ///< `poll` said so
};

/// The chip and its board memories, elaborated and bound: the one place that gives models
/// addresses, neighbours and clocks. SystemC elaborates once per process, so there is one platform
/// per process.
///
/// Present: the core with its TCMs, all RAM, NOR flash on XSPI2, PSRAM on XSPI1, the bus with clock
/// gates, power switches and filters, the NPU and its cache, the peripherals, the mailbox, and the
/// host's own data path for `n6vp install`.
/// Absent: boot ROM, DMA controllers; what RAMCFG takes from FLEXMEM for the TCMs; access of
/// other masters to the TCMs.
class Platform {
  public:
    /// Fails with std::logic_error if this process elaborated before. What it is given must
    /// outlive it.
    explicit Platform(const PlatformParameters& parameters, const PlatformOptions& options = {},
                      models::RegisterLog* log = nullptr,
                      models::MailboxService* mailbox = nullptr);
    ~Platform();
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    /// To be set before the simulation starts.
    PlatformHooks hooks;

    /// Puts a master of a test bench beside the NPU at Npu0, Npu1 or EpochController, before
    /// `elaborate`.
    void bind_master(Initiator port, tlm::tlm_initiator_socket<>& master);
    /// Binds what is left and elaborates. Every function below does so first.
    void elaborate();

    [[nodiscard]] const PlatformParameters& parameters() const { return parameters_; }
    [[nodiscard]] const PlatformOptions& options() const { return options_; }
    [[nodiscard]] models::DataPath& data_path() { return *data_path_; }
    [[nodiscard]] models::CoreModule& core() { return *core_; }
    [[nodiscard]] models::Bus& bus() { return *bus_; }
    [[nodiscard]] models::CacheAxi& npu_cache() { return *npu_cache_; }
    [[nodiscard]] models::NpuModule& npu() { return *npu_; }
    /// Returns true if the interrupt line NPU0 was enabled at a time when an engine of the NPU
    /// began or ended, since the last reset.
    [[nodiscard]] bool npu_line_was_enabled() const { return npu_line_was_enabled_; }
    [[nodiscard]] PlatformSoc& soc() { return *soc_; }
    [[nodiscard]] models::ClockTree& clocks() { return clocks_; }

    // Programs.
    /// Puts bytes into memory without time passing and keeps them for `reset`, in place of others
    /// that were put at the same address. Returns false, with
    /// nothing guaranteed, if part of the range has no memory.
    [[nodiscard]] bool load(GuestAddr to, std::vector<std::uint8_t> bytes);
    /// Lets the core go, from reset, and returns when a limit is reached or the core stops.
    /// `poll` is asked every millisecond of simulated time and returns false to end.
    RunEnd advance(const RunLimits& limits, const std::function<bool()>& poll = {});
    /// The core stops behind its current block, and `advance` returns.
    void stop() { core_->stop(); }
    /// Time passes while the core stands still. One that runs stops first, within a quantum.
    void let_pass(models::Picoseconds duration);
    /// Simulated time since the last reset.
    [[nodiscard]] models::Picoseconds time() const;
    /// Returns the same for an absolute time.
    [[nodiscard]] models::Picoseconds time_of(models::Picoseconds absolute) const {
        return absolute > reset_time_ ? absolute - reset_time_ : 0;
    }
    /// Returns a number that differs if anything that the run did differs: accesses to registers
    /// (order, time, value); the core's cycles, retired instructions and registers; traffic and
    /// waiting of every pair of initiator and target; contents of memory. With
    /// `PlatformOptions::hash_transactions` also every transaction that began on the bus: order,
    /// time, initiator, what it says about itself, address, length, kind and the bytes of writes.
    /// Accesses of the core through direct memory or its caches are no transactions.
    [[nodiscard]] std::uint64_t trace_hash();

    /// Runs `work`, which drives the data path from outside the simulated chip (it is no SystemC
    /// process), then lets kernel time catch up. Must not be called from a process.
    void run(const std::function<void()>& work);
    /// Lets kernel time catch up with the data path, so that processes see what happened so far.
    void synchronise();

    /// Returns true if every byte of `range` has memory behind it that masters beside the core
    /// reach.
    [[nodiscard]] bool present(AddressRange range) const;
    /// Puts bytes into memory without time passing, read-only memories included, as a programmer
    /// does. Returns false, with nothing guaranteed, if part of the range is not present.
    [[nodiscard]] bool store(GuestAddr to, std::span<const std::uint8_t> bytes);
    [[nodiscard]] bool fetch(GuestAddr from, std::span<std::uint8_t> bytes);

    /// PowerOn returns everything to the state after construction, with what was loaded, fuses
    /// that the program blew included; Warm leaves memory and fuses alone, but for AXISRAM3 to 6,
    /// which every reset shuts down, so that they lose their contents (assumed). Simulated time
    /// goes on; `time` starts again. The core, if it was let go, starts again with the next
    /// `advance`.
    void reset(models::core::Reset kind = models::core::Reset::PowerOn);

    struct Memory {
        const memmap::Region* region = nullptr;
        std::unique_ptr<models::TimedMemory> model;
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
    [[nodiscard]] models::GuestView& core_view();
    /// Returns the number of the target of that region, -1 if there is none.
    [[nodiscard]] int target_of(std::string_view region) const;

  private:
    class SleepFilter;
    class EngineClaims;
    class CoreView;
    class Digest;

    void add_memory(const memmap::Region& region);
    void add_core();
    void connect_bus();
    void add_npu();
    void connect_npu_side();
    void connect_npu();
    /// Tells what a burst of the NPU has just been answered by.
    [[nodiscard]] models::NpuModule::Place place_of(const memmap::Region* region, bool cacheable);
    void connect_filters();
    void add_filter(unsigned target, models::AccessFilter* filter);
    void connect_switch_filters(unsigned target);
    void connect_risafs(unsigned target);
    void connect_npu_cache_filters();
    void erase(std::string_view memory);
    /// Returns the filter of a unit's sleep clock, null if there is no such gate.
    [[nodiscard]] models::AccessFilter* sleep_filter(std::string_view unit);
    void connect_clocks();
    void connect_hooks();
    void set_routes();
    void set_xspi_clocks();
    [[nodiscard]] models::Route route(Initiator from, const memmap::Region& region) const;
    [[nodiscard]] bool reaches(Initiator from, const memmap::Region& region) const;
    [[nodiscard]] unsigned peripheral_target() const { return targets() - 2; }
    [[nodiscard]] unsigned mailbox_target() const { return targets() - 1; }
    void set_master_attributes();
    void chip_reset();
    void let_core_stand();
    [[nodiscard]] unsigned debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                                 std::size_t count);

    PlatformParameters parameters_;
    PlatformOptions options_;
    models::ClockTree clocks_;
    std::vector<Memory> memories_;
    std::unique_ptr<Digest> digest_;
    std::unique_ptr<PlatformSoc> soc_;
    std::unique_ptr<models::Bus> bus_;
    std::unique_ptr<models::CoreModule> core_;
    std::unique_ptr<CoreObserver> core_observer_;
    std::unique_ptr<models::DataPath> data_path_;
    std::unique_ptr<models::CacheAxi> npu_cache_;
    std::unique_ptr<CoreView> core_view_;
    std::unique_ptr<models::MailboxService> no_service_;
    std::unique_ptr<models::Mailbox> mailbox_;
    static constexpr unsigned kNpuPorts = models::NpuModule::kPorts;
    std::array<std::unique_ptr<MasterPort>, kNpuPorts> npu_ports_;
    std::unique_ptr<models::NpuModule> npu_;
    std::unique_ptr<EngineClaims> engine_claims_;
    std::uint64_t npu_cache_misses_ = 0;  ///< when a burst was last explained
    bool npu_line_was_enabled_ = false;
    std::vector<std::unique_ptr<SleepFilter>> sleep_filters_;
    struct Image {
        GuestAddr to{};
        std::vector<std::uint8_t> bytes;
    };
    std::vector<Image>
        images_;  ///< in the order of loading; empty where a later one took its place
    std::map<GuestAddr, std::size_t> last_image_at_;
    models::Picoseconds reset_time_ = 0;
    bool elaborated_ = false, released_ = false;
};

}  // namespace n6vp::sim
