// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/runtime/fake_machine.h"

#include <sys/mman.h>

#include <stdexcept>

#include "memmap/npu/units.h"

namespace n6vp::test {

namespace {

FakeMachine* the_machine = nullptr;

constexpr std::uint32_t kSecure = 0x580E0000, kNonSecure = 0x480E0000;
constexpr std::uint32_t kEngines = 10;
/// Functions are odd numbers that no memory has.
constexpr std::uint32_t kFirstFunction = 0xF0000001;

// Offsets in the window, from npu-architecture.md.
constexpr std::uint32_t kIntReg = 0x1008, kIntSet = 0x100C, kIntClear = 0x1010, kOrMask = 0x1014,
                        kAndMask = 0x1024;
constexpr std::uint32_t kSwitch = 0x4008, kStreng = 0x5000, kController = 0x1E000;
constexpr std::uint32_t kControl = 0x00, kIrq = 0x3C, kControllerIrq = 0x0C, kControllerAddress = 8;

std::uint32_t offset_of(const char* unit, std::uint32_t index, const char* name) {
    for (const memmap::npu::UnitType* type : memmap::npu::kUnitTypes) {
        if (std::string(type->name) != unit) continue;
        for (std::size_t i = 0; i < type->register_count; ++i) {
            if (std::string(type->registers[i].name) == name)
                return (type->first_page + index) * 0x1000u + type->registers[i].offset;
        }
    }
    throw std::logic_error(std::string("no register ") + unit + "." + name);
}

}  // namespace

FakeMachine::FakeMachine() {
    // The first two gigabytes, as the word that holds an address must.
    arena_ = static_cast<std::uint8_t*>(mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
    if (arena_ == MAP_FAILED) throw std::runtime_error("no memory below 2 GiB");
    for (const memmap::npu::UnitType* type : memmap::npu::kUnitTypes) {
        for (std::uint32_t unit = 0; unit < type->count; ++unit) {
            for (std::size_t i = 0; i < type->register_count; ++i) {
                const memmap::npu::Register& one = type->registers[i];
                for (std::uint32_t k = 0; k < one.count; ++k)
                    registers_[(type->first_page + unit) * 0x1000u + one.offset + k * one.stride] =
                        one.reset;
            }
        }
    }
    the_machine = this;
}

FakeMachine::~FakeMachine() {
    munmap(arena_, kArenaBytes);
    the_machine = nullptr;
}

FakeMachine& FakeMachine::it() {
    return *the_machine;
}

std::uint32_t FakeMachine::allocate(std::uint32_t bytes, std::uint32_t alignment) {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    const std::uint32_t at = runtime::address_of(arena_) + used_;
    used_ += bytes;
    if (used_ > kArenaBytes) throw std::logic_error("the arena is too small");
    return at;
}

std::uint32_t FakeMachine::function(Function body) {
    functions_.push_back(std::move(body));
    return kFirstFunction + 2 * static_cast<std::uint32_t>(functions_.size() - 1);
}

std::uint32_t FakeMachine::call(std::uint32_t function, std::uint32_t a, std::uint32_t b,
                                std::uint32_t c) {
    return functions_.at((function - kFirstFunction) / 2)(a, b, c);
}

std::optional<Stop> FakeMachine::run(const std::function<void()>& body) {
    can_stop_ = true;
    // The runtime has no destructors to skip.
    const bool stopped = setjmp(back_) != 0;
    if (!stopped) body();
    can_stop_ = false;
    return stopped ? std::optional<Stop>(stop_) : std::nullopt;
}

void FakeMachine::stop(const Stop& stop) {
    if (!can_stop_)
        throw std::runtime_error(std::string("stopped: ") + runtime::name_of(stop.failure));
    stop_ = stop;
    std::longjmp(back_, 1);
}

std::uint32_t FakeMachine::window_offset(std::uint32_t address) const {
    const std::uint32_t window = profile.secure ? kSecure : kNonSecure;
    const std::uint32_t offset = address - window;
    if (registers_.count(offset) == 0) throw std::logic_error("no register at this address");
    return offset;
}

std::uint32_t FakeMachine::read(std::uint32_t address) {
    const std::uint32_t offset = window_offset(address);
    std::uint32_t& value = registers_[offset];
    std::uint32_t& left = busy_[offset];
    const std::uint32_t seen = value;
    constexpr std::uint32_t kClearing = (1u << 1) | (1u << 30);
    const bool is_control = (offset & 0xFFF) == 0;
    if (is_control && (value & kClearing) != 0 && !clear_never_ends) {
        if (left != 0) {
            --left;
        } else {
            value &= ~kClearing;
        }
    }
    const std::uint32_t engine = (offset - kStreng) / 0x1000;
    const bool running = is_control && offset >= kStreng && engine < kEngines && (seen >> 31) != 0;
    if (running && !profile.async) move_data();
    return seen;
}

void FakeMachine::write(std::uint32_t address, std::uint32_t value) {
    const std::uint32_t offset = window_offset(address);
    written.emplace_back(offset, value);
    const std::uint32_t unit = offset & ~0xFFFu, place = offset & 0xFFF;
    const bool is_engine = unit >= kStreng && (unit - kStreng) / 0x1000 < kEngines;
    if (offset == kIntReg) return;
    if (offset == kIntSet) {
        registers_[kIntReg] |= value;
        return;
    }
    if (offset == kIntClear) {
        registers_[kIntReg] &= ~value;
        return;
    }
    const bool clears =
        (is_engine && place == kIrq) || (unit == kController && place == kControllerIrq);
    if (clears) {
        registers_[offset] &= ~value;
        return;
    }
    registers_[offset] = value;
    if (place != kControl) return;
    busy_[offset] = busy_reads;
    if ((value & 1) == 0) return;
    if (is_engine) enabled_engine((unit - kStreng) / 0x1000);
    if (unit == kController) {
        registers_[offset] |= 1u << 31;
        last_blob = registers_[kController + kControllerAddress];
    }
}

void FakeMachine::enabled_engine(std::uint32_t engine) {
    registers_[kStreng + engine * 0x1000] |= 1u << 31;
}

void FakeMachine::end_engine(std::uint32_t engine) {
    registers_[kStreng + engine * 0x1000] &= ~(1u << 31);
    registers_[kStreng + engine * 0x1000 + kIrq] |= 1u << 3;
    // EVENT.EN_OFLOW_FRM lets the flag reach the interrupt controller.
    if ((reg("STRENG", engine, "EVENT") >> 19 & 1) != 0) registers_[kIntReg] |= 1u << engine;
}

std::vector<std::uint32_t> visited(const FakeMachine& machine, std::uint32_t engine,
                                   std::uint32_t& element_bytes) {
    const auto get = [&machine, engine](const char* name) {
        return machine.reg("STRENG", engine, name);
    };
    const std::uint32_t control = get("CTRL");
    element_bytes = ((control >> 16 & 0xF) + (control >> 20 & 0xF) + (control >> 24 & 0xF)) / 8;
    const bool raw = (control >> 8 & 1) != 0, single = (control >> 2 & 1) != 0;
    if (single != (get("LIMIT") == 1)) throw std::logic_error("SINGLE does not fit LIMIT");
    if ((get("LIMITEN") & 4) == 0) throw std::logic_error("FRAMELIMIT is off");
    const std::uint32_t line = (get("CID_CACHE") >> 16) << 16 | (get("STRD") & 0xFFFF);
    const std::uint32_t pixel = (get("LIMITEN") >> 16) << 16 | get("DEPTH") >> 16;
    const std::uint32_t width = get("FSIZE") & 0xFFFF, height = get("FSIZE") >> 16;
    const std::uint32_t depth = get("DEPTH") & 0xFFFF;
    const std::uint32_t repeat = get("FRAME_RPT");
    std::vector<std::uint32_t> addresses;
    for (std::uint32_t n = 0; n < get("LIMIT"); ++n) {
        std::uint32_t start = get("ADDR") + n * get("FOFFSET");
        if (repeat != 0)
            start = get("ADDR") + n % repeat * get("FOFFSET") + n / repeat * get("FRPTOFF");
        if (raw) {
            for (std::uint32_t e = 0; e < get("FSIZE"); ++e)
                addresses.push_back(start + e * element_bytes);
            continue;
        }
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                for (std::uint32_t s = 0; s < depth; ++s)
                    addresses.push_back(start + y * line + x * pixel + s * element_bytes);
            }
        }
    }
    return addresses;
}

