// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "memmap/npu/links.h"
#include "models/npu/registers/register_file.h"
#include "tests/models/npu/register_list.h"

namespace {

using namespace n6vp::models::npu;
using namespace n6vp::test;
namespace npu = n6vp::memmap::npu;

std::vector<ListedField> rows() {
    return read_register_list(N6VP_REGISTER_LIST);
}

const UnitType& type_of(const std::string& name) {
    for (const UnitType* type : npu::kUnitTypes) {
        if (name == type->name) return *type;
    }
    throw std::runtime_error("no unit " + name);
}

/// The rule that the list gives a field. Where the list says only RW, the driver decides: it writes
/// INTSET and INTCLR with ones, and waits for INTCTRL.CTRL.CLR to become zero.
Access listed_access(const ListedField& row) {
    if (row.unit == "INTCTRL" && (row.name == "INTSET" || row.name == "INTCLR")) return Access::W1t;
    if (row.unit == "INTCTRL" && row.field == "CLR") return Access::Sc;
    if (row.noted("W1C")) return Access::W1c;
    if (row.noted("W1_trigger")) return Access::W1t;
    if (row.noted("self_clearing")) return Access::Sc;
    if (row.access == "RO") return Access::Ro;
    return row.access == "WO" ? Access::Wo : Access::Rw;
}

std::uint32_t fixed_bits(const ListedField& row) {
    return row.noted("bits 2:0 RO") ? 7 : 0;
}

std::string key(const std::string& unit, const std::string& name, std::uint32_t offset,
                const std::string& field) {
    return unit + "." + name + "@" + std::to_string(offset) + "." + field;
}

/// A file with a field's unit, element by element of the row's array.
template <typename Check>
void for_each_element(Check check) {
    for (const ListedField& row : rows()) {
        const UnitType& type = type_of(row.unit);
        RegisterFile file(type);
        for (std::uint32_t i = 0; i <= row.last - row.first; ++i) {
            CAPTURE(row.unit);
            CAPTURE(row.name);
            CAPTURE(row.field);
            CAPTURE(i);
            check(row, file, row.offset + i * row.stride, row.first + i);
        }
    }
}

}  // namespace

TEST_CASE("every field of the list is in the tables as the list says") {
    std::uint32_t compared = 0;
    for (const ListedField& row : rows()) {
        CAPTURE(row.unit);
        CAPTURE(row.name);
        CAPTURE(row.field);
        const UnitType& type = type_of(row.unit);
        CHECK(type.count == row.units);
        CHECK(type.first_page * 0x1000u == row.base);
        for (std::uint32_t i = 0; i <= row.last - row.first; ++i) {
            const npu::Place place = npu::register_at(type, row.offset + i * row.stride);
            REQUIRE(place.at != nullptr);
            CHECK(row.name == place.at->name);
            CHECK(place.index == row.first + i);
            CHECK((place.at->count > 1) == row.is_array);
            CHECK(place.at->reset == row.reset);
            const Field* found = nullptr;
            for (std::size_t k = 0; k < place.at->field_count; ++k) {
                if (row.field == place.at->fields[k].name) found = &place.at->fields[k];
            }
            REQUIRE(found != nullptr);
            CHECK(found->lsb == row.lsb);
            CHECK(found->width == row.width);
            CHECK(found->mask() == row.bits());
            CHECK(found->access == listed_access(row));
            CHECK((found->lock == Lock::WhileRunning) == row.noted("locked_while_RUNNING"));
            CHECK(((1u << found->fixed) - 1) == fixed_bits(row));
            ++compared;
        }
    }
    CHECK(compared > 5000);
}

TEST_CASE("every field of the tables is in the list") {
    std::set<std::string> listed;
    for (const ListedField& row : rows()) {
        for (std::uint32_t i = 0; i <= row.last - row.first; ++i) {
            listed.insert(key(row.unit, row.name, row.offset + i * row.stride, row.field));
        }
    }
    std::size_t in_tables = 0;
    for (const UnitType* type : npu::kUnitTypes) {
        for (std::size_t i = 0; i < type->register_count; ++i) {
            const Register& at = type->registers[i];
            for (std::uint32_t k = 0; k < at.count; ++k) {
                for (std::size_t f = 0; f < at.field_count; ++f) {
                    const std::string name =
                        key(type->name, at.name, at.offset + k * at.stride, at.fields[f].name);
                    CHECK_MESSAGE(listed.count(name) == 1, name);
                    ++in_tables;
                }
            }
        }
    }
    CHECK(in_tables == listed.size());
}

