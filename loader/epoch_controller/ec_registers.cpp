// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_registers.h"

#include "memmap/npu/units.h"

namespace n6vp::loader::ec {
namespace {

namespace npu = memmap::npu;

static_assert(kUnits == npu::kPages);

/// A run of consecutive registers, both ends inclusive, present in units first_ip … last_ip. What
/// the register tables say, without names and pointers: a board needs no more.
struct Run {
    std::uint8_t first_ip, last_ip;
    std::uint16_t first, last;
    bool read_only;
};

enum class Presence : std::uint8_t { None, ReadOnly, Writable };

/// What is at every word of a unit's page.
struct Page {
    Presence words[npu::kPageBytes / 4]{};
};

constexpr Presence presence_of(const npu::Register& at) {
    for (std::size_t i = 0; i < at.field_count; ++i) {
        if (at.fields[i].access != npu::Access::Ro) return Presence::Writable;
    }
    return Presence::ReadOnly;
}

constexpr Page page_of(const npu::UnitType& type) {
    Page page;
    for (std::size_t i = 0; i < type.register_count; ++i) {
        const npu::Register& at = type.registers[i];
        for (std::uint32_t k = 0; k < at.count; ++k) {
            page.words[(at.offset + k * at.stride) / 4] = presence_of(at);
        }
    }
    return page;
}

/// Calls `take` with every run of every kind of unit.
template <typename Take>
constexpr void for_each_run(Take take) {
    for (const npu::UnitType* type : npu::kUnitTypes) {
        const Page page = page_of(*type);
        constexpr std::uint32_t kWords = npu::kPageBytes / 4;
        for (std::uint32_t first = 0; first < kWords; ++first) {
            const Presence here = page.words[first];
            if (here == Presence::None) continue;
            std::uint32_t last = first;
            while (last + 1 < kWords && page.words[last + 1] == here) ++last;
            take(Run{type->first_page,
                     static_cast<std::uint8_t>(type->first_page + type->count - 1),
                     static_cast<std::uint16_t>(first * 4), static_cast<std::uint16_t>(last * 4),
                     here == Presence::ReadOnly});
            first = last;
        }
    }
}

consteval std::size_t count_runs() {
    std::size_t count = 0;
    for_each_run([&count](const Run&) { ++count; });
    return count;
}

struct Runs {
    Run rows[count_runs()];
};

consteval Runs make_runs() {
    Runs runs{};
    std::size_t next = 0;
    for_each_run([&runs, &next](const Run& run) { runs.rows[next++] = run; });
    return runs;
}

/// Fixed-width text instead of pointers: nothing here needs relocation.
struct Names {
    char text[kUnits][12];
};

consteval Names make_names() {
    Names names{};
    for (std::uint32_t ip = 0; ip < kUnits; ++ip) {
        const npu::Unit unit = npu::unit_at(ip);
        std::size_t end = 0;
        for (; unit.type->name[end] != '\0'; ++end) names.text[ip][end] = unit.type->name[end];
        if (unit.type->count > 1) names.text[ip][end] = static_cast<char>('0' + unit.index);
    }
    return names;
}

/// The gate's bit of every unit, 0 for none.
struct Gates {
    std::uint32_t bits[kUnits];
};

consteval Gates make_gates() {
    Gates gates{};
    for (std::uint32_t ip = 0; ip < kUnits; ++ip) {
        const std::uint32_t gate = npu::unit_at(ip).gate();
        if (gate < 32) gates.bits[ip] = std::uint32_t{1} << gate;  // kNoGate is above
    }
    return gates;
}

constexpr Runs kRuns = make_runs();
constexpr Names kNames = make_names();
constexpr Gates kGates = make_gates();

const Run* find(std::uint32_t ip, std::uint32_t byte_offset) {
    if (ip >= kUnits || byte_offset % 4 != 0) return nullptr;
    for (const Run& run : kRuns.rows) {
        if (ip >= run.first_ip && ip <= run.last_ip && byte_offset >= run.first &&
            byte_offset <= run.last) {
            return &run;
        }
    }
    return nullptr;
}

}  // namespace

bool register_exists(std::uint32_t ip, std::uint32_t byte_offset) {
    return find(ip, byte_offset) != nullptr;
}

bool register_is_read_only(std::uint32_t ip, std::uint32_t byte_offset) {
    const Run* run = find(ip, byte_offset);
    return run != nullptr && run->read_only;
}

std::uint32_t clock_gate(std::uint32_t ip) {
    return ip < kUnits ? kGates.bits[ip] : 0;
}

const char* unit_name(std::uint32_t ip) {
    return ip < kUnits ? kNames.text[ip] : nullptr;
}

}  // namespace n6vp::loader::ec
