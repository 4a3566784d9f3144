// SPDX-License-Identifier: Apache-2.0
// Peripherals without model whose flags firmware waits for. One table serves every chip that has
// the same version of the unit. Sources: CMSIS device headers (offsets, bits), reference manuals
// and CMSIS-SVD files (reset values), HAL drivers (which flag follows what).
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/soc/mcu/set_up_tables.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models::mcu {
namespace polled {
namespace {

using Kind = StubRule::Kind;
using On = StubRule::On;

// RTC with ISR (version 2). Its calendar stands still, and counts as taken over.
constexpr StubRow kRtcRows[] = {
    {.offset = 0x0, .name = "TR"},
    {.offset = 0x4, .name = "DR", .reset = 0x2101},
    {.offset = 0x8, .name = "CR"},
    {.offset = 0xC, .name = "ISR", .reset = 0x27, .writable = 0xFFA0, .write_zero_clears = 0xFF20},
    {.offset = 0x10, .name = "PRER", .reset = 0x7F00FF},
    {.offset = 0x14, .name = "WUTR", .reset = 0xFFFF},
    {.offset = 0x1C, .name = "ALRMAR"},
    {.offset = 0x20, .name = "ALRMBR"},
    {.offset = 0x24, .name = "WPR", .writable = 0},
    {.offset = 0x28, .name = "SSR", .writable = 0},
    {.offset = 0x2C, .name = "SHIFTR", .writable = 0},
    {.offset = 0x30, .name = "TSTR", .writable = 0},
    {.offset = 0x34, .name = "TSDR", .writable = 0},
    {.offset = 0x38, .name = "TSSSR", .writable = 0},
    {.offset = 0x3C, .name = "CALR"},
    {.offset = 0x40, .name = "TAMPCR"},
    {.offset = 0x44, .name = "ALRMASSR"},
    {.offset = 0x48, .name = "ALRMBSSR"},
    {.offset = 0x4C, .name = "OR"}};
constexpr StubRule kRtcRules[] = {
    {Kind::Follow, 0xC, 1u << 6, 0xC, 1u << 7, &FlagTimes::rtc},         // INITF
    {Kind::Dip, 0xC, 1u << 5, 0xC, 1u << 5, &FlagTimes::rtc, On::Fall},  // RSF
    {Kind::Oppose, 0xC, 1u << 0, 0x8, 1u << 8, &FlagTimes::rtc},         // ALRAWF
    {Kind::Oppose, 0xC, 1u << 1, 0x8, 1u << 9, &FlagTimes::rtc},         // ALRBWF
    {Kind::Oppose, 0xC, 1u << 2, 0x8, 1u << 10, &FlagTimes::rtc},        // WUTWF
    {Kind::SetBy, 0xC, 1u << 4, 0x4, 0xFF0000},                          // INITS: a year
    {Kind::Pulse, 0xC, 1u << 3, 0x2C, 0, &FlagTimes::rtc, On::Write},    // SHPF
    {Kind::Pulse, 0xC, 1u << 16, 0x3C, 0, &FlagTimes::rtc, On::Write}};  // RECALPF

// USB without a host: the core answers its resets, no cable is there.
constexpr StubRow kUsbRows[] = {{.offset = 0x0, .name = "GOTGCTL"},
                                {.offset = 0x4, .name = "GOTGINT", .write_one_clears = 0xFFFFFFFF},
                                {.offset = 0x8, .name = "GAHBCFG"},
                                {.offset = 0xC, .name = "GUSBCFG", .reset = 0x1440},
                                {.offset = 0x10,
                                 .name = "GRSTCTL",
                                 .reset = 0x80000000,
                                 .writable = 0x7FFFFFFF,
                                 .self_clearing = 0x3F},
                                {.offset = 0x14,
                                 .name = "GINTSTS",
                                 .reset = 0x04000020,
                                 .writable = 0xF070FC02,
                                 .write_one_clears = 0xF070FC02},
                                {.offset = 0x18, .name = "GINTMSK"},
                                {.offset = 0x1C, .name = "GRXSTSR", .writable = 0},
                                {.offset = 0x20, .name = "GRXSTSP", .writable = 0},
                                {.offset = 0x24, .name = "GRXFSIZ"},
                                {.offset = 0x38, .name = "GCCFG"},
                                {.offset = 0x3C, .name = "CID"},
                                {.offset = 0x804, .name = "DCTL"},
                                {.offset = 0x808, .name = "DSTS", .reset = 0x10, .writable = 0},
                                {.offset = 0xE00, .name = "PCGCCTL"}};
// CMOD: the mode that is forced is the mode.
constexpr StubRule kUsbRules[] = {{Kind::Follow, 0x14, 1u << 0, 0xC, 1u << 29},
                                  // Global NAKs: SGINAK, CGINAK, SGONAK, CGONAK of DCTL.
                                  {Kind::SetBy, 0x14, 1u << 6, 0x804, 1u << 7},
                                  {Kind::ClearBy, 0x14, 1u << 6, 0x804, 1u << 8},
                                  {Kind::SetBy, 0x14, 1u << 7, 0x804, 1u << 9},
                                  {Kind::ClearBy, 0x14, 1u << 7, 0x804, 1u << 10}};

// Controllers of serial flash without flash: commands are done, data are zeros, and the status that
// is polled for has come.
constexpr StubRow kQuadspiRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x2},
                                    {.offset = 0x4, .name = "DCR"},
                                    {.offset = 0x8, .name = "SR", .writable = 0, .ones = 0x4},
                                    {.offset = 0xC, .name = "FCR", .self_clearing = 0x1B},
                                    {.offset = 0x10, .name = "DLR"},
                                    {.offset = 0x14, .name = "CCR"},
                                    {.offset = 0x18, .name = "AR"},
                                    {.offset = 0x1C, .name = "ABR"},
                                    {.offset = 0x20, .name = "DR", .writable = 0},
                                    {.offset = 0x24, .name = "PSMKR"},
                                    {.offset = 0x28, .name = "PSMAR"},
                                    {.offset = 0x2C, .name = "PIR"},
                                    {.offset = 0x30, .name = "LPTR"}};
constexpr StubRule kQuadspiRules[] = {{Kind::SetBy, 0x8, 0xA, 0x14, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x8, 0xA, 0x18, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x8, 0x2, 0x20, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x8, 0x2, 0x0, 1u << 1},
                                      {Kind::Erase, 0x8, 0x1B, 0xC, 0x1B}};
constexpr StubRow kOctospiRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x2},
                                    {.offset = 0x8, .name = "DCR1"},
                                    {.offset = 0xC, .name = "DCR2"},
                                    {.offset = 0x10, .name = "DCR3"},
                                    {.offset = 0x14, .name = "DCR4"},
                                    {.offset = 0x20, .name = "SR", .writable = 0, .ones = 0x4},
                                    {.offset = 0x24, .name = "FCR", .self_clearing = 0x1B},
                                    {.offset = 0x40, .name = "DLR"},
                                    {.offset = 0x48, .name = "AR"},
                                    {.offset = 0x50, .name = "DR", .writable = 0},
                                    {.offset = 0x80, .name = "PSMKR"},
                                    {.offset = 0x88, .name = "PSMAR"},
                                    {.offset = 0x90, .name = "PIR"},
                                    {.offset = 0x100, .name = "CCR"},
                                    {.offset = 0x108, .name = "TCR"},
                                    {.offset = 0x110, .name = "IR"},
                                    {.offset = 0x120, .name = "ABR"},
                                    {.offset = 0x130, .name = "LPTR"},
                                    {.offset = 0x140, .name = "WPCCR"},
                                    {.offset = 0x148, .name = "WPTCR"},
                                    {.offset = 0x150, .name = "WPIR"},
                                    {.offset = 0x160, .name = "WPABR"},
                                    {.offset = 0x180, .name = "WCCR"},
                                    {.offset = 0x188, .name = "WTCR"},
                                    {.offset = 0x190, .name = "WIR"},
                                    {.offset = 0x1A0, .name = "WABR"},
                                    {.offset = 0x200, .name = "HLCR"}};
