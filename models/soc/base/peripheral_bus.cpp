// SPDX-License-Identifier: Apache-2.0
#include "models/soc/base/peripheral_bus.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "memmap/regions.h"

namespace n6vp::models {

PeripheralBus::PeripheralBus(const sc_core::sc_module_name& name,
                             const PeripheralBusParameters& parameters, RegisterLog& log)
    : sc_module(name),
      port("port"),
      parameters_(parameters),
      log_(log),
      buffer_free_(std::max<std::size_t>(
          1, static_cast<std::size_t>(std::max(0.0, parameters.write_buffer.value)))) {
    port.bind(*this);
    constexpr double kHz = 100e6;
    set_clock_hz(kHz);
}

void PeripheralBus::add(RegisterBlock& block, GuestAddr start, std::uint32_t bytes,
                        bool one_alias) {
    insert(block, {start, bytes});
    if (one_alias) return;
    insert(block, {GuestAddr{to_word(start) - memmap::kSecureOffset}, bytes});
}

void PeripheralBus::insert(RegisterBlock& block, AddressRange range) {
    const auto place = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
        return to_word(slot.range.start) > to_word(range.start);
    });
    const bool hits_next = place != slots_.end() && place->range.overlaps(range);
    const bool hits_previous = place != slots_.begin() && std::prev(place)->range.overlaps(range);
    if (hits_next || hits_previous || range.wraps()) {
        throw std::logic_error("register blocks overlap");
    }
    slots_.insert(place, Slot{range, &block, {}});
}

void PeripheralBus::add_filter(RegisterBlock& block, AccessFilter& filter) {
    for (Slot& slot : slots_) {
        if (slot.block == &block) slot.filters.push_back(&filter);
    }
}

void PeripheralBus::set_clock_hz(double hz) {
    read_ps_ = cycles_to_ps(parameters_.read_cycles.value, hz);
    write_ps_ = cycles_to_ps(parameters_.write_cycles.value, hz);
}

void PeripheralBus::reset() {
    std::fill(buffer_free_.begin(), buffer_free_.end(), Picoseconds{0});
}

PeripheralBus::Slot* PeripheralBus::find(GuestAddr address) {
    if (last_ < slots_.size() && slots_[last_].range.contains(address)) return &slots_[last_];
    const auto above = std::upper_bound(
        slots_.begin(), slots_.end(), to_word(address),
        [](std::uint32_t at, const Slot& s) { return at < to_word(s.range.start); });
    if (above == slots_.begin()) return nullptr;
    const auto index = static_cast<std::size_t>(above - slots_.begin() - 1);
    if (!slots_[index].range.contains(address)) return nullptr;
    last_ = index;
    return &slots_[index];
}

Picoseconds PeripheralBus::finish_read(Picoseconds arrival) const {
    const Picoseconds drained = *std::max_element(buffer_free_.begin(), buffer_free_.end());
    return std::max(arrival, drained) + read_ps_;
}

Picoseconds PeripheralBus::post_write(Picoseconds& arrival) {
    const auto entry = std::min_element(buffer_free_.begin(), buffer_free_.end());
    const Picoseconds drained = *std::max_element(buffer_free_.begin(), buffer_free_.end());
    arrival = std::max(arrival, *entry);
    *entry = std::max(arrival, drained) + write_ps_;
    return *entry;
}

AccessFilter::Verdict PeripheralBus::judge(const Slot& slot, Word word, bool write,
                                           Transfer& transfer, Picoseconds at) {
    const std::uint32_t offset = to_word(word.address) - to_word(slot.range.start);
    for (AccessFilter* filter : slot.filters) {
        const AccessFilter::Verdict verdict =
            filter->judge(transfer, {offset, word.bytes, write, to_word(word.address)});
        if (verdict == AccessFilter::Verdict::Pass) continue;
        transfer.refused = true;
        if (on_fault) {
            AccessFault fault;
            fault.kind = AccessFault::Kind::Refused;
            fault.address = to_word(word.address);
            fault.bytes = word.bytes;
            fault.write = write;
            fault.answered_zero = verdict == AccessFilter::Verdict::Zero;
            fault.initiator = transfer.initiator;
            fault.reason = filter->reason();
            fault.at = at;
            on_fault(fault);
        }
        return verdict;
    }
    return AccessFilter::Verdict::Pass;
}

bool PeripheralBus::access(Word word, bool write, std::uint32_t& value, Picoseconds at,
                           Transfer& transfer) {
    RegisterAccess seen;
    seen.address = to_word(word.address);
    seen.write = write;
    seen.at = at;
    const Slot* slot = find(word.address);
    if (slot == nullptr) {
        if (!write) value = 0;
        seen.offset = seen.address & ~3u;
        seen.value = value;
        seen.modelled = false;
        return log_.accessed(seen);
    }
    switch (judge(*slot, word, write, transfer, at)) {
        case AccessFilter::Verdict::Pass:
            break;
        case AccessFilter::Verdict::Zero:
            value = 0;
            return true;
        case AccessFilter::Verdict::Error:
            return false;
    }
    seen.offset = (seen.address - to_word(slot->range.start)) & ~3u;
    const RegisterBlock::Answer answer = write
                                             ? slot->block->write(seen.offset, value, word.mask, at)
                                             : slot->block->read_bytes(seen.offset, word.mask, at);
    if (!write) value = answer.value;
    until_ = answer.until;
    seen.block = slot->block->name();
    seen.value = value;
    seen.modelled = answer.modelled;
    seen.name = answer.name;
    const bool allowed = log_.accessed(seen);
    return answer.ok && allowed;
}

