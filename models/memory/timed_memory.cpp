// SPDX-License-Identifier: Apache-2.0
#include "models/memory/timed_memory.h"

#include <algorithm>
#include <cstring>

namespace n6vp::models {

TimedMemory::TimedMemory(const sc_core::sc_module_name& name, std::uint32_t bytes,
                         std::uint8_t fill, bool writable)
    : sc_module(name),
      port("port"),
      store_(bytes, fill),
      writable_(writable),
      kernel_time_(sc_core::sc_time_stamp()) {
    port.bind(*this);
}

void TimedMemory::reset() {
    port->invalidate_direct_mem_ptr(0, store_.bytes() - 1);
    store_.reset();
    statistics_ = {};
}

void TimedMemory::notice_unwritten(std::uint32_t offset, std::uint32_t bytes, Picoseconds at) {
    constexpr std::uint32_t kPage = BackingStore::kPageBytes;
    const std::uint32_t last = offset + (bytes - 1);
    for (std::uint32_t page = offset / kPage; page <= last / kPage; ++page) {
        if (store_.known(page * kPage)) continue;
        store_.expect(page * kPage);
        if (on_unwritten_read) on_unwritten_read(std::max(offset, page * kPage), at);
    }
}

void TimedMemory::move_enabled_data(const tlm::tlm_generic_payload& trans, Burst burst) {
    std::uint8_t* data = trans.get_data_ptr();
    const std::uint8_t* enables = trans.get_byte_enable_ptr();
    // Write-backs of a core whose data are here already.
    if (trans.get_byte_enable_length() == 1 && *enables != TLM_BYTE_ENABLED) return;
    for (std::uint32_t i = 0; i < burst.bytes; ++i) {
        if (enables[i % trans.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
        if (!burst.write) {
            store_.read(burst.offset + i, data + i, 1);
        } else {
            store_.write(burst.offset + i, data + i, 1);
        }
    }
}

bool TimedMemory::move_slowly(const tlm::tlm_generic_payload& trans, Burst burst, bool for_store,
                              Picoseconds arrival) {
    if (!burst.write && !for_store) notice_unwritten(burst.offset, burst.bytes, arrival);
    if (trans.get_byte_enable_ptr() != nullptr) {
        move_enabled_data(trans, burst);
    } else if (burst.write) {
        store_.write(burst.offset, trans.get_data_ptr(), burst.bytes);
    } else {
        store_.read(burst.offset, trans.get_data_ptr(), burst.bytes);
    }
    return store_.known(burst.offset);
}

void TimedMemory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const std::uint64_t offset = trans.get_address();
    const std::uint32_t bytes = trans.get_data_length();
    if (!store_.holds(offset, bytes)) {
        trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    auto* const brought = trans.get_extension<Transfer>();
    Transfer& with = brought != nullptr ? *brought : transfer_;
    const Picoseconds arrival = kernel_time_.value() + delay.value();
    const Picoseconds last = serve(trans, static_cast<std::uint32_t>(offset), with, arrival);
    if (!trans.is_response_ok()) return;
    with.last_beat = last;
    delay_.add(delay, last - arrival);
}

bool TimedMemory::repeats(const tlm::tlm_generic_payload& trans, std::uint32_t offset) {
    if (judge(trans, offset) != tlm::TLM_OK_RESPONSE) return false;
    const std::uint32_t bytes = trans.get_data_length();
    const std::uint8_t* const kept = store_.stored(offset, bytes);
    return kept != nullptr && std::memcmp(kept, trans.get_data_ptr(), bytes) == 0;
}

tlm::tlm_sync_enum TimedMemory::nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase&,
                                                sc_core::sc_time&) {
    trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

unsigned TimedMemory::transport_dbg(tlm::tlm_generic_payload& trans) {
    const std::uint64_t offset = trans.get_address();
    if (offset >= store_.bytes()) return 0;
    const auto count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(trans.get_data_length(), store_.bytes() - offset));
    // A debugger or programmer reaches the cells of a read-only memory too.
    if (trans.is_read()) {
        store_.read(static_cast<std::uint32_t>(offset), trans.get_data_ptr(), count);
    } else if (trans.is_write()) {
        store_.write(static_cast<std::uint32_t>(offset), trans.get_data_ptr(), count);
    } else {
        return 0;
    }
    return count;
}

bool TimedMemory::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    if (trans.get_address() >= store_.bytes()) return false;
    if (trans.is_write() && !writable_) return false;
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    // Who asks will use it at once: for writing, or to read what was never written.
    const auto* with = trans.get_extension<Transfer>();
    const bool for_store = trans.is_write() || (with != nullptr && with->for_store);
    if (!for_store) {
        const Picoseconds now = kernel_time_.value();
        notice_unwritten(offset, 1, with == nullptr ? now : std::max(now, with->asked_at));
    } else if (writable_) {
        store_.expect(offset);
    } else if (!store_.known(offset)) {
        return false;
    }
    constexpr std::uint32_t kPage = BackingStore::kPageBytes;
    const std::uint32_t block = offset - offset % BackingStore::kBlockBytes;
    const std::uint64_t limit =
        std::min<std::uint64_t>(store_.bytes(), std::uint64_t{block} + BackingStore::kBlockBytes);
    std::uint32_t start = offset - offset % kPage;
    std::uint64_t end = std::min<std::uint64_t>(limit, std::uint64_t{start} + kPage);
    while (start > block && store_.known(start - kPage)) start -= kPage;
    while (end < limit && store_.known(static_cast<std::uint32_t>(end)))
        end = std::min(limit, end + kPage);
    dmi.init();
    dmi.set_dmi_ptr(store_.block(offset) + (start - block));
    dmi.set_start_address(start);
    dmi.set_end_address(end - 1);
    dmi.set_granted_access(writable_ ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                                     : tlm::tlm_dmi::DMI_ACCESS_READ);
    return true;
}

}  // namespace n6vp::models