constexpr StubRule kOctospiRules[] = {{Kind::SetBy, 0x20, 0xA, 0x110, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x20, 0xA, 0x48, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x20, 0x2, 0x50, 0, nullptr, On::Write},
                                      {Kind::SetBy, 0x20, 0x2, 0x0, 1u << 1},
                                      {Kind::Erase, 0x20, 0x1B, 0x24, 0x1B}};

// FMC: reset values; the FIFO of the NAND controller is empty, SDRAM is never busy.
constexpr StubRow kFmcBank1Rows[] = {{.offset = 0x0, .name = "BCR1", .reset = 0x30DB},
                                     {.offset = 0x4, .name = "BTR1", .reset = 0xFFFFFFF},
                                     {.offset = 0x8, .name = "BCR2", .reset = 0x30D2},
                                     {.offset = 0xC, .name = "BTR2", .reset = 0xFFFFFFF},
                                     {.offset = 0x10, .name = "BCR3", .reset = 0x30D2},
                                     {.offset = 0x14, .name = "BTR3", .reset = 0xFFFFFFF},
                                     {.offset = 0x18, .name = "BCR4", .reset = 0x30D2},
                                     {.offset = 0x1C, .name = "BTR4", .reset = 0xFFFFFFF}};
constexpr StubRow kFmcBank3Rows[] = {{.offset = 0x0, .name = "PCR", .reset = 0x18},
                                     {.offset = 0x4, .name = "SR", .reset = 0x40, .writable = 0x3F},
                                     {.offset = 0x8, .name = "PMEM", .reset = 0xFCFCFCFC},
                                     {.offset = 0xC, .name = "PATT", .reset = 0xFCFCFCFC},
                                     {.offset = 0x14, .name = "ECCR", .writable = 0}};
