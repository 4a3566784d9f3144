// SPDX-License-Identifier: Apache-2.0
// The bus beside its transactions: debug access, direct memory and the claims that take it back.
#include <algorithm>

#include "models/fabric/bus.h"

namespace n6vp::models {

unsigned Bus::transport_dbg(tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    const std::uint32_t wanted = trans.get_data_length();
    std::uint8_t* data = trans.get_data_ptr();
    std::uint32_t done = 0;
    while (done < wanted) {
        const Window* window = find(address + done);
        if (window == nullptr) break;
        const std::uint64_t within = address + done - window->start;
        const auto piece = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(window->bytes - within, wanted - done));
        trans.set_address(window->offset + within);
        trans.set_data_ptr(data + done);
        trans.set_data_length(piece);
        const unsigned moved = to[window->target]->transport_dbg(trans);
        done += moved;
        if (moved != piece) break;
    }
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(wanted);
    return done;
}

bool Bus::narrow(const Target& target, const Window& window, std::uint32_t offset,
                 const Transfer& transfer, tlm::tlm_dmi& dmi) const {
    constexpr std::uint64_t kPage = Claims::kPageBytes;
    const std::uint64_t window_last = window.offset + (window.bytes - 1);
    std::uint64_t first = std::max<std::uint64_t>(dmi.get_start_address(), window.offset);
    std::uint64_t last = std::min<std::uint64_t>(dmi.get_end_address(), window_last);
    const std::uint64_t page = offset / kPage * kPage;
    const std::uint64_t page_first = std::max(first, page);
    const std::uint64_t page_last = std::min(last, page + (kPage - 1));
    if (!target.claims.empty()) {
        // Pages in use on either side end the range.
        std::uint64_t low = page_first, high = page_last;
        while (low > first && !target.claims.in_use(static_cast<std::uint32_t>(low - 1)))
            low = std::max(first, (low - 1) / kPage * kPage);
        while (high < last && !target.claims.in_use(static_cast<std::uint32_t>(high + 1)))
            high = std::min(last, (high + 1) / kPage * kPage + (kPage - 1));
        first = low;
        last = high;
    }
    bool read = dmi.is_read_allowed(), write = dmi.is_write_allowed();
    const auto ask = [&](bool for_write) {
        return all_pass(target, transfer,
                        {static_cast<std::uint32_t>(first),
                         static_cast<std::uint32_t>(last - first + 1), for_write});
    };
    if ((read && !ask(false)) || (write && !ask(true))) {
        first = page_first;
        last = page_last;
        read = read && ask(false);
        write = write && ask(true);
    }
    if (!read && !write) return false;
    dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
    dmi.set_start_address(first - window.offset + window.start);
    dmi.set_end_address(last - window.offset + window.start);
    dmi.set_granted_access(read && write ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                           : read        ? tlm::tlm_dmi::DMI_ACCESS_READ
                                         : tlm::tlm_dmi::DMI_ACCESS_WRITE);
    return true;
}

void Bus::invalidate_direct_mem_ptr(int tag, sc_dt::uint64 start, sc_dt::uint64 end) {
    revoke(static_cast<unsigned>(tag), start, end);
}

void Bus::revoke(unsigned target, std::uint64_t first, std::uint64_t last) {
    for (const Window& window : windows_) {
        if (window.target != target) continue;
        const std::uint64_t low = std::max<std::uint64_t>(first, window.offset);
        const std::uint64_t high = std::min(last, window.offset + (window.bytes - 1));
        if (low > high) continue;
        for (unsigned i = 0; i < ports_.size(); ++i) {
            if (!path(i, target).exists) continue;
            from[i]->invalidate_direct_mem_ptr(low - window.offset + window.start,
                                               high - window.offset + window.start);
        }
    }
}

void Bus::filter_changed(unsigned target) {
    for (unsigned i = 0; i < ports_.size(); ++i) {
        for (Passed& passed : path(i, target).passed) passed = {};
    }
    revoke(target, 0, targets_[target].last);
}

bool Bus::may_access(const Transfer& transfer, Question question) const {
    const std::uint64_t end = question.address + question.bytes;
    for (std::uint64_t at = question.address; at < end;) {
        const Window* window = find(at);
        if (window == nullptr) return false;
        const std::uint64_t next = std::min(end, window->start + window->bytes);
        const auto offset = static_cast<std::uint32_t>(window->offset + (at - window->start));
        const auto bytes = static_cast<std::uint32_t>(next - at);
        if (!all_pass(targets_[window->target], transfer, {offset, bytes, question.write}))
            return false;
        at = next;
    }
    return true;
}

Bus::Claim Bus::claim(unsigned initiator, unsigned target, std::uint32_t offset,
                      std::uint32_t bytes, bool write, const char* what) {
    constexpr Claim kNothing = ~Claim{0};  // no place is ever so far
    if (bytes == 0) return kNothing;
    const auto free = std::find_if(claims_.begin(), claims_.end(),
                                   [](const ClaimPlace& place) { return !place.open; });
    const auto number = static_cast<Claim>(free - claims_.begin());
    if (free == claims_.end()) claims_.emplace_back();
    claims_[number] = {target, true};
    const std::uint32_t last = offset + (bytes - 1);
    targets_[target].claims.add(
        {number, static_cast<std::uint8_t>(initiator), write, offset, last, what});
    update_watched();
    constexpr std::uint64_t kPage = Claims::kPageBytes;
    revoke(target, offset / kPage * kPage, last / kPage * kPage + (kPage - 1));
    return number;
}

void Bus::release(Claim claim) {
    if (claim >= claims_.size() || !claims_[claim].open) return;
    const unsigned target = claims_[claim].target;
    claims_[claim].open = false;
    const Claims::Interval old = targets_[target].claims.remove(claim);
    update_watched();
    // Who was told that there is no direct memory may ask again.
    constexpr std::uint64_t kPage = Claims::kPageBytes;
    revoke(target, old.first / kPage * kPage, old.last / kPage * kPage + (kPage - 1));
}

std::vector<std::uint32_t> Bus::addresses_of(unsigned target, std::uint32_t offset) const {
    std::vector<std::uint32_t> addresses;
    for (const Window& window : windows_) {
        if (window.target != target || offset < window.offset) continue;
        if (offset - window.offset >= window.bytes) continue;
        addresses.push_back(static_cast<std::uint32_t>(window.start + (offset - window.offset)));
    }
    return addresses;
}

}  // namespace n6vp::models
