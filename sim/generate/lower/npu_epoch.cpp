// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/npu_epoch.h"

#include <stdexcept>

#include "memmap/npu/links.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

[[noreturn]] void fail(std::string_view what, std::string_view path) {
    throw std::logic_error(std::string(what) + ": " + std::string(path));
}

const npu::Register& find_register(const npu::UnitType& type, std::string_view name) {
    for (std::size_t i = 0; i < type.register_count; ++i) {
        if (name == type.registers[i].name) return type.registers[i];
    }
    fail("no such register", name);
}

const npu::Field& find_field(const npu::Register& at, std::string_view name,
                             std::string_view path) {
    for (std::size_t i = 0; i < at.field_count; ++i) {
        if (name == at.fields[i].name) return at.fields[i];
    }
    fail("no such field", path);
}

bool fits(std::int64_t value, unsigned width) {
    const std::int64_t all = std::int64_t{1} << width;
    return value < all && value >= -(all / 2);
}

/// The bits that some field of a register has.
std::uint32_t documented_bits(const npu::Register& at) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < at.field_count; ++i) bits |= at.fields[i].mask();
    return bits;
}

bool same(const npu::UnitType* type, const npu::UnitType& other) {
    return type == &other;
}

std::uint32_t source_number(npu::Unit unit) {
    for (std::uint32_t i = 0; i < npu::kLinkSources; ++i) {
        const npu::LinkEnd end = npu::link_source(i);
        if (same(end.type, *unit.type) && end.index == unit.index) return i;
    }
    fail("a unit without an output", unit.type->name);
}

std::uint32_t destination_number(npu::Unit unit, std::uint32_t port) {
    for (std::uint32_t i = 0; i < npu::kLinkDestinations; ++i) {
        const npu::LinkEnd end = npu::link_destination(i);
        if (same(end.type, *unit.type) && end.index == unit.index && end.port == port) return i;
    }
    fail("a unit without that input", unit.type->name);
}

constexpr npu::Field kDirection = npu::field(npu::kStreng, "CTRL.DIR");

}  // namespace

UnitSettings::Word& UnitSettings::word(std::string_view register_name) {
    const npu::Register& at = find_register(*unit_.type, register_name);
    return words_.try_emplace(at.offset, Word{at.reset, Base::Absolute}).first->second;
}

UnitSettings& UnitSettings::set(std::string_view path, std::int64_t value) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) fail("no path of a field", path);
    const npu::Register& at = find_register(*unit_.type, path.substr(0, dot));
    const npu::Field& field = find_field(at, path.substr(dot + 1), path);
    if (!fits(value, field.width)) fail("a value that does not fit", path);
    Word& target = word(path.substr(0, dot));
    target.value = npu::insert(target.value, field, static_cast<std::uint32_t>(value));
    return *this;
}

UnitSettings& UnitSettings::set_word(std::string_view name, std::uint32_t value) {
    const npu::Register& at = find_register(*unit_.type, name);
    if ((value & ~documented_bits(at)) != 0) fail("reserved bits", name);
    word(name) = {value, Base::Absolute};
    return *this;
}

UnitSettings& UnitSettings::set_address(std::string_view name, Address address) {
    word(name) = {address.offset, address.base};
    return *this;
}

UnitSettings& UnitSettings::set_coefficient(std::uint32_t entry, std::int32_t a, std::int32_t bc) {
    static_assert(npu::reg(npu::kArith, "COEFF_AB").count == kMaxCoefficients);
    constexpr npu::Register kFirst = npu::reg(npu::kArith, "COEFF_AB");
    constexpr npu::Register kSecond = npu::reg(npu::kArith, "COEFF_C");
    if (entry >= kMaxCoefficients || !fits(a, 16)) fail("a coefficient that does not fit", "");
    const auto low = static_cast<std::uint32_t>(bc) & 0xFFFF;
    const auto high = static_cast<std::uint32_t>(bc) & 0xFFFF0000;
    words_[kFirst.offset + entry * kFirst.stride].value =
        high | (static_cast<std::uint32_t>(a) & 0xFFFF);
    words_[kSecond.offset + entry * kSecond.stride].value = low;
    return *this;
}

bool UnitSettings::is_stream() const {
    return same(unit_.type, npu::kStreng);
}

bool UnitSettings::is_output_stream() const {
    return is_stream() && npu::extract(control(), kDirection) != 0;
}

void NpuEpoch::link(npu::Unit source, npu::Unit destination, std::uint32_t port,
                    std::uint32_t skip) {
    constexpr npu::Field kEnable0 = npu::field(npu::kStrswitch, "DST.EN0");
    constexpr npu::Field kLink0 = npu::field(npu::kStrswitch, "DST.LINK0");
    constexpr npu::Field kFrames0 = npu::field(npu::kStrswitch, "DST.FNR0");
    constexpr npu::Field kEnable1 = npu::field(npu::kStrswitch, "DST.EN1");
    constexpr npu::Field kLink1 = npu::field(npu::kStrswitch, "DST.LINK1");
    constexpr npu::Field kFrames1 = npu::field(npu::kStrswitch, "DST.FNR1");
    const std::uint32_t from = source_number(source);
    std::uint32_t value = npu::insert(0, kLink0, from);
    if (skip == 0) {
        value = npu::insert(value, kEnable0, 1);
    } else {
        value = npu::insert(value, kFrames0, skip);
        value = npu::insert(value, kEnable1, 1);
        value = npu::insert(value, kLink1, from);
        value = npu::insert(value, kFrames1, 1);
    }
    links[destination_number(destination, port)] = value;
}

std::uint32_t NpuEpoch::output_mask() const {
    std::uint32_t mask = 0;
    for (const UnitSettings& unit : units) {
        if (unit.is_output_stream()) mask |= 1u << unit.unit().index;
    }
    return mask;
}

npu::Unit EnginePool::next() {
    if (taken_ == kEngines) throw std::logic_error("an epoch with more than ten engines");
    const std::uint32_t index = taken_ / 2 + (taken_ % 2) * (kEngines / 2);
    ++taken_;
    return {&npu::kStreng, index};
}

}  // namespace n6vp::sim::generate
