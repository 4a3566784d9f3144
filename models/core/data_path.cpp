// SPDX-License-Identifier: Apache-2.0
#include "models/core/data_path.h"

#include <algorithm>
#include <cstring>

#include "memmap/regions.h"
#include "models/core/ir/data_cache.h"
#include "models/core/ir/instruction_cache.h"

namespace n6vp::models {

namespace {

constexpr std::uint32_t kBeatBytes = 8;

[[nodiscard]] memmap::MemoryType type_of(std::uint32_t address) {
    return memmap::default_memory_type(GuestAddr{address});
}
[[nodiscard]] bool is_cached(std::uint32_t address) {
    const memmap::MemoryType type = type_of(address);
    return type == memmap::MemoryType::NormalWriteBack ||
           type == memmap::MemoryType::NormalWriteThrough;
}
[[nodiscard]] bool is_written_back(std::uint32_t address) {
    return type_of(address) == memmap::MemoryType::NormalWriteBack;
}
[[nodiscard]] std::uint32_t element_bytes(std::uint32_t address, std::uint32_t bytes) {
    return address % 4 == 0 && bytes >= 4 ? 4 : 1;
}

}  // namespace

DataPath::DataPath(const sc_core::sc_module_name& name, double core_hz,
                   const DataPathParameters& parameters, const core::CacheParameters& cache)
    : sc_module(name),
      m_axi("m_axi"),
      parameters_(parameters),
      cache_(cache),
      core_hz_(core_hz),
      request_ps_(cycles_to_ps(cache.miss_request.value, core_hz)),
      answer_ps_(cycles_to_ps(cache.miss_answer.value, core_hz)),
      turnaround_ps_(cycles_to_ps(cache.fill_turnaround.value, core_hz)),
      load_ps_(cycles_to_ps(parameters.load_cycles.value, core_hz)),
      store_ps_(cycles_to_ps(parameters.store_cycles.value, core_hz)),
      loop_ps_(cycles_to_ps(parameters.loop_cycles.value, core_hz)),
      access_ps_(cycles_to_ps(parameters.word_access_cycles.value, core_hz)),
      tags_(static_cast<std::uint32_t>(cache.dcache_bytes.value),
            static_cast<std::uint32_t>(cache.dcache_ways.value), core::DataCache::kLineBytes),
      write_back_free_(static_cast<std::size_t>(cache.write_back_buffers.value)),
      store_free_(static_cast<std::size_t>(cache.store_buffers.value)) {
    m_axi.register_invalidate_direct_mem_ptr(this, &DataPath::invalidate_direct);
}

void DataPath::reset() {
    tags_.invalidate_all();
    now_ = std::max<Picoseconds>(now_, sc_core::sc_time_stamp().value());
    fill_free_ = 0;
    load_fill_ = store_fill_ = {};
    std::ranges::fill(write_back_free_, 0);
    std::ranges::fill(store_free_, 0);
    merging_bytes_ = 0;
    counters_ = {};
}

void DataPath::invalidate_direct(sc_dt::uint64, sc_dt::uint64) {
    read_page_ = write_page_ = {};
}

std::uint8_t* DataPath::direct(Direct& page, std::uint32_t address, bool for_write) {
    if (address < page.start || address > page.end) {
        tlm::tlm_generic_payload query;
        tlm::tlm_dmi dmi;
        query.set_command(for_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        query.set_address(address);
        if (!m_axi->get_direct_mem_ptr(query, dmi)) return nullptr;
        page = {dmi.get_start_address(), dmi.get_end_address(), dmi.get_dmi_ptr()};
    }
    return page.bytes + (address - page.start);
}

bool DataPath::transport(bool write, std::uint32_t address, std::uint32_t bytes,
                         Picoseconds start) {
    payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_address(address);
    payload_.set_data_ptr(scratch_.data());
    payload_.set_data_length(bytes);
    payload_.set_streaming_width(bytes);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload_.set_extension(&transfer_);
    // A path that does not know the extension delivers everything at the end.
    transfer_.clear_answer();
    sc_core::sc_time delay = delay_until(start);
    m_axi->b_transport(payload_, delay);
    payload_.clear_extension(&transfer_);
    if (transfer_.last_beat == 0) transfer_.first_beat = transfer_.last_beat = absolute_ps(delay);
    return payload_.is_response_ok();
}

void DataPath::write_back(std::uint32_t line) {
    const auto entry = std::min_element(write_back_free_.begin(), write_back_free_.end());
    const std::uint8_t* content = direct(read_page_, line, false);
    if (content != nullptr) std::memcpy(scratch_.data(), content, tags_.line_bytes());
    const Picoseconds start = std::max(now_ + request_ps_, *entry);
    ++counters_.write_backs;
    // A store made the line dirty, so its memory takes writes: nothing to report here.
    if (transport(true, line, tags_.line_bytes(), start)) *entry = transfer_.last_beat;
}

bool DataPath::fill_line(std::uint32_t address, Fill& record) {
    const std::uint32_t line = tags_.line_of(address);
    const CacheTags::Line victim = tags_.victim(line);
    Picoseconds start = std::max(now_ + request_ps_, fill_free_);
    if (victim.valid && victim.dirty) {
        start =
            std::max(start, *std::min_element(write_back_free_.begin(), write_back_free_.end()));
    }
    ++counters_.fills;
    if (!transport(false, line, tags_.line_bytes(), start)) return false;
    const std::uint32_t beats = tags_.line_bytes() / kBeatBytes;
    record.line = line;
    record.first = (address - line) / kBeatBytes;
    record.first_beat = transfer_.first_beat;
    record.interval = (transfer_.last_beat - transfer_.first_beat) / (beats - 1);
    record.end = transfer_.last_beat;
    fill_free_ = transfer_.last_beat + turnaround_ps_;
    if (victim.valid && victim.dirty) write_back(victim.address);
    tags_.allocate(line);
    return true;
}

Picoseconds DataPath::available(std::uint32_t address) const {
    const std::uint32_t line = tags_.line_of(address);
    const std::uint32_t beats = tags_.line_bytes() / kBeatBytes;
    Picoseconds when = 0;
    for (const Fill* fill : {&load_fill_, &store_fill_}) {
        if (fill->line != line) continue;
        const std::uint32_t turn = ((address - line) / kBeatBytes + beats - fill->first) % beats;
        when = std::max(when, fill->first_beat + turn * fill->interval + answer_ps_);
    }
    return when;
}

bool DataPath::prepare_load(std::uint32_t address) {
    if (!is_cached(address)) {
        ++counters_.fills;
        if (!transport(false, address & ~3u, 4, now_)) return false;
        now_ = transfer_.last_beat;
        return true;
    }
    return tags_.look_up(address) != nullptr || fill_line(address, load_fill_);
}

void DataPath::load_one(std::uint32_t address, Picoseconds cost) {
    ++counters_.loads;
    now_ = std::max(now_, available(address)) + cost;
}

bool DataPath::prepare_store(std::uint32_t address, std::uint32_t bytes) {
    if (direct(write_page_, address, true) == nullptr) return false;
    if (!is_cached(address) || !is_written_back(address)) return true;
    if (CacheTags::Line* line = tags_.look_up(address)) {
        line->dirty = true;
        return true;
    }
    if (parameters_.write_streaming.value != 0 && bytes == tags_.line_bytes()) return true;
    // The store buffer holds the stores to one line that is still to come.
    now_ = std::max(now_, store_fill_.end);
    if (!fill_line(address, store_fill_)) return false;
    tags_.look_up(address)->dirty = true;
    return true;
}

bool DataPath::store_one(std::uint32_t address, std::uint32_t bytes, Picoseconds cost) {
    ++counters_.stores;
    now_ += cost;
    if (is_written_back(address) && tags_.find(address) != nullptr) return true;
    return store_through(address, bytes);
}

bool DataPath::store_through(std::uint32_t address, std::uint32_t bytes) {
    // Write streaming collects whole lines, write-through memory gets bus beats, devices words.
    const std::uint32_t size = is_written_back(address) ? tags_.line_bytes()
                               : is_cached(address)     ? kBeatBytes
                                                        : 4;
    const bool merges = merging_bytes_ != 0 && address == merging_ + merging_bytes_ &&
                        address / size == merging_ / size;
    if (!merges) {
        flush_store_buffer();
        merging_ = address;
    }
    merging_bytes_ += bytes;
    if ((address + bytes) % size == 0) flush_store_buffer();
    return true;
}

void DataPath::flush_store_buffer() {
    if (merging_bytes_ == 0) return;
    const auto entry = std::min_element(store_free_.begin(), store_free_.end());
    now_ = std::max(now_, *entry);
    const std::uint8_t* content = direct(read_page_, merging_, false);
    if (content != nullptr) std::memcpy(scratch_.data(), content, merging_bytes_);
    ++counters_.write_bursts;
    if (transport(true, merging_, merging_bytes_, now_ + request_ps_)) *entry = transfer_.last_beat;
    merging_bytes_ = 0;
}

bool DataPath::read(std::uint32_t from, std::uint8_t* to, std::uint32_t bytes) {
    while (bytes != 0) {
        const std::uint32_t piece = element_bytes(from, bytes);
        if (!prepare_load(from)) return false;
        const std::uint8_t* source = direct(read_page_, from, false);
        if (source == nullptr) return false;
        load_one(from, access_ps_);
        std::memcpy(to, source, piece);
        from += piece;
        to += piece;
        bytes -= piece;
    }
    return true;
}

bool DataPath::write(std::uint32_t to, const std::uint8_t* from, std::uint32_t bytes) {
    while (bytes != 0) {
        const std::uint32_t piece = element_bytes(to, bytes);
        if (!prepare_store(to, piece)) return false;
        std::memcpy(direct(write_page_, to, true), from, piece);
        if (!store_one(to, piece, access_ps_)) return false;
        to += piece;
        from += piece;
        bytes -= piece;
    }
    return true;
}

bool DataPath::copy_piece(std::uint32_t to, std::uint32_t from, std::uint32_t bytes, bool overlap) {
    const std::uint32_t unit = (to | from | bytes) % 4 == 0 ? 4 : 1;
    if (!prepare_load(from)) return false;
    const std::uint8_t* source = direct(read_page_, from, false);
    if (source == nullptr) return false;
    for (std::uint32_t i = 0; i < bytes; i += unit) {
        load_one(from + i, load_ps_);
        if (i == 0) {
            if (!prepare_store(to, bytes)) return false;
            std::uint8_t* target = direct(write_page_, to, true);
            if (overlap) {
                for (std::uint32_t k = 0; k < bytes; ++k) target[k] = source[k];
            } else {
                std::memcpy(target, source, bytes);
            }
        }
        if (!store_one(to + i, unit, store_ps_ + loop_ps_)) return false;
    }
    return true;
}

bool DataPath::copy(std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
    const std::uint32_t distance = to > from ? to - from : from - to;
    const bool overlap = distance < bytes;
    const std::uint32_t line = tags_.line_bytes();
    while (bytes != 0) {
        const std::uint32_t piece = std::min({bytes, line - from % line, line - to % line});
        if (!copy_piece(to, from, piece, overlap)) return false;
        to += piece;
        from += piece;
        bytes -= piece;
    }
    return true;
}

bool DataPath::clear(std::uint32_t to, std::uint32_t bytes) {
    const std::uint32_t line = tags_.line_bytes();
    while (bytes != 0) {
        const std::uint32_t piece = std::min(bytes, line - to % line);
        if (!prepare_store(to, piece)) return false;
        std::memset(direct(write_page_, to, true), 0, piece);
        const std::uint32_t unit = (to | piece) % 4 == 0 ? 4 : 1;
        for (std::uint32_t i = 0; i < piece; i += unit) {
            if (!store_one(to + i, unit, store_ps_ + loop_ps_)) return false;
        }
        to += piece;
        bytes -= piece;
    }
    return true;
}

void DataPath::maintain_data(std::uint32_t start, std::uint32_t bytes, bool clean,
                             bool invalidate) {
    flush_store_buffer();
    const std::uint32_t size = tags_.line_bytes();
    const Picoseconds cost = cycles_to_ps(cache_.maintenance_cycles.value, core_hz_);
    const std::uint64_t end = std::uint64_t{start} + bytes;
    for (std::uint64_t at = tags_.line_of(start); at < end && bytes != 0; at += size) {
        now_ += cost;
        ++counters_.maintained_lines;
        CacheTags::Line* line = tags_.find(static_cast<std::uint32_t>(at));
        if (line == nullptr) continue;
        if (clean && line->dirty) {
            now_ =
                std::max(now_, *std::min_element(write_back_free_.begin(), write_back_free_.end()));
            write_back(line->address);
            line->dirty = false;
        }
        if (invalidate) *line = {};
    }
    drain();
}

void DataPath::maintain_instructions(std::uint32_t start, std::uint32_t bytes) {
    if (bytes == 0) return;
    constexpr std::uint64_t kSize = core::InstructionCache::kLineBytes;
    const std::uint64_t lines = (std::uint64_t{start} + bytes + kSize - 1) / kSize - start / kSize;
    counters_.maintained_lines += lines;
    now_ += cycles_to_ps(cache_.maintenance_cycles.value * static_cast<double>(lines), core_hz_);
}

void DataPath::drain() {
    flush_store_buffer();
    now_ = std::max(now_, fill_free_);
    for (const Picoseconds free : write_back_free_) now_ = std::max(now_, free);
    for (const Picoseconds free : store_free_) now_ = std::max(now_, free);
}

}  // namespace n6vp::models