/// Moves what the first enabled pair on a link has to move. Returns false without one.
bool FakeMachine::move_data() {
    for (std::uint32_t to = 0; to < kEngines; ++to) {
        const std::uint32_t entry = registers_[kSwitch + 4 * to];
        const std::uint32_t from = entry >> 1 & 0x3F;
        if ((entry & 1) == 0 || from >= kEngines) continue;
        const std::uint32_t writer = reg("STRENG", to, "CTRL"),
                            reader = reg("STRENG", from, "CTRL");
        if ((writer >> 31) == 0 || (reader >> 31) == 0) continue;
        if ((writer >> 3 & 1) != 1 || (reader >> 3 & 1) != 0)
            throw std::logic_error("an engine has the wrong direction");
        const std::uint32_t gates = reg("CLKCTRL", 0, "BGATES");
        if ((gates >> to & 1) == 0 || (gates >> from & 1) == 0)
            throw std::logic_error("an engine has no clock");
        std::uint32_t in_bytes = 0, out_bytes = 0;
        const std::vector<std::uint32_t> reads = visited(*this, from, in_bytes);
        const std::vector<std::uint32_t> writes = visited(*this, to, out_bytes);
        if (reads.size() != writes.size() || in_bytes != out_bytes)
            throw std::logic_error("the engines of a link disagree");
        for (std::size_t i = 0; i < reads.size(); ++i)
            std::memmove(runtime::bytes_at(writes[i]), runtime::bytes_at(reads[i]), in_bytes);
        end_engine(from);
        end_engine(to);
        ++transfers;
        return true;
    }
    return false;
}

