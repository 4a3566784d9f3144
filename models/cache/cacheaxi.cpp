// SPDX-License-Identifier: Apache-2.0
#include "models/cache/cacheaxi.h"

#include <algorithm>
#include <cstring>

namespace n6vp::models {

CacheAxi::CacheAxi(const sc_core::sc_module_name& name, double nic_hz,
                   const NpuCacheParameters& parameters, core::Coherence coherence,
                   std::vector<std::uint8_t> initiators)
    : sc_module(name),
      from("from", initiators.size()),
      to("to", initiators.size()),
      parameters_(parameters),
      ideal_(coherence == core::Coherence::Ideal),
      initiators_(std::move(initiators)),
      beat_bytes_(static_cast<std::uint32_t>(parameters.beat_bytes.value)),
      lines_(static_cast<std::uint32_t>(parameters.entries.value),
             static_cast<std::uint32_t>(parameters.ways.value),
             static_cast<std::uint32_t>(parameters.line_bytes.value)),
      registers_(*this),
      ram_filter_(registers_),
      filters_(initiators_.size()),
      buffer_free_(static_cast<std::size_t>(std::max(1.0, parameters.write_buffer.value))),
      attributes_(initiators_.size()) {
    for (unsigned i = 0; i < from.size(); ++i) {
        const int port = static_cast<int>(i);
        from[i].register_b_transport(this, &CacheAxi::b_transport, port);
        from[i].register_transport_dbg(this, &CacheAxi::transport_dbg, port);
        to[i].register_invalidate_direct_mem_ptr(this, &CacheAxi::invalidate_direct_mem_ptr, port);
    }
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&flags_changed_);
    sc_core::sc_spawn([this] { publish_interrupt(); }, "interrupt", &options);
    set_clock_hz(nic_hz);
    registers_.reset();
}

void CacheAxi::add_memory(unsigned target, AddressRange range, std::uint32_t offset,
                          bool writable) {
    memories_.push_back({target, range, offset, writable});
}

void CacheAxi::set_clock_hz(double nic_hz) {
    nic_hz_ = nic_hz;
    lookup_ps_ = cycles_to_ps(parameters_.lookup_cycles.value, nic_hz);
    latency_ps_ = cycles_to_ps(parameters_.latency_cycles.value, nic_hz);
    miss_ps_ = cycles_to_ps(parameters_.miss_cycles.value, nic_hz);
}

void CacheAxi::reset(Picoseconds at) {
    lines_.drop_all();
    port_.clear();
    std::fill(buffer_free_.begin(), buffer_free_.end(), Picoseconds{0});
    std::fill(attributes_.begin(), attributes_.end(), Transfer());
    statistics_ = {};
    watch_.reset();
    registers_.reset_at(at);
}

AccessFilter::Verdict CacheAxi::RamAccessFilter::judge(const Transfer&, const Access&) {
    return registers_.enabled() ? Verdict::Error : Verdict::Pass;
}

bool CacheAxi::RamAccessFilter::passes(const Transfer&, const Access&) const {
    return !registers_.enabled();
}

const char* CacheAxi::RamAccessFilter::reason() const {
    return "CACHEAXI_CR1.EN = 1: the NPU cache uses this RAM";
}

// What comes from the NPU ----------------------------------------------------------------------

void CacheAxi::b_transport(int port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const auto index = static_cast<unsigned>(port);
    const auto* transfer = trans.get_extension<Transfer>();
    if (transfer == nullptr || !transfer->cacheable ||
        trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
        pass(index, trans, delay);
        return;
    }
    const Memory* memory = find_memory(trans.get_address(), trans.get_data_length());
    if (memory == nullptr) report_not_cacheable(index, trans, delay);
    if (memory == nullptr || !registers_.enabled()) {
        pass(index, trans, delay);
    } else {
        look_up(index, trans, delay, *memory);
    }
}

void CacheAxi::pass(unsigned port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    ++statistics_.passed;
    const std::uint64_t address = trans.get_address();
    if (find_memory(address, trans.get_data_length()) != nullptr) {
        observe(initiators_[port], static_cast<std::uint32_t>(address), trans.get_data_length(),
                trans.is_write());
    }
    to[port]->b_transport(trans, delay);
}

AccessFault CacheAxi::fault_of(unsigned port, const tlm::tlm_generic_payload& trans,
                               const sc_core::sc_time& delay) const {
    AccessFault fault;
    fault.at = absolute_ps(delay);
    fault.address = trans.get_address();
    fault.bytes = trans.get_data_length();
    fault.write = trans.is_write();
    fault.initiator = initiators_[port];
    return fault;
}

