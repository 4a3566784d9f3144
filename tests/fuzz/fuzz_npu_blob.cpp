// SPDX-License-Identifier: Apache-2.0
// Input: byte 0 is the latency of memory in units of 4 cycles, byte 1 the start (bit 0: single
// step; bits 1 to 3: units that run at first), then the words of a blob, from word 0 on.
#include <algorithm>
#include <cstring>
#include <vector>

#include "models/npu/control/epoch_control.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::models::kNever;
using n6vp::models::Picoseconds;
using Unit = RegisterWindow::Unit;

constexpr std::uint32_t kBlobAt = 0x34000000;
constexpr std::uint32_t kEpochPage = 30, kFirstEnginePage = 5;
constexpr std::uint32_t kControl = kEpochPage * 0x1000, kAddress = kControl + 8,
                        kIrq = kControl + 12;
constexpr Picoseconds kCycle = 1000;

/// The register window with units that run as long as they are enabled and not cleared, and memory
/// that ends with the input.
class Npu : public EpochControllerBus {
  public:
    Npu(std::vector<std::uint32_t> blob, Picoseconds latency)
        : control({}, window, *this), blob_(std::move(blob)), latency_(latency) {
        window.on_enable = [this](const Unit& unit, bool on) {
            if (unit.page() == kEpochPage) {
                control.on_enable(on, now);
            } else {
                window.set_running(unit, on);
            }
        };
        window.on_clear = [this](const Unit& unit) {
            if (unit.page() == kEpochPage) {
                control.on_clear();
            } else {
                window.set_running(unit, false);
            }
        };
        window.on_write = [this](const Unit& unit, const Register& at, std::uint32_t,
                                 const RegisterFile::WriteOutcome& outcome) {
            if (unit.page() == kEpochPage) control.on_write(at, outcome, now);
        };
        control.on_fault = [this](const EpochFault& fault) {
            ++faults;
            N6VP_FUZZ_CHECK(fault.offset <= 4 * blob_.size() + 8);
            N6VP_FUZZ_CHECK(irq_bit_of(fault.reason) != 0);
        };
        control.set_cycle(kCycle);
    }

    Fetched fetch(std::uint32_t address, Picoseconds at) override {
        N6VP_FUZZ_CHECK(address % 8 == 0);
        const std::size_t word = (address - kBlobAt) / 4;
        Fetched answer;
        answer.done = at + latency_;
        answer.ok = address >= kBlobAt && word < blob_.size();
        for (std::size_t i = 0; i < 2; ++i) {
            if (answer.ok && word + i < blob_.size()) answer.words[i] = blob_[word + i];
        }
        return answer;
    }
    Value read_register(std::uint32_t ip, std::uint32_t offset, Picoseconds) override {
        const auto value = window.read(ip * 0x1000 + offset);
        return {value.exists, value.word};
    }
    bool write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                        Picoseconds at) override {
        now = std::max(now, at);
        return window.write(ip * 0x1000 + offset, value).registers.exists;
    }

    RegisterWindow window;
    EpochControl control;
    Picoseconds now = 0;
    int faults = 0;

  private:
    std::vector<std::uint32_t> blob_;
    Picoseconds latency_;
};

/// Acts until nothing is due. Each word is fetched and taken once, so the end must come.
void run(Npu& npu, std::size_t words) {
    for (std::size_t acts = 0; npu.control.due() != kNever; ++acts) {
        N6VP_FUZZ_CHECK(acts <= 4 * words + 16);
        N6VP_FUZZ_CHECK(npu.control.due() >= npu.now);
        npu.now = npu.control.due();
        npu.control.act();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::vector<std::uint32_t> blob((size - 2) / 4);
    if (!blob.empty()) std::memcpy(blob.data(), data + 2, 4 * blob.size());
    Npu npu(blob, Picoseconds{4} * data[0] * kCycle);
    for (std::uint32_t i = 0; i < 3; ++i) {
        if ((data[1] >> (1 + i) & 1) != 0) npu.window.write((kFirstEnginePage + i) * 0x1000, 1);
    }
    npu.window.write(kAddress, kBlobAt);
    npu.window.write(kControl, (data[1] & 1) != 0 ? 9 : 1);
    run(npu, blob.size());
    // Whatever it waits for comes: permission for the next instruction, or engines that end.
    for (std::size_t turn = 0; turn < blob.size() && npu.control.controller().running(); ++turn) {
        npu.now += kCycle;
        for (std::uint32_t page = kFirstEnginePage; page < kFirstEnginePage + 10; ++page) {
            npu.window.set_running(n6vp::memmap::npu::unit_at(page), false);
        }
        npu.window.write(kIrq, 1u << 16);
        npu.control.look_again(npu.now);
        run(npu, blob.size());
    }
    N6VP_FUZZ_CHECK(npu.faults <= 1);
    const bool shown = (npu.window.read(kControl).word >> 31) != 0;
    N6VP_FUZZ_CHECK(shown == npu.control.controller().running());
    N6VP_FUZZ_CHECK(!shown || npu.control.controller().polling() != nullptr);
    // One fetch may go beyond the input, and fails.
    N6VP_FUZZ_CHECK(npu.control.controller().counters().fetches <= blob.size() / 2 + 2);
    return 0;
}
