// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_tables.h"

/// Offsets and bits: CMSIS device header. Reset values where nothing public gives one: zero.
namespace n6vp::models {
namespace {

constexpr StubRow kPwrRows[] = {
    {.offset = 0x0, .name = "CR1", .reset = 0x24},
    {.offset = 0x4, .name = "CR2"},
    {.offset = 0x8, .name = "CR3"},
    {.offset = 0xC, .name = "CR4", .writable = 0x11, .modelled = true},
    // Nothing here depends on the core's voltage.
    {.offset = 0x20, .name = "VOSCR", .reset = 0x20002, .writable = 0x1, .modelled = true},
    {.offset = 0x24, .name = "BDCR1"},
    {.offset = 0x28, .name = "BDCR2", .writable = 0x1, .modelled = true},
    {.offset = 0x2C, .name = "DBPCR"},
    {.offset = 0x30, .name = "CPUCR", .writable = 0x10001, .self_clearing = 0x2, .modelled = true},
    // Supplies are always good: a monitor finds them ready after its time, and nothing depends on
    // its range.
    {.offset = 0x34, .name = "SVMCR1", .writable = ~0x10000u, .modelled = true},
    {.offset = 0x38, .name = "SVMCR2", .writable = ~0x10000u, .modelled = true},
    {.offset = 0x3C, .name = "SVMCR3", .writable = ~0x170000u, .modelled = true},
    {.offset = 0x50, .name = "WKUPCR", .self_clearing = 0xFFFFFFFF, .modelled = true},
    {.offset = 0x54, .name = "WKUPSR", .writable = 0, .modelled = true},
    {.offset = 0x58, .name = "WKUPEPR", .writable = 0xFF0F0F, .modelled = true},
    {.offset = 0x70, .name = "SECCFGR"},
    {.offset = 0x74, .name = "PRIVCFGR"}};

constexpr StubRow kSyscfgRows[] = {
    {.offset = 0x0, .name = "BOOTCR"},
    {.offset = 0x4, .name = "CM55CR"},
    {.offset = 0x8, .name = "CM55TCMCR", .reset = 0x87, .modelled = true},
    {.offset = 0xC, .name = "CM55RWMCR"},
    // VTOR of the core after Standby mode: see Stm32n6.
    {.offset = 0x10, .name = "INITSVTORCR", .modelled = true},
    {.offset = 0x14, .name = "INITNSVTORCR", .modelled = true},
    {.offset = 0x18, .name = "CM55RSTCR", .modelled = true},
    {.offset = 0x1C, .name = "CM55PAHBWPR", .writable = 0x1, .modelled = true},
    {.offset = 0x20, .name = "VENCRAMCR"},
    {.offset = 0x24, .name = "POTTAMPRSTCR"},
    {.offset = 0x28, .name = "NPUNICQOSCR"},
    {.offset = 0x34, .name = "ICNEWRCR"},
    {.offset = 0x38, .name = "ICNCGCR"},
    {.offset = 0x44, .name = "VDDIO4CCCR"},
    {.offset = 0x48, .name = "VDDIO4CCSR", .writable = 0},
    {.offset = 0x4C, .name = "VDDIO5CCCR"},
    {.offset = 0x50, .name = "VDDIO5CCSR", .writable = 0},
    {.offset = 0x54, .name = "VDDIO2CCCR"},
    {.offset = 0x58, .name = "VDDIO2CCSR", .writable = 0},
    {.offset = 0x5C, .name = "VDDIO3CCCR"},
    {.offset = 0x60, .name = "VDDIO3CCSR", .writable = 0},
    {.offset = 0x64, .name = "VDDCCCR"},
    {.offset = 0x68, .name = "VDDCCSR", .writable = 0},
    {.offset = 0x6C, .name = "CBR"},
    {.offset = 0x70, .name = "SEC_AIDCR", .reset = 0x1, .writable = 0x7, .modelled = true},
    {.offset = 0x74, .name = "FMC_RETIMECR"},
    {.offset = 0x78, .name = "NPU_ICNCR"},
    {.offset = 0x100, .name = "BOOTSR", .writable = 0},
    {.offset = 0x104, .name = "AHBWP_ERROR_SR", .writable = 0, .modelled = true},
    {.offset = 0x800, .name = "SECPRIV_AIDCR", .reset = 0x1, .writable = 0x7, .modelled = true},
    {.offset = 0xFF0, .name = "DEVICEID", .reset = 0x486, .writable = 0}};

constexpr StubRow kDbgmcuRows[] = {{.offset = 0x0, .name = "IDCODE", .reset = 0x486, .writable = 0},
                                   {.offset = 0x4, .name = "CR"},
                                   {.offset = 0x10, .name = "APB1LFZ1"},
                                   {.offset = 0x14, .name = "APB1HFZ1"},
                                   {.offset = 0x18, .name = "APB2FZ1"},
                                   {.offset = 0x1C, .name = "APB4FZ1"},
                                   {.offset = 0x20, .name = "APB5FZ1"},
                                   {.offset = 0x24, .name = "AHB1FZ1"},
                                   {.offset = 0x28, .name = "AHB5FZ1"},
                                   {.offset = 0xFC, .name = "SR", .writable = 0},
                                   {.offset = 0x100, .name = "DBG_AUTH_HOST"},
                                   {.offset = 0x104, .name = "DBG_AUTH_DEV"},
                                   {.offset = 0x108, .name = "DBG_AUTH_ACK"}};

// Of the older chips; the STM32N6 has a model.
constexpr StubRow kRtcRows[] = {{.offset = 0x0, .name = "TR"},
                                {.offset = 0x4, .name = "DR", .reset = 0x2101},
                                {.offset = 0x8, .name = "SSR", .writable = 0},
                                // RSF: the calendar runs.
                                {.offset = 0xC,
                                 .name = "ICSR",
                                 .reset = 0x27,
                                 .writable = ~0x1007Fu,
                                 .write_zero_clears = 0x20},
                                {.offset = 0x10, .name = "PRER", .reset = 0x007F00FF},
                                {.offset = 0x14, .name = "WUTR", .reset = 0xFFFF},
                                {.offset = 0x18, .name = "CR"},
                                {.offset = 0x1C, .name = "PRIVCFGR"},
                                {.offset = 0x20, .name = "SECCFGR"},
                                {.offset = 0x24, .name = "WPR", .writable = 0},
                                {.offset = 0x28, .name = "CALR"},
                                {.offset = 0x2C, .name = "SHIFTR"},
                                {.offset = 0x30, .name = "TSTR"},
                                {.offset = 0x34, .name = "TSDR"},
                                {.offset = 0x38, .name = "TSSSR"},
                                {.offset = 0x40, .name = "ALRMAR"},
                                {.offset = 0x44, .name = "ALRMASSR"},
                                {.offset = 0x48, .name = "ALRMBR"},
                                {.offset = 0x4C, .name = "ALRMBSSR"},
                                {.offset = 0x50, .name = "SR", .writable = 0},
                                {.offset = 0x54, .name = "MISR", .writable = 0},
                                {.offset = 0x58, .name = "SMISR", .writable = 0},
                                {.offset = 0x5C, .name = "SCR", .writable = 0},
                                {.offset = 0x70, .name = "ALRABINR"},
                                {.offset = 0x74, .name = "ALRBBINR"}};

constexpr StubRow kTampRows[] = {{.offset = 0x0, .name = "CR1"},
                                 {.offset = 0x4, .name = "CR2"},
                                 {.offset = 0x8, .name = "CR3"},
                                 {.offset = 0xC, .name = "FLTCR"},
                                 {.offset = 0x10, .name = "ATCR1"},
                                 {.offset = 0x14, .name = "ATSEEDR"},
                                 {.offset = 0x18, .name = "ATOR", .writable = 0},
                                 {.offset = 0x1C, .name = "ATCR2"},
                                 {.offset = 0x20, .name = "SECCFGR"},
                                 {.offset = 0x24, .name = "PRIVCFGR"},
                                 {.offset = 0x2C, .name = "IER"},
                                 {.offset = 0x30, .name = "SR", .writable = 0},
                                 {.offset = 0x34, .name = "MISR", .writable = 0},
                                 {.offset = 0x38, .name = "SMISR", .writable = 0},
                                 {.offset = 0x3C, .name = "SCR", .writable = 0},
                                 {.offset = 0x40, .name = "COUNT1R", .writable = 0},
                                 {.offset = 0x50, .name = "OR"},
                                 {.offset = 0x54, .name = "RPCFGR"},
                                 {.offset = 0x100, .name = "BKP0R"},
                                 {.offset = 0x104, .name = "BKP1R"},
                                 {.offset = 0x108, .name = "BKP2R"},
                                 {.offset = 0x10C, .name = "BKP3R"},
                                 {.offset = 0x110, .name = "BKP4R"},
                                 {.offset = 0x114, .name = "BKP5R"},
                                 {.offset = 0x118, .name = "BKP6R"},
                                 {.offset = 0x11C, .name = "BKP7R"},
                                 {.offset = 0x120, .name = "BKP8R"},
                                 {.offset = 0x124, .name = "BKP9R"},
                                 {.offset = 0x128, .name = "BKP10R"},
                                 {.offset = 0x12C, .name = "BKP11R"},
                                 {.offset = 0x130, .name = "BKP12R"},
                                 {.offset = 0x134, .name = "BKP13R"},
                                 {.offset = 0x138, .name = "BKP14R"},
                                 {.offset = 0x13C, .name = "BKP15R"},
                                 {.offset = 0x140, .name = "BKP16R"},
                                 {.offset = 0x144, .name = "BKP17R"},
                                 {.offset = 0x148, .name = "BKP18R"},
                                 {.offset = 0x14C, .name = "BKP19R"},
                                 {.offset = 0x150, .name = "BKP20R"},
                                 {.offset = 0x154, .name = "BKP21R"},
                                 {.offset = 0x158, .name = "BKP22R"},
                                 {.offset = 0x15C, .name = "BKP23R"},
                                 {.offset = 0x160, .name = "BKP24R"},
                                 {.offset = 0x164, .name = "BKP25R"},
                                 {.offset = 0x168, .name = "BKP26R"},
                                 {.offset = 0x16C, .name = "BKP27R"},
                                 {.offset = 0x170, .name = "BKP28R"},
                                 {.offset = 0x174, .name = "BKP29R"},
                                 {.offset = 0x178, .name = "BKP30R"},
                                 {.offset = 0x17C, .name = "BKP31R"}};

// The cache of the GPU. The invalidation that follows a reset is over at once.
constexpr StubRow kIcacheRows[] = {
    {.offset = 0x0, .name = "CR", .reset = 0x4, .self_clearing = 0xC0002},
    {.offset = 0x4, .name = "SR", .writable = 0},
    {.offset = 0x8, .name = "IER"},
    {.offset = 0xC, .name = "FCR", .writable = 0},
    {.offset = 0x10, .name = "HMONR", .writable = 0},
    {.offset = 0x14, .name = "MMONR", .writable = 0}};

using Kind = StubRule::Kind;
using On = StubRule::On;

constexpr StubRule kPwrRules[] = {
    {Kind::ClearBy, 0x30, 3u << 8, 0x30, 1u << 1},  // STOPF, SBF by CSSF
    {Kind::Erase, 0x54, 0xF, 0x50, 0xF},            // WKUPF by WKUPC
    {Kind::Dip, 0x20, 1u << 1, 0x20, 1u << 0, &FlagTimes::voltage, On::Change},
    {Kind::Dip, 0x20, 1u << 17, 0x20, 1u << 0, &FlagTimes::voltage, On::Change},
    {Kind::Follow, 0x20, 1u << 16, 0x20, 1u << 0, &FlagTimes::voltage},
    {Kind::Follow, 0x34, 1u << 16, 0x34, 1u << 0, &FlagTimes::supply_monitor},
    {Kind::Follow, 0x38, 1u << 16, 0x38, 1u << 0, &FlagTimes::supply_monitor},
    {Kind::Follow, 0x3C, 1u << 16, 0x3C, 1u << 0, &FlagTimes::supply_monitor},
    {Kind::Follow, 0x3C, 1u << 17, 0x3C, 1u << 1, &FlagTimes::supply_monitor},
    {Kind::Follow, 0x3C, 1u << 18, 0x3C, 1u << 2, &FlagTimes::supply_monitor},
    {Kind::Follow, 0x3C, 1u << 20, 0x3C, 1u << 4, &FlagTimes::supply_monitor}};
// Compensation cells.
constexpr StubRule kSyscfgRules[] = {
    {Kind::Follow, 0x48, 1u << 8, 0x44, 1u << 8, &FlagTimes::compensation},
    {Kind::Follow, 0x50, 1u << 8, 0x4C, 1u << 8, &FlagTimes::compensation},
    {Kind::Follow, 0x58, 1u << 8, 0x54, 1u << 8, &FlagTimes::compensation},
    {Kind::Follow, 0x60, 1u << 8, 0x5C, 1u << 8, &FlagTimes::compensation},
    {Kind::Follow, 0x68, 1u << 8, 0x64, 1u << 8, &FlagTimes::compensation}};
// INITF, RSF, WUTWF, RECALPF by CALR, SHPF by SHIFTR.
constexpr StubRule kRtcRules[] = {
    {Kind::Follow, 0x0C, 1u << 6, 0x0C, 1u << 7, &FlagTimes::rtc},
    {Kind::Dip, 0x0C, 1u << 5, 0x0C, 1u << 5, &FlagTimes::rtc, On::Fall},
    {Kind::Oppose, 0x0C, 1u << 2, 0x18, 1u << 10, &FlagTimes::rtc},
    {Kind::Pulse, 0x0C, 1u << 16, 0x28, 0, &FlagTimes::rtc, On::Write},
    {Kind::Pulse, 0x0C, 1u << 3, 0x2C, 0, &FlagTimes::rtc, On::Write}};
// BUSYF and BSYENDF of an invalidation.
constexpr StubRule kIcacheRules[] = {
    {Kind::Pulse, 0x04, 1u << 0, 0x00, 1u << 1, &FlagTimes::cache_maintenance},
    {Kind::SetBy, 0x04, 1u << 1, 0x00, 1u << 1, &FlagTimes::cache_maintenance},
    {Kind::Erase, 0x04, 0x6, 0x0C, 0x6}};
constexpr StubRule kTampRules[] = {
    {Kind::Pulse, 0x18, 1u << 14, 0x14, 0, &FlagTimes::tamper_seed, On::Write}};

constexpr StubTable kSystemTables[] = {
    {"PWR", kPwrRows, kPwrRules},    {"SYSCFG", kSyscfgRows, kSyscfgRules},
    {"DBGMCU", kDbgmcuRows},         {"RTC", kRtcRows, kRtcRules},
    {"TAMP", kTampRows, kTampRules}, {"ICACHE", kIcacheRows, kIcacheRules},
};

}  // namespace

const StubTables kSystemStubs = kSystemTables;

}  // namespace n6vp::models