constexpr StubRow kFmcSdramRows[] = {{.offset = 0x0, .name = "SDCR1", .reset = 0x2D0},
                                     {.offset = 0x4, .name = "SDCR2", .reset = 0x2D0},
                                     {.offset = 0x8, .name = "SDTR1", .reset = 0xFFFFFFF},
                                     {.offset = 0xC, .name = "SDTR2", .reset = 0xFFFFFFF},
                                     {.offset = 0x10, .name = "SDCMR"},
                                     {.offset = 0x14, .name = "SDRTR", .self_clearing = 0x1},
                                     {.offset = 0x18, .name = "SDSR", .writable = 0}};

// Pictures: registers are taken over at once (RRIF), transfers are done at once (TCIF, CTCIF), and
// nothing is drawn.
constexpr StubRow kLtdcRows[] = {{.offset = 0x8, .name = "SSCR"},
                                 {.offset = 0xC, .name = "BPCR"},
                                 {.offset = 0x10, .name = "AWCR"},
                                 {.offset = 0x14, .name = "TWCR"},
                                 {.offset = 0x18, .name = "GCR", .reset = 0x2220},
                                 {.offset = 0x24, .name = "SRCR", .self_clearing = 0x3},
                                 {.offset = 0x2C, .name = "BCCR"},
                                 {.offset = 0x34, .name = "IER"},
                                 {.offset = 0x38, .name = "ISR", .writable = 0},
                                 {.offset = 0x3C, .name = "ICR", .self_clearing = 0xF},
                                 {.offset = 0x40, .name = "LIPCR"},
                                 {.offset = 0x44, .name = "CPSR", .writable = 0},
                                 {.offset = 0x48, .name = "CDSR", .reset = 0xF, .writable = 0}};
constexpr StubRule kLtdcRules[] = {{Kind::SetBy, 0x38, 1u << 3, 0x24, 0x3},
                                   {Kind::Erase, 0x38, 0xF, 0x3C, 0xF}};
