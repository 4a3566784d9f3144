// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_tables.h"

/// Offsets and bits: CMSIS device header. Reset values where nothing public gives one: zero.
namespace n6vp::models {
namespace {

// Of the older chips; the STM32N6 has a model.
constexpr StubRow kHashRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x4},
                                 {.offset = 0x4, .name = "DIN", .writable = 0},
                                 {.offset = 0x8, .name = "STR", .self_clearing = 0x100},
                                 {.offset = 0xC, .name = "HR0"},
                                 {.offset = 0x10, .name = "HR1"},
                                 {.offset = 0x14, .name = "HR2"},
                                 {.offset = 0x18, .name = "HR3"},
                                 {.offset = 0x1C, .name = "HR4"},
                                 {.offset = 0x20, .name = "IMR"},
                                 {.offset = 0x24, .name = "SR", .reset = 0x110001, .writable = 0}};

constexpr StubRow kI2cRows[] = {{.offset = 0x0, .name = "CR1"},
                                {.offset = 0x4, .name = "CR2", .self_clearing = 0x4000},
                                {.offset = 0x8, .name = "OAR1"},
                                {.offset = 0xC, .name = "OAR2"},
                                {.offset = 0x10, .name = "TIMINGR"},
                                {.offset = 0x14, .name = "TIMEOUTR"},
                                {.offset = 0x18, .name = "ISR", .reset = 0x1, .writable = 0},
                                {.offset = 0x1C, .name = "ICR", .writable = 0},
                                {.offset = 0x20, .name = "PECR", .writable = 0},
                                {.offset = 0x24, .name = "RXDR", .writable = 0},
                                {.offset = 0x28, .name = "TXDR"}};

using Kind = StubRule::Kind;
using On = StubRule::On;

// A word, then the digest; INIT begins anew.
constexpr StubRule kHashRules[] = {
    {Kind::Dip, 0x24, 1u << 0, 0x04, 0, &FlagTimes::hash, On::Write},
    {Kind::Pulse, 0x24, 1u << 3, 0x04, 0, &FlagTimes::hash, On::Write},
    {Kind::Pulse, 0x24, 1u << 3, 0x08, 1u << 8, &FlagTimes::hash},
    {Kind::SetBy, 0x24, 1u << 1, 0x08, 1u << 8, &FlagTimes::hash},
    {Kind::ClearBy, 0x24, 0xA, 0x00, 1u << 2},
    {Kind::SetBy, 0x24, 1u << 0, 0x00, 1u << 2}};
// Nothing is on the bus: START ends with NACKF and the STOP that the master sends by itself. BUSY
// lasts as long; ICR and PE = 0 clear.
constexpr StubRule kI2cRules[] = {
    {Kind::Pulse, 0x04, 1u << 13, 0x04, 1u << 13, &FlagTimes::i2c_address, On::One, 0, 0x00, 1},
    {Kind::Pulse, 0x18, 1u << 15, 0x04, 1u << 13, &FlagTimes::i2c_address, On::One, 0, 0x00, 1},
    {Kind::SetBy, 0x18, 0x30, 0x04, 1u << 13, &FlagTimes::i2c_address, On::One, 0, 0x00, 1},
    {Kind::Erase, 0x18, 0x3F38, 0x1C, 0x3F38},
    {Kind::ClearBy, 0x18, 0xFFFE, 0x00, 1u << 0, nullptr, On::Fall},
    {Kind::ClearBy, 0x04, 1u << 13, 0x00, 1u << 0, nullptr, On::Fall},
    {Kind::ClearBy, 0x18, 1u << 0, 0x28, 0, nullptr, On::Write},
    {Kind::SetBy, 0x18, 1u << 0, 0x18, 1u << 0}};

// Of the older chips; the STM32N6 has a model.
constexpr StubRow kSpiRows[] = {{.offset = 0x0, .name = "CR1", .self_clearing = 0x600},
                                {.offset = 0x4, .name = "CR2"},
                                {.offset = 0x8, .name = "CFG1", .reset = 0x70007},
                                {.offset = 0xC, .name = "CFG2"},
                                {.offset = 0x10, .name = "IER"},
                                {.offset = 0x14, .name = "SR", .reset = 0x1002, .writable = 0},
                                {.offset = 0x18, .name = "IFCR", .writable = 0},
                                {.offset = 0x20, .name = "TXDR", .writable = 0},
                                {.offset = 0x30, .name = "RXDR", .writable = 0},
                                {.offset = 0x40, .name = "CRCPOLY", .reset = 0x107},
                                {.offset = 0x44, .name = "TXCRC", .writable = 0},
                                {.offset = 0x48, .name = "RXCRC", .writable = 0},
                                {.offset = 0x4C, .name = "UDRDR"},
                                {.offset = 0x50, .name = "I2SCFGR"}};
// Nothing is at the pins: a frame is over at once, and a zero comes back for it.
constexpr StubRule kSpiRules[] = {
    {Kind::SetBy, 0x14, 1u << 3, 0x00, 1u << 9, nullptr, On::One, 0, 0x00, 1},  // CSTART: EOT
    {Kind::SetBy, 0x14, 1u << 11, 0x00, 1u << 10},                              // CSUSP: SUSP
    {Kind::Erase, 0x14, 0xBF8, 0x18, 0xBF8},
    {Kind::SetBy, 0x14, 1u << 0, 0x20, 0, nullptr, On::Write},
    {Kind::ClearBy, 0x14, 1u << 0, 0x30, 0, nullptr, On::Read}};

constexpr StubTable kOtherTables[] = {
    {"SPI", kSpiRows, kSpiRules},
    {"HASH", kHashRows, kHashRules},
    {"I2C", kI2cRows, kI2cRules},
    {"VENC", {}},
};

}  // namespace

const StubTables kOtherStubs = kOtherTables;

}  // namespace n6vp::models
