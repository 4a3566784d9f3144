// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/epoch_steps.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

constexpr std::uint32_t kEnable = npu::kEnable.mask(), kClear = npu::kClear.mask();
constexpr std::uint32_t kConfigurationClear = npu::kConfigurationClear.mask();
constexpr npu::Field kRunning = npu::field(npu::kStreng, "CTRL.RUNNING");
constexpr npu::Register kGates = npu::reg(npu::kClkctrl, "BGATES");
constexpr npu::Register kDst = npu::reg(npu::kStrswitch, "DST");
constexpr npu::Register kLimitEnable = npu::reg(npu::kStreng, "LIMITEN");
constexpr npu::Register kEvent = npu::reg(npu::kStreng, "EVENT");
constexpr npu::Field kFramesDone = npu::field(npu::kStreng, "EVENT.EN_OFLOW_FRM");
constexpr npu::Field kAddressLimit = npu::field(npu::kStreng, "LIMITEN.ADDRLIMIT");
// A burst's count has 11 bits.
constexpr std::size_t kMaxBurst = 2047;

bool is_convacc(const UnitSettings& unit) {
    return unit.unit().type == &npu::kConvacc;
}
bool is_arith(const UnitSettings& unit) {
    return unit.unit().type == &npu::kArith;
}
std::uint32_t control_reset(const UnitSettings& unit) {
    return unit.unit().type->registers[0].reset;
}

/// Writes a blob's program line by line.
class ControllerWriter {
  public:
    void epoch(const NumberedEpoch& numbered) {
        const NpuEpoch& epoch = *numbered.epoch;
        line("label {}", numbered.number);
        for (const UnitSettings& unit : epoch.units) configure(unit);
        constexpr std::uint32_t kPage = npu::kStrswitch.first_page;
        clear(kPage, 0);
        line("write {} 0 1", kPage);
        for (const auto& [destination, value] : epoch.links) {
            line("write {} {} 0x{:08x}", kPage, (kDst.offset + kDst.stride * destination) / 4,
                 value);
        }
        for (const UnitSettings& unit : epoch.units) enable(unit);
        for (const UnitSettings& unit : epoch.units) {
            if (!unit.is_output_stream()) continue;
            line("poll {} 0 [{}] 0 100", unit.unit().page(), kRunning.lsb);
        }
        for (const auto& link : epoch.links) {
            line("write {} {} 0", kPage, (kDst.offset + kDst.stride * link.first) / 4);
        }
        for (const UnitSettings& unit : epoch.units) {
            clear(unit.unit().page(), control_reset(unit));
            gate(unit, 0);
        }
    }

    std::string take() {
        line("irq 0");
        return std::move(text_);
    }

  private:
    template <class... Values>
    void line(fmt::format_string<Values...> form, Values&&... values) {
        text_ += fmt::format(form, std::forward<Values>(values)...);
        text_ += '\n';
    }

    void gate(const UnitSettings& unit, std::uint32_t value) {
        line("writefield {} {} [{}] {}", npu::kClkctrl.first_page, kGates.offset / 4,
             unit.unit().gate(), value);
    }

    static std::string word_text(const UnitSettings::Word& word) {
        if (word.base != Base::Absolute) {
            return fmt::format("{}({})", base_symbol(word.base), word.value);
        }
        return fmt::format("0x{:08x}", word.value);
    }

    void configure(const UnitSettings& unit) {
        const std::uint32_t page = unit.unit().page();
        gate(unit, 1);
        if (is_arith(unit))
            line("burstwrite {} 0 0x{:08x} 0x{:08x}", page, control_reset(unit), unit.control());
        else
            line("write {} 0 0x{:08x}", page, unit.control());
        auto from = std::next(unit.words().begin());
        while (from != unit.words().end()) {
            if (unit.is_stream() && from->first == kLimitEnable.offset) {
                limits(page, from->second.value);
                ++from;
                continue;
            }
            auto end = std::next(from);
            std::size_t count = 1;
            while (end != unit.words().end() && end->first == from->first + 4 * count &&
                   count < kMaxBurst && !(unit.is_stream() && end->first == kLimitEnable.offset)) {
                ++end;
                ++count;
            }
            burst(page, from, end, count);
            from = end;
        }
    }

    /// The frame limit first, then the address limit, as drivers do.
    void limits(std::uint32_t page, std::uint32_t value) {
        line("burstwrite {} {} 0x{:08x} 0x{:08x}", page, kLimitEnable.offset / 4,
             value & ~kAddressLimit.mask(), value);
    }

