// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_tables.h"

/// Offsets and bits: CMSIS device header. Reset values where nothing public gives one: zero.
namespace n6vp::models {
namespace {

constexpr StubRow kXspiRows[] = {{.offset = 0x0, .name = "CR", .self_clearing = 0x2},
                                 {.offset = 0x8, .name = "DCR1"},
                                 {.offset = 0xC, .name = "DCR2"},
                                 {.offset = 0x10, .name = "DCR3"},
                                 {.offset = 0x14, .name = "DCR4"},
                                 {.offset = 0x20, .name = "SR", .writable = 0},
                                 {.offset = 0x24, .name = "FCR", .writable = 0},
                                 {.offset = 0x40, .name = "DLR"},
                                 {.offset = 0x48, .name = "AR"},
                                 {.offset = 0x50, .name = "DR"},
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
                                 {.offset = 0x200, .name = "HLCR"},
                                 {.offset = 0x210, .name = "CALFCR", .writable = 0},
                                 {.offset = 0x218, .name = "CALMR"},
                                 {.offset = 0x220, .name = "CALSOR"},
                                 {.offset = 0x228, .name = "CALSIR"}};

constexpr StubRow kXspimRows[] = {{.offset = 0x0, .name = "CR"}};

constexpr StubRow kMceRows[] = {{.offset = 0x0, .name = "CR"},
                                {.offset = 0x4, .name = "SR", .writable = 0},
                                {.offset = 0x8, .name = "IASR", .writable = 0},
                                {.offset = 0xC, .name = "IACR", .writable = 0},
                                {.offset = 0x10, .name = "IAIER"},
                                {.offset = 0x24, .name = "IADDR", .writable = 0},
                                {.offset = 0x200, .name = "MKEYR0"},
                                {.offset = 0x204, .name = "MKEYR1"},
                                {.offset = 0x208, .name = "MKEYR2"},
                                {.offset = 0x20C, .name = "MKEYR3"},
                                {.offset = 0x210, .name = "MKEYR4"},
                                {.offset = 0x214, .name = "MKEYR5"},
                                {.offset = 0x218, .name = "MKEYR6"},
                                {.offset = 0x21C, .name = "MKEYR7"},
                                {.offset = 0x220, .name = "FMKEYR0"},
                                {.offset = 0x224, .name = "FMKEYR1"},
                                {.offset = 0x228, .name = "FMKEYR2"},
                                {.offset = 0x22C, .name = "FMKEYR3"},
                                {.offset = 0x230, .name = "FMKEYR4"},
                                {.offset = 0x234, .name = "FMKEYR5"},
                                {.offset = 0x238, .name = "FMKEYR6"},
                                {.offset = 0x23C, .name = "FMKEYR7"}};

constexpr StubRow kDmaRows[] = {{.offset = 0x0, .name = "SECCFGR"},
                                {.offset = 0x4, .name = "PRIVCFGR"},
                                {.offset = 0x8, .name = "RCFGLOCKR"},
                                {.offset = 0xC, .name = "MISR", .writable = 0},
                                {.offset = 0x10, .name = "SMISR", .writable = 0}};

constexpr StubRow kDmaChannelRows[] = {{.offset = 0x0, .name = "CLBAR"},
                                       {.offset = 0x4, .name = "CCIDCFGR"},
                                       {.offset = 0xC, .name = "CFCR", .writable = 0},
                                       {.offset = 0x10, .name = "CSR", .reset = 0x1, .writable = 0},
                                       {.offset = 0x14, .name = "CCR", .self_clearing = 0x2},
                                       {.offset = 0x40, .name = "CTR1"},
                                       {.offset = 0x44, .name = "CTR2"},
                                       {.offset = 0x48, .name = "CBR1"},
                                       {.offset = 0x4C, .name = "CSAR"},
                                       {.offset = 0x50, .name = "CDAR"},
                                       {.offset = 0x54, .name = "CTR3"},
                                       {.offset = 0x58, .name = "CBR2"},
                                       {.offset = 0x7C, .name = "CLLR"}};

constexpr StubRow kBsecRows[] = {{.offset = 0x800, .name = "SPLOCK0"},
                                 {.offset = 0x804, .name = "SPLOCK1"},
                                 {.offset = 0x808, .name = "SPLOCK2"},
                                 {.offset = 0x80C, .name = "SPLOCK3"},
                                 {.offset = 0x810, .name = "SPLOCK4"},
                                 {.offset = 0x814, .name = "SPLOCK5"},
                                 {.offset = 0x818, .name = "SPLOCK6"},
                                 {.offset = 0x81C, .name = "SPLOCK7"},
                                 {.offset = 0x820, .name = "SPLOCK8"},
                                 {.offset = 0x824, .name = "SPLOCK9"},
                                 {.offset = 0x828, .name = "SPLOCK10"},
                                 {.offset = 0x82C, .name = "SPLOCK11"},
                                 {.offset = 0x840, .name = "SWLOCK0"},
                                 {.offset = 0x844, .name = "SWLOCK1"},
                                 {.offset = 0x848, .name = "SWLOCK2"},
                                 {.offset = 0x84C, .name = "SWLOCK3"},
                                 {.offset = 0x850, .name = "SWLOCK4"},
                                 {.offset = 0x854, .name = "SWLOCK5"},
                                 {.offset = 0x858, .name = "SWLOCK6"},
                                 {.offset = 0x85C, .name = "SWLOCK7"},
                                 {.offset = 0x860, .name = "SWLOCK8"},
                                 {.offset = 0x864, .name = "SWLOCK9"},
                                 {.offset = 0x868, .name = "SWLOCK10"},
                                 {.offset = 0x86C, .name = "SWLOCK11"},
                                 {.offset = 0x880, .name = "SRLOCK0"},
                                 {.offset = 0x884, .name = "SRLOCK1"},
                                 {.offset = 0x888, .name = "SRLOCK2"},
                                 {.offset = 0x88C, .name = "SRLOCK3"},
                                 {.offset = 0x890, .name = "SRLOCK4"},
                                 {.offset = 0x894, .name = "SRLOCK5"},
                                 {.offset = 0x898, .name = "SRLOCK6"},
                                 {.offset = 0x89C, .name = "SRLOCK7"},
                                 {.offset = 0x8A0, .name = "SRLOCK8"},
                                 {.offset = 0x8A4, .name = "SRLOCK9"},
                                 {.offset = 0x8A8, .name = "SRLOCK10"},
                                 {.offset = 0x8AC, .name = "SRLOCK11"},
                                 {.offset = 0x8C0, .name = "OTPVLDR0"},
                                 {.offset = 0x8C4, .name = "OTPVLDR1"},
                                 {.offset = 0x8C8, .name = "OTPVLDR2"},
                                 {.offset = 0x8CC, .name = "OTPVLDR3"},
                                 {.offset = 0x8D0, .name = "OTPVLDR4"},
                                 {.offset = 0x8D4, .name = "OTPVLDR5"},
                                 {.offset = 0x8D8, .name = "OTPVLDR6"},
                                 {.offset = 0x8DC, .name = "OTPVLDR7"},
                                 {.offset = 0x8E0, .name = "OTPVLDR8"},
                                 {.offset = 0x8E4, .name = "OTPVLDR9"},
                                 {.offset = 0x8E8, .name = "OTPVLDR10"},
                                 {.offset = 0x8EC, .name = "OTPVLDR11"},
                                 {.offset = 0x940, .name = "SFSR0"},
                                 {.offset = 0x944, .name = "SFSR1"},
                                 {.offset = 0x948, .name = "SFSR2"},
                                 {.offset = 0x94C, .name = "SFSR3"},
                                 {.offset = 0x950, .name = "SFSR4"},
                                 {.offset = 0x954, .name = "SFSR5"},
                                 {.offset = 0x958, .name = "SFSR6"},
                                 {.offset = 0x95C, .name = "SFSR7"},
                                 {.offset = 0x960, .name = "SFSR8"},
                                 {.offset = 0x964, .name = "SFSR9"},
                                 {.offset = 0x968, .name = "SFSR10"},
                                 {.offset = 0x96C, .name = "SFSR11"},
                                 {.offset = 0xC04, .name = "OTPCR", .self_clearing = 0x2000},
                                 {.offset = 0xC08, .name = "WDR"},
                                 {.offset = 0xE00, .name = "SCRATCHR0"},
                                 {.offset = 0xE04, .name = "SCRATCHR1"},
                                 {.offset = 0xE08, .name = "SCRATCHR2"},
                                 {.offset = 0xE0C, .name = "SCRATCHR3"},
                                 {.offset = 0xE10, .name = "LOCKR"},
                                 {.offset = 0xE14, .name = "JTAGINR"},
                                 {.offset = 0xE18, .name = "JTAGOUTR"},
                                 {.offset = 0xE24, .name = "UNMAPR"},
                                 {.offset = 0xE40, .name = "SR", .writable = 0, .ones = 0x2},
                                 {.offset = 0xE44, .name = "OTPSR", .writable = 0, .ones = 0x2},
                                 {.offset = 0xE80, .name = "EPOCHR0"},
                                 {.offset = 0xE84, .name = "EPOCHR1"},
                                 {.offset = 0xE88, .name = "EPOCHSELR"},
                                 {.offset = 0xE8C, .name = "DBGCR"},
                                 {.offset = 0xE90, .name = "AP_UNLOCK"},
                                 {.offset = 0xE94, .name = "HDPLSR", .writable = 0},
                                 {.offset = 0xE98, .name = "HDPLCR"},
                                 {.offset = 0xE9C, .name = "NEXTLR"},
                                 {.offset = 0xF40, .name = "WOSCR0"},
                                 {.offset = 0xF44, .name = "WOSCR1"},
                                 {.offset = 0xF48, .name = "WOSCR2"},
                                 {.offset = 0xF4C, .name = "WOSCR3"},
                                 {.offset = 0xF50, .name = "WOSCR4"},
                                 {.offset = 0xF54, .name = "WOSCR5"},
                                 {.offset = 0xF58, .name = "WOSCR6"},
                                 {.offset = 0xF5C, .name = "WOSCR7"},
                                 {.offset = 0xFE8, .name = "HRCR"},
                                 {.offset = 0xFEC, .name = "WRCR"}};

constexpr StubRow kFmcRows[] = {{.offset = 0x0, .name = "BCR1"},
                                {.offset = 0x4, .name = "BTR1"},
                                {.offset = 0x8, .name = "BCR2"},
                                {.offset = 0xC, .name = "BTR2"},
                                {.offset = 0x10, .name = "BCR3"},
                                {.offset = 0x14, .name = "BTR3"},
                                {.offset = 0x18, .name = "BCR4"},
                                {.offset = 0x1C, .name = "BTR4"},
                                {.offset = 0x20, .name = "CFGR"},
                                {.offset = 0x80, .name = "PCR"},
                                {.offset = 0x84, .name = "SR"},
                                {.offset = 0x88, .name = "PMEM"},
                                {.offset = 0x8C, .name = "PATT"},
                                {.offset = 0x104, .name = "BWTR1"},
                                {.offset = 0x10C, .name = "BWTR2"},
                                {.offset = 0x114, .name = "BWTR3"},
                                {.offset = 0x11C, .name = "BWTR4"},
                                {.offset = 0x140, .name = "SDCR1"},
                                {.offset = 0x144, .name = "SDCR2"},
                                {.offset = 0x148, .name = "SDTR"},
                                {.offset = 0x150, .name = "SDCMR"},
                                {.offset = 0x154, .name = "SDRTR"},
                                {.offset = 0x158, .name = "SDSR", .writable = 0}};

constexpr StubRow kFuseRows[] = {{.offset = 0, .name = "FVR"}};

using Kind = StubRule::Kind;
using On = StubRule::On;

constexpr StubRule kXspiRules[] = {{Kind::Erase, 0x20, 0x1B, 0x24, 0x1B}};
// A key is valid after its last word.
constexpr StubRule kMceRules[] = {
    {Kind::SetBy, 0x04, 1u << 0, 0x21C, 0, &FlagTimes::key, On::Write},
    {Kind::SetBy, 0x04, 1u << 2, 0x23C, 0, &FlagTimes::key, On::Write}};
// No transfer is made: a channel that was enabled is busy until its RESET, which clears EN and the
// flags.
constexpr StubRule kDmaChannelRules[] = {
    {Kind::ClearBy, 0x14, 0x5, 0x14, 1u << 1},
    {Kind::ClearBy, 0x10, 0x7F00, 0x14, 1u << 1},
    {Kind::SetBy, 0x10, 1u << 13, 0x14, 1u << 2, &FlagTimes::dma_stop},
    {Kind::Erase, 0x10, 0x7F00, 0x0C, 0x7F00},
    {Kind::Oppose, 0x10, 1u << 0, 0x14, 1u << 0}};
constexpr StubRule kBsecRules[] = {
    {Kind::Pulse, 0xE44, 1u << 0, 0xC04, 0, &FlagTimes::fuse, On::Write}};

}  // namespace

const StubTable kXspiStub{"XSPI", 0x400, kXspiRows, kXspiRules};
const StubTable kXspimStub{"XSPIM", 0x400, kXspimRows};
const StubTable kMceStub{"MCE", 0x400, kMceRows, kMceRules};
const StubTable kDmaStub{
    "DMA", 0x1000, kDmaRows, {}, {0x50, 0x80, 16, kDmaChannelRows, kDmaChannelRules}};
const StubTable kFmcStub{"FMC", 0x400, kFmcRows};
const StubTable kBsecStub{"BSEC", 0x1000, kBsecRows, kBsecRules, {0x000, 4, 384, kFuseRows}};

}  // namespace n6vp::models
