// SPDX-License-Identifier: Apache-2.0
#include "models/memory/timed_memory.h"

#include <algorithm>

#include "models/fabric/burst_timing.h"

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

void TimedMemory::move_data(const tlm::tlm_generic_payload& trans) {
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    const std::uint32_t count = trans.get_data_length();
    std::uint8_t* data = trans.get_data_ptr();
    const std::uint8_t* enables = trans.get_byte_enable_ptr();
    if (enables == nullptr) {
        if (trans.is_read()) {
            store_.read(offset, data, count);
        } else {
            store_.write(offset, data, count);
        }
        return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        if (enables[i % trans.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
        if (trans.is_read()) {
            store_.read(offset + i, data + i, 1);
        } else {
            store_.write(offset + i, data + i, 1);
        }
    }
}

void TimedMemory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status verdict = judge(trans);
    trans.set_response_status(verdict);
    if (verdict != tlm::TLM_OK_RESPONSE) return;
    move_data(trans);
    const std::uint32_t bytes = trans.get_data_length();
    const bool write = trans.is_write();
    const BurstTimes times = schedule(
        {write, static_cast<std::uint32_t>(trans.get_address()), bytes, absolute_ps(delay)});
    if (auto* timing = trans.get_extension<BurstTiming>()) {
        timing->first_beat = times.first_beat;
        timing->last_beat = times.finish;
    }
    delay = delay_until(times.finish);
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
    const std::uint32_t start = offset - offset % BackingStore::kPageBytes;
    const std::uint32_t end = std::min(store_.bytes() - start, BackingStore::kPageBytes);
    dmi.init();
    dmi.set_dmi_ptr(store_.page(offset));
    dmi.set_start_address(start);
    dmi.set_end_address(std::uint64_t{start} + end - 1);
    dmi.set_granted_access(writable_ ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                                     : tlm::tlm_dmi::DMI_ACCESS_READ);
    return true;
}

}  // namespace n6vp::models