std::optional<RegisterBlock::Answer> PeripheralBus::peek(GuestAddr address) {
    Slot* const slot = find(address);
    if (slot == nullptr) return std::nullopt;
    const std::uint32_t offset = to_word(address) - to_word(slot->range.start);
    if (!slot->block->reads_freely(offset)) return std::nullopt;
    const Transfer transfer;
    const AccessFilter::Access access{offset, 4, false, to_word(address)};
    for (const AccessFilter* filter : slot->filters) {
        if (!filter->passes(transfer, access)) return std::nullopt;
    }
    return slot->block->read(offset, sc_core::sc_time_stamp().value());
}

tlm::tlm_sync_enum PeripheralBus::nb_transport_fw(tlm::tlm_generic_payload& trans,
                                                  tlm::tlm_phase& /*phase*/,
                                                  sc_core::sc_time& /*delay*/) {
    trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

bool PeripheralBus::get_direct_mem_ptr(tlm::tlm_generic_payload& /*trans*/, tlm::tlm_dmi& dmi) {
    dmi.allow_none();
    dmi.set_start_address(0);
    dmi.set_end_address(std::numeric_limits<sc_dt::uint64>::max());
    return false;
}

bool PeripheralBus::repeats(const tlm::tlm_generic_payload& trans, std::uint32_t address,
                            const Transfer& transfer) {
    const std::uint32_t bytes = trans.get_data_length(), lane = address & 3u;
    Slot* const slot = find(GuestAddr{address});
    if (slot == nullptr || lane + bytes > 4) return false;
    const std::uint32_t within = address - to_word(slot->range.start);
    const bool passes = std::ranges::all_of(slot->filters, [&](const AccessFilter* filter) {
        return filter->passes(transfer, {within, bytes, false, address});
    });
    if (!passes) return false;
    const std::uint32_t ones = bytes == 4 ? 0xFFFFFFFFu : (1u << (8 * bytes)) - 1;
    std::uint32_t last = 0;
    std::memcpy(&last, trans.get_data_ptr(), bytes);
    repeated_ = {.data = trans.get_data_ptr(),
                 .block = slot->block,
                 .offset = within & ~3u,
                 .mask = ones << (8 * lane),
                 .value = last << (8 * lane)};
    return true;
}

Picoseconds PeripheralBus::read_again(tlm::tlm_generic_payload& trans, std::uint32_t address,
                                      Transfer& transfer, const RepeatTime& when) {
    if (repeated_.series != when.series || repeated_.data != trans.get_data_ptr()) {
        repeated_.series = 0;
        if (!repeats(trans, address, transfer)) return kDeclined;
        repeated_.series = when.series;
    }
    const Repeated& read = repeated_;
    const Picoseconds at = transfer.untimed ? when.arrival : finish_read(when.arrival);
    // The register is read later than the transaction begins.
    if (at >= when.quiet_until || !read.block->polls_freely(read.offset, at)) return kDeclined;
    const RegisterBlock::Answer answer = read.block->read_bytes(read.offset, read.mask, at);
    if (!answer.ok || (answer.value & read.mask) != read.value) return kDeclined;
    RegisterAccess seen;
    seen.block = read.block->name();
    seen.address = address;
    seen.offset = read.offset;
    seen.value = answer.value;
    seen.modelled = answer.modelled;
    seen.name = answer.name;
    seen.at = at;
    // What it says of this register it has said before.
    static_cast<void>(log_.accessed(seen));
    const Picoseconds end = transfer.untimed ? at : std::max(at, answer.until);
    transfer.first_beat = transfer.last_beat = end;
    return end;
}

void PeripheralBus::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    auto* said = trans.get_extension<Transfer>();
    Transfer& transfer = said != nullptr ? *said : anonymous_;
    const std::uint64_t start = trans.get_address();
    const std::uint32_t bytes = trans.get_data_length();
    if (trans.get_byte_enable_ptr() != nullptr) {
        trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    const bool write = trans.is_write();
    Picoseconds now = absolute_ps(delay), effect = 0;
    bool ok = true;
    // Registers are words: a longer access is one after the other, a shorter one a part of one.
    for (std::uint32_t done = 0; done < bytes;) {
        const auto at = static_cast<std::uint32_t>(start + done);
        const std::uint32_t lane = at & 3u;
        const std::uint32_t count = std::min(4 - lane, bytes - done);
        const std::uint32_t ones = count == 4 ? 0xFFFFFFFFu : (1u << (8 * count)) - 1;
        std::uint8_t* data = trans.get_data_ptr() + done;
        std::uint32_t value = 0;
        const Word word{GuestAddr{at}, ones << (8 * lane), count};
        if (write) {
            for (std::uint32_t i = 0; i < count; ++i)
                value |= std::uint32_t{data[i]} << (8 * (lane + i));
            const Picoseconds reached = transfer.untimed ? now : post_write(now);
            effect = reached;
            ok = access(word, true, value, reached, transfer) && ok;
        } else {
            if (!transfer.untimed) now = finish_read(now);
            until_ = 0;
            ok = access(word, false, value, now, transfer) && ok;
            if (!transfer.untimed) now = std::max(now, until_);
            for (std::uint32_t i = 0; i < count; ++i) {
                data[i] = static_cast<std::uint8_t>(value >> (8 * (lane + i)));
            }
        }
        done += count;
    }
    transfer.first_beat = transfer.last_beat = now;
    transfer.effect = effect;
    delay = delay_until(now);
    trans.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

}  // namespace n6vp::models
