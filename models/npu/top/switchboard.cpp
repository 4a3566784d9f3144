// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/switchboard.h"

#include "models/npu/registers/field_value.h"
#include "models/npu/stream/stream_registers.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kStrswitch;
using memmap::npu::LinkEnd;

const RegisterFile& registers_of(const RegisterWindow& window) {
    return window.registers(kStrswitch.first_page);
}

std::string text_of(const LinkEnd& end) {
    std::string text = name_of({end.type, end.index});
    if (*end.port_name != '\0') text += std::string(".") + end.port_name;
    return text;
}

}  // namespace

Switchboard::Switchboard(const RegisterWindow& window, Network& network, Reporter& report)
    : window_(window), network_(network), report_(report) {
    for (unsigned i = 0; i < kSwitchSources; ++i) {
        link_pointers_[i] = &links_[i];
        links_[i].attach(&network_, nullptr);
    }
}

unsigned Switchboard::source_of(const memmap::npu::Unit& unit) {
    unsigned number = 0;
    while (true) {
        const LinkEnd end = memmap::npu::link_source(number);
        if (end.type == nullptr || (end.type == unit.type && end.index == unit.index))
            return number;
        ++number;
    }
}

unsigned Switchboard::destination_of(const memmap::npu::Unit& unit, unsigned port) {
    unsigned number = 0;
    while (true) {
        const LinkEnd end = memmap::npu::link_destination(number);
        if (end.type == nullptr ||
            (end.type == unit.type && end.index == unit.index && end.port == port))
            return number;
        ++number;
    }
}

void Switchboard::source_gone(unsigned source) {
    links_[source].clear();
    links_[source].attach(&network_, nullptr);
}

void Switchboard::attach(unsigned destination, Port& port, Picoseconds at) {
    entries_[destination].port = &port;
    connect(destination, at);
}

void Switchboard::detach(unsigned destination) {
    Entry& entry = entries_[destination];
    if (entry.port != nullptr) entry.port->disconnect();
    entry.port = nullptr;
}

SwitchConfig Switchboard::configured(unsigned destination) const {
    if (!field_value<kStrswitch, "CTRL.EN">(registers_of(window_))) return {};
    return decode_switch(registers_of(window_), destination);
}

void Switchboard::update(unsigned destination, Picoseconds at) {
    const Entry& entry = entries_[destination];
    if (entry.port != nullptr && configured(destination) != entry.config) connect(destination, at);
}

void Switchboard::update_all(Picoseconds at) {
    for (unsigned i = 0; i < kSwitchDestinations; ++i) update(i, at);
}

void Switchboard::restart(Picoseconds at) {
    for (unsigned i = 0; i < kSwitchDestinations; ++i) {
        if (entries_[i].port != nullptr) connect(i, at);
    }
}

void Switchboard::connect(unsigned destination, Picoseconds at) {
    Entry& entry = entries_[destination];
    network_.resume();
    entry.config = configured(destination);
    entry.port->disconnect();
    if (!entry.config.used()) return;
    Verdict verdict = judge(entry.config);
    if (entry.config.ticktype && !entry.config.permanent()) verdict.limits.push_back(kPixelTicks);
    const std::string name = std::string(kStrswitch.name) + " for " +
                             text_of(memmap::npu::link_destination(destination));
    if (report_.verdict(name, verdict)) entry.port->connect(entry.config, link_pointers_, at);
}

std::string Switchboard::sources_text(unsigned destination) const {
    const Entry& entry = entries_[destination];
    if (entry.port == nullptr || !entry.port->connected()) return "nothing";
    std::string text = text_of(memmap::npu::link_source(entry.config.link0));
    if (!entry.config.permanent() && entry.config.link1 != entry.config.link0)
        text += " and " + text_of(memmap::npu::link_source(entry.config.link1));
    return text;
}

std::string Switchboard::listeners_text(unsigned source) const {
    std::string text;
    for (unsigned i = 0; i < kSwitchDestinations; ++i) {
        const Entry& entry = entries_[i];
        if (entry.port == nullptr || !entry.port->connected()) continue;
        const bool second = !entry.config.permanent() && entry.config.link1 == source;
        if (entry.config.link0 != source && !second) continue;
        if (!text.empty()) text += ", ";
        text += text_of(memmap::npu::link_destination(i));
    }
    return text.empty() ? "no unit" : text;
}

}  // namespace n6vp::models::npu