constexpr StubRow kDma2dRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x5},
                                  {.offset = 0x4, .name = "ISR", .writable = 0},
                                  {.offset = 0x8, .name = "IFCR", .self_clearing = 0x3F},
                                  {.offset = 0xC, .name = "FGMAR"},
                                  {.offset = 0x10, .name = "FGOR"},
                                  {.offset = 0x14, .name = "BGMAR"},
                                  {.offset = 0x18, .name = "BGOR"},
                                  {.offset = 0x1C, .name = "FGPFCCR", .self_clearing = 0x20},
                                  {.offset = 0x20, .name = "FGCOLR"},
                                  {.offset = 0x24, .name = "BGPFCCR", .self_clearing = 0x20},
                                  {.offset = 0x28, .name = "BGCOLR"},
                                  {.offset = 0x2C, .name = "FGCMAR"},
                                  {.offset = 0x30, .name = "BGCMAR"},
                                  {.offset = 0x34, .name = "OPFCCR"},
                                  {.offset = 0x38, .name = "OCOLR"},
                                  {.offset = 0x3C, .name = "OMAR"},
                                  {.offset = 0x40, .name = "OOR"},
                                  {.offset = 0x44, .name = "NLR"},
                                  {.offset = 0x48, .name = "LWR"},
                                  {.offset = 0x4C, .name = "AMTCR"}};
constexpr StubRule kDma2dRules[] = {{Kind::SetBy, 0x4, 1u << 1, 0x0, 1u << 0},
                                    {Kind::SetBy, 0x4, 1u << 4, 0x1C, 1u << 5},
                                    {Kind::SetBy, 0x4, 1u << 4, 0x24, 1u << 5},
                                    {Kind::Erase, 0x4, 0x3F, 0x8, 0x3F}};

// ADC with ISR, CR, CFGR. A conversion is done at once and gives zero; with CONT (CFGR bit 13) the
// next one is done when DR was read.
constexpr StubRow kAdcRows[] = {
    {.offset = 0x0, .name = "ISR", .write_one_clears = 0xFFFFFFFF},
    {.offset = 0x4, .name = "IER"},
    {.offset = 0x8, .name = "CR", .reset = 0x20000000, .self_clearing = 0x8000003E},
    {.offset = 0xC, .name = "CFGR"},
    {.offset = 0x40, .name = "DR", .writable = 0}};
constexpr StubRule kAdcRules[] = {
    {Kind::SetBy, 0x0, 1u << 0, 0x8, 1u << 0},    // ADEN: ADRDY
    {Kind::ClearBy, 0x8, 1u << 0, 0x8, 1u << 1},  // ADDIS
    {Kind::SetBy, 0x0, 0xE, 0x8, 1u << 2},        // ADSTART: EOSMP, EOC, EOS
    {Kind::SetBy, 0x0, 0x60, 0x8, 1u << 3},       // JADSTART: JEOC, JEOS
    {Kind::ClearBy, 0x0, 1u << 2, 0x40, 0, nullptr, On::Read},
    {Kind::SetBy, 0x0, 1u << 2, 0x40, 0, nullptr, On::Read, 0, 0xC, 1u << 13},
    // Not on the L4: EOCAL of ADCAL, LDORDY of ADVREGEN.
    {Kind::SetBy, 0x0, 1u << 11, 0x8, 1u << 31},
    {Kind::Follow, 0x0, 1u << 12, 0x8, 1u << 28}};
constexpr std::span<const StubRule> kAdcL4Rules = std::span(kAdcRules).first<6>();
// ADC with SR, CR1, CR2: SWSTART, JSWSTART.
constexpr StubRow kAdcOldRows[] = {
    {.offset = 0x0, .name = "SR", .writable = 0x3F, .write_zero_clears = 0x3F},
    {.offset = 0x4, .name = "CR1"},
    {.offset = 0x8, .name = "CR2", .self_clearing = 0x40400000},
    {.offset = 0x4C, .name = "DR", .writable = 0}};
constexpr StubRule kAdcOldRules[] = {
    {Kind::SetBy, 0x0, 0x12, 0x8, 1u << 30},
    {Kind::SetBy, 0x0, 0xC, 0x8, 1u << 22},
    {Kind::ClearBy, 0x0, 1u << 1, 0x4C, 0, nullptr, On::Read},
    {Kind::SetBy, 0x0, 1u << 1, 0x4C, 0, nullptr, On::Read, 0, 0x8, 1u << 1}};

