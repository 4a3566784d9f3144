// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/core_side.h"

#include <algorithm>
#include <stdexcept>

#include "models/core/isa/row.h"
#include "tests/core/engine/bare_system.h"

namespace n6vp::test::diff {

using models::core::CpuState;
using models::core::Exception;
using models::core::Stop;

/// Ends a vector at its first exception: a fault stops the core by itself, a supervisor call goes
/// to the landing.
class CoreSide::Judge : public tests::BareSystem {
  public:
    [[nodiscard]] unsigned context(const CpuState& /*cpu*/) const override { return 0; }
    [[nodiscard]] bool locked_up() const override { return false; }
    bool take_breakpoint(CpuState& /*cpu*/) override { return false; }
    void call_supervisor(CpuState& cpu) override {
        called_from = cpu.pc;
        called = true;
        cpu.pc = kLanding;
        cpu.itstate = 0;
    }

    bool called = false;
    std::uint32_t called_from = 0;
};

CoreSide::CoreSide() {
    bus_.add(kCodeMemory, kCodeMemoryBytes);
    bus_.add(kSlots, kSlotBytes * kSlotCount);
    bus_.add(kDataMemory, kDataMemoryBytes);
    window_ = reinterpret_cast<std::uint32_t*>(bus_.find(kWindow, kWindowBytes));
    auto judge = std::make_unique<Judge>();
    judge_ = judge.get();
    core_ =
        std::make_unique<models::core::Core>(models::core::CoreConfig{}, bus_, std::move(judge));
    core_->reset();
    core_->add_breakpoint(kLanding);
}

CoreSide::~CoreSide() = default;

void CoreSide::prepare_slots(const std::vector<Entry>& entries, std::size_t first,
                             std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t address =
            kSlots + static_cast<std::uint32_t>((first + i) % kSlotCount) * kSlotBytes;
        make_slot(entries[first + i],
                  reinterpret_cast<std::uint16_t*>(bus_.find(address, kSlotBytes)));
    }
    core_->invalidate(kSlots, kSlots + kSlotCount * kSlotBytes - 1);
}

Answer CoreSide::run(const std::vector<Entry>& entries, JobMode mode) {
    Answer answer;
    // As many at a time as the runner takes: what literal loads find in other slots is the same.
    constexpr std::size_t kBatch = 512;
    for (std::size_t first = 0; first < entries.size(); first += kBatch) {
        const std::size_t count = std::min(kBatch, entries.size() - first);
        prepare_slots(entries, first, count);
        for (std::size_t i = first; i < first + count; ++i) {
            const std::uint32_t slot =
                kSlots + static_cast<std::uint32_t>(i % kSlotCount) * kSlotBytes;
            run_entry(entries[i], slot, mode, answer);
        }
    }
    return answer;
}

void CoreSide::run_entry(const Entry& entry, std::uint32_t slot, JobMode mode, Answer& answer) {
    Random random(entry.seed);
    make_window(random, entry, slot, window_);
    std::uint32_t hash = kHashStart;
    State state;
    for (unsigned vector = 0; vector < entry.vectors; ++vector) {
        make_state(random, entry, slot, state);
        std::uint32_t frame[8];
        make_frame(entry, state, frame);
        std::memcpy(bus_.find(state.sp - 32, sizeof frame), frame, sizeof frame);
        Record record = run_vector(entry, state, slot);
        if (mode == JobMode::Hash) {
            hash = hash_record(hash, entry, record);
            continue;
        }
        if (uses_window(entry)) record.window_hash = hash_window(window_);
        answer.records.push_back(record);
    }
    if (mode != JobMode::Hash) return;
    answer.hashes.push_back(uses_window(entry) ? mix(hash, hash_window(window_)) : hash);
}

void CoreSide::load(const Entry& entry, const State& state) {
    CpuState& cpu = core_->state();
    std::copy_n(state.r, 13, cpu.r.begin());
    cpu.r[13] = state.sp;
    cpu.r[14] = state.lr;
    set_apsr_nzcvq(cpu, state.apsr);
    cpu.ge = state.apsr >> 16 & 15;
    cpu.fpscr = state.fpscr & ~models::core::fpscr::kLtpsize;
    cpu.ltpsize = state.fpscr >> 16 & 7;
    cpu.vpr = state.vpr;
    cpu.eci = state.by_return != 0 ? entry.epsr : 0;
    cpu.sp_limit = state.sp_limit;
    std::memcpy(cpu.vector.data(), state.vector, sizeof state.vector);
    cpu.exclusive = false;
    cpu.itstate = 0;
    cpu.thumb = true;
    cpu.fault = {};
    cpu.primask = cpu.faultmask = cpu.basepri = {};
    core_->set_pc(state.entry & ~1u);
}

void CoreSide::save(Record& record) const {
    const CpuState& cpu = core_->state();
    std::copy_n(cpu.r.begin(), 13, record.r);
    record.sp = cpu.r[13];
    record.lr = cpu.r[14];
    record.apsr = apsr(cpu);
    record.fpscr = whole_fpscr(cpu);
    record.vpr = cpu.vpr;
    std::memcpy(record.vector, cpu.vector.data(), sizeof record.vector);
}

Record CoreSide::run_vector(const Entry& entry, const State& state, std::uint32_t slot) {
    load(entry, state);
    judge_->called = false;
    // Far more than the longest loop of a generated vector takes.
    constexpr std::uint64_t kCycles = 100000;
    const Stop stop = core_->run(kCycles);
    Record record;
    save(record);
    CpuState& cpu = core_->state();
    if (stop == Stop::Breakpoint && core_->pc() == kLanding && !judge_->called) return record;
    // Until the memory family decodes the jump to the landing.
    if (stop == Stop::Lockup && core_->pc() == slot + 2 * (kCodeStart + entry.halfwords) &&
        models::core::isa::find_row_32(0xF8DFF000) == nullptr)
        return record;
    std::uint32_t pc = core_->pc();
    if (judge_->called) {
        record.exception = static_cast<std::uint32_t>(Exception::SvCall);
        pc = judge_->called_from;
    } else if (stop == Stop::Lockup) {
        record.exception = static_cast<std::uint32_t>(cpu.fault.exception);
        (cpu.fault.exception == Exception::SecureFault ? record.sfsr : record.cfsr) =
            cpu.fault.status;
        if (cpu.fault.address_valid) record.address = cpu.fault.address;
    } else {
        record.exception = stop == Stop::Budget ? 15 : 256u + static_cast<unsigned>(stop);
    }
    record.pc = pc - slot;
    const std::uint32_t it = cpu.itstate, eci = cpu.eci;
    const std::uint32_t bits = eci != 0 ? eci << 4 : it;
    record.epsr = (bits & 3) << 25 | (bits >> 2) << 10 | (cpu.thumb ? 1u << 24 : 0u);
    // The frame that an exception would have left.
    const std::uint32_t to = (cpu.r[13] & ~7u) - 32u;
    std::uint32_t frame[8] = {cpu.r[0],  cpu.r[1],  cpu.r[2], cpu.r[3],
                              cpu.r[12], cpu.r[14], pc,       apsr(cpu) | record.epsr};
    frame[7] |= (cpu.r[13] & 4) << 7;
    if (std::uint8_t* memory = bus_.find(to, sizeof frame))
        std::memcpy(memory, frame, sizeof frame);
    return record;
}

}  // namespace n6vp::test::diff