bool CacheAxi::admit(unsigned port, tlm::tlm_generic_payload& trans,
                     const sc_core::sc_time& delay) {
    auto& transfer = *trans.get_extension<Transfer>();
    transfer.initiator = initiators_[port];
    const auto address = static_cast<std::uint32_t>(trans.get_address());
    for (AccessFilter* filter : filters_[port]) {
        const AccessFilter::Verdict verdict =
            filter->judge(transfer, {address, trans.get_data_length(), trans.is_write(), address});
        if (verdict == AccessFilter::Verdict::Pass) continue;
        const bool zero = verdict == AccessFilter::Verdict::Zero;
        trans.set_response_status(zero ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
        if (zero && trans.is_read()) std::memset(trans.get_data_ptr(), 0, trans.get_data_length());
        transfer.refused = true;
        transfer.first_beat = transfer.last_beat = absolute_ps(delay);
        if (!on_fault) return false;
        AccessFault fault = fault_of(port, trans, delay);
        fault.kind = AccessFault::Kind::Refused;
        fault.answered_zero = zero;
        fault.reason = filter->reason();
        on_fault(fault);
        return false;
    }
    return true;
}

void CacheAxi::report_not_cacheable(unsigned port, const tlm::tlm_generic_payload& trans,
                                    const sc_core::sc_time& delay) const {
    if (!on_fault) return;
    AccessFault fault = fault_of(port, trans, delay);
    fault.kind = AccessFault::Kind::NotSupported;
    fault.reason = "marked cacheable, but the NPU cache does not serve this memory";
    on_fault(fault);
}

void CacheAxi::look_up(unsigned port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay,
                       const Memory& memory) {
    if (trans.get_byte_enable_ptr() != nullptr) {
        trans.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    const std::uint32_t bytes = trans.get_data_length();
    if (bytes == 0 || trans.get_streaming_width() < bytes) {
        trans.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (!admit(port, trans, delay)) return;
    auto& transfer = *trans.get_extension<Transfer>();
    attributes_[port] = transfer;
    const auto start = static_cast<std::uint32_t>(trans.get_address());
    Picoseconds arrival = std::max(absolute_ps(delay), registers_.busy_until());
    Outcome all;
    for (std::uint32_t done = 0; done < bytes && all.status == tlm::TLM_OK_RESPONSE;) {
        Piece piece;
        piece.port = port;
        piece.address = start + done;
        piece.bytes = std::min(bytes - done,
                               lines_.line_bytes() - (piece.address & (lines_.line_bytes() - 1)));
        piece.data = trans.get_data_ptr() + done;
        piece.transfer = &transfer;
        piece.write_back =
            transfer.allocate && memory.writable && parameters_.write_back.value != 0;
        const Outcome one = trans.is_read() ? read(piece, arrival) : write(piece, arrival);
        if (done == 0) all.first = one.first;
        all.last = std::max(all.last, one.last);
        all.status = one.status;
        all.refused |= one.refused;
        all.add_wait(one.waited, one.holder);
        arrival = one.port_free;
        done += piece.bytes;
    }
    trans.set_response_status(all.status);
    transfer.first_beat = all.first;
    transfer.last_beat = all.last;
    transfer.waited = all.waited;
    transfer.holder = all.holder;
    transfer.refused = all.refused;
    delay = delay_until(all.last);
}

unsigned CacheAxi::transport_dbg(int port, tlm::tlm_generic_payload& trans) {
    const unsigned moved = to[static_cast<unsigned>(port)]->transport_dbg(trans);
    if (ideal_ || lines_.empty() || moved == 0) return moved;
    // A debugger on this side sees what the NPU would see.
    const auto start = static_cast<std::uint32_t>(trans.get_address());
    std::uint8_t* data = trans.get_data_ptr();
    for_lines(start, moved, [&](CacheLine& line, ByteMask) {
        const std::uint32_t first = std::max(start, line.base);
        const std::uint32_t end = std::min(start + moved, line.base + lines_.line_bytes());
        std::uint8_t* held = line.data.data() + (first - line.base);
        std::uint8_t* asked = data + (first - start);
        if (trans.is_read()) {
            std::memcpy(asked, held, end - first);
        } else {
            std::memcpy(held, asked, end - first);
        }
    });
    return moved;
}

void CacheAxi::invalidate_direct_mem_ptr(int port, sc_dt::uint64 start, sc_dt::uint64 end) {
    from[static_cast<unsigned>(port)]->invalidate_direct_mem_ptr(start, end);
}

// What others do behind the cache --------------------------------------------------------------

const CacheAxi::Memory* CacheAxi::find_memory(std::uint64_t address, std::uint64_t bytes) const {
    for (const Memory& memory : memories_) {
        if (address >= to_word(memory.range.start) && address + bytes <= memory.range.end()) {
            return &memory;
        }
    }
    return nullptr;
}

template <class Action>
void CacheAxi::for_lines(std::uint32_t address, std::uint32_t bytes, Action&& action) {
    const std::uint64_t end = std::uint64_t{address} + bytes;
    for (std::uint64_t base = lines_.base_of(address); base < end; base += lines_.line_bytes()) {
        CacheLine* line = lines_.find(static_cast<std::uint32_t>(base));
        if (line == nullptr) continue;
        const auto first =
            static_cast<std::uint32_t>(std::max<std::uint64_t>(address, base) - base);
        const auto last = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(end, base + lines_.line_bytes()) - base);
        action(*line, byte_mask(first, last - first));
    }
}

void CacheAxi::observe(std::uint8_t initiator, std::uint32_t address, std::uint32_t bytes,
                       bool write) {
    if (!ideal_ || lines_.empty()) return;
    for_lines(address, bytes, [&](CacheLine& line, ByteMask mask) {
        if (write) {
            CoherenceWatch::others_write(line, mask, initiator);
        } else if (line.ahead != 0) {
            watch_.others_read(line, mask, memory_of(line), initiator);
        }
    });
}

void CacheAxi::observe_target(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                              std::uint32_t bytes, bool write) {
    if (!ideal_ || lines_.empty()) return;
    for (const Memory& memory : memories_) {
        if (memory.target != target) continue;
        const std::uint64_t memory_end = std::uint64_t{memory.offset} + memory.range.bytes;
        const std::uint64_t first = std::max(offset, memory.offset);
        const std::uint64_t end = std::min(std::uint64_t{offset} + bytes, memory_end);
        if (first >= end) continue;
        const auto address =
            static_cast<std::uint32_t>(to_word(memory.range.start) + (first - memory.offset));
        observe(initiator, address, static_cast<std::uint32_t>(end - first), write);
    }
}

void CacheAxi::before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                            std::uint32_t bytes) {
    observe_target(initiator, target, offset, bytes, true);
}

void CacheAxi::before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                           std::uint32_t bytes) {
    observe_target(initiator, target, offset, bytes, false);
}

