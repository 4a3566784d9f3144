// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/bus.h"

#include <algorithm>

#include "models/fabric/burst_timing.h"

namespace n6vp::models {

Bus::Bus(const sc_core::sc_module_name& name, unsigned initiators, unsigned memories)
    : sc_module(name),
      from("from", initiators),
      to("to", memories),
      routes_(std::size_t{initiators} * memories) {
    for (unsigned i = 0; i < initiators; ++i) {
        const int tag = static_cast<int>(i);
        from[i].register_b_transport(this, &Bus::b_transport, tag);
        from[i].register_transport_dbg(this, &Bus::transport_dbg, tag);
        from[i].register_get_direct_mem_ptr(this, &Bus::get_direct_mem_ptr, tag);
    }
    for (unsigned i = 0; i < memories; ++i) {
        to[i].register_invalidate_direct_mem_ptr(this, &Bus::invalidate_direct_mem_ptr,
                                                 static_cast<int>(i));
    }
}

void Bus::map(unsigned memory, AddressRange range) {
    const auto place = std::upper_bound(windows_.begin(), windows_.end(), to_word(range.start),
                                        [](std::uint32_t start, const Window& window) {
                                            return start < to_word(window.range.start);
                                        });
    windows_.insert(place, Window{range, memory});
}

void Bus::set_route(unsigned initiator, unsigned memory, const Route& way) {
    route(initiator, memory) = way;
}

const Bus::Window* Bus::find(std::uint64_t address) {
    if (address > 0xFFFFFFFFu) return nullptr;
    const GuestAddr at{static_cast<std::uint32_t>(address)};
    if (last_ < windows_.size() && windows_[last_].range.contains(at)) return &windows_[last_];
    const auto above = std::upper_bound(
        windows_.begin(), windows_.end(), to_word(at),
        [](std::uint32_t a, const Window& window) { return a < to_word(window.range.start); });
    if (above == windows_.begin()) return nullptr;
    const auto index = static_cast<std::size_t>(above - windows_.begin() - 1);
    if (!windows_[index].range.contains(at)) return nullptr;
    last_ = index;
    return &windows_[index];
}

void Bus::b_transport(int initiator, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const std::uint64_t address = trans.get_address();
    const Window* window = find(address);
    if (window == nullptr || address + trans.get_data_length() > window->range.end()) {
        trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const Route& way = route(static_cast<unsigned>(initiator), window->memory);
    delay += to_sc_time(way.request);
    trans.set_address(address - to_word(window->range.start));
    to[window->memory]->b_transport(trans, delay);
    trans.set_address(address);
    Picoseconds last = absolute_ps(delay) + way.response;
    if (auto* timing = trans.get_extension<BurstTiming>(); timing && trans.is_response_ok()) {
        timing->first_beat += way.response;
        const std::uint32_t beats = (trans.get_data_length() + way.beat_bytes - 1) / way.beat_bytes;
        last = std::max(last, timing->first_beat + (beats - 1) * way.beat);
        timing->last_beat = last;
    }
    delay = delay_until(last);
}

unsigned Bus::transport_dbg(int, tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    const std::uint32_t wanted = trans.get_data_length();
    std::uint8_t* data = trans.get_data_ptr();
    std::uint32_t done = 0;
    while (done < wanted) {
        const Window* window = find(address + done);
        if (window == nullptr) break;
        const std::uint64_t room = window->range.end() - (address + done);
        const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, wanted - done));
        trans.set_address(address + done - to_word(window->range.start));
        trans.set_data_ptr(data + done);
        trans.set_data_length(piece);
        const unsigned moved = to[window->memory]->transport_dbg(trans);
        done += moved;
        if (moved != piece) break;
    }
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(wanted);
    return done;
}

bool Bus::get_direct_mem_ptr(int, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = trans.get_address();
    const Window* window = find(address);
    if (window == nullptr) return false;
    const std::uint32_t base = to_word(window->range.start);
    trans.set_address(address - base);
    const bool granted = to[window->memory]->get_direct_mem_ptr(trans, dmi);
    trans.set_address(address);
    if (!granted) return false;
    dmi.set_start_address(dmi.get_start_address() + base);
    dmi.set_end_address(
        std::min<std::uint64_t>(dmi.get_end_address() + base, window->range.end() - 1));
    return true;
}

void Bus::invalidate_direct_mem_ptr(int memory, sc_dt::uint64 start, sc_dt::uint64 end) {
    for (const Window& window : windows_) {
        if (window.memory != static_cast<unsigned>(memory)) continue;
        const std::uint32_t base = to_word(window.range.start);
        for (std::size_t i = 0; i < from.size(); ++i) {
            from[i]->invalidate_direct_mem_ptr(start + base, end + base);
        }
    }
}

}  // namespace n6vp::models
