// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/no_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "memmap/interrupts.h"
#include "memmap/npu/units.h"
#include "memmap/peripherals.h"
#include "sim/faults/fault_words.h"
#include "sim/faults/poll_reads.h"

namespace n6vp::sim::fault_report {

namespace {

/// A loop that waits for something is not longer, assumed.
constexpr std::uint32_t kSmallLoop = 256;
constexpr std::size_t kLooksOfLoop = 3;
constexpr std::uint32_t kSysTickControl = 0xE000E010, kEnabled = 0xE000E100, kPending = 0xE000E200,
                        kNonSecure = 0x20000;
constexpr const char* kMoreTime = "raise --max-time, --max-instr or --max-host-time";
constexpr unsigned kLineWords = (memmap::kNvicModelledLines + 31) / 32;

/// Registers of the core, as secure code reads them.
class PrivateBus {
  public:
    explicit PrivateBus(models::core::Core& core) : core_(core) {}
    [[nodiscard]] std::uint32_t word(std::uint32_t address) const {
        models::core::CpuState& cpu = core_.state();
        const bool secure = std::exchange(cpu.secure, true);
        std::uint32_t value = 0;
        const bool read = core_.system().read_ppb(cpu, address, 4, core_.cycles(), value);
        cpu.secure = secure;
        return read ? value : 0;
    }

