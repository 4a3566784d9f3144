// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/core_registers.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "models/core/ir/system.h"

namespace n6vp::sim::debugger {

namespace {

using models::core::CpuState;
using models::core::kNonSecure;
using models::core::kSecure;
using models::core::Security;
using models::core::StackPointer;
using models::core::isa::Feature;

constexpr const char* kMProfile = "org.gnu.gdb.arm.m-profile";
constexpr const char* kFloat = "org.gnu.gdb.arm.vfp";
constexpr const char* kVector = "org.gnu.gdb.arm.m-profile-mve";
constexpr const char* kSystem = "org.gnu.gdb.arm.m-system";
constexpr const char* kSecurity = "org.gnu.gdb.arm.secext";

/// SYSm of MRS and MSR; with kNonSecureView the Non-secure register.
enum Sysm : unsigned {
    kMsp = 8,
    kPsp = 9,
    kMspLimit = 10,
    kPspLimit = 11,
    kPrimask = 16,
    kBasepri = 17,
    kFaultmask = 19,
    kControl = 20,
    kNonSecureView = 0x80,
};

constexpr unsigned kDoubles = 16;
constexpr std::uint32_t kThumb = 1u << 24, kGeMask = 0xF0000;

/// Returns bits 26:25 and 15:10 of xPSR.
[[nodiscard]] std::uint32_t it_bits(std::uint8_t itstate) {
    return (itstate & 3u) << 25 | static_cast<std::uint32_t>(itstate >> 2) << 10;
}
[[nodiscard]] std::uint8_t itstate_of(std::uint32_t status) {
    return static_cast<std::uint8_t>((status >> 25 & 3) | (status >> 10 & 0x3F) << 2);
}

}  // namespace

CoreRegisters::CoreRegisters(models::core::Core& core, const models::core::CoreProfile& profile)
    : core_(core), profile_(profile) {
    for (unsigned i = 0; i < kStackPointer; ++i)
        add(kMProfile, fmt::format("r{}", i), Kind::General, i);
    add(kMProfile, "sp", Kind::General, kStackPointer, 32, "data_ptr");
    add(kMProfile, "lr", Kind::General, kLink);
    add(kMProfile, "pc", Kind::General, kProgramCounter, 32, "code_ptr");
    add(kMProfile, "xpsr", Kind::Status, 0);
    if (profile_.has(Feature::Float)) {
        for (unsigned i = 0; i < kDoubles; ++i)
            add(kFloat, fmt::format("d{}", i), Kind::Double, i, 64, "ieee_double");
        add(kFloat, "fpscr", Kind::FpStatus, 0);
    }
    if (profile_.has(Feature::Vector)) add(kVector, "vpr", Kind::Predicate, 0);
    add_system();
    if (profile_.has(Feature::Security)) add_security();
}

void CoreRegisters::add(const char* feature, std::string name, Kind kind, unsigned index,
                        unsigned bits, const char* type, Security bank) {
    rows_.push_back({std::move(name), bits, type, kind, index, bank, feature});
}

void CoreRegisters::add_system() {
    add(kSystem, "msp", Kind::Special, kMsp, 32, "data_ptr");
    add(kSystem, "psp", Kind::Special, kPsp, 32, "data_ptr");
    add(kSystem, "primask", Kind::Special, kPrimask);
    add(kSystem, "basepri", Kind::Special, kBasepri);
    add(kSystem, "faultmask", Kind::Special, kFaultmask);
    add(kSystem, "control", Kind::Special, kControl);
    if (!profile_.v8()) return;
    add(kSystem, "msplim", Kind::Special, kMspLimit, 32, "data_ptr");
    add(kSystem, "psplim", Kind::Special, kPspLimit, 32, "data_ptr");
}

void CoreRegisters::add_security() {
    struct Name {
        const char* name;
        unsigned sysm;
        const char* type;
    };
    constexpr Name kNames[] = {{"msp", kMsp, "data_ptr"},         {"psp", kPsp, "data_ptr"},
                               {"msplim", kMspLimit, "data_ptr"}, {"psplim", kPspLimit, "data_ptr"},
                               {"primask", kPrimask, "int"},      {"basepri", kBasepri, "int"},
                               {"faultmask", kFaultmask, "int"},  {"control", kControl, "int"}};
    for (const Security bank : {kNonSecure, kSecure}) {
        for (const Name& each : kNames) {
            add(kSecurity, std::string(each.name) + (bank == kSecure ? "_s" : "_ns"),
                Kind::SpecialOf, each.sysm, 32, each.type, bank);
        }
    }
}

std::optional<unsigned> CoreRegisters::find(const std::string& name) const {
    for (unsigned i = 0; i < rows_.size(); ++i) {
        if (rows_[i].name == name) return i;
    }
    return std::nullopt;
}

Security CoreRegisters::state() const {
    return core_.state().secure ? kSecure : kNonSecure;
}

StackPointer CoreRegisters::stack_in_use() const {
    const CpuState& cpu = core_.state();
    constexpr std::uint8_t kProcessStack = 2;
    const bool process = cpu.ipsr == 0 && (cpu.control[state()] & kProcessStack) != 0;
    const auto first = cpu.secure ? models::core::kMspS : models::core::kMspNs;
    return static_cast<StackPointer>(first + (process ? 1 : 0));
}

std::uint32_t CoreRegisters::read_special(unsigned sysm, Security bank) const {
    const CpuState& cpu = core_.state();
    const unsigned first = bank == kSecure ? models::core::kMspS : models::core::kMspNs;
    const unsigned stack = first + (sysm & 1);
    switch (sysm) {
        case kMsp:
        case kPsp:
            return stack == stack_in_use() ? core_.reg(kStackPointer) : cpu.stack_pointers[stack];
        case kMspLimit:
        case kPspLimit:
            return cpu.stack_limits[stack];
        case kPrimask:
            return cpu.primask[bank];
        case kBasepri:
            return cpu.basepri[bank];
        case kFaultmask:
            return cpu.faultmask[bank];
        default:
            return cpu.control[bank] | (cpu.fpca ? 4u : 0u) |
                   (cpu.sfpa && bank == kSecure ? 8u : 0u);
    }
}

void CoreRegisters::write_special(unsigned sysm, Security bank, std::uint32_t value) {
    CpuState& cpu = core_.state();
    const bool secure = bank == kSecure;
    if (cpu.secure || !secure) {
        // MSR recomputes what depends on it, the privilege included.
        const unsigned view = cpu.secure && !secure ? unsigned{kNonSecureView} : 0u;
        const bool was = std::exchange(cpu.privileged, true);
        core_.system().write_special(cpu, sysm | view, 3, value);
        if (sysm == kMsp || sysm == kPsp) cpu.privileged = was;
        return;
    }
    // The Secure registers while the core is Non-secure: nothing else hangs on them until it
    // returns.
    const unsigned stack = models::core::kMspS + (sysm & 1);
    constexpr std::uint32_t kControlBits = 3;
    if (sysm == kMsp || sysm == kPsp) cpu.stack_pointers[stack] = value & ~3u;
    if (sysm == kMspLimit || sysm == kPspLimit) cpu.stack_limits[stack] = value & ~7u;
    if (sysm == kPrimask) cpu.primask[bank] = value & 1;
    if (sysm == kFaultmask) cpu.faultmask[bank] = value & 1;
    if (sysm == kBasepri) cpu.basepri[bank] = static_cast<std::uint8_t>(value);
    if (sysm == kControl) cpu.control[bank] = static_cast<std::uint8_t>(value & kControlBits);
}

std::uint64_t CoreRegisters::read(unsigned number) const {
    const Row& row = rows_[number];
    const CpuState& cpu = core_.state();
    switch (row.kind) {
        case Kind::General:
            return core_.reg(row.index);
        case Kind::Status:
            return models::core::apsr(cpu) | cpu.ipsr | (cpu.thumb ? kThumb : 0) |
                   it_bits(cpu.itstate);
        case Kind::Double:
            return models::core::vector_lane<std::uint64_t>(cpu, row.index);
        case Kind::FpStatus:
            return models::core::whole_fpscr(cpu);
        case Kind::Predicate:
            return cpu.vpr;
        case Kind::Special:
            return read_special(row.index, state());
        default:
            return read_special(row.index, row.bank);
    }
}

std::optional<std::uint64_t> CoreRegisters::read_saved(unsigned number,
                                                       const SavedRegisters& saved) const {
    const Row& row = rows_[number];
    switch (row.kind) {
        case Kind::General:
            return saved.general[row.index];
        case Kind::Status:
            return saved.general[kStatus];
        case Kind::Double:
            if (saved.fp) return saved.fp->doubles[row.index];
            break;
        case Kind::FpStatus:
            if (saved.fp) return saved.fp->fpscr;
            break;
        case Kind::Predicate:
            if (saved.fp) return saved.fp->vpr;
            break;
        default: {
            // GDB unwinds no frame without the stack pointers. A thread has the process stack of
            // the state that the core is in.
            const Security bank = row.kind == Kind::SpecialOf ? row.bank : state();
            if (row.index == kPsp && bank == state()) return saved.general[kStackPointer];
            if (row.index == kMsp || row.index == kPsp) return read_special(row.index, bank);
            break;
        }
    }
    return std::nullopt;
}

void CoreRegisters::write(unsigned number, std::uint64_t value) {
    const Row& row = rows_[number];
    CpuState& cpu = core_.state();
    const auto word = static_cast<std::uint32_t>(value);
    switch (row.kind) {
        case Kind::General:
            core_.set_reg(row.index, word);
            break;
        case Kind::Status:
            models::core::set_apsr_nzcvq(cpu, word);
            cpu.ge = (word & kGeMask) >> 16;
            cpu.thumb = (word & kThumb) != 0;
            cpu.itstate = itstate_of(word);
            break;
        case Kind::Double:
            models::core::set_vector_lane(cpu, row.index, value);
            break;
        case Kind::FpStatus:
            models::core::set_whole_fpscr(cpu, word);
            break;
        case Kind::Predicate:
            cpu.vpr = word & (models::core::vpr::kP0 | models::core::vpr::kMasks);
            break;
        case Kind::Special:
            write_special(row.index, state(), word);
            break;
        case Kind::SpecialOf:
            write_special(row.index, row.bank, word);
            break;
    }
}

std::string CoreRegisters::description() const {
    std::string_view feature;
    std::string xml =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
        "<target version=\"1.0\">\n  <architecture>arm</architecture>\n";
    for (const Row& row : rows_) {
        if (feature != row.feature) {
            if (!feature.empty()) xml += "  </feature>\n";
            xml += fmt::format("  <feature name=\"{}\">\n", row.feature);
            feature = row.feature;
        }
        const std::string_view group =
            feature == kSystem || feature == kSecurity ? R"( group="system")" : std::string_view();
        xml += fmt::format("    <reg name=\"{}\" bitsize=\"{}\" type=\"{}\"{}/>\n", row.name,
                           row.bits, row.type, group);
    }
    return xml + "  </feature>\n</target>\n";
}

}  // namespace n6vp::sim::debugger
