// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/data_path_parameters.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/cache_tags.h"
#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// The Cortex-M55's way to memory, driven by loops of loads and stores instead of an instruction
/// stream.
///
/// Modelled: D-cache tags (write-back with write-allocate, or write-through without, by the Armv8-M
/// default memory map); one line fill at a time, critical beat first, the core running on while the
/// rest of a line or a store's line comes in; dirty victims leaving through a write-back buffer; a
/// merging store buffer for write-through memory; optional write streaming; cache maintenance by
/// line with its write-backs; bus errors. Not modelled: instruction fetch, D-side stream prefetcher
/// (the fitted copy rates leave no room for it), TCMs, MPU, the second-level effects of dual issue.
/// Data are coherent: a store changes memory at once, and the write-back of its line is a
/// transaction that carries what is there already. Device memory is accessed word by word without
/// overlap.
///
/// Time runs ahead of the kernel's: every call advances `time()`; the owner decides when the kernel
/// catches up.
class DataPath : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<DataPath> m_axi;

    DataPath(const sc_core::sc_module_name& name, double core_hz,
             const DataPathParameters& parameters, const core::CacheParameters& cache);

    /// All return false for a bus error and stop there. Time has passed up to the error.
    [[nodiscard]] bool read(std::uint32_t from, std::uint8_t* to, std::uint32_t bytes);
    [[nodiscard]] bool write(std::uint32_t to, const std::uint8_t* from, std::uint32_t bytes);
    /// Copies in ascending order with a word loop, or a byte loop if an address is not
    /// word-aligned.
    [[nodiscard]] bool copy(std::uint32_t to, std::uint32_t from, std::uint32_t bytes);
    [[nodiscard]] bool clear(std::uint32_t to, std::uint32_t bytes);

    /// Cleans and/or invalidates the lines of a range, then waits for the write-backs.
    void maintain_data(std::uint32_t start, std::uint32_t bytes, bool clean, bool invalidate);
    void maintain_instructions(std::uint32_t start, std::uint32_t bytes);
    /// Waits until every buffered store and write-back has reached its memory.
    void drain();
    /// Lets the core do something else for a while.
    void spend(Picoseconds duration) { now_ += duration; }

    [[nodiscard]] Picoseconds time() const { return now_; }
    void reset();

    struct Counters {
        std::uint64_t loads = 0, stores = 0;  ///< words, or bytes where a loop goes by bytes
        std::uint64_t fills = 0, write_backs = 0, write_bursts = 0;  ///< bus transactions
        std::uint64_t maintained_lines = 0;
        [[nodiscard]] std::uint64_t transactions() const {
            return fills + write_backs + write_bursts;
        }
    };
    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    struct Fill {                 ///< a line that comes, or came last, over the bus
        std::uint32_t line = 1;   ///< never a line address before the first fill
        std::uint32_t first = 0;  ///< beat that came first
        Picoseconds first_beat = 0, interval = 0, end = 0;
    };
    struct Direct {  ///< direct memory page last used
        std::uint64_t start = 1, end = 0;
        std::uint8_t* bytes = nullptr;
    };

    [[nodiscard]] std::uint8_t* direct(Direct& page, std::uint32_t address, bool for_write);
    [[nodiscard]] bool transport(bool write, std::uint32_t address, std::uint32_t bytes,
                                 Picoseconds start);
    [[nodiscard]] bool fill_line(std::uint32_t address, Fill& record);
    [[nodiscard]] bool prepare_load(std::uint32_t address);
    [[nodiscard]] bool prepare_store(std::uint32_t address, std::uint32_t bytes);
    [[nodiscard]] bool store_through(std::uint32_t address, std::uint32_t bytes);
    void flush_store_buffer();
    void write_back(std::uint32_t line);
    [[nodiscard]] Picoseconds available(std::uint32_t address) const;
    void load_one(std::uint32_t address, Picoseconds cost);
    [[nodiscard]] bool store_one(std::uint32_t address, std::uint32_t bytes, Picoseconds cost);
    [[nodiscard]] bool copy_piece(std::uint32_t to, std::uint32_t from, std::uint32_t bytes,
                                  bool overlap);
    void invalidate_direct(sc_dt::uint64 start, sc_dt::uint64 end);

    DataPathParameters parameters_;
    core::CacheParameters cache_;
    double core_hz_;
    Picoseconds request_ps_, answer_ps_, turnaround_ps_, load_ps_, store_ps_, loop_ps_, access_ps_;
    CacheTags tags_;
    Picoseconds now_ = 0;
    Picoseconds fill_free_ = 0;  ///< when the line-fill buffer is free
    Fill load_fill_, store_fill_;
    std::vector<Picoseconds> write_back_free_, store_free_;  ///< by buffer
    std::uint32_t merging_ = 0,
                  merging_bytes_ = 0;  ///< open store-buffer entry: address, bytes in it
    Direct read_page_, write_page_;
    tlm::tlm_generic_payload payload_;
    Transfer transfer_;
    std::array<std::uint8_t, 64> scratch_{};
    Counters counters_;
};

}  // namespace n6vp::models