bool FakeMachine::line_up() const {
    const std::uint32_t pending = registers_.at(kIntReg);
    const std::uint32_t all_of = ~registers_.at(kAndMask);
    return (pending & ~registers_.at(kOrMask)) != 0 ||
           (all_of != 0 && (pending & all_of) == all_of);
}

bool FakeMachine::sleep() {
    while (move_data()) {
    }
    if ((registers_[kController] >> 31) != 0) {
        registers_[kController] &= ~(1u << 31);
        registers_[kController + kControllerIrq] |= 1;
        registers_[kIntReg] |= 1u << 28;
        ++blobs;
    }
    if (!line_enabled || !line_up()) return false;
    runtime::interrupt();
    return true;
}

std::uint32_t FakeMachine::infer(std::uint32_t instance) {
    std::uint32_t sleeps = 0;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const runtime::Progress progress = runtime::run_epoch_block(instance);
        if (progress == runtime::Progress::Done) return sleeps;
        if (progress != runtime::Progress::Wfe) continue;
        ++sleeps;
        if (!sleep()) throw std::logic_error("nothing wakes the core");
    }
    throw std::logic_error("the inference does not end");
}

std::uint32_t FakeMachine::reg(const char* unit, std::uint32_t index, const char* name) const {
    return registers_.at(offset_of(unit, index, name));
}

void FakeMachine::set_reg(const char* unit, std::uint32_t index, const char* name,
                          std::uint32_t value) {
    registers_.at(offset_of(unit, index, name)) = value;
}

}  // namespace n6vp::test

namespace n6vp::runtime::machine {

using test::FakeMachine;

const loader::RuntimeProfile& profile() {
    return FakeMachine::it().profile;
}
std::uint32_t read_register(std::uint32_t address) {
    return FakeMachine::it().read(address);
}
void write_register(std::uint32_t address, std::uint32_t value) {
    FakeMachine::it().write(address, value);
}
void barrier() {}
void enable_line() {
    FakeMachine::it().line_enabled = true;
}
void disable_line() {
    FakeMachine::it().line_enabled = false;
}
void disable_lines() {
    FakeMachine::it().line_enabled = false;
}
void maintain(loader::CacheOp op, std::uint32_t start, std::uint32_t bytes) {
    FakeMachine::it().maintained.push_back({op, start, bytes});
}
void open_system() {
    FakeMachine::it().system.emplace_back("open");
}
void close_system() {
    FakeMachine::it().system.emplace_back("close");
}
void signal_event() {
    FakeMachine::it().system.emplace_back("signal");
}
void lock_npu() {
    FakeMachine::it().system.emplace_back("lock");
}
void unlock_npu() {
    FakeMachine::it().system.emplace_back("unlock");
}
std::uint32_t call(std::uint32_t function, std::uint32_t argument0, std::uint32_t argument1,
                   std::uint32_t argument2, std::uint32_t static_base) {
    FakeMachine::it().last_static_base = static_base;
    return FakeMachine::it().call(function, argument0, argument1, argument2);
}
bool network_init(std::uint32_t) {
    ++FakeMachine::it().network_inits;
    return FakeMachine::it().network_init_result;
}
bool inference_init(std::uint32_t) {
    ++FakeMachine::it().inference_inits;
    return FakeMachine::it().inference_init_result;
}
std::uint32_t epoch_items(std::uint32_t) {
    return FakeMachine::it().items;
}
void library_error(LibraryError error, int, const char*) {
    FakeMachine::it().errors.push_back(error);
}
void stop(Failure failure, std::uint32_t first, std::uint32_t second) {
    FakeMachine::it().stop({failure, first, second});
}

}  // namespace n6vp::runtime::machine