// SPI with CR1, CR2, SR, DR. Nothing is at the pins: a zero comes back for every frame.
constexpr StubRow kSpiRows[] = {{.offset = 0x0, .name = "CR1"},
                                {.offset = 0x4, .name = "CR2", .reset = 0x700},
                                {.offset = 0x8, .name = "SR", .reset = 0x2, .writable = 0},
                                {.offset = 0xC, .name = "DR", .writable = 0},
                                {.offset = 0x10, .name = "CRCPR", .reset = 0x7},
                                {.offset = 0x14, .name = "RXCRCR", .writable = 0},
                                {.offset = 0x18, .name = "TXCRCR", .writable = 0},
                                {.offset = 0x1C, .name = "I2SCFGR"},
                                {.offset = 0x20, .name = "I2SPR", .reset = 0x2}};
constexpr StubRule kSpiRules[] = {{Kind::SetBy, 0x8, 1u << 0, 0xC, 0, nullptr, On::Write},
                                  {Kind::ClearBy, 0x8, 1u << 0, 0xC, 0, nullptr, On::Read}};

// A command finds no card: CMDSENT without, CTIMEOUT with a response to wait for.
constexpr StubRow kSdmmcRows[] = {{.offset = 0x0, .name = "POWER"},
                                  {.offset = 0x4, .name = "CLKCR"},
                                  {.offset = 0x8, .name = "ARG"},
                                  {.offset = 0xC, .name = "CMD"},
                                  {.offset = 0x24, .name = "DTIMER"},
                                  {.offset = 0x28, .name = "DLEN"},
                                  {.offset = 0x2C, .name = "DCTRL"},
                                  {.offset = 0x34, .name = "STA", .writable = 0},
                                  {.offset = 0x38, .name = "ICR", .self_clearing = 0xFFFFFFFF},
                                  {.offset = 0x3C, .name = "MASK"}};
// CPSMEN and WAITRESP: bits 10 and 7:6, or 12 and 9:8.
constexpr StubRule kSdmmcOldRules[] = {
    {Kind::SetBy, 0x34, 1u << 7, 0xC, 1u << 10},
    {Kind::SetBy, 0x34, 1u << 2, 0xC, 1u << 10, nullptr, On::One, 0, 0xC, 3u << 6},
    {Kind::Erase, 0x34, 0xFFFFFFFF, 0x38, 0xFFFFFFFF}};
constexpr StubRule kSdmmcRules[] = {
    {Kind::SetBy, 0x34, 1u << 7, 0xC, 1u << 12},
    {Kind::SetBy, 0x34, 1u << 2, 0xC, 1u << 12, nullptr, On::One, 0, 0xC, 3u << 8},
    {Kind::Erase, 0x34, 0xFFFFFFFF, 0x38, 0xFFFFFFFF}};

// CMPOK, ARROK; on the U5 also DIEROK, REPOK, CMP2OK. Nothing counts.
constexpr StubRow kLptimRows[] = {{.offset = 0x0, .name = "ISR", .writable = 0},
                                  {.offset = 0x4, .name = "ICR", .self_clearing = 0xFFFFFFFF},
                                  {.offset = 0x8, .name = "IER"},
                                  {.offset = 0xC, .name = "CFGR"},
                                  {.offset = 0x10, .name = "CR", .self_clearing = 0xE},
                                  {.offset = 0x14, .name = "CMP"},
                                  {.offset = 0x18, .name = "ARR", .reset = 0x1},
                                  {.offset = 0x1C, .name = "CNT", .writable = 0}};
constexpr StubRule kLptimRules[] = {{Kind::SetBy, 0x0, 1u << 3, 0x14, 0, nullptr, On::Write},
                                    {Kind::SetBy, 0x0, 1u << 4, 0x18, 0, nullptr, On::Write},
                                    {Kind::Erase, 0x0, 0xFFFFFFFF, 0x4, 0xFFFFFFFF},
                                    {Kind::SetBy, 0x0, 1u << 24, 0x8, 0, nullptr, On::Write},
                                    {Kind::SetBy, 0x0, 1u << 8, 0x28, 0, nullptr, On::Write},
                                    {Kind::SetBy, 0x0, 1u << 19, 0x34, 0, nullptr, On::Write}};
