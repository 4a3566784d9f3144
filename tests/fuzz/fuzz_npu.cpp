// SPDX-License-Identifier: Apache-2.0
// Input: records of 8 bytes, at most kRecords of them: what to do, page, register, 0, a value.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "models/npu/npu.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::models::kNever;
using n6vp::models::Picoseconds;

constexpr std::size_t kRecords = 1024;
constexpr std::size_t kRecordsBehind = 24;  ///< a frame without bounds
constexpr Picoseconds kCycle = 1000;
constexpr std::uint32_t kBlobAt = 0x34000000;
constexpr std::uint32_t kBlobControl = 0x1E000, kBlobAddress = 0x1E008;
constexpr std::uint32_t kErrors = 0xE0000000;  ///< addresses from here on answer with errors
constexpr std::uint64_t kAccesses = 50000;     ///< of memory; then the input is over

/// 64 KiB at every address. Nobody may come before somebody else did.
class Bus final : public NpuBus {
  public:
    BurstAnswer read(const EngineBurst& burst, std::span<std::uint8_t> to,
                     Picoseconds at) override {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = byte(burst.address, i);
        return answer(burst, at);
    }
    BurstAnswer write(const EngineBurst& burst, std::span<const std::uint8_t> from,
                      Picoseconds at) override {
        for (std::size_t i = 0; i < from.size(); ++i) byte(burst.address, i) = from[i];
        return answer(burst, at);
    }
    EpochControllerBus::Fetched fetch(std::uint32_t address, Picoseconds at) override {
        N6VP_FUZZ_CHECK(address % 8 == 0);
        note(at);
        EpochControllerBus::Fetched fetched;
        fetched.ok = address < kErrors;
        fetched.done = at + 10 * kCycle;
        for (unsigned i = 0; i < 8; ++i)
            fetched.words[i / 4] |= std::uint32_t{byte(address, i)} << 8 * (i % 4);
        return fetched;
    }
    std::uint8_t& byte(std::uint32_t address, std::size_t offset) {
        return memory_[(address + offset) % memory_.size()];
    }

    std::uint64_t accesses = 0;

  private:
    void note(Picoseconds at) {
        N6VP_FUZZ_CHECK(at >= last_);
        last_ = at;
        ++accesses;
    }
    BurstAnswer answer(const EngineBurst& burst, Picoseconds at) {
        note(at);
        N6VP_FUZZ_CHECK(burst.beats == 1 || burst.beats == 2 || burst.beats == 4 ||
                        burst.beats == 8);
        const Picoseconds first = at + Picoseconds{burst.address >> 28} * 3 * kCycle;
        return {burst.address < kErrors, first, first + (Picoseconds{burst.beats} - 1) * kCycle};
    }

    std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(std::size_t{1} << 16, 1);
    Picoseconds last_ = 0;
};

constexpr std::uint32_t kNoIncrement = 1u << 4;  ///< CTRL.NOINC of an engine

/// Sizes are kept small: a frame of the largest ones takes seconds of the host. Not so frames that
/// repeat one element, which the model itself has to bound.
std::uint32_t bounded(std::uint32_t page, std::uint32_t offset, std::uint32_t value) {
    const bool engine = page >= 5 && page < 15;
    if (engine && offset == 0x0C) return value & 0x001F01FF;                   // FSIZE
    if (engine && offset == 0x10) return value & 0xFFFF003F;                   // DEPTH
    if (page >= 15 && page < 19 && offset == 0x14) return value & 0x001F00FF;  // FFORMAT
    if (page >= 15 && page < 19 && offset == 0x28) return value & 0x0F0F0F0F;  // ZFRAME
    if (page >= 27 && page < 29 && offset == 0x0C) return value & 0x003F01FF;  // FDIMS
    return value;
}

class Session {
  public:
    Session() : npu_({}, bus_) {
        npu_.set_cycle(kCycle);
        npu_.on_lines = [this](std::uint32_t lines, Picoseconds at) {
            N6VP_FUZZ_CHECK(lines != lines_);
            N6VP_FUZZ_CHECK(at <= now_);
            lines_ = lines;
        };
        npu_.on_event = [this](const NpuEvent& event) {
            N6VP_FUZZ_CHECK(!event.text.empty());
            N6VP_FUZZ_CHECK(event.at <= now_);
        };
        npu_.on_engine = [](unsigned engine, const StreamConfig&, const EngineCounters*,
                            Picoseconds) { N6VP_FUZZ_CHECK(engine < 10); };
    }

    void step(std::span<const std::uint8_t, 8> record) {
        --records_left_;
        std::uint32_t value = 0;
        std::memcpy(&value, record.data() + 4, 4);
        const std::uint32_t page = record[1] % 33;
        const std::uint32_t offset = record[2] * 4u + (record[0] >> 6) * 0x400u;
        switch (record[0] % 8) {
            case 3:
                (void)npu_.read(page * 0x1000 + offset, ++now_);
                break;
            case 4:
                run(value % 512 * kCycle);
                break;
            case 5:
                write(kBlobAddress, kBlobAt + (value & 0xFFF8));
                write(kBlobControl, 1);
                break;
            case 6:
                for (unsigned i = 0; i < 4; ++i)
                    bus_.byte(kBlobAt + 4u * record[2], i) = record[4 + i];
                break;
            case 7:
                if (page == 0) npu_.reset();
                write(page * 0x1000, (record[0] & 8) != 0 ? 2 : 0x40000000);
                break;
            default:
                write_freely(page, offset, value);
                break;
        }
        N6VP_FUZZ_CHECK(npu_.lines() == lines_);
    }

    /// Lets everything come to its end, or goes some way towards it.
    void finish() {
        for (int i = 0; i < 50 && npu_.due() != kNever && bus_.accesses <= kAccesses; ++i)
            run(512 * kCycle);
    }
    [[nodiscard]] bool over() const { return bus_.accesses > kAccesses || records_left_ == 0; }

  private:
    void write(std::uint32_t offset, std::uint32_t value) {
        now_ += kCycle / 2;
        npu_.write(offset, value, now_);
    }
    void write_freely(std::uint32_t page, std::uint32_t offset, std::uint32_t value) {
        const std::uint32_t small = bounded(page, offset, value);
        const bool engine = page >= 5 && page < 15;
        const bool repeats = (npu_.window().read(page * 0x1000).word & kNoIncrement) != 0;
        if (engine && repeats && small != value) {
            // Each change of the switch gives words that nobody stores a part of the bound again.
            records_left_ = std::min(records_left_, kRecordsBehind);
            write(page * 0x1000 + offset, value);
        } else {
            write(page * 0x1000 + offset, small);
        }
    }
    void run(Picoseconds time) {
        now_ += time;
        npu_.run_until(now_);
        N6VP_FUZZ_CHECK(npu_.due() > now_);
    }

    Bus bus_;
    Npu npu_;
    Picoseconds now_ = 0;
    std::uint32_t lines_ = 0;
    std::size_t records_left_ = kRecords + 1;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Session session;
    const std::size_t records = std::min(size / 8, kRecords);
    for (std::size_t i = 0; i < records && !session.over(); ++i)
        session.step(std::span<const std::uint8_t, 8>(data + 8 * i, 8));
    session.finish();
    return 0;
}
