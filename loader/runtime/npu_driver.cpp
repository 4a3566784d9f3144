// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/npu_driver.h"

#include "loader/runtime/machine.h"
#include "memmap/npu/units.h"

namespace n6vp::runtime::npu {

namespace {

namespace mm = memmap::npu;

constexpr std::uint32_t kSecureWindow = 0x580E0000, kNonSecureWindow = 0x480E0000;
/// Reads of a status until it counts as stuck; clearing takes some cycles.
constexpr std::uint32_t kMaxReads = 100'000;
constexpr std::uint32_t kAllBits = 0xFFFFFFFFu;
/// Engine completions do not raise the OR path; everything else does.
constexpr std::uint32_t kOrMask = kAllEngines;

constexpr std::uint32_t kEnable = mm::kEnable.mask(), kClear = mm::kClear.mask(),
                        kConfigurationClear = mm::kConfigurationClear.mask();

std::uint32_t address_of_register(const mm::UnitType& type, std::uint32_t index,
                                  const mm::Register& which) {
    const std::uint32_t window = machine::profile().secure ? kSecureWindow : kNonSecureWindow;
    return window + (type.first_page + index) * mm::kPageBytes + which.offset;
}

std::uint32_t read(const mm::UnitType& type, std::uint32_t index, const mm::Register& which) {
    return machine::read_register(address_of_register(type, index, which));
}

void write(const mm::UnitType& type, std::uint32_t index, const mm::Register& which,
           std::uint32_t value) {
    machine::write_register(address_of_register(type, index, which), value);
}

const mm::Register& control_of(const mm::UnitType& type) {
    return type.registers[0];
}

void clear_and_wait(const mm::UnitType& type, std::uint32_t index, std::uint32_t bit) {
    const mm::Register& control = control_of(type);
    write(type, index, control, control.reset | bit);
    for (std::uint32_t i = 0; i < kMaxReads; ++i) {
        if ((read(type, index, control) & bit) == 0) return;
    }
    machine::stop(Failure::UnitBusy, address_of_register(type, index, control),
                  read(type, index, control));
}

/// Stops the data path, then returns the configuration to its reset values.
void reset_unit(const mm::UnitType& type, std::uint32_t index) {
    clear_and_wait(type, index, kClear);
    clear_and_wait(type, index, kConfigurationClear);
}

void set_enable(const mm::UnitType& type, std::uint32_t index) {
    const mm::Register& control = control_of(type);
    write(type, index, control, read(type, index, control) | kEnable);
}

constexpr mm::Register kGates = mm::reg(mm::kClkctrl, "BGATES");

void open_gate(const mm::UnitType& type, std::uint32_t index) {
    const std::uint32_t gate = 1u << (type.first_gate + index);
    write(mm::kClkctrl, 0, kGates, read(mm::kClkctrl, 0, kGates) | gate);
}

void close_gate(const mm::UnitType& type, std::uint32_t index) {
    const std::uint32_t gate = 1u << (type.first_gate + index);
    write(mm::kClkctrl, 0, kGates, read(mm::kClkctrl, 0, kGates) & ~gate);
}

/// Type and version of the unit, without what its low half does not say.
void check_version(const mm::UnitType& type) {
    constexpr std::uint32_t kVersionBits = 0xFFFF;
    const mm::Register& version = type.registers[1];
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < kMaxReads && found == 0; ++i) found = read(type, 0, version);
    require(((found ^ version.reset) & kVersionBits) == 0, Failure::WrongVersion,
            address_of_register(type, 0, version), found);
}

/// Lanes from the lowest byte of the element on.
std::uint32_t lanes(std::uint32_t element_bytes) {
    constexpr mm::Field kLanes[] = {mm::field(mm::kStreng, "CTRL.SIZE0"),
                                    mm::field(mm::kStreng, "CTRL.SIZE1"),
                                    mm::field(mm::kStreng, "CTRL.SIZE2")};
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < element_bytes; ++i) word = mm::insert(word, kLanes[i], 8);
    return word;
}

std::uint32_t control_word(const Pattern& pattern, bool writes) {
    std::uint32_t word = lanes(pattern.element_bytes);
    word = mm::insert(word, mm::field(mm::kStreng, "CTRL.RAW"), pattern.linear ? 1 : 0);
    word = mm::insert(word, mm::field(mm::kStreng, "CTRL.DIR"), writes ? 1 : 0);
    return mm::insert(word, mm::field(mm::kStreng, "CTRL.SINGLE"), pattern.frames == 1 ? 1 : 0);
}

