// SPDX-License-Identifier: Apache-2.0
#include "models/memory/timed_memory.h"

#include <algorithm>

namespace n6vp::models {

TimedMemory::TimedMemory(const sc_core::sc_module_name& name, std::uint32_t bytes,
                         std::uint8_t fill, bool writable)
    : sc_module(name), port("port"), store_(bytes, fill), writable_(writable) {
    port.register_b_transport(this, &TimedMemory::b_transport);
    port.register_transport_dbg(this, &TimedMemory::transport_dbg);
    port.register_get_direct_mem_ptr(this, &TimedMemory::get_direct_mem_ptr);
}

void TimedMemory::reset() {
    port->invalidate_direct_mem_ptr(0, store_.bytes() - 1);
    store_.reset();
    statistics_ = {};
}

tlm::tlm_response_status TimedMemory::judge(const tlm::tlm_generic_payload& trans) const {
    if (!store_.holds(trans.get_address(), trans.get_data_length())) {
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (trans.get_data_length() == 0 || trans.get_streaming_width() < trans.get_data_length()) {
        return tlm::TLM_BURST_ERROR_RESPONSE;
    }
    if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    if (!trans.is_read() && !(trans.is_write() && writable_))
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

void TimedMemory::notice_unwritten(std::uint32_t offset, std::uint32_t bytes) {
    constexpr std::uint32_t kPage = BackingStore::kPageBytes;
    const std::uint32_t last = offset + (bytes - 1);
    for (std::uint32_t page = offset / kPage; page <= last / kPage; ++page) {
        if (store_.known(page * kPage)) continue;
        store_.expect(page * kPage);
        if (on_unwritten_read) on_unwritten_read(std::max(offset, page * kPage));
    }
}

void TimedMemory::move_enabled_data(const tlm::tlm_generic_payload& trans) {
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    std::uint8_t* data = trans.get_data_ptr();
    const std::uint8_t* enables = trans.get_byte_enable_ptr();
    for (std::uint32_t i = 0; i < trans.get_data_length(); ++i) {
        if (enables[i % trans.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
        if (trans.is_read()) {
            store_.read(offset + i, data + i, 1);
        } else {
            store_.write(offset + i, data + i, 1);
        }
    }
}

void TimedMemory::move_data(const tlm::tlm_generic_payload& trans) {
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    const std::uint32_t count = trans.get_data_length();
    const bool known = count <= BackingStore::kPageBytes && store_.known(offset) &&
                       store_.known(offset + (count - 1));
    if (!known && trans.is_read()) notice_unwritten(offset, count);
    if (trans.get_byte_enable_ptr() != nullptr) {
        move_enabled_data(trans);
    } else if (trans.is_read()) {
        store_.read(offset, trans.get_data_ptr(), count);
    } else {
        store_.write(offset, trans.get_data_ptr(), count);
    }
}

void TimedMemory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status verdict = judge(trans);
    trans.set_response_status(verdict);
    if (verdict != tlm::TLM_OK_RESPONSE) return;
    move_data(trans);
    const std::uint32_t bytes = trans.get_data_length();
    const bool write = trans.is_write();
    auto* const brought = trans.get_extension<Transfer>();
    Transfer& with = brought != nullptr ? *brought : transfer_;
    const Picoseconds arrival = absolute_ps(delay);
    const BurstTimes times =
        schedule({with, write, static_cast<std::uint32_t>(trans.get_address()), bytes, arrival});
    with.first_beat = times.first_beat;
    with.last_beat = times.finish;
    with.waited = times.waited;
    with.holder = times.holder;
    delay += to_sc_time(times.finish - arrival);
    statistics_.waited += times.waited;
    (write ? statistics_.writes : statistics_.reads) += 1;
    (write ? statistics_.bytes_written : statistics_.bytes_read) += bytes;
    trans.set_dmi_allowed(true);
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
    // Who asks for writing will write; who asks for reading may read what was never written.
    if (!store_.known(offset)) {
        if (!trans.is_write()) return false;
        store_.expect(offset);
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
