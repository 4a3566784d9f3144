// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/npu_cipher.h"

#include "loader/runtime/machine.h"
#include "memmap/npu/units.h"

namespace n6vp::runtime::npu {

namespace {

namespace mm = memmap::npu;

std::uint32_t address_of(const mm::UnitType& type, std::uint32_t index, const mm::Register& which) {
    constexpr std::uint32_t kSecureWindow = 0x580E0000, kNonSecureWindow = 0x480E0000;
    const std::uint32_t window = machine::profile().secure ? kSecureWindow : kNonSecureWindow;
    return window + (type.first_page + index) * mm::kPageBytes + which.offset;
}

}  // namespace

void set_key(std::uint32_t interface, std::uint32_t key, std::uint64_t low, std::uint64_t high) {
    // The second key follows the first one.
    constexpr mm::Register kFirst = mm::reg(mm::kBusif, "KEY0_31_0");
    constexpr std::uint32_t kKeyBytes = 16;
    static_assert(mm::reg(mm::kBusif, "KEY1_31_0").offset == kFirst.offset + kKeyBytes);
    const std::uint32_t at = address_of(mm::kBusif, interface, kFirst) + key * kKeyBytes;
    machine::write_register(at, static_cast<std::uint32_t>(low));
    machine::write_register(at + 4, static_cast<std::uint32_t>(low >> 32));
    machine::write_register(at + 8, static_cast<std::uint32_t>(high));
    machine::write_register(at + 12, static_cast<std::uint32_t>(high >> 32));
}

void set_engine_cipher(std::uint32_t engine, const Cipher& cipher) {
    constexpr mm::Register kLow = mm::reg(mm::kStreng, "ENCR_LSB"),
                           kHigh = mm::reg(mm::kStreng, "ENCR_MSB");
    machine::write_register(address_of(mm::kStreng, engine, kLow),
                            static_cast<std::uint32_t>(cipher.identifier));
    std::uint32_t high = mm::insert(0, mm::field(mm::kStreng, "ENCR_MSB.ID_MSB"),
                                    static_cast<std::uint32_t>(cipher.identifier >> 32));
    high = mm::insert(high, mm::field(mm::kStreng, "ENCR_MSB.EN"), cipher.enabled ? 1 : 0);
    high = mm::insert(high, mm::field(mm::kStreng, "ENCR_MSB.ROUNDS"), cipher.rounds);
    high = mm::insert(high, mm::field(mm::kStreng, "ENCR_MSB.KEY_SEL"), cipher.key);
    high = mm::insert(high, mm::field(mm::kStreng, "ENCR_MSB.INC"), cipher.increment);
    machine::write_register(address_of(mm::kStreng, engine, kHigh), high);
}

void set_controller_cipher(const Cipher& cipher) {
    constexpr mm::Register kLow = mm::reg(mm::kEpochctrl, "ENCR_LSB"),
                           kHigh = mm::reg(mm::kEpochctrl, "ENCR_MSB");
    machine::write_register(address_of(mm::kEpochctrl, 0, kLow),
                            static_cast<std::uint32_t>(cipher.identifier));
    std::uint32_t high = mm::insert(0, mm::field(mm::kEpochctrl, "ENCR_MSB.ID_MSB"),
                                    static_cast<std::uint32_t>(cipher.identifier >> 32));
    high = mm::insert(high, mm::field(mm::kEpochctrl, "ENCR_MSB.EN"), cipher.enabled ? 1 : 0);
    high = mm::insert(high, mm::field(mm::kEpochctrl, "ENCR_MSB.ROUNDS"), cipher.rounds);
    high = mm::insert(high, mm::field(mm::kEpochctrl, "ENCR_MSB.KEY_SEL"), cipher.key);
    machine::write_register(address_of(mm::kEpochctrl, 0, kHigh), high);
}

}  // namespace n6vp::runtime::npu