TEST_CASE("fields of a register do not overlap") {
    for (const UnitType* type : npu::kUnitTypes) {
        for (std::size_t i = 0; i < type->register_count; ++i) {
            std::uint32_t taken = 0;
            const Register& at = type->registers[i];
            for (std::size_t f = 0; f < at.field_count; ++f) {
                CAPTURE(type->name);
                CAPTURE(at.name);
                CHECK((taken & at.fields[f].mask()) == 0);
                taken |= at.fields[f].mask();
            }
        }
    }
}

TEST_CASE("after reset every register reads its reset value") {
    for_each_element(
        [](const ListedField& row, RegisterFile& file, std::uint32_t offset, std::uint32_t) {
            if (row.access != "WO") CHECK(file.read(offset) == row.reset);
        });
}

TEST_CASE("each field answers software by its access rule") {
    for_each_element(
        [](const ListedField& row, RegisterFile& file, std::uint32_t offset, std::uint32_t) {
            const std::uint32_t bits = row.bits();
            const std::uint32_t free = bits & ~fixed_bits(row);
            const std::uint32_t others = file.read(offset) & ~bits;
            const std::uint32_t before = file.read(offset) & bits;
            const auto ones = file.write(offset, 0xFFFFFFFF, bits);
            CHECK(ones.exists);
            const std::uint32_t after_ones = file.read(offset);
            file.write(offset, 0, bits);
            const std::uint32_t after_zeros = file.read(offset);
            CHECK((after_ones & ~bits) == others);
            CHECK((after_zeros & ~bits) == others);
            switch (listed_access(row)) {
                case Access::Rw:
                    CHECK((after_ones & bits) == (free | (before & ~free)));
                    CHECK((after_zeros & free) == 0);
                    break;
                case Access::Ro:
                    CHECK((after_ones & bits) == before);
                    CHECK(ones.ignored == bits);
                    break;
                case Access::Wo:
                case Access::W1c:  // nothing to clear after a reset
                    CHECK((after_ones & bits) == 0);
                    break;
                case Access::W1t:
                case Access::Sc:
                    CHECK((after_ones & bits) == 0);
                    CHECK(ones.triggered == bits);
                    break;
            }
        });
}

TEST_CASE("status that the unit sets is cleared by ones, and only where the rule says so") {
    for_each_element(
        [](const ListedField& row, RegisterFile& file, std::uint32_t offset, std::uint32_t index) {
            const Access access = listed_access(row);
            if (access != Access::W1c && access != Access::Ro) return;
            const Register& at = *file.find(offset);
            file.set_word(at, file.word(at, index) | row.bits(), index);
            const auto zeros = file.write(offset, 0, row.bits());
            CHECK(zeros.cleared == 0);
            CHECK((file.read(offset) & row.bits()) == row.bits());
            const auto ones = file.write(offset, 0xFFFFFFFF, row.bits());
            CHECK(ones.cleared == (access == Access::W1c ? row.bits() : 0));
            CHECK((file.read(offset) & row.bits()) == (access == Access::W1c ? 0 : row.bits()));
        });
}

TEST_CASE("locked fields do not change while the unit runs") {
    std::uint32_t locked = 0;
    for_each_element(
        [&locked](const ListedField& row, RegisterFile& file, std::uint32_t offset, std::uint32_t) {
            const bool is_locked = row.noted("locked_while_RUNNING");
            const std::uint32_t before = file.read(offset);
            const auto outcome =
                file.write(offset, ~before, row.bits(), RegisterFile::Activity::Running);
            if (is_locked) {
                CHECK(file.read(offset) == before);
                CHECK(outcome.triggered == 0);
                CHECK(outcome.locked == (row.bits() & ~fixed_bits(row)));
                ++locked;
            } else if (listed_access(row) == Access::Rw) {
                CHECK(file.read(offset) == (before ^ row.bits()));
            }
        });
    CHECK(locked > 70);
}

