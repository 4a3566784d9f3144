// SPDX-License-Identifier: Apache-2.0
// Cacheable accesses: look-up, line fetches, write-through, write-back and their times.
#include <algorithm>
#include <cstring>

#include "models/cache/cacheaxi.h"

namespace n6vp::models {

void CacheAxi::Outcome::add_wait(Picoseconds time, std::uint8_t held_by) {
    waited += time;
    if (time <= longest_wait) return;
    longest_wait = time;
    holder = held_by;
}

void CacheAxi::count(Monitor monitor) {
    ++statistics_.counts[static_cast<std::size_t>(monitor)];
    registers_.count(monitor);
}

Picoseconds CacheAxi::beats_ps(std::uint32_t address, std::uint32_t bytes) const {
    const std::uint32_t beats = (address + bytes - 1) / beat_bytes_ - address / beat_bytes_ + 1;
    return cycles_to_ps(beats * parameters_.beat_cycles.value, nic_hz_);
}

Picoseconds CacheAxi::occupy(const Piece& piece, Picoseconds arrival, Picoseconds duration,
                             Outcome& outcome) {
    if (attributes_[piece.port].untimed) return outcome.port_free = arrival;
    duration = std::max<Picoseconds>(duration, 1);
    const PortSchedule::Grant grant = port_.book(arrival, duration, initiators_[piece.port]);
    statistics_.waited += grant.waited;
    outcome.add_wait(grant.waited, grant.holder);
    outcome.port_free = grant.start + duration;
    outcome.longest_hold = grant.start + miss_ps_;
    return grant.start;
}

void CacheAxi::hold(const Piece& piece, Picoseconds end, Outcome& outcome) {
    if (end <= outcome.port_free || attributes_[piece.port].untimed) return;
    port_.extend(end - outcome.port_free, initiators_[piece.port]);
    outcome.port_free = end;
}

// Reads ----------------------------------------------------------------------------------------

CacheAxi::Outcome CacheAxi::read(const Piece& piece, Picoseconds arrival) {
    Outcome outcome;
    if (CacheLine* line = lines_.find(piece.address)) {
        count(Monitor::ReadHit);
        read_hit(piece, *line, arrival, outcome);
    } else {
        count(Monitor::ReadMiss);
        read_miss(piece, arrival, outcome);
    }
    return outcome;
}

void CacheAxi::read_hit(const Piece& piece, CacheLine& line, Picoseconds arrival,
                        Outcome& outcome) {
    const std::uint32_t first = piece.address - line.base;
    lines_.touch(line);
    if (ideal_) {
        const LineBytes memory = memory_of(line);
        watch_.npu_read(line, byte_mask(first, piece.bytes), memory, initiators_[piece.port]);
        std::memcpy(piece.data, memory.data() + first, piece.bytes);
    } else {
        std::memcpy(piece.data, line.data.data() + first, piece.bytes);
    }
    const Picoseconds beats = beats_ps(piece.address, piece.bytes);
    const Picoseconds start = occupy(piece, arrival, lookup_ps_ + beats, outcome);
    outcome.first = std::max(start + lookup_ps_ + beats_ps(0, 1), line.in_at) + latency_ps_;
    outcome.last = std::max(start + lookup_ps_ + beats, line.in_at) + latency_ps_;
}

void CacheAxi::read_miss(const Piece& piece, Picoseconds arrival, Outcome& outcome) {
    occupy(piece, arrival, lookup_ps_, outcome);
    const std::uint32_t base = lines_.base_of(piece.address);
    LineBytes bytes{};
    if (piece.transfer->allocate) {
        count(Monitor::ReadAllocateMiss);
        allocate(piece, true, bytes, outcome);
        std::memcpy(piece.data, bytes.data() + (piece.address - base), piece.bytes);
        return;
    }
    if (parameters_.fetch_whole_lines.value == 0) {
        send({piece.port, false, piece.address, piece.bytes, piece.data,
              piece.transfer->single_beats},
             outcome.port_free, outcome);
    } else {
        send({piece.port, false, base, lines_.line_bytes(), bytes.data(), false}, outcome.port_free,
             outcome);
        std::memcpy(piece.data, bytes.data() + (piece.address - base), piece.bytes);
    }
    hold(piece, std::min(outcome.last, outcome.longest_hold), outcome);
    outcome.first += latency_ps_;
    outcome.last += latency_ps_;
}

CacheLine* CacheAxi::allocate(const Piece& piece, bool fetch, LineBytes& bytes, Outcome& outcome) {
    const std::uint32_t base = lines_.base_of(piece.address);
    Picoseconds in_at = 0;
    if (fetch) {
        Outcome fetched;
        send({piece.port, false, base, lines_.line_bytes(), bytes.data(), false}, outcome.port_free,
             fetched);
        outcome.status = fetched.status;
        outcome.refused = fetched.refused;
        outcome.add_wait(fetched.waited, fetched.holder);
        in_at = fetched.last;
        hold(piece, std::min(fetched.last, outcome.longest_hold), outcome);
        // The beats of the line come one by one, the wanted ones among them.
        const std::uint32_t steps = std::max(1u, lines_.line_bytes() / beat_bytes_ - 1);
        const auto when = [&](std::uint32_t address) {
            const std::uint32_t beat = (address - base) / beat_bytes_;
            return fetched.first + (fetched.last - fetched.first) * beat / steps + latency_ps_;
        };
        outcome.first = when(piece.address);
        outcome.last = when(piece.address + piece.bytes - 1);
    }
    if (outcome.status != tlm::TLM_OK_RESPONSE || outcome.refused) return nullptr;
    const std::uint32_t entry = lines_.victim(base);
    if (CacheLine* old = lines_.at(entry); old != nullptr && old->dirty) {
        count(Monitor::Eviction);
        write_back(*old, piece.port, outcome.port_free, initiators_[piece.port]);
    }
    CacheLine& line = lines_.fill(entry, base, bytes);
    line.in_at = in_at;
    return &line;
}

// Writes ---------------------------------------------------------------------------------------

CacheAxi::Outcome CacheAxi::write(const Piece& piece, Picoseconds arrival) {
    Outcome outcome;
    const Picoseconds beats = beats_ps(piece.address, piece.bytes);
    CacheLine* line = lines_.find(piece.address);
    count(line != nullptr ? Monitor::WriteHit : Monitor::WriteMiss);
    occupy(piece, arrival, lookup_ps_ + beats, outcome);
    outcome.first = outcome.last = outcome.port_free;
    if (line != nullptr) lines_.touch(*line);
    if (!piece.write_back || !may_stay(piece)) {
        if (line != nullptr) store(piece, *line, true);
        write_through(piece, outcome);
        return outcome;
    }
    if (line == nullptr) {
        count(Monitor::WriteAllocateMiss);
        const bool fetch =
            piece.bytes < lines_.line_bytes() || parameters_.fetch_full_writes.value != 0;
        LineBytes bytes{};
        line = allocate(piece, fetch, bytes, outcome);
        outcome.first = outcome.last = outcome.port_free;
    }
    if (line != nullptr) {
        store(piece, *line, false);
    } else if (outcome.status == tlm::TLM_OK_RESPONSE) {
        write_through(piece, outcome);
    }
    return outcome;
}

bool CacheAxi::may_stay(const Piece& piece) const {
    // Real lines find out when they are written back; memory of ideal ones must not be ahead.
    if (!ideal_ || !may_write) return true;
    return may_write(*piece.transfer, lines_.base_of(piece.address), lines_.line_bytes());
}

void CacheAxi::store(const Piece& piece, CacheLine& line, bool through) {
    const std::uint32_t first = piece.address - line.base;
    const ByteMask mask = byte_mask(first, piece.bytes);
    if (ideal_) {
        const LineBytes memory = through ? LineBytes{} : memory_of(line);
        CoherenceWatch::npu_write(line, mask, memory, through);
        if (!through) move({piece.port, true, piece.address, piece.bytes, piece.data, false});
    }
    std::memcpy(line.data.data() + first, piece.data, piece.bytes);
    line.writer = initiators_[piece.port];
    line.dirty |= !through;
}

void CacheAxi::write_through(const Piece& piece, Outcome& outcome) {
    count(Monitor::WriteThrough);
    const Picoseconds taken = post(
        {piece.port, true, piece.address, piece.bytes, piece.data, piece.transfer->single_beats},
        outcome.port_free, outcome);
    hold(piece, taken, outcome);
    outcome.first = outcome.last = outcome.port_free;
}

// Towards memory -------------------------------------------------------------------------------

void CacheAxi::send(const MemoryRequest& request, Picoseconds at, Outcome& outcome) {
    tlm::tlm_generic_payload trans;
    Transfer transfer;
    transfer.copy_from(attributes_[request.port]);
    transfer.clear_answer();
    transfer.single_beats = request.single_beats;
    trans.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    trans.set_address(request.address);
    trans.set_data_ptr(request.data);
    trans.set_data_length(request.bytes);
    trans.set_streaming_width(request.bytes);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.set_extension(&transfer);
    sc_core::sc_time delay = delay_until(at);
    to[request.port]->b_transport(trans, delay);
    trans.clear_extension(&transfer);
    outcome.status = trans.get_response_status();
    outcome.refused |= transfer.refused;
    outcome.last = std::max(at, absolute_ps(delay));
    // A target that says nothing about its first beat delivers all at once.
    outcome.first = std::clamp(transfer.first_beat, at, outcome.last);
    if (transfer.first_beat == 0) outcome.first = outcome.last;
    outcome.add_wait(transfer.waited, transfer.holder);
}

Picoseconds CacheAxi::post(const MemoryRequest& request, Picoseconds at, Outcome& outcome) {
    const auto entry = std::min_element(buffer_free_.begin(), buffer_free_.end());
    const Picoseconds taken = std::max(at, *entry);
    Outcome sent;
    send(request, taken, sent);
    *entry = sent.last;
    outcome.status = sent.status;
    outcome.refused |= sent.refused;
    outcome.last = sent.last;
    return taken;
}

Picoseconds CacheAxi::write_back(CacheLine& line, unsigned port, Picoseconds at,
                                 std::uint8_t actor) {
    LineBytes image = line.data;
    if (ideal_) {
        // Memory is never behind: the write moves what is there already.
        image = memory_of(line);
        watch_.write_back(line, image, actor);
    }
    line.dirty = false;
    Outcome outcome;
    // A write may be in a line whose other bytes are on their way.
    const Picoseconds complete = std::max<Picoseconds>(at, line.in_at);
    post({port, true, line.base, lines_.line_bytes(), image.data(), false}, complete, outcome);
    if (outcome.status != tlm::TLM_OK_RESPONSE) registers_.write_back_failed(outcome.last);
    return outcome.last;
}

bool CacheAxi::move(const MemoryRequest& request) {
    tlm::tlm_generic_payload trans;
    trans.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    trans.set_address(request.address);
    trans.set_data_ptr(request.data);
    trans.set_data_length(request.bytes);
    return to[request.port]->transport_dbg(trans) == request.bytes;
}

LineBytes CacheAxi::memory_of(const CacheLine& line) {
    LineBytes bytes{};
    if (!move({0, false, line.base, lines_.line_bytes(), bytes.data(), false})) return line.data;
    return bytes;
}

}  // namespace n6vp::models
