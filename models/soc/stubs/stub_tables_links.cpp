// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_tables.h"

/// Units that move data to the outside, or code pictures. Offsets and bits: CMSIS device header;
/// reset values: public register description. No partner is there: what drivers wait for within the
/// chip comes, what a partner would do does not.
namespace n6vp::models {
namespace {

using Kind = StubRule::Kind;
using On = StubRule::On;

constexpr StubRow kEthernetRows[] = {
    {.offset = 0x000, .name = "MACCR", .reset = 0x8000},
    {.offset = 0x004, .name = "MACECR"},
    {.offset = 0x008, .name = "MACPFR"},
    {.offset = 0x00C, .name = "MACWTR"},
    {.offset = 0x070, .name = "MACQ0TXFCR"},
    {.offset = 0x090, .name = "MACRXFCR"},
    {.offset = 0x0A0, .name = "MACRXQC0R"},
    {.offset = 0x0B0, .name = "MACISR", .writable = 0},
    {.offset = 0x0B4, .name = "MACIER"},
    {.offset = 0x0DC, .name = "MAC1USTCR"},
    {.offset = 0x110, .name = "MACVR", .reset = 0x1052, .writable = 0},
    {.offset = 0x11C, .name = "MACHWF0R", .reset = 0x0E0D73F7, .writable = 0},
    {.offset = 0x200, .name = "MACMDIOAR"},
    {.offset = 0x204, .name = "MACMDIODR"},
    {.offset = 0x300, .name = "MACA0HR"},
    {.offset = 0x304, .name = "MACA0LR"},
    {.offset = 0xA70, .name = "MACIACR", .self_clearing = 0x1},
    {.offset = 0xD00, .name = "MTLTXQ0OMR", .self_clearing = 0x1},
    {.offset = 0x1000, .name = "DMAMR"},
    {.offset = 0x1004, .name = "DMASBMR", .reset = 0x01010000},
    {.offset = 0x1100, .name = "DMAC0CR"},
    {.offset = 0x1104, .name = "DMAC0TXCR"},
    {.offset = 0x1108, .name = "DMAC0RXCR"},
    {.offset = 0x1114, .name = "DMAC0TXDLAR"},
    {.offset = 0x111C, .name = "DMAC0RXDLAR"},
    {.offset = 0x1120, .name = "DMAC0TXDTPR"},
    {.offset = 0x1128, .name = "DMAC0RXDTPR"},
    {.offset = 0x112C, .name = "DMAC0TXRLR"},
    {.offset = 0x1130, .name = "DMAC0RXRLR"},
    {.offset = 0x1134, .name = "DMAC0IER"},
    {.offset = 0x1160, .name = "DMAC0SR", .write_one_clears = 0xFFFFFFFF}};
// GB for a frame on MDIO, SWR until the clocks have seen it.
constexpr StubRule kEthernetRules[] = {{Kind::Pulse, 0x200, 1, 0x200, 1, &FlagTimes::mdio},
                                       {Kind::Pulse, 0x1000, 1, 0x1000, 1, &FlagTimes::link_reset}};

constexpr StubRow kUsbCoreRows[] = {
    {.offset = 0x00, .name = "GOTGCTL", .reset = 0x00010000},
    {.offset = 0x04, .name = "GOTGINT", .write_one_clears = 0xFFFFFFFF},
    {.offset = 0x08, .name = "GAHBCFG"},
    {.offset = 0x0C, .name = "GUSBCFG", .reset = 0x1400},
    {.offset = 0x10, .name = "GRSTCTL", .reset = 0x80000000, .writable = 0x7C0},
    {.offset = 0x14, .name = "GINTSTS", .reset = 0x14000020, .write_one_clears = 0xF03CFC0A},
    {.offset = 0x18, .name = "GINTMSK"},
    {.offset = 0x1C, .name = "GRXSTSR", .writable = 0},
    {.offset = 0x20, .name = "GRXSTSP", .writable = 0},
    {.offset = 0x24, .name = "GRXFSIZ", .reset = 0x400},
    {.offset = 0x28, .name = "HNPTXFSIZ", .reset = 0x02000200},
    {.offset = 0x38, .name = "GCCFG"},
    {.offset = 0x3C, .name = "CID", .reset = 0x5000},
    {.offset = 0x400, .name = "HCFG"},
    {.offset = 0x404, .name = "HFIR", .reset = 0xEA60},
    {.offset = 0x440, .name = "HPRT"},
    {.offset = 0x800, .name = "DCFG", .reset = 0x02200000},
    {.offset = 0x804, .name = "DCTL"},
    {.offset = 0x808, .name = "DSTS", .reset = 0x10, .writable = 0},
    {.offset = 0x80C, .name = "DIEPMSK"},
    {.offset = 0x814, .name = "DOEPMSK"},
    {.offset = 0xE00, .name = "PCGCCTL"}};
// The commands of GRSTCTL end, AHBIDL stays; CMOD is the mode that FHMOD or FDMOD force.
constexpr StubRule kUsbCoreRules[] = {
    {Kind::Pulse, 0x10, 1u << 0, 0x10, 1u << 0, &FlagTimes::link_reset},
    {Kind::Pulse, 0x10, 1u << 4, 0x10, 1u << 4, &FlagTimes::link_reset},
    {Kind::Pulse, 0x10, 1u << 5, 0x10, 1u << 5, &FlagTimes::link_reset},
    {Kind::Follow, 0x14, 1u << 0, 0x0C, 1u << 29, &FlagTimes::link_reset}};
// Channels of the host and endpoints, which stand at the same distances: a disable command ends
// at once, with the enable. Source: HCCHAR, DIEPCTL and DOEPCTL have both bits at the same places.
constexpr StubRow kUsbEndRows[] = {
    {.offset = 0x00, .name = "HCCHAR/DIEPCTL/DOEPCTL"},
    {.offset = 0x04, .name = "HCSPLT"},
    {.offset = 0x08, .name = "HCINT/DIEPINT/DOEPINT", .write_one_clears = 0xFFFFFFFF},
    {.offset = 0x0C, .name = "HCINTMSK"},
    {.offset = 0x10, .name = "HCTSIZ/DIEPTSIZ/DOEPTSIZ"},
    {.offset = 0x14, .name = "HCDMA/DIEPDMA/DOEPDMA"},
    {.offset = 0x18, .name = "DTXFSTS", .ones = 0x200}};
constexpr StubRule kUsbEndRules[] = {{Kind::ClearBy, 0x00, 3u << 30, 0x00, 1u << 30}};

constexpr StubRow kUsbTransceiverRows[] = {{.offset = 0x0, .name = "CR"},
                                           {.offset = 0x4, .name = "TRIM1CR"},
                                           {.offset = 0x8, .name = "TRIM2CR"}};

// No codec: the input FIFO takes words, nothing comes out, no conversion ends.
constexpr StubRow kJpegRows[] = {{.offset = 0x00, .name = "CONFR0"},
                                 {.offset = 0x04, .name = "CONFR1"},
                                 {.offset = 0x08, .name = "CONFR2"},
                                 {.offset = 0x0C, .name = "CONFR3"},
                                 {.offset = 0x10, .name = "CONFR4"},
                                 {.offset = 0x14, .name = "CONFR5"},
                                 {.offset = 0x18, .name = "CONFR6"},
                                 {.offset = 0x1C, .name = "CONFR7"},
                                 {.offset = 0x30, .name = "CR"},
                                 {.offset = 0x34, .name = "SR", .reset = 0x6, .writable = 0},
                                 {.offset = 0x38, .name = "CFR", .writable = 0},
                                 {.offset = 0x40, .name = "DIR", .writable = 0},
                                 {.offset = 0x44, .name = "DOR", .writable = 0}};

constexpr StubTable kLinkTables[] = {
    {"ETH", kEthernetRows, kEthernetRules},
    {"USB", kUsbCoreRows, kUsbCoreRules, {0x500, 0x20, 64, kUsbEndRows, kUsbEndRules}},
    {"USB_PHYC", kUsbTransceiverRows},
    {"JPEG", kJpegRows},
    {"GPU2D", {}},
};

}  // namespace

const StubTables kLinkStubs = kLinkTables;

}  // namespace n6vp::models
