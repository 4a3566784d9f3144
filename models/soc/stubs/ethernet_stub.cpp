// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/ethernet_stub.h"

namespace n6vp::models {

namespace {

// MACMDIOAR.
constexpr std::uint32_t kMdioAddress = 0x200, kMdioData = 0x204, kMdioBusy = 1, kMdioRead = 3;
constexpr unsigned kTransceiver = 1;
// Registers of clause 22; the page of the RTL8211F that has them is 0 or 0xA42.
constexpr unsigned kBasicControl = 0, kBasicStatus = 1, kPage = 31, kDefaultPage = 0xA42;
constexpr std::uint16_t kNobody = 0xFFFF, kCommands = 0x8200;  ///< reset, restart of negotiation

}  // namespace

EthernetStub::EthernetStub(const StubTable& table, const char* name, const FlagTimes& times)
    : StubBlock(table, name, times) {
    reset_transceiver();
}

void EthernetStub::reset() {
    StubBlock::reset();
    reset_transceiver();
}

/// Source: data sheet of the transceiver as public drivers quote it; no link, no partner.
void EthernetStub::reset_transceiver() {
    transceiver_ = {};
    transceiver_[kBasicControl] = 0x1140;
    transceiver_[kBasicStatus] = 0x7949;
    transceiver_[2] = 0x001C;
    transceiver_[3] = 0xC916;
    transceiver_[4] = 0x01E1;
    transceiver_[9] = 0x0200;
    transceiver_[15] = 0x2000;
}

std::uint16_t EthernetStub::read_transceiver(unsigned number) const {
    const bool here = transceiver_[kPage] == 0 || transceiver_[kPage] == kDefaultPage;
    return here || number == kPage ? transceiver_[number] : std::uint16_t{0};
}

void EthernetStub::write_transceiver(unsigned number, std::uint16_t value) {
    const bool here = transceiver_[kPage] == 0 || transceiver_[kPage] == kDefaultPage;
    if (number == kBasicControl && here) {
        if ((value & 0x8000) != 0) return reset_transceiver();
        transceiver_[number] = static_cast<std::uint16_t>(value & ~kCommands);
    } else if (number == kPage || (here && number > 3)) {
        transceiver_[number] = value;
    }
}

RegisterBlock::Answer EthernetStub::write(std::uint32_t offset, std::uint32_t value,
                                          std::uint32_t mask, Picoseconds at) {
    const Answer answer = StubBlock::write(offset, value, mask, at);
    if (offset != kMdioAddress || (value & mask & kMdioBusy) == 0) return answer;
    const bool there = (value >> 21 & 0x1F) == kTransceiver;
    const unsigned number = value >> 16 & 0x1F;
    if ((value >> 2 & 3) == kMdioRead) {
        preset(kMdioData, there ? read_transceiver(number) : kNobody);
    } else if (there) {
        write_transceiver(number, static_cast<std::uint16_t>(held(kMdioData)));
    }
    return answer;
}

}  // namespace n6vp::models