  private:
    models::core::Core& core_;
};

[[nodiscard]] std::string line_name(unsigned line) {
    const auto number = static_cast<std::uint16_t>(line);
    const memmap::Interrupt* const source = memmap::interrupt_on_line(number);
    if (source == nullptr) return fmt::format("{}", line);
    const std::string channel = source->count == 1 ? "" : fmt::format(".{}", line - source->first);
    return fmt::format("{} ({}{})", line, source->name, channel);
}

/// Returns the lines whose bits are set in either security state's registers.
[[nodiscard]] std::vector<unsigned> lines_of(const PrivateBus& bus, std::uint32_t registers) {
    std::vector<unsigned> lines;
    for (unsigned i = 0; i < kLineWords; ++i) {
        const std::uint32_t word =
            bus.word(registers + 4 * i) | bus.word(registers + kNonSecure + 4 * i);
        for (unsigned bit = 0; bit < 32; ++bit) {
            if ((word >> bit & 1) != 0) lines.push_back(32 * i + bit);
        }
    }
    return lines;
}

[[nodiscard]] std::string list_of(const std::vector<unsigned>& lines) {
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
        text += (i == 0 ? "" : ", ") + line_name(lines[i]);
    }
    return lines.size() > kMost ? text + fmt::format(" and {} more", lines.size() - kMost) : text;
}

void describe_interrupts(models::core::Core& core, std::vector<std::string>& waiting) {
    const PrivateBus bus(core);
    const std::vector<unsigned> enabled = lines_of(bus, kEnabled),
                                pending = lines_of(bus, kPending);
    waiting.push_back(enabled.empty() ? "no interrupt is enabled"
                                      : "enabled interrupts: " + list_of(enabled));
    if (!pending.empty()) {
        std::vector<unsigned> deaf;
        std::set_difference(pending.begin(), pending.end(), enabled.begin(), enabled.end(),
                            std::back_inserter(deaf));
        waiting.push_back("pending: " + list_of(pending) +
                          (deaf.empty() ? "" : "; not enabled: " + list_of(deaf)));
    }
    if ((bus.word(kSysTickControl) & 3) == 3) {
        const bool stands = core.system().clock_stopped();
        waiting.emplace_back(stands ? "SysTick is stopped with the core's clock (deep sleep)"
                                    : "SysTick runs with interrupt");
    }
    const models::core::CpuState& cpu = core.state();
    std::string masks;
    for (unsigned i = 0; i < 2; ++i) {
        const char* const state = i == 0 ? "NS" : "S";
        if (cpu.primask[i] != 0) masks += fmt::format(" PRIMASK_{}", state);
        if (cpu.faultmask[i] != 0) masks += fmt::format(" FAULTMASK_{}", state);
        if (cpu.basepri[i] != 0)
            masks += fmt::format(" BASEPRI_{}=0x{:02x}", state, cpu.basepri[i]);
    }
    if (!masks.empty()) waiting.push_back("masked by" + masks);
}

void describe_npu(Platform& platform, const FaultLog& log, std::vector<std::string>& waiting) {
    const models::npu::Npu& npu = platform.npu().npu();
    if (npu.program_running()) waiting.emplace_back("the epoch controller executes a program");
    std::string units;
    for (std::uint32_t page = 0; page < memmap::npu::kPages; ++page) {
        const memmap::npu::Unit unit = memmap::npu::unit_at(page);
        if (unit.type == nullptr || !npu.window().running(unit)) continue;
        units += fmt::format("{}{}{}", units.empty() ? "" : ", ", unit.type->name, unit.index);
    }
    if (!units.empty()) waiting.push_back("active NPU units: " + units);
    if (npu.lines() != 0)
        waiting.push_back(fmt::format("active interrupt lines of the NPU: 0x{:x}", npu.lines()));
    if (log.npu()) {
        waiting.push_back(fmt::format("{}: {}", kind_text(log.npu()->kind), log.npu()->text));
    }
}

/// Adds the addresses that the loads of a loop read, as far as its code shows them. Returns the
/// first one of no known peripheral.
std::optional<std::uint32_t> describe_polls(const FaultReport& report, const FaultMoment& moment,
                                            const PcHistory::Range& loop,
                                            const RegisterNames& registers, Platform& platform,
                                            std::vector<std::string>& waiting) {
    const PeekWord peek = [&](std::uint32_t address) -> std::optional<std::uint32_t> {
        std::array<std::uint8_t, 4> bytes{};
        if (!memmap::find_region(GuestAddr{address}) ||
            !platform.core_view().fetch(address, bytes)) {
            return std::nullopt;
        }
        return loader::format::load_word(bytes.data());
    };
    std::optional<std::uint32_t> unknown;
    const LoopState state{loop.first, loop.last, moment.pc & ~1u, moment.registers};
    for (const PollRead& read : poll_reads(report.code, state, peek)) {
        const RegisterNames::Name* const name = registers.find(read.address);
        std::string what = name != nullptr ? fmt::format("{}.{}", name->peripheral, name->name)
                                           : region_text(read.address);
        const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{read.address});
        if (name == nullptr && hit && hit.offset >= hit.peripheral->bytes && !unknown)
            unknown = read.address;
        if (const auto word = peek(read.address))
            what += fmt::format(", which holds 0x{:08x}", *word);
        waiting.push_back(fmt::format("0x{:08x} {}: reads 0x{:08x} ({})", read.line->address,
                                      read.line->text, read.address, what));
    }
    return unknown;
}

[[nodiscard]] double ms(models::Picoseconds time) {
    return static_cast<double>(time) * 1e-9;
}

/// The core has been in one small loop, and repeats itself there.
[[nodiscard]] bool hangs(const Looks& looks) {
    const PcHistory::Range loop = looks.history.loop(kSmallLoop);
    return loop.looks >= kLooksOfLoop && (looks.quiet != 0 || !loop.gets_on);
}

/// Where the core was, `quiet` with its time if nothing happened for that long.
[[nodiscard]] std::string cause_awake(const FaultMoment& moment, const Looks& looks,
                                      const std::string& quiet, const std::string& where) {
    const PcHistory::Range loop = looks.history.loop(kSmallLoop);
    if (hangs(looks)) {
        const std::string time = quiet.empty()
                                     ? fmt::format(" for {:.1f} ms of simulated time or more",
                                                   ms((loop.looks - 1) * looks.distance))
                                     : quiet;
        return fmt::format("no progress:{} the core was found between 0x{:08x} and 0x{:08x}{}",
                           time, loop.first, loop.last, where);
    }
    if (quiet.empty()) {
        return fmt::format(
            "limit reached at pc 0x{:08x}{}, {}", moment.pc, where,
            loop.looks < kLooksOfLoop ? "not in a polling loop" : "in a loop with progress");
    }
    const PcHistory::Range all = looks.history.loop(~0u);
    return fmt::format(
        "no progress:{} the core was found between 0x{:08x} and 0x{:08x}, now at 0x{:08x}{}", quiet,
        all.first, all.last, moment.pc, where);
}

}  // namespace