constexpr std::span<const StubRule> kLptimOldRules = std::span(kLptimRules).first<3>();

// bxCAN: INAK, SLAK; the mailboxes stay empty. FDCAN: CSA.
constexpr StubRow kCanRows[] = {{.offset = 0x0, .name = "MCR", .reset = 0x10002},
                                {.offset = 0x4, .name = "MSR", .reset = 0xC02, .writable = 0},
                                {.offset = 0x8, .name = "TSR", .reset = 0x1C000000, .writable = 0}};
constexpr StubRule kCanRules[] = {{Kind::Follow, 0x4, 1u << 0, 0x0, 1u << 0},
                                  {Kind::Follow, 0x4, 1u << 1, 0x0, 1u << 1}};
constexpr StubRow kFdcanRows[] = {{.offset = 0x18, .name = "CCCR", .reset = 0x1}};
constexpr StubRule kFdcanRules[] = {{Kind::Follow, 0x18, 1u << 3, 0x18, 1u << 4}};

// VRR of ENVR; DAC1RDY, DAC2RDY (U5); CKGACTIVE and the filters of MDF and ADF.
constexpr StubRow kVrefbufRows[] = {{.offset = 0x0, .name = "CSR", .reset = 0x2, .writable = ~8u},
                                    {.offset = 0x4, .name = "CCR"}};
constexpr StubRule kVrefbufRules[] = {{Kind::Follow, 0x0, 1u << 3, 0x0, 1u << 0}};
constexpr StubRule kDacRules[] = {{Kind::Follow, 0x34, 1u << 11, 0x0, 1u << 0},
                                  {Kind::Follow, 0x34, 1u << 27, 0x0, 1u << 16}};
constexpr StubRule kMdfRules[] = {{Kind::Follow, 0x4, 1u << 31, 0x4, 1u << 0}};
constexpr StubRule kMdfFilterRules[] = {{Kind::Follow, 0x0, 1u << 31, 0x0, 1u << 0},
                                        {Kind::Follow, 0x8, 1u << 31, 0x8, 1u << 0}};

// A channel of GPDMA or LPDMA: no transfer is made.
constexpr StubRow kGpdmaChannelRows[] = {
    {.offset = 0x0, .name = "LBAR"},
    {.offset = 0xC, .name = "FCR", .self_clearing = 0x7F00},
    {.offset = 0x10, .name = "SR", .reset = 0x1, .writable = 0},
    {.offset = 0x14, .name = "CR", .self_clearing = 0x2},
    {.offset = 0x40, .name = "TR1"},
    {.offset = 0x44, .name = "TR2"},
    {.offset = 0x48, .name = "BR1"},
    {.offset = 0x4C, .name = "SAR"},
    {.offset = 0x50, .name = "DAR"},
    {.offset = 0x54, .name = "TR3"},
    {.offset = 0x58, .name = "BR2"},
    {.offset = 0x7C, .name = "LLR"}};
constexpr StubRule kGpdmaChannelRules[] = {
    {Kind::ClearBy, 0x14, 0x5, 0x14, 1u << 1},
    {Kind::ClearBy, 0x10, 0x7F00, 0x14, 1u << 1},
    {Kind::SetBy, 0x10, 1u << 13, 0x14, 1u << 2, &FlagTimes::dma_stop},
    {Kind::Erase, 0x10, 0x7F00, 0xC, 0x7F00},
    {Kind::Oppose, 0x10, 1u << 0, 0x14, 1u << 0}};

// Ethernet: software reset, the MDIO that has no PHY, FIFOs that are empty.
constexpr StubRow kEthOldRows[] = {
    {.offset = 0x10, .name = "MACMIIAR", .self_clearing = 0x1},
    {.offset = 0x1000, .name = "DMABMR", .reset = 0x20101, .self_clearing = 0x1},
    {.offset = 0x1018, .name = "DMAOMR", .self_clearing = 0x100000}};
constexpr StubRow kEthRows[] = {{.offset = 0x200, .name = "MACMDIOAR", .self_clearing = 0x1},
                                {.offset = 0xD00, .name = "MTLTQOMR", .self_clearing = 0x1},
                                {.offset = 0x1000, .name = "DMAMR", .self_clearing = 0x1}};
