// SPDX-License-Identifier: Apache-2.0
#include "models/memory/ecc_sram.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace n6vp::models {

EccSram::EccSram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
                 const SramParameters& parameters)
    : Sram(name, bytes, clock_hz, parameters),
      checked_(bytes / kWordBytes),
      fill_(static_cast<std::uint8_t>(parameters.power_up_byte.value)) {
    std::fill(checked_.begin(), checked_.end(), 0x01010101u * fill_);
}

void EccSram::set_checks(bool on) {
    if (checks_ == on) return;
    checks_ = on;
    port->invalidate_direct_mem_ptr(0, contents().bytes() - 1);
}

void EccSram::reset() {
    Sram::reset();
    std::fill(checked_.begin(), checked_.end(), 0x01010101u * fill_);
}

std::uint32_t EccSram::stored(std::uint32_t word) const {
    std::uint32_t value = 0;
    contents().read(word * kWordBytes, reinterpret_cast<std::uint8_t*>(&value), kWordBytes);
    return value;
}

void EccSram::make_check_bits(std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == 0) return;
    for (std::uint32_t word = offset / kWordBytes; word <= (offset + (bytes - 1)) / kWordBytes;
         ++word)
        checked_[word] = stored(word);
}

void EccSram::check(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes, bool report) {
    if (bytes == 0) return;
    const std::uint32_t end = offset + bytes;
    for (std::uint32_t word = offset / kWordBytes; word <= (end - 1) / kWordBytes; ++word) {
        const std::uint32_t right = checked_[word];
        const int wrong_bits = std::popcount(stored(word) ^ right);
        if (wrong_bits == 0) continue;
        const std::uint32_t start = word * kWordBytes;
        if (report && on_error) on_error(wrong_bits == 1 ? Error::Single : Error::Double, start);
        if (wrong_bits != 1) continue;
        for (std::uint32_t at = std::max(start, offset); at < std::min(start + kWordBytes, end);
             ++at)
            data[at - offset] = static_cast<std::uint8_t>(right >> (8 * (at - start)));
    }
}

Picoseconds EccSram::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, Picoseconds arrival) {
    const Picoseconds last = Sram::serve(trans, offset, transfer, arrival);
    if (!checks_ || !trans.is_response_ok()) return last;
    trans.set_dmi_allowed(false);
    if (trans.is_write()) {
        make_check_bits(offset, trans.get_data_length());
    } else {
        check(offset, trans.get_data_ptr(), trans.get_data_length(), true);
    }
    return last;
}

Picoseconds EccSram::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                Transfer& transfer, const RepeatTime& when) {
    if (checks_) return kDeclined;
    return Sram::read_again(trans, offset, transfer, when);
}

unsigned EccSram::transport_dbg(tlm::tlm_generic_payload& trans) {
    const unsigned done = Sram::transport_dbg(trans);
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    if (trans.is_write()) {
        make_check_bits(offset, done);
    } else if (checks_) {
        check(offset, trans.get_data_ptr(), done, false);
    }
    return done;
}

bool EccSram::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    return !checks_ && Sram::get_direct_mem_ptr(trans, dmi);
}

}  // namespace n6vp::models
