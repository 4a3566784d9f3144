// SPDX-License-Identifier: Apache-2.0
#include "sim/ecdump/ec_epochs.h"

#include <algorithm>

#include "memmap/npu/links.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;
using loader::ec::Opcode;

constexpr npu::Field kRunning = npu::field(npu::kStreng, "CTRL.RUNNING");
constexpr npu::Register kDestinations = npu::reg(npu::kStrswitch, "DST");
constexpr npu::Field kEnable0 = npu::field(npu::kStrswitch, "DST.EN0");
constexpr npu::Field kEnable1 = npu::field(npu::kStrswitch, "DST.EN1");

class EpochFinder {
  public:
    std::vector<EcEpoch> run(const std::vector<EcInstruction>& instructions) {
        for (const EcInstruction& instruction : instructions) {
            if (instruction.head.opcode() == Opcode::Label) {
                open(instruction);
            } else if (epochs_.empty()) {
                epochs_.emplace_back();
            }
            EcEpoch& epoch = epochs_.back();
            ++epoch.instructions;
            follow(instruction);
            epoch.end_word =
                instruction.index + 1 + static_cast<std::uint32_t>(instruction.operands.size());
        }
        close();
        return std::move(epochs_);
    }

  private:
    void open(const EcInstruction& instruction) {
        close();
        EcEpoch epoch;
        epoch.label = instruction.head.number();
        epoch.first_word = instruction.index;
        epochs_.push_back(std::move(epoch));
    }

    void close() {
        if (!taken_ && !enabled_.empty()) take_run();
        waiting_ = false;
    }

    void follow(const EcInstruction& instruction) {
        const loader::ec::Instruction head = instruction.head;
        switch (head.opcode()) {
            case Opcode::Write:
                write_bits(head.ip(), head.offset(), head.msb(), head.lsb(),
                           instruction.operands[0] << head.lsb(), instruction.index + 1);
                break;
            case Opcode::WriteField:
                write_bits(head.ip(), head.offset(), head.lsb() + head.field_width() - 1,
                           head.lsb(), head.field_value() << head.lsb(), std::nullopt);
                break;
            case Opcode::Burst:
            case Opcode::BurstIncrement:
                for (std::uint32_t k = 0; k < instruction.operands.size(); ++k) {
                    const std::uint32_t step = head.opcode() == Opcode::Burst ? 0 : 4 * k;
                    write_bits(head.ip(), head.offset() + step, 31, 0, instruction.operands[k],
                               instruction.index + 1 + k);
                }
                break;
            case Opcode::Poll:
                poll(head);
                break;
            case Opcode::Irq:
            case Opcode::Label:
                break;
        }
    }

    void write_bits(std::uint32_t ip, std::uint32_t offset, std::uint32_t msb, std::uint32_t lsb,
                    std::uint32_t bits, std::optional<std::uint32_t> word) {
        const npu::Unit unit = npu::unit_at(ip);
        if (unit.type == nullptr || msb > 31 || msb < lsb) return;
        const npu::Place place = npu::register_at(*unit.type, offset);
        if (place.at == nullptr) return;
        const std::uint32_t mask = (0xFFFFFFFFu >> (31 - msb)) & (0xFFFFFFFFu << lsb);
        auto& settings = settings_[ip];
        const auto old = settings.find(offset);
        const std::uint32_t before = old == settings.end() ? place.at->reset : old->second.value;
        const std::uint32_t value = (before & ~mask) | (bits & mask);
        if (offset == 0 && npu::extract(value, npu::kConfigurationClear) != 0) {
            settings.clear();
            disable(ip);
            return;
        }
        settings[offset] = {value, mask == 0xFFFFFFFF ? word : std::nullopt};
        if (offset == 0) control(ip, value);
    }

    void control(std::uint32_t ip, std::uint32_t value) {
        const bool runs_by_itself =
            ip >= npu::kStreng.first_page && ip < npu::kEpochctrl.first_page;
        if (!runs_by_itself) return;
        const bool on =
            npu::extract(value, npu::kEnable) != 0 && npu::extract(value, npu::kClear) == 0;
        const bool listed = std::find(enabled_.begin(), enabled_.end(), ip) != enabled_.end();
        if (on && !listed) {
            enabled_.push_back(ip);
            taken_ = false;
        } else if (!on) {
            disable(ip);
        }
    }

    void disable(std::uint32_t ip) { std::erase(enabled_, ip); }

    void poll(loader::ec::Instruction head) {
        const bool running = head.offset() == 0 && head.lsb() == kRunning.lsb &&
                             head.ip() >= npu::kStreng.first_page &&
                             head.ip() < npu::kStreng.first_page + npu::kStreng.count;
        if (!running) {
            waiting_ = false;
            return;
        }
        if (!taken_ && !enabled_.empty()) {
            take_run();
            waiting_ = true;
        }
        if (waiting_) epochs_.back().runs.back().waited.push_back(head.ip());
    }

    void take_run() {
        EcRun run;
        for (const std::uint32_t ip : enabled_) {
            run.units.push_back({npu::unit_at(ip), settings_[ip]});
        }
        for (const auto& [offset, setting] : settings_[npu::kStrswitch.first_page]) {
            if (offset < kDestinations.offset) continue;
            const bool used = npu::extract(setting.value, kEnable0) != 0 ||
                              npu::extract(setting.value, kEnable1) != 0;
            if (used) run.links.push_back({(offset - kDestinations.offset) / 4, setting.value});
        }
        epochs_.back().runs.push_back(std::move(run));
        taken_ = true;
    }

    std::vector<EcEpoch> epochs_;
    std::map<std::uint32_t, std::map<std::uint32_t, EcSetting>> settings_;  ///< by page, by offset
    std::vector<std::uint32_t> enabled_;
    bool taken_ = true;     ///< the enabled units are in a run already
    bool waiting_ = false;  ///< the polls since the last run were all for RUNNING
};

}  // namespace

std::vector<EcArray> written_elements(const EcUnit& unit, const npu::Register& at) {
    std::vector<EcArray> arrays;
    bool open = false;
    for (std::uint32_t k = 0; k < at.count; ++k) {
        const auto setting = unit.settings.find(at.offset + k * at.stride);
        if (setting == unit.settings.end()) {
            open = false;
            continue;
        }
        if (!open) arrays.push_back({k, {}});
        open = true;
        arrays.back().values.push_back(setting->second.value);
    }
    return arrays;
}

std::vector<EcEpoch> find_epochs(const std::vector<EcInstruction>& instructions) {
    return EpochFinder().run(instructions);
}

}  // namespace n6vp::sim