// An acquisition of the touch sensor ends at once.
constexpr StubRow kTscRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x2},
                                {.offset = 0x8, .name = "ICR", .self_clearing = 0x3},
                                {.offset = 0xC, .name = "ISR", .writable = 0}};
constexpr StubRule kTscRules[] = {{Kind::SetBy, 0xC, 1u << 0, 0x0, 1u << 1},
                                  {Kind::Erase, 0xC, 0x3, 0x8, 0x3}};
// FLUSH of a channel's FIFO, CR2.
constexpr StubRow kSaiBlockRows[] = {{.offset = 0x0, .name = "CR1", .reset = 0x40},
                                     {.offset = 0x4, .name = "CR2", .self_clearing = 0x8},
                                     {.offset = 0x8, .name = "FRCR", .reset = 0x7},
                                     {.offset = 0xC, .name = "SLOTR"},
                                     {.offset = 0x10, .name = "IMR"},
                                     {.offset = 0x14, .name = "SR", .writable = 0},
                                     {.offset = 0x18, .name = "CLRFR", .self_clearing = 0x77},
                                     {.offset = 0x1C, .name = "DR"}};

constexpr StubTable kRtc{"RTC", kRtcRows, kRtcRules};
constexpr StubTable kUsb{"USB", kUsbRows, kUsbRules};
constexpr StubTable kQuadspi{"QUADSPI", kQuadspiRows, kQuadspiRules};
constexpr StubTable kOctospi{"OCTOSPI", kOctospiRows, kOctospiRules};
constexpr StubTable kFmcBank1{"FMC", kFmcBank1Rows}, kFmcBank3{"FMC", kFmcBank3Rows},
    kFmcSdram{"FMC", kFmcSdramRows};
constexpr StubTable kLtdc{"LTDC", kLtdcRows, kLtdcRules};
constexpr StubTable kDma2d{"DMA2D", kDma2dRows, kDma2dRules};
constexpr StubTable kAdc{"ADC", kAdcRows, kAdcRules}, kAdcL4{"ADC", kAdcRows, kAdcL4Rules},
    kAdcOld{"ADC", kAdcOldRows, kAdcOldRules};
constexpr StubTable kSpi{"SPI", kSpiRows, kSpiRules};
constexpr StubTable kSdmmc{"SDMMC", kSdmmcRows, kSdmmcRules},
    kSdmmcOld{"SDMMC", kSdmmcRows, kSdmmcOldRules};
constexpr StubTable kLptim{"LPTIM", kLptimRows, kLptimRules},
    kLptimOld{"LPTIM", kLptimRows, kLptimOldRules};
constexpr StubTable kCan{"CAN", kCanRows, kCanRules}, kFdcan{"FDCAN", kFdcanRows, kFdcanRules};
constexpr StubTable kVrefbuf{"VREFBUF", kVrefbufRows, kVrefbufRules};
constexpr StubTable kDac{"DAC", {}, kDacRules};
constexpr StubTable kMdf{"MDF", {}, kMdfRules}, kMdfFilter{"MDF", {}, kMdfFilterRules};
constexpr StubTable kGpdmaChannel{"GPDMA", kGpdmaChannelRows, kGpdmaChannelRules};
constexpr StubTable kEth{"ETH", kEthRows}, kEthOld{"ETH", kEthOldRows};
constexpr StubTable kTsc{"TSC", kTscRows, kTscRules};
constexpr StubTable kSaiBlock{"SAI", kSaiBlockRows};

// By family, in the order of the enumeration.
constexpr unsigned kL4 = 1, kU5 = 2, kF7 = 4, kH7 = 8, kAll = 15;

