// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/n6_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "memmap/regions.h"
#include "models/fabric/bus_events.h"
#include "sim/debugger/debugger.h"
#include "sim/debugger/n6_monitor.h"
#include "traces/escape.h"

namespace n6vp::sim::debugger {

namespace {

using models::core::Stop;

/// Before what a driver does, as far as the NPU's events go.
constexpr unsigned kPlace = kDriverPlace;
constexpr double kPsPerUs = 1e6;

}  // namespace

/// Sees the accesses of other masters to watched ranges.
class N6Machine::Others : public models::BusObserver {
  public:
    explicit Others(N6Machine& machine) : machine_(machine) {}

    std::vector<WatchedRange> ranges;
    std::optional<Halt> hit;

    void before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                      std::uint32_t bytes) override {
        look(initiator, target, offset, bytes, true);
    }
    void before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                     std::uint32_t bytes) override {
        look(initiator, target, offset, bytes, false);
    }

  private:
    void look(unsigned initiator, unsigned target, std::uint32_t offset, std::uint32_t bytes,
              bool write) {
        if (ranges.empty() || hit) return;
        for (const std::uint32_t address : machine_.platform_.bus().addresses_of(target, offset)) {
            for (const WatchedRange& range : ranges) {
                if (!range.touches(address, bytes, write)) continue;
                note(initiator, address, std::max(address, range.address), bytes, write);
                return;
            }
        }
    }
    void note(unsigned initiator, std::uint32_t first, std::uint32_t address, std::uint32_t bytes,
              bool write) {
        Halt halt{Halt::Reason::OtherAccess, address, write, {}, {}};
        halt.text =
            fmt::format("{} {} {} bytes at 0x{:08x} ({:.3f} us)\n",
                        machine_.masters_of(initiator, first, write), write ? "writes" : "reads",
                        bytes, first, static_cast<double>(machine_.platform_.time()) / kPsPerUs);
        hit = std::move(halt);
        sc_core::sc_pause();
    }

    N6Machine& machine_;
};

N6Machine::N6Machine(RunSession& session, std::function<bool()> poll)
    : session_(session),
      platform_(session.platform()),
      poll_(std::move(poll)),
      memory_(platform_.core().core(), platform_.core_view(),
              [this](std::uint32_t address) -> std::optional<std::uint32_t> {
                  const auto answer = platform_.soc().bus.peek(GuestAddr{address});
                  if (!answer) return std::nullopt;
                  return answer->value;
              }),
      left_(session.plan().limits),
      others_(std::make_unique<Others>(*this)) {
    follow_npu();
    platform_.bus().observe(*others_, {number(Initiator::Npu0), number(Initiator::Npu1),
                                       number(Initiator::EpochController)});
}

N6Machine::~N6Machine() = default;

const models::core::CoreProfile& N6Machine::profile() const {
    return models::core::cortex_m55();
}

void N6Machine::follow_npu() {
    platform_.npu().on_label.listen(
        kPlace, [this](std::uint32_t label, models::Picoseconds) { label_ = label; });
    platform_.npu().on_engine.listen(
        kPlace, [this](unsigned engine, const models::npu::StreamConfig& stream,
                       const models::npu::EngineCounters* counters, models::Picoseconds) {
            if (counters != nullptr) {
                engines_.erase(engine);
            } else {
                engines_[engine] = {models::npu::extent_of(stream), stream.dir};
            }
        });
}

std::string N6Machine::masters_of(unsigned initiator, std::uint32_t address, bool write) const {
    const std::string epoch =
        label_ == 0 ? "an epoch of software" : fmt::format("epoch {}", label_);
    std::string names;
    for (const auto& [number_of, engine] : engines_) {
        const bool on_port =
            initiator == number(Initiator::Npu0) + models::NpuModule::port_of(number_of);
        const std::uint32_t behind = address - engine.extent.first;
        if (!on_port || engine.writes != write || behind >= engine.extent.bytes) continue;
        names += fmt::format("{}STRENG {}", names.empty() ? "" : " or ", number_of);
    }
    // Lines of the NPU cache that are written back may be of an engine that has ended.
    if (names.empty()) return fmt::format("{}, in {},", platform_.initiator_name(initiator), epoch);
    return fmt::format("{} of {}", names, epoch);
}

bool N6Machine::read(std::uint32_t address, std::span<std::uint8_t> bytes) {
    return memory_.read(address, bytes);
}

bool N6Machine::write(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    return memory_.write(address, bytes) || program(address, bytes);
}

bool N6Machine::program(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return true;
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    if (!location || location.region->kind != memmap::RegionKind::Nor) return false;
    const auto last = static_cast<std::uint32_t>(address + (bytes.size() - 1));
    if (!platform_.load(GuestAddr{address}, {bytes.begin(), bytes.end()})) return false;
    core().change_through_cache(address, bytes);
    core().invalidate(address, last);
    return true;
}

