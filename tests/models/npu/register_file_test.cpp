// SPDX-License-Identifier: Apache-2.0
#include "models/npu/registers/register_file.h"

#include <doctest/doctest.h>

namespace {

using namespace n6vp::models::npu;

constexpr Field kMixed[] = {
    {"STORED", 0, 4, Access::Rw},
    {"STATUS", 4, 4, Access::Ro},
    {"SECRET", 8, 4, Access::Wo},
    {"FLAGS", 12, 4, Access::W1c},
    {"TRIGGER", 16, 4, Access::W1t},
    {"CLEAR", 20, 4, Access::Sc},
    {"LOCKED", 24, 4, Access::Rw, Lock::WhileRunning},
};
constexpr Register kRegisters[] = {
    {"MIXED", 0x10, 0x00000021, kMixed},
    {"ARRAY", 0x20, 0x00000003, kMixed, 3, 8},
};
constexpr UnitType kUnit{"UNIT", 1, 0, 0, kRegisters};

TEST_CASE("a field is found by its path at compile time") {
    constexpr Field flags = field(kUnit, "MIXED.FLAGS");
    static_assert(flags.lsb == 12 && flags.width == 4);
    static_assert(flags.mask() == 0xF000);
    static_assert(reg(kUnit, "ARRAY").count == 3);
    static_assert(extract(0x0000A000, flags) == 0xA);
    static_assert(extract_signed(0x0000A000, flags) == -6);
    static_assert(extract_signed(0x00007000, flags) == 7);
    static_assert(insert(0xFFFFFFFF, flags, 0x15) == 0xFFFF5FFF);
    constexpr Field whole{"REG", 0, 32, Access::Rw};
    static_assert(whole.mask() == 0xFFFFFFFF);
    static_assert(extract_signed(0x80000000, whole) == -2147483647 - 1);
    CHECK(extract(0xDEADBEEF, whole) == 0xDEADBEEF);
}

TEST_CASE("each access rule does what its name says") {
    RegisterFile file(kUnit);
    CHECK(file.read(0x10) == 0x00000021);
    file.set_word(kRegisters[0], 0x0000F021);
    const auto outcome = file.write(0x10, 0xFFFF5FFF);
    CHECK(outcome.exists);
    CHECK(outcome.triggered == 0x00FF0000);
    CHECK(outcome.cleared == 0x00005000);
    CHECK(outcome.ignored == 0xF00000F0);
    CHECK(outcome.locked == 0);
    CHECK(file.word(kRegisters[0]) == 0x0F00AF2F);
    CHECK(file.read(0x10) == 0x0F00A02F);  // write-only bits are stored but not shown
}

TEST_CASE("a running unit keeps its locked fields") {
    RegisterFile file(kUnit);
    const auto outcome = file.write(0x10, 0x05000001, 0xFFFFFFFF, RegisterFile::Activity::Running);
    CHECK(outcome.locked == 0x05000000);
    CHECK(file.read(0x10) == 0x00000021);
}

TEST_CASE("only the bits of the mask are written") {
    RegisterFile file(kUnit);
    CHECK(file.write(0x10, 0xFFFFFFFF, 0x01000002).triggered == 0);
    CHECK(file.read(0x10) == 0x01000023);
}

TEST_CASE("every element of an array is a register of its own") {
    RegisterFile file(kUnit);
    file.write(0x28, 0x5);
    CHECK(file.read(0x20) == 3);
    CHECK(file.read(0x28) == 5);
    CHECK(file.word(kRegisters[1], 1) == 5);
    CHECK(file.find(0x24) == nullptr);
    CHECK(file.find(0x30) == &kUnit.registers[1]);
    CHECK(file.find(0x38) == nullptr);
    CHECK(file.find(0x29) == nullptr);
    CHECK(file.find(0x1010) == nullptr);
    CHECK_FALSE(file.write(0x24, 1).exists);
    CHECK(file.read(0x24) == 0);
}

TEST_CASE("clearing the configuration keeps status") {
    RegisterFile file(kUnit);
    file.set_word(kRegisters[0], 0x0F00FFFE);
    file.reset_configuration();
    CHECK(file.word(kRegisters[0]) == 0x0000F0F1);
    file.reset();
    CHECK(file.word(kRegisters[0]) == 0x00000021);
}

}  // namespace