TEST_CASE("version constants are those that the runtime compares") {
    const std::map<std::string, std::uint32_t> versions = {
        {"CLKCTRL", 0x01B4121F},    {"INTCTRL", 0x0420111E}, {"BUSIF", 0x0006501D},
        {"STRSWITCH", 0x291B1600},  {"STRENG", 0x003E5001},  {"CONVACC", 0x00065117},
        {"DECUN", 0x00001A19},      {"ACTIV", 0x0000111B},   {"ARITH", 0x0000101A},
        {"POOL", 0x0000111C},       {"RECBUF", 0x00003220},  {"EPOCHCTRL", 0x0F001121},
        {"DEBUG_TRACE", 0x21FF1122}};
    CHECK(std::size(npu::kUnitTypes) == versions.size());
    for (const auto& [name, version] : versions) {
        RegisterFile file(type_of(name));
        CHECK(file.read(4) == version);
        file.write(4, ~version);
        CHECK(file.read(4) == version);
    }
}

TEST_CASE("pages and gates of the units are those of the list") {
    std::map<std::string, std::uint32_t> gates;  // by unit and index, such as STRENG_3
    std::set<std::string> units;
    for (const ListedField& row : rows()) {
        if (row.unit == "CLKCTRL" && row.name == "BGATES") gates[row.field] = row.lsb;
        if (!units.insert(row.unit).second) continue;
        for (std::uint32_t i = 0; i < row.units; ++i) {
            const npu::Unit unit = npu::unit_at(row.base / 0x1000 + i);
            REQUIRE(unit.type != nullptr);
            CHECK(row.unit == unit.type->name);
            CHECK(unit.index == i);
            CHECK(unit.page() == row.base / 0x1000 + i);
        }
    }
    std::size_t gated = 0;
    for (std::uint32_t page = 0; page < 32; ++page) {
        const npu::Unit unit = npu::unit_at(page);
        const auto gate = gates.find(unit.type->name + ("_" + std::to_string(unit.index)));
        CHECK((unit.gate() == npu::kNoGate) == (gate == gates.end()));
        if (gate == gates.end()) continue;
        CHECK(unit.gate() == gate->second);
        ++gated;
    }
    CHECK(gated == gates.size());
    CHECK(npu::unit_at(32).type == nullptr);
    CHECK(npu::unit_at(0xFFFFFFFF).type == nullptr);
}

TEST_CASE("destinations of the stream switch are those of the list") {
    std::set<std::uint32_t> seen;
    for (const ListedField& row : rows()) {
        if (row.name != "DST") continue;
        const npu::LinkEnd end = npu::link_destination(row.first);
        REQUIRE(end.type != nullptr);
        const std::string text = "destination " + std::string(end.type->name) +
                                 std::to_string(end.index) + " port " + std::to_string(end.port);
        CHECK_MESSAGE((row.note == text || row.note.rfind(text + ";", 0) == 0), row.note);
        seen.insert(row.first);
    }
    CHECK(seen.size() == 41);
    CHECK(npu::link_destination(41).type == nullptr);
}

TEST_CASE("sources of the stream switch are numbered unit by unit") {
    const auto is = [](std::uint32_t number, const char* name, std::uint32_t index,
                       std::uint32_t port) {
        const npu::LinkEnd end = npu::link_source(number);
        return end.type != nullptr && std::string(end.type->name) == name && end.index == index &&
               end.port == port;
    };
    CHECK(is(0, "STRENG", 0, 0));
    CHECK(is(9, "STRENG", 9, 0));
    CHECK(is(10, "CONVACC", 0, 0));
    CHECK(is(13, "CONVACC", 3, 0));
    CHECK(is(14, "DECUN", 0, 0));
    CHECK(is(17, "ACTIV", 1, 0));
    CHECK(is(18, "ARITH", 0, 0));
    CHECK(is(21, "ARITH", 3, 0));
    CHECK(is(22, "POOL", 0, 0));
    CHECK(is(23, "POOL", 1, 0));
    CHECK(is(24, "RECBUF", 0, 0));
    CHECK(is(26, "RECBUF", 0, 2));
    CHECK(npu::link_source(27).type == nullptr);
}