std::vector<MemoryArea> N6Machine::areas() const {
    std::vector<MemoryArea> areas;
    for (const Platform::Memory& memory : platform_.memories()) {
        const memmap::Region& region = *memory.region;
        const bool flash = region.kind == memmap::RegionKind::Nor;
        areas.push_back({to_word(region.non_secure), region.fitted_bytes, flash, region.name});
        if (region.has_two_aliases())
            areas.push_back({to_word(region.secure), region.fitted_bytes, flash, region.name});
    }
    areas.push_back({0x40000000, 0x20000000, false, "peripherals"});
    areas.push_back({0xE0000000, 0x00100000, false, "private registers"});
    std::sort(areas.begin(), areas.end(),
              [](const MemoryArea& a, const MemoryArea& b) { return a.start < b.start; });
    return areas;
}

void N6Machine::watch_others(const std::vector<WatchedRange>& ranges) {
    others_->ranges = ranges;
    others_->hit.reset();
}

Halt N6Machine::start() {
    module().stop_at_reset();
    return advance({});
}

Halt N6Machine::run(const Interrupt& interrupt) {
    if (module().stopped() != Stop::Budget) module().resume();
    return advance(interrupt);
}

Halt N6Machine::step(const Interrupt& interrupt) {
    module().step();
    return advance(interrupt);
}

Halt N6Machine::advance(const Interrupt& interrupt) {
    interrupted_ = over_ = false;
    others_->hit.reset();
    session_.leave_out(stood());
    const models::Picoseconds begin = platform_.time();
    end_ = platform_.advance(left_, [&] {
        over_ = !poll_();
        if (over_ || others_->hit) return false;
        interrupted_ = interrupt && interrupt();
        return !interrupted_;
    });
    finish_instruction();
    module().cancel_step();
    const models::Picoseconds passed = platform_.time() - begin;
    if (left_.time != 0) left_.time -= std::min(left_.time - 1, passed);
    stand();
    return halted();
}

void N6Machine::finish_instruction() {
    const sc_core::sc_time quantum = models::to_sc_time(platform_.options().quantum);
    while (!module().between_instructions() && !session_.over())
        sc_core::sc_start(quantum, sc_core::SC_RUN_TO_TIME);
}

Halt N6Machine::halted() {
    if (session_.over()) {
        const bool wants_reset = attended() && session_.take_reset_request();
        if (session_.over() || !wants_reset) {
            return {Halt::Reason::Ended, 0, false, {}, session_.exit_code()};
        }
        const bool woken = platform_.chip().wakes_from_standby();
        reset(ResetKind::Warm);
        return {Halt::Reason::Message,
                0,
                false,
                woken ? "the chip has woken from Standby mode, and starts\n"
                      : "the program has requested a reset, which is done\n",
                {}};
    }
    const bool slept = std::exchange(slept_, end_ == RunEnd::Asleep);
    switch (end_) {
        case RunEnd::Stopped:
            return stopped();
        case RunEnd::Polled:
            if (over_) break;
            return others_->hit ? *others_->hit : Halt{Halt::Reason::Interrupt, 0, false, {}, {}};
        case RunEnd::Asleep:
            // Said once: who goes on nevertheless comes to the end of the run.
            if (slept) break;
            return {Halt::Reason::Message,
                    0,
                    false,
                    "the core sleeps, and nothing is left that could wake it\n",
                    {}};
        default:
            break;
    }
    return {Halt::Reason::Ended, 0, false, {}, {}};
}

Halt N6Machine::stopped() {
    switch (module().stopped()) {
        case Stop::Breakpoint:
            return {Halt::Reason::Breakpoint, 0, false, {}, {}};
        case Stop::Watchpoint:
            return {Halt::Reason::Watchpoint,
                    core().watch_hit().address,
                    core().watch_hit().write,
                    {},
                    {}};
        case Stop::Lockup:
            return {Halt::Reason::Lockup,
                    0,
                    false,
                    "the core is locked up: monitor faults says why, monitor reset ends it\n",
                    {}};
        default:
            return {};
    }
}

void N6Machine::reset(ResetKind kind) {
    platform_.restart(kind == ResetKind::Cold ? models::core::Reset::PowerOn
                                              : models::core::Reset::Warm);
    session_.note_reset();
    engines_.clear();
    label_ = 0;
}

std::vector<MonitorCommand> N6Machine::monitor_commands() {
    return n6_monitor_commands(session_);
}

std::vector<ThreadInfo> N6Machine::threads() {
    return threads_by(session_.symbols());
}

void attach(Debugger& debugger, RunSession& session) {
    session.log_epochs();
    // Held by `drive`, which the session destroys after its platform: the kernel runs on after it.
    const auto machine = std::make_shared<std::optional<N6Machine>>();
    session.drive = [machine, &debugger, &session](const std::function<bool()>& poll) {
        machine->emplace(session, poll);
        debugger.drive(**machine);
        return (*machine)->run_end();
    };
}

}  // namespace n6vp::sim::debugger
