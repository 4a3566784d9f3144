// SPDX-License-Identifier: Apache-2.0
// Bare-metal runner: reads a job by semihosting, executes its vectors, writes hashes or records.
// Compiled for a core without low-overhead loops: vectors leave LTPSIZE behind.
#include <cstdint>
#include <new>

#include "tests/core/diff/vector_format.h"
#include "tests/core/diff/vector_state.h"

using namespace n6vp::test::diff;

extern "C" {
extern std::uint32_t stack_top;
void reset();
void fault_entry();
void vector_resume();
void run_vector(const State* state, Record* record);
std::uint32_t finish_fault(Record* record, std::uint32_t frame_address);
void* memset(void* to, int value, std::size_t bytes);
void* memcpy(void* to, const void* from, std::size_t bytes);
}

namespace {

using Handler = void (*)();

struct VectorTable {
    std::uint32_t* stack;
    Handler reset;
    Handler others[62];
};

constexpr Handler kF = fault_entry;

[[gnu::section(".vectors"), gnu::used]] const VectorTable vectors = {
    &stack_top, reset, {kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF, kF}};

volatile std::uint32_t& reg(std::uint32_t address) {
    return *reinterpret_cast<volatile std::uint32_t*>(address);
}

constexpr std::uint32_t kSystickControl = 0xE000E010, kSystickReload = 0xE000E014,
                        kSystickValue = 0xE000E018, kVtor = 0xE000ED08, kShcsr = 0xE000ED24,
                        kCfsr = 0xE000ED28, kHfsr = 0xE000ED2C, kMmfar = 0xE000ED34,
                        kBfar = 0xE000ED38, kCpacr = 0xE000ED88, kSfsr = 0xE000EDE4,
                        kSfar = 0xE000EDE8, kFpccr = 0xE000EF34, kIcsr = 0xE000ED04;

std::uint32_t call_host(std::uint32_t operation, const void* block) {
    register std::uint32_t r0 __asm("r0") = operation;
    register const void* r1 __asm("r1") = block;
    __asm volatile("bkpt #0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

[[noreturn]] void finish(std::uint32_t code) {
    const std::uint32_t block[2] = {0x20026, code};
    for (;;) call_host(0x20, block);
}

std::uint32_t open_file(const char* path, std::uint32_t mode) {
    std::uint32_t length = 0;
    while (path[length] != 0) ++length;
    const std::uint32_t block[3] = {reinterpret_cast<std::uint32_t>(path), mode, length};
    const std::uint32_t file = call_host(1, block);
    if (file == 0xFFFFFFFF) finish(3);
    return file;
}

bool read_all(std::uint32_t file, void* to, std::uint32_t bytes) {
    const std::uint32_t block[3] = {file, reinterpret_cast<std::uint32_t>(to), bytes};
    return call_host(6, block) == 0;
}

class Output {
  public:
    explicit Output(std::uint32_t file) : file_(file) {}
    void write(const void* from, std::uint32_t bytes) {
        if (used_ + bytes > sizeof buffer_) flush();
        memcpy(buffer_ + used_, from, bytes);
        used_ += bytes;
    }
    void flush() {
        const std::uint32_t block[3] = {file_, reinterpret_cast<std::uint32_t>(buffer_), used_};
        if (used_ != 0 && call_host(5, block) != 0) finish(4);
        used_ = 0;
    }

  private:
    std::uint32_t file_;
    std::uint32_t used_ = 0;
    std::uint8_t buffer_[16384];
};

alignas(Output) std::uint8_t output_space[sizeof(Output)];

constexpr std::uint32_t kBatch = 512;
Entry entries[kBatch];
State state;
Record record;

/// (Re)starts the clock that ends a vector which does not end by itself, half a second of QEMU's
/// time from now: more instructions than the vectors of an entry take.
void watch() {
    reg(kSystickControl) = 0;
    reg(kIcsr) = 1u << 25;
    reg(kSystickReload) = 0xFFFFFF;
    reg(kSystickValue) = 0;
    reg(kSystickControl) = 7;
}

std::uint32_t* edge_words(unsigned end) {
    return reinterpret_cast<std::uint32_t*>(kRamEnds[end] - kEdgeBytes);
}

void run_one(Random& random, const Entry& entry, std::uint32_t slot) {
    refill_window(entry, slot, reinterpret_cast<std::uint32_t*>(places.window()));
    const bool wild = (entry.flags & kWild) != 0;
    for (unsigned end = 0; wild && end < kRamEndCount; ++end)
        fill_edge(entry, slot, end, edge_words(end));
    make_state(random, entry, slot, state);
    std::uint32_t frame[8];
    make_frame(entry, state, frame);
    memcpy(reinterpret_cast<void*>(state.sp - sizeof frame), frame, sizeof frame);
    memset(&record, 0, sizeof record);
    run_vector(&state, &record);
    record.vpr &= 0xFFFFFF;  // QEMU keeps what is written to the reserved bits above
    if (wild) {
        record.window_hash = kHashStart;
        for (unsigned end = 0; end < kRamEndCount; ++end)
            record.window_hash = hash_edge(record.window_hash, edge_words(end));
    }
    if (record.exception == 15) watch();
}

void run_entry(const Entry& entry, std::uint32_t slot, JobMode mode, Output& output) {
    watch();
    Random random(entry.seed);
    auto* const window = reinterpret_cast<std::uint32_t*>(places.window());
    make_window(random, entry, slot, window);
    std::uint32_t hash = kHashStart;
    for (unsigned vector = 0; vector < entry.vectors; ++vector) {
        run_one(random, entry, slot);
        if (mode == JobMode::Hash) {
            hash = hash_record(hash, entry, record);
            continue;
        }
        if (uses_window(entry)) record.window_hash = hash_window(window);
        output.write(&record, sizeof record);
        if (mode == JobMode::Windows) output.write(window, kWindowBytes);
    }
    if (mode != JobMode::Hash) return;
    if (uses_window(entry)) hash = mix(hash, hash_window(window));
    output.write(&hash, sizeof hash);
}

void run_job(std::uint32_t file, Output& output) {
    JobHeader header;
    if (!read_all(file, &header, sizeof header) || header.magic != JobHeader::kMagic) finish(5);
    std::uint32_t slot = 0;
    for (std::uint32_t done = 0; done < header.entries;) {
        std::uint32_t count = header.entries - done;
        if (count > kBatch) count = kBatch;
        if (!read_all(file, entries, count * sizeof(Entry))) finish(6);
        // Slots go round; writing them a batch at a time spares translations.
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t number = (slot + i) % kSlotCount;
            make_slot(entries[i],
                      reinterpret_cast<std::uint16_t*>(places.slots + number * kSlotBytes));
        }
        __asm volatile("dsb\n\tisb" ::: "memory");
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t number = (slot + i) % kSlotCount;
            run_entry(entries[i], places.slots + number * kSlotBytes, header.mode, output);
        }
        slot = (slot + count) % kSlotCount;
        done += count;
    }
    output.flush();
}

/// Splits "runner job output" at its blanks.
void arguments(char* line, char*& job, char*& output) {
    char* words[3] = {line, line, line};
    unsigned count = 1;
    for (char* p = line; *p != 0; ++p) {
        if (*p != ' ') continue;
        *p = 0;
        if (count < 3) words[count++] = p + 1;
    }
    if (count != 3) finish(2);
    job = words[1];
    output = words[2];
}

}  // namespace