void set_shape(std::uint32_t engine, const Pattern& pattern) {
    const auto put = [engine](const mm::Register& which, std::uint32_t value) {
        write(mm::kStreng, engine, which, value);
    };
    if (pattern.linear) {
        put(mm::reg(mm::kStreng, "FSIZE"), pattern.elements);
        put(mm::reg(mm::kStreng, "DEPTH"), 0);
    } else {
        put(mm::reg(mm::kStreng, "FSIZE"), pattern.height << 16 | pattern.width);
        put(mm::reg(mm::kStreng, "DEPTH"), (pattern.pixel_pitch & 0xFFFF) << 16 | pattern.depth);
    }
    put(mm::reg(mm::kStreng, "FOFFSET"), pattern.frame_pitch);
    put(mm::reg(mm::kStreng, "FRPTOFF"), pattern.loop_pitch);
    put(mm::reg(mm::kStreng, "FRAME_RPT"), pattern.frames_in_loop);
}

/// The order is the documented driver's. Buffers are not marked cacheable: the model's epochs keep
/// the NPU cache clean of what operators move (assumed).
void set_engine_up(std::uint32_t engine, const Pattern& pattern, bool writes) {
    const auto put = [engine](const mm::Register& which, std::uint32_t value) {
        write(mm::kStreng, engine, which, value);
    };
    const bool limited = pattern.limit != 0;
    put(mm::reg(mm::kStreng, "CTRL"), control_word(pattern, writes));
    put(mm::reg(mm::kStreng, "ADDR"), pattern.address);
    set_shape(engine, pattern);
    std::uint32_t enables = mm::insert(0, mm::field(mm::kStreng, "LIMITEN.FRAMELIMIT"), 1);
    enables = mm::insert(enables, mm::field(mm::kStreng, "LIMITEN.ADDRLIMIT"), limited ? 1 : 0);
    enables = mm::insert(enables, mm::field(mm::kStreng, "LIMITEN.STOPPREFTC"), limited ? 1 : 0);
    const std::uint32_t high_pixel = pattern.linear ? 0 : pattern.pixel_pitch >> 16;
    enables = mm::insert(enables, mm::field(mm::kStreng, "LIMITEN.DOFF_MSB"), high_pixel);
    put(mm::reg(mm::kStreng, "LIMITEN"), enables);
    if (limited) put(mm::reg(mm::kStreng, "LIMITADDR"), pattern.limit - 1);
    put(mm::reg(mm::kStreng, "LIMIT"), pattern.frames);
    constexpr std::uint32_t kLanesInOrder = 0x24;
    put(mm::reg(mm::kStreng, "POS"), kLanesInOrder);
    put(mm::reg(mm::kStreng, "STRD"), pattern.linear ? 0 : pattern.line_pitch & 0xFFFF);
    const std::uint32_t high_line = pattern.linear ? 0 : pattern.line_pitch >> 16;
    put(mm::reg(mm::kStreng, "CID_CACHE"),
        mm::insert(0, mm::field(mm::kStreng, "CID_CACHE.LOFF_MSB"), high_line));
    put(mm::reg(mm::kStreng, "EVENT"),
        mm::insert(0, mm::field(mm::kStreng, "EVENT.EN_OFLOW_FRM"), writes ? 1 : 0));
    put(mm::reg(mm::kStreng, "ENCR_MSB"), 0);
}

/// The entry of the stream switch by which `writer` gets its words.
std::uint32_t destination(std::uint32_t writer) {
    constexpr mm::Register kDestinations = mm::reg(mm::kStrswitch, "DST");
    return address_of_register(mm::kStrswitch, 0, kDestinations) + writer * kDestinations.stride;
}

}  // namespace

void initialise() {
    constexpr mm::Register kClockControl = mm::reg(mm::kClkctrl, "CTRL");
    write(mm::kClkctrl, 0, kClockControl, read(mm::kClkctrl, 0, kClockControl) | kClear);
    write(mm::kClkctrl, 0, kClockControl, kEnable);
    write(mm::kClkctrl, 0, mm::reg(mm::kClkctrl, "AGATES0"), kAllBits);
    write(mm::kClkctrl, 0, mm::reg(mm::kClkctrl, "AGATES1"), kAllBits);
    write(mm::kClkctrl, 0, kGates, 0);
    constexpr const mm::UnitType* kChecked[] = {
        &mm::kStreng,    &mm::kConvacc, &mm::kPool,    &mm::kArith,   &mm::kActiv,     &mm::kDecun,
        &mm::kEpochctrl, &mm::kRecbuf,  &mm::kClkctrl, &mm::kIntctrl, &mm::kStrswitch, &mm::kBusif};
    for (const mm::UnitType* type : kChecked) check_version(*type);
    write(mm::kBusif, 0, control_of(mm::kBusif), kEnable);
    write(mm::kBusif, 1, control_of(mm::kBusif), kEnable);
    write(mm::kIntctrl, 0, control_of(mm::kIntctrl), kEnable);
    reset_unit(mm::kIntctrl, 0);
    write(mm::kIntctrl, 0, mm::reg(mm::kIntctrl, "INTORMSK0"), kOrMask);
    write(mm::kIntctrl, 0, mm::reg(mm::kIntctrl, "INTANDMSK0"), kAllBits);
    set_enable(mm::kIntctrl, 0);
}