// What the registers ask for -------------------------------------------------------------------

Picoseconds CacheAxi::invalidate_all(Picoseconds at, bool by_reset) {
    if (ideal_ && !lines_.empty()) {
        for (std::uint32_t entry = 0; entry < lines_.entries(); ++entry) {
            const CacheLine* line = lines_.at(entry);
            if (line != nullptr && line->dirty) watch_.drop(*line, memory_of(*line));
        }
    }
    lines_.drop_all();
    if (!by_reset) return at + parameters_.invalidate_ps(nic_hz_);
    return at + cycles_to_ps(parameters_.tag_clear_cycles.value, nic_hz_);
}

Picoseconds CacheAxi::maintain(std::uint32_t first, std::uint32_t last, bool invalidate,
                               Picoseconds at) {
    const std::uint32_t start = lines_.base_of(first);
    const std::uint32_t end = lines_.base_of(last);
    if (end < start) return at + parameters_.range_ps(0, nic_hz_);
    Picoseconds written = at;
    for (std::uint32_t entry = 0; entry < lines_.entries() && !lines_.empty(); ++entry) {
        CacheLine* line = lines_.at(entry);
        if (line == nullptr || line->base < start || line->base > end) continue;
        if (line->dirty) {
            written = std::max(written, write_back(*line, 0, at, NpuCacheEvent::kNobody));
        }
        if (invalidate) lines_.drop(*line);
    }
    const std::uint32_t lines = 1 + (end - start) / lines_.line_bytes();
    const double walked = std::max<double>(lines, parameters_.entries.value);
    return std::max(written, at + cycles_to_ps(walked * parameters_.entry_cycles.value, nic_hz_));
}

bool CacheAxi::disable_invalidates() const {
    return parameters_.disable_invalidates.value != 0;
}

void CacheAxi::enable_changed() {
    if (on_enable_changed) on_enable_changed();
}

void CacheAxi::flags_change(Picoseconds at) {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    if (at > now) {
        flags_changed_.notify(to_sc_time(at - now));
    } else {
        publish_interrupt();
    }
}

void CacheAxi::publish_interrupt() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    const bool level = registers_.interrupt(now);
    // An event keeps its earliest notification only: this one may have pushed a later one out.
    const Picoseconds next = registers_.next_flag();
    if (next > now) flags_changed_.notify(to_sc_time(next - now));
    if (level == interrupt_) return;
    interrupt_ = level;
    on_interrupt(level);
}

}  // namespace n6vp::models