void* memset(void* to, int value, std::size_t bytes) {
    auto* at = static_cast<volatile std::uint8_t*>(to);
    for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<std::uint8_t>(value);
    return to;
}

void* memcpy(void* to, const void* from, std::size_t bytes) {
    if (bytes % 4 == 0) {
        auto* words = static_cast<volatile std::uint32_t*>(to);
        for (std::size_t i = 0; i < bytes / 4; ++i)
            words[i] = static_cast<const std::uint32_t*>(from)[i];
        return to;
    }
    auto* at = static_cast<volatile std::uint8_t*>(to);
    for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<const std::uint8_t*>(from)[i];
    return to;
}

/// Completes the record of a fault from its frame and the fault registers, which it clears. Returns
/// the stack pointer by which the exception returns to `vector_resume`.
std::uint32_t finish_fault(Record* to, std::uint32_t frame_address) {
    to->cfsr = reg(kCfsr);
    to->hfsr = reg(kHfsr);
    to->sfsr = reg(kSfsr);
    if ((to->cfsr & 1u << 7) != 0) to->address = reg(kMmfar);
    if ((to->cfsr & 1u << 15) != 0) to->address = reg(kBfar);
    if ((to->sfsr & 1u << 6) != 0) to->address = reg(kSfar);
    reg(kCfsr) = to->cfsr;
    reg(kHfsr) = to->hfsr;
    reg(kSfsr) = to->sfsr;
    // A frame that was not written tells nothing.
    constexpr std::uint32_t kStackErrors = 1u << 4 | 1u << 12;
    if ((to->cfsr & kStackErrors) == 0 && frame_address - places.window() < kWindowBytes - 32) {
        const auto* frame = reinterpret_cast<const std::uint32_t*>(frame_address);
        for (unsigned i = 0; i < 4; ++i) to->r[i] = frame[i];
        to->r[12] = frame[4];
        to->lr = frame[5];
        const std::uint32_t xpsr = frame[7];
        to->pc = frame[6] - (state.entry & ~(kSlotBytes - 1));
        to->apsr = xpsr & 0xF80F0000;
        to->epsr = xpsr & 0x0700FC00;
        to->sp = frame_address + 32 + (xpsr >> 9 & 1) * 4;
    }
    auto* const resume = reinterpret_cast<std::uint32_t*>(places.resume_frame());
    resume[6] = reinterpret_cast<std::uint32_t>(&vector_resume) & ~1u;
    resume[7] = 1u << 24;
    return places.resume_frame();
}

void reset() {
    reg(kCpacr) = reg(kCpacr) | 0xF << 20;
    reg(kFpccr) = reg(kFpccr) & ~(3u << 30);  // ASPEN, LSPEN: exceptions leave the FPU alone
    reg(kShcsr) = reg(kShcsr) | 1u << 16 | 1u << 17 | 1u << 18 | 1u << 19;
    __asm volatile("dsb\n\tisb" ::: "memory");
    static char line[512];
    const std::uint32_t block[2] = {reinterpret_cast<std::uint32_t>(line), sizeof line};
    if (call_host(0x15, block) != 0) finish(2);
    char* job = nullptr;
    char* result = nullptr;
    arguments(line, job, result);
    Output& output = *new (output_space) Output(open_file(result, 5));
    run_job(open_file(job, 1), output);
    finish(0);
}
