// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/core_side.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/core/ir/system.h"

namespace n6vp::test::diff {

using models::core::CpuState;
using models::core::kPspS;
using models::core::kSecure;
using models::core::Stop;

namespace {

constexpr std::uint32_t kShcsr = 0xE000ED24, kCfsr = 0xE000ED28, kHfsr = 0xE000ED2C,
                        kMmfar = 0xE000ED34, kBfar = 0xE000ED38, kCpacr = 0xE000ED88,
                        kSfsr = 0xE000EDE4, kSfar = 0xE000EDE8, kFpccr = 0xE000EF34;
/// Where the runner has its own.
std::uint32_t main_stack() {
    return places.data + 0x3E000;
}
constexpr std::uint16_t kReturn = 0x4770;  // bx lr

}  // namespace

CoreSide::CoreSide(const models::core::CoreProfile& profile) {
    bus_.add(places.code, kCodeMemoryBytes);
    bus_.add(places.slots, kSlotMemoryBytes);
    bus_.add(places.data, kDataMemoryBytes);
    window_ = reinterpret_cast<std::uint32_t*>(bus_.find(places.window(), kWindowBytes));
    auto* const vectors =
        reinterpret_cast<std::uint32_t*>(bus_.find(places.code, std::size_t{64} * 4));
    vectors[0] = main_stack();
    std::fill_n(vectors + 1, 63, places.fault_entry() | 1);
    std::memcpy(bus_.find(places.fault_entry(), 2), &kReturn, 2);
    models::core::CoreConfig config;
    config.system.vector_table = places.code;
    config.system.priority_bits = 8;  // as on QEMU's boards
    config.system.core = profile;
    v8_ = profile.v8();
    has_vectors_ = profile.has(models::core::isa::Feature::Vector);
    core_ = std::make_unique<models::core::Core>(config, bus_);
    core_->reset();
    start();
    core_->add_breakpoint(places.landing());
    core_->add_breakpoint(places.fault_entry());
}

/// Resets and does what the runner on QEMU does before its first vector.
void CoreSide::start() {
    core_->reset();
    program(kCpacr, inspect(kCpacr) | 0xF << 20);
    program(kFpccr, inspect(kFpccr) & ~(3u << 30));
    program(kShcsr, inspect(kShcsr) | 0xF << 16);
}

void CoreSide::program(std::uint32_t address, std::uint32_t value) {
    (void)core_->system().write_ppb(core_->state(), address, 4, core_->cycles(), value);
}

std::uint32_t CoreSide::inspect(std::uint32_t address) {
    std::uint32_t value = 0;
    (void)core_->system().read_ppb(core_->state(), address, 4, core_->cycles(), value);
    return value;
}

CoreSide::~CoreSide() = default;

void CoreSide::prepare_slots(const std::vector<Entry>& entries, std::size_t first,
                             std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t address =
            places.slots + static_cast<std::uint32_t>((first + i) % kSlotCount) * kSlotBytes;
        make_slot(entries[first + i],
                  reinterpret_cast<std::uint16_t*>(bus_.find(address, kSlotBytes)));
    }
    core_->invalidate(places.slots, places.slots + kSlotCount * kSlotBytes - 1);
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
                places.slots + static_cast<std::uint32_t>(i % kSlotCount) * kSlotBytes;
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
        refill_window(entry, slot, window_);
        const bool wild = (entry.flags & kWild) != 0;
        for (unsigned end = 0; wild && end < kRamEndCount; ++end)
            fill_edge(entry, slot, end, edge_words(end));
        make_state(random, entry, slot, state);
        std::uint32_t frame[8];
        make_frame(entry, state, frame);
        std::memcpy(bus_.find(state.sp - 32, sizeof frame), frame, sizeof frame);
        Record record = run_vector(entry, state, slot);
        if (wild) {
            record.window_hash = kHashStart;
            for (unsigned end = 0; end < kRamEndCount; ++end)
                record.window_hash = hash_edge(record.window_hash, edge_words(end));
        }
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

std::uint32_t* CoreSide::edge_words(unsigned end) {
    return reinterpret_cast<std::uint32_t*>(bus_.find(kRamEnds[end] - kEdgeBytes, kEdgeBytes));
}

void CoreSide::load(const Entry& entry, const State& state) {
    CpuState& cpu = core_->state();
    std::copy_n(state.r, 13, cpu.r.begin());
    cpu.r[13] = state.sp;
    cpu.r[14] = state.lr;
    set_apsr_nzcvq(cpu, state.apsr);
    cpu.ge = state.apsr >> 16 & 15;
    set_whole_fpscr(cpu, state.fpscr);
    cpu.vpr = has_vectors_ ? state.vpr : 0;
    cpu.eci = state.by_return != 0 ? entry.epsr : 0;
    const std::uint32_t limit = v8_ ? state.sp_limit : 0;
    cpu.sp_limit = limit;
    std::memcpy(cpu.vector.data(), state.vector, sizeof state.vector);
    cpu.exclusive = false;
    cpu.itstate = 0;
    cpu.thumb = true;
    cpu.privileged = true;
    cpu.primask = cpu.faultmask = cpu.basepri = {};
    cpu.control = {};
    cpu.fpca = cpu.sfpa = false;
    cpu.control[kSecure] = 2;  // SPSEL: the vector's stack is the process stack
    cpu.stack_pointers[models::core::kMspS] = main_stack();
    cpu.stack_limits = {};
    cpu.stack_limits[kPspS] = limit;
    core_->set_pc(state.entry & ~1u);
}

void CoreSide::save(Record& record) const {
    const CpuState& cpu = core_->state();
    std::copy_n(cpu.r.begin(), 13, record.r);
    record.sp = cpu.r[13];
    record.lr = cpu.r[14];
    record.apsr = apsr(cpu);
    record.fpscr = whole_fpscr(cpu);
    record.vpr = cpu.vpr & 0xFFFFFF;
    std::memcpy(record.vector, cpu.vector.data(), sizeof record.vector);
}

/// Completes the record of a vector that stands at the handler, as the runner's handler does.
void CoreSide::save_fault(Record& record, std::uint32_t slot) {
    const CpuState& cpu = core_->state();
    record.exception = cpu.ipsr;
    record.cfsr = inspect(kCfsr);
    record.hfsr = inspect(kHfsr);
    record.sfsr = inspect(kSfsr);
    if ((record.cfsr & models::core::cfsr::kMmarValid) != 0) record.address = inspect(kMmfar);
    if ((record.cfsr & models::core::cfsr::kBfarValid) != 0) record.address = inspect(kBfar);
    if ((record.sfsr & models::core::sfsr::kSfarValid) != 0) record.address = inspect(kSfar);
    program(kCfsr, record.cfsr);
    program(kHfsr, record.hfsr);
    program(kSfsr, record.sfsr);
    for (const unsigned number : {0u, 1u, 2u, 3u, 12u}) record.r[number] = 0;
    record.sp = record.lr = record.apsr = 0;
    constexpr std::uint32_t kStackErrors =
        models::core::cfsr::kMStkErr | models::core::cfsr::kStkErr;
    const std::uint32_t address = cpu.stack_pointers[kPspS];
    if ((record.cfsr & kStackErrors) != 0 || address - places.window() >= kWindowBytes - 32) return;
    std::uint32_t frame[8];
    std::memcpy(frame, bus_.find(address, sizeof frame), sizeof frame);
    std::copy_n(frame, 4, record.r);
    record.r[12] = frame[4];
    record.lr = frame[5];
    record.pc = frame[6] - slot;
    record.apsr = frame[7] & 0xF80F0000;
    record.epsr = frame[7] & 0x0700FC00;
    record.sp = address + 32 + (frame[7] >> 9 & 1) * 4;
}

/// Returns from the handler to the landing, so that no exception stays active.
void CoreSide::leave_handler() {
    constexpr std::uint32_t kBasicFrameOnProcessStack = 0xFFFFFFFD;
    auto* const frame = reinterpret_cast<std::uint32_t*>(bus_.find(places.resume_frame(), 32));
    frame[6] = places.landing();
    frame[7] = 1u << 24;
    CpuState& cpu = core_->state();
    cpu.primask = cpu.faultmask = cpu.basepri = {};
    cpu.stack_limits[kPspS] = 0;
    cpu.stack_pointers[kPspS] = places.resume_frame();
    cpu.r[14] = kBasicFrameOnProcessStack;
    const Stop stop = core_->run(1000);
    if (stop != Stop::Breakpoint || core_->pc() != places.landing()) {
        throw std::runtime_error("the core does not return from its handler: stop " +
                                 std::to_string(static_cast<unsigned>(stop)) + " at " +
                                 std::to_string(core_->pc()));
    }
}

Record CoreSide::run_vector(const Entry& entry, const State& state, std::uint32_t slot) {
    load(entry, state);
    // Far more than the longest loop of a generated vector takes.
    constexpr std::uint64_t kCycles = 100000;
    const Stop stop = core_->run(kCycles);
    Record record;
    save(record);
    if (stop == Stop::Breakpoint && core_->pc() == places.landing()) return record;
    if (stop == Stop::Breakpoint && core_->pc() == places.fault_entry()) {
        save_fault(record, slot);
        leave_handler();
        return record;
    }
    record.exception = stop == Stop::Budget ? 15 : 256u + static_cast<unsigned>(stop);
    record.pc = core_->pc() - slot;
    start();
    return record;
}

}  // namespace n6vp::test::diff