void shut_down() {
    write(mm::kIntctrl, 0, control_of(mm::kIntctrl), 0);
    write(mm::kBusif, 0, control_of(mm::kBusif), 0);
    write(mm::kBusif, 1, control_of(mm::kBusif), 0);
    write(mm::kClkctrl, 0, mm::reg(mm::kClkctrl, "AGATES0"), 0);
    write(mm::kClkctrl, 0, mm::reg(mm::kClkctrl, "AGATES1"), 0);
    write(mm::kClkctrl, 0, kGates, 0);
    write(mm::kClkctrl, 0, control_of(mm::kClkctrl), 0);
}

void set_wait_mask(std::uint32_t engines) {
    if (machine::profile().async)
        write(mm::kIntctrl, 0, mm::reg(mm::kIntctrl, "INTANDMSK0"), ~engines);
}

void start_blob(std::uint32_t address) {
    open_gate(mm::kEpochctrl, 0);
    write(mm::kEpochctrl, 0, control_of(mm::kEpochctrl), control_of(mm::kEpochctrl).reset);
    write(mm::kEpochctrl, 0, mm::reg(mm::kEpochctrl, "ADDR"), address);
    set_enable(mm::kEpochctrl, 0);
}

void end_blob() {
    reset_unit(mm::kEpochctrl, 0);
    close_gate(mm::kEpochctrl, 0);
}

void start_transfer(const Transfer& transfer, std::uint32_t reader, std::uint32_t writer) {
    open_gate(mm::kStreng, reader);
    open_gate(mm::kStreng, writer);
    set_engine_up(reader, transfer.in, false);
    set_engine_up(writer, transfer.out, true);
    if (machine::profile().generation == loader::Generation::Core4x) reset_unit(mm::kStrswitch, 0);
    set_enable(mm::kStrswitch, 0);
    std::uint32_t entry = mm::insert(0, mm::field(mm::kStrswitch, "DST.EN0"), 1);
    // Engines are the first sources of the switch, in their own order.
    entry = mm::insert(entry, mm::field(mm::kStrswitch, "DST.LINK0"), reader);
    machine::write_register(destination(writer), entry);
    set_enable(mm::kStreng, writer);
    set_enable(mm::kStreng, reader);
}

void end_transfer(std::uint32_t reader, std::uint32_t writer) {
    machine::write_register(destination(writer), 0);
    const std::uint32_t engines[] = {writer, reader};
    for (const std::uint32_t engine : engines) {
        reset_unit(mm::kStreng, engine);
        close_gate(mm::kStreng, engine);
    }
}

bool engine_running(std::uint32_t engine) {
    constexpr mm::Field kRunning = mm::field(mm::kStreng, "CTRL.RUNNING");
    return mm::extract(read(mm::kStreng, engine, control_of(mm::kStreng)), kRunning) != 0;
}

std::uint32_t pending_sources() {
    return read(mm::kIntctrl, 0, mm::reg(mm::kIntctrl, "INTREG"));
}

void clear_sources(std::uint32_t sources) {
    write(mm::kIntctrl, 0, mm::reg(mm::kIntctrl, "INTCLR"), sources);
}

std::uint32_t engine_status(std::uint32_t engine) {
    return read(mm::kStreng, engine, mm::reg(mm::kStreng, "IRQ"));
}

std::uint32_t acknowledge_engine(std::uint32_t engine) {
    const std::uint32_t status = engine_status(engine);
    write(mm::kStreng, engine, mm::reg(mm::kStreng, "IRQ"), status);
    return status;
}

std::uint32_t blob_status() {
    return read(mm::kEpochctrl, 0, mm::reg(mm::kEpochctrl, "IRQ"));
}

std::uint32_t blob_label() {
    return read(mm::kEpochctrl, 0, mm::reg(mm::kEpochctrl, "LABEL"));
}

std::uint32_t acknowledge_blob() {
    const std::uint32_t status = blob_status();
    write(mm::kEpochctrl, 0, mm::reg(mm::kEpochctrl, "IRQ"), status);
    return status;
}

std::uint32_t bus_status(std::uint32_t interface) {
    return read(mm::kBusif, interface, mm::reg(mm::kBusif, "ERR"));
}

}  // namespace n6vp::runtime::npu