PcHistory::Range PcHistory::loop(std::uint32_t bytes) const {
    Range range;
    const std::size_t kept = std::min(looks_, kKept);
    for (std::size_t i = 1; i <= kept; ++i) {
        const std::uint32_t pc = back(i).pc;
        const std::uint32_t first = range.looks == 0 ? pc : std::min(range.first, pc);
        const std::uint32_t last = range.looks == 0 ? pc : std::max(range.last, pc);
        if (last - first > bytes) break;
        range = {first, last, i};
    }
    range.gets_on = gets_on(range.looks);
    return range;
}

bool PcHistory::gets_on(std::size_t looks) const {
    for (std::size_t i = 1; i <= looks; ++i) {
        for (std::size_t k = 1; k < i; ++k) {
            const Look &one = back(i), &other = back(k);
            if (one.activity != other.activity) return true;
            if (one.pc == other.pc && one.state != other.state) return true;
        }
    }
    return false;
}

FaultReport explain_no_progress(Platform& platform, const FaultLog& log, const Names& names,
                                const Looks& looks, const RegisterNames& registers) {
    const bool asleep = platform.core().asleep();
    const bool well = looks.limited && (asleep || !hangs(looks));
    const FaultMoment moment = log.now(well ? Kind::Limit : Kind::NoProgress);
    FaultReport report = explain(moment, names);
    models::core::Core& core = platform.core().core();
    const std::string where = report.function.empty() ? "" : " " + report.function;
    const std::string quiet =
        looks.quiet == 0 ? "" : fmt::format(" for {:.1f} ms of simulated time", ms(looks.quiet));
    if (asleep) {
        // The instruction that sleeps is the one before.
        report.code = code_around(moment, names, 4, 1);
        std::string instruction = "WFI or WFE";
        for (const CodeLine& line : report.code) {
            if (line.address + line.bytes == moment.pc) instruction = line.text;
        }
        const bool standby = platform.chip().in_standby();
        report.cause = fmt::format("{}{}: the {} at pc 0x{:08x}{} ({})", kind_text(moment.kind),
                                   quiet, standby ? "chip is in Standby mode" : "core sleeps",
                                   moment.pc, where, instruction);
        report.remedy =
            well      ? kMoreTime
            : standby ? "only a wake-up pin, an interrupt of RTC or TAMP, or a reset ends it"
                      : "check that the expected interrupt is enabled and its source is running";
    } else {
        report.cause = cause_awake(moment, looks, quiet, where);
        const PcHistory::Range loop = looks.history.loop(kSmallLoop);
        std::optional<std::uint32_t> unknown;
        if (loop.looks >= kLooksOfLoop) {
            report.code = code_around(moment, names, 8, 8);
            unknown = describe_polls(report, moment, loop, registers, platform, report.waiting);
        }
        report.remedy =
            well ? kMoreTime
                 : fmt::format(
                       "the condition of the loop never becomes true; for a slow event raise --{}",
                       looks.quiet == 0 ? "max-time" : "max-quiet");
        if (unknown) {
            report.remedy = fmt::format(
                "nothing is modelled at 0x{:08x}, reads give zero: the loop may never end",
                *unknown);
        }
    }
    describe_interrupts(core, report.waiting);
    describe_npu(platform, log, report.waiting);
    return report;
}

}  // namespace n6vp::sim::fault_report