    using Iterator = std::map<std::uint32_t, UnitSettings::Word>::const_iterator;
    void burst(std::uint32_t page, Iterator from, Iterator end, std::size_t count) {
        text_ +=
            fmt::format("{} {} {}", count == 1 ? "write" : "burstwriteinc", page, from->first / 4);
        for (; from != end; ++from) text_ += " " + word_text(from->second);
        text_ += '\n';
    }

    void enable(const UnitSettings& unit) {
        const std::uint32_t page = unit.unit().page();
        if (is_convacc(unit))
            line("write {} 0 0x{:08x}", page, unit.control() | kEnable);
        else
            line("writefield {} 0 [{}] 1", page, npu::kEnable.lsb);
    }

    void clear(std::uint32_t page, std::uint32_t control) {
        line("write {} 0 0x{:08x}", page, control | kClear);
        line("poll {} 0 [{}] 0 100", page, npu::kClear.lsb);
        line("write {} 0 0x{:08x}", page, control | kConfigurationClear);
        line("poll {} 0 [{}] 0 100", page, npu::kConfigurationClear.lsb);
    }

    std::string text_;
};

std::uint32_t in_window(std::uint32_t page, std::uint32_t offset) {
    return page * npu::kPageBytes + offset;
}

/// Collects the core's accesses.
class StepWriter {
  public:
    explicit StepWriter(std::vector<Step>& steps) : steps_(steps) {}

    void add(StepKind kind, std::uint32_t page, std::uint32_t offset, std::uint32_t value,
             Base base = Base::Absolute) {
        steps_.push_back({kind, in_window(page, offset), value, base});
    }
    void gate(const UnitSettings& unit, StepKind kind) {
        add(kind, npu::kClkctrl.first_page, kGates.offset, 1u << unit.unit().gate());
    }
    void clear(std::uint32_t page, std::uint32_t control) {
        add(StepKind::Write, page, 0, control | kClear);
        add(StepKind::WaitZero, page, 0, kClear);
        add(StepKind::Write, page, 0, control | kConfigurationClear);
        add(StepKind::WaitZero, page, 0, kConfigurationClear);
    }
    void configure(const UnitSettings& unit) {
        gate(unit, StepKind::SetBits);
        const std::uint32_t page = unit.unit().page();
        for (const auto& [offset, word] : unit.words()) {
            std::uint32_t value = word.value;
            // The engine signals the core; the epoch controller polls.
            if (unit.is_output_stream() && offset == kEvent.offset) value |= kFramesDone.mask();
            if (unit.is_stream() && offset == kLimitEnable.offset) {
                add(StepKind::Write, page, offset, value & ~kAddressLimit.mask());
            }
            add(StepKind::Write, page, offset, value, word.base);
        }
    }

  private:
    std::vector<Step>& steps_;
};

constexpr std::string_view kWeightsSymbol = "_weights", kExternalSymbol = "_external",
                           kUserSymbol = "_user_";

}  // namespace

std::string base_symbol(Base base) {
    if (base == Base::Absolute) return "";
    if (base == Base::Weights) return std::string(kWeightsSymbol);
    if (base == Base::External) return std::string(kExternalSymbol);
    return fmt::format("{}{}", kUserSymbol,
                       static_cast<unsigned>(base) - static_cast<unsigned>(Base::User));
}

Base base_of_symbol(std::string_view symbol) {
    if (symbol == kWeightsSymbol) return Base::Weights;
    if (symbol == kExternalSymbol) return Base::External;
    for (std::uint32_t tensor = 0; tensor < kMaxUserTensors; ++tensor) {
        if (symbol == base_symbol(user_base(tensor))) return user_base(tensor);
    }
    return Base::Absolute;
}

std::string controller_program(std::span<const NumberedEpoch> epochs) {
    ControllerWriter writer;
    for (const NumberedEpoch& epoch : epochs) writer.epoch(epoch);
    return writer.take();
}

CoreSteps core_steps(const NpuEpoch& epoch) {
    CoreSteps steps;
    StepWriter start(steps.start), end(steps.end);
    constexpr std::uint32_t kSwitch = npu::kStrswitch.first_page;
    for (const UnitSettings& unit : epoch.units) start.configure(unit);
    start.clear(kSwitch, 0);
    start.add(StepKind::Write, kSwitch, 0, kEnable);
    for (const auto& [destination, value] : epoch.links) {
        start.add(StepKind::Write, kSwitch, kDst.offset + kDst.stride * destination, value);
        end.add(StepKind::Write, kSwitch, kDst.offset + kDst.stride * destination, 0);
    }
    for (const UnitSettings& unit : epoch.units) {
        start.add(StepKind::Write, unit.unit().page(), 0, unit.control() | kEnable);
        end.clear(unit.unit().page(), control_reset(unit));
        end.gate(unit, StepKind::ClearBits);
    }
    return steps;
}

}  // namespace n6vp::sim::generate
