// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/chip/stm32n6.h"
#include "models/core/data_path.h"
#include "sim/platform/platform_options.h"
#include "sim/platform/platform_parameters.h"

namespace n6vp::sim {

/// Places among the listeners of one event (models::Event), in the order of the calls. The chip's
/// own listeners come before all.
enum EventPlace : unsigned {
    kLogPlace = models::Stm32n6::kOwnPlace + 1,
    kFaultPlace,   ///< snapshots of the core and the NPU
    kReportPlace,  ///< what reports count and print
    kEpochPlace,   ///< the log of epochs, read by later listeners
    kTracePlace,
    kDriverPlace,  ///< the driver, which ends the run
};

/// Callbacks of the platform. Every function may be empty. All run inside the simulation.
struct PlatformHooks {
    /// The program requested a reset; without this function the chip resets and continues.
    std::function<void()> reset_request;
    std::function<bool(models::core::Core&)> semihosting;
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

/// Drives the chip: loads programs, runs and stops the core, resets, computes the trace hash. Adds
/// the host's own data path for `n6vp install` on the chip's port `host`. SystemC elaborates once
/// per process, so there is one platform per process.
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

    /// Connects a master of a test bench in parallel to the NPU at Npu0, Npu1 or EpochController,
    /// before `elaborate`.
    void bind_master(Initiator port, tlm::tlm_initiator_socket<>& master);
    /// The trace hash covers every transaction on the bus from now on, which costs host time.
    void hash_transactions();
    /// Binds open ports and elaborates. Every function below does so first.
    void elaborate();

    [[nodiscard]] const PlatformParameters& parameters() const { return parameters_; }
    [[nodiscard]] const PlatformOptions& options() const { return options_; }
    [[nodiscard]] models::DataPath& data_path() { return data_path_; }
    [[nodiscard]] models::Stm32n6& chip() { return chip_; }
    [[nodiscard]] models::ChipEvents& events() { return chip_.events; }
    [[nodiscard]] models::CoreModule& core() { return chip_.core(); }
    [[nodiscard]] models::Bus& bus() { return chip_.bus(); }
    [[nodiscard]] const models::Bus& bus() const { return chip_.bus(); }
    [[nodiscard]] models::CacheAxi& npu_cache() { return chip_.npu_cache(); }
    [[nodiscard]] models::NpuModule& npu() { return chip_.npu(); }
    [[nodiscard]] bool npu_line_was_enabled() const { return chip_.npu_line_was_enabled(); }
    [[nodiscard]] models::Peripherals& soc() { return chip_.soc(); }
    [[nodiscard]] models::ClockTree& clocks() { return chip_.clocks(); }

    // Programs.
    /// Puts bytes into memory without time passing and keeps them for `reset`, in place of others
    /// that were put at the same address. Returns false, with
    /// nothing guaranteed, if part of the range has no memory.
    [[nodiscard]] bool load(GuestAddr to, std::vector<std::uint8_t> bytes);
    /// Starts the core from reset, and returns when a limit is reached or the core stops.
    /// `poll` is called every millisecond of simulated time and returns false to end.
    RunEnd advance(const RunLimits& limits, const std::function<bool()>& poll = {});
    /// The core stops after its current block, and `advance` returns.
    void stop() { core().stop(); }
    /// Advances time with the core stopped. A running core stops first, within a quantum.
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
    /// `hash_transactions` also every transaction that began on the bus: order,
    /// time, initiator, what it says about itself, address, length, kind and the bytes of writes.
    /// Accesses of the core through direct memory or its caches are no transactions.
    [[nodiscard]] std::uint64_t trace_hash();

    /// Runs `work`, which drives the data path from outside the simulated chip (it is no SystemC
    /// process), then lets kernel time catch up. Must not be called from a process.
    void run(const std::function<void()>& work);
    /// Advances kernel time to that of the data path, so that processes see its effects.
    void synchronise();

    /// As models::Stm32n6 has them.
    [[nodiscard]] bool present(AddressRange range) const { return chip_.present(range); }
    [[nodiscard]] bool store(GuestAddr to, std::span<const std::uint8_t> bytes);
    [[nodiscard]] bool fetch(GuestAddr from, std::span<std::uint8_t> bytes);

    /// PowerOn returns everything to the state after construction, with what was loaded, fuses
    /// that the program blew included; Warm leaves memory and fuses alone, but for AXISRAM3 to 6,
    /// which every reset shuts down, so that they lose their contents (assumed). Simulated time
    /// goes on; `time` starts again. The core, if it was let go, starts again with the next
    /// `advance`.
    void reset(models::core::Reset kind = models::core::Reset::PowerOn);
    /// Does the same between two calls of `advance`, once the core was let go, and returns when the
    /// core stands before its first instruction: its counters are 0.
    void restart(models::core::Reset kind);

    using Memory = models::Stm32n6::Memory;
    [[nodiscard]] const std::vector<Memory>& memories() const { return chip_.memories(); }
    [[nodiscard]] unsigned targets() const { return chip_.targets(); }
    [[nodiscard]] std::string target_name(unsigned target) const {
        return chip_.target_name(target);
    }
    /// Generators of traffic, in the order of the options.
    [[nodiscard]] const auto& traffic() const { return chip_.traffic(); }
    [[nodiscard]] unsigned initiators() const { return chip_.initiators(); }
    /// Returns the name for reports, "unknown" for a number that is no port.
    [[nodiscard]] const char* initiator_name(unsigned initiator) const {
        return initiator < initiators() ? chip_.initiator_names()[initiator].c_str() : "unknown";
    }
    [[nodiscard]] static std::vector<std::string> target_names() {
        return models::Stm32n6::target_names();
    }
    [[nodiscard]] models::GuestView& core_view() { return chip_.core_view(); }
    [[nodiscard]] int target_of(std::string_view region) const { return chip_.target_of(region); }

  private:
    class Digest;

    void connect_hooks();
    void log_events();
    void let_core_stand();

    PlatformParameters parameters_;
    PlatformOptions options_;
    std::unique_ptr<Digest> digest_;
    models::Stm32n6 chip_;
    models::DataPath data_path_;
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