/// `#` in a pattern stands for a number.
struct Choice {
    std::string_view pattern;
    unsigned families;
    const StubTable* table;
};
constexpr Choice kChoices[] = {
    {"RTC", kAll, &kRtc},
    {"USB_OTG_FS", kAll, &kUsb},
    {"USB_OTG_HS", kAll, &kUsb},
    {"USB#_OTG_FS", kAll, &kUsb},
    {"USB#_OTG_HS", kAll, &kUsb},
    {"QUADSPI", kAll, &kQuadspi},
    {"OCTOSPI#", kAll, &kOctospi},
    {"FMC_Bank1", kAll, &kFmcBank1},
    {"FMC_Bank1_R", kAll, &kFmcBank1},
    {"FMC_Bank3", kAll, &kFmcBank3},
    {"FMC_Bank3_R", kAll, &kFmcBank3},
    {"FMC_Bank5_6", kAll, &kFmcSdram},
    {"FMC_Bank5_6_R", kAll, &kFmcSdram},
    {"LTDC", kAll, &kLtdc},
    {"DMA2D", kAll, &kDma2d},
    {"ADC#", kF7, &kAdcOld},
    {"ADC#", kL4, &kAdcL4},
    {"ADC#", kU5 | kH7, &kAdc},
    {"SPI#", kL4 | kF7, &kSpi},
    {"SDMMC#", kAll, &kSdmmc},
    {"LPTIM#", kU5, &kLptim},
    {"LPTIM#", kAll, &kLptimOld},
    {"CAN#", kAll, &kCan},
    {"FDCAN#", kAll, &kFdcan},
    {"VREFBUF", kAll, &kVrefbuf},
    {"DAC#", kU5, &kDac},
    {"MDF#", kU5, &kMdf},
    {"ADF#", kU5, &kMdf},
    {"MDF#_Filter#", kU5, &kMdfFilter},
    {"ADF#_Filter#", kU5, &kMdfFilter},
    {"GPDMA#_Channel#", kU5, &kGpdmaChannel},
    {"LPDMA#_Channel#", kU5, &kGpdmaChannel},
    {"ETH", kF7, &kEthOld},
    {"ETH", kH7, &kEth},
    {"TSC", kAll, &kTsc},
    {"SAI#_Block_A", kAll, &kSaiBlock},
    {"SAI#_Block_B", kAll, &kSaiBlock},
};

/// Units of the same version as on the STM32N6, by the name of their type there.
struct Shared {
    std::string_view pattern;
    unsigned families;
    std::string_view type;
};
constexpr Shared kShared[] = {{"I2C#", kAll, "I2C"},
                              {"SPI#", kU5 | kH7, "SPI"},
                              {"HASH", kU5, "HASH"},
                              {"TAMP", kAll, "TAMP"}};

[[nodiscard]] bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

[[nodiscard]] bool matches(std::string_view name, std::string_view pattern) {
    std::size_t at = 0;
    for (const char each : pattern) {
        if (at == name.size() || (each == '#' ? !is_digit(name[at]) : name[at] != each))
            return false;
        ++at;
        while (each == '#' && at < name.size() && is_digit(name[at])) ++at;
    }
    return at == name.size();
}

[[nodiscard]] bool serves(unsigned families, const memmap::Chip& chip) {
    return (families >> static_cast<unsigned>(chip.family) & 1) != 0;
}

/// SDMMC on an APB has no DMA of its own, and other positions in CMD.
[[nodiscard]] bool is_old_sdmmc(const memmap::ChipPeripheral& row) {
    constexpr std::uint32_t kAhb = 0x40020000;
    return row.base < kAhb;
}

}  // namespace
}  // namespace polled

const StubTable* polled_table(const memmap::Chip& chip, std::string_view peripheral) {
    using namespace polled;
    const memmap::ChipPeripheral* const row = memmap::peripheral_of(chip, peripheral);
    // A chip with TAMP has the RTC that has moved its tamper detection there.
    if (peripheral == "RTC" && memmap::peripheral_of(chip, "TAMP") != nullptr)
        return stub_of("RTC");
    if (row != nullptr && matches(peripheral, "SDMMC#") && is_old_sdmmc(*row)) return &kSdmmcOld;
    for (const Shared& each : kShared) {
        if (serves(each.families, chip) && matches(peripheral, each.pattern))
            return stub_of(each.type);
    }
    for (const Choice& each : kChoices) {
        if (serves(each.families, chip) && matches(peripheral, each.pattern)) return each.table;
    }
    return nullptr;
}

}  // namespace n6vp::models::mcu
