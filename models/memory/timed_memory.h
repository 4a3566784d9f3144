// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <systemc>
#include <tlm>

#include "models/fabric/fabric_target.h"
#include "models/fabric/repeatable_target.h"
#include "models/fabric/transfer.h"
#include "models/inlining.h"
#include "models/memory/backing_store.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// What every memory behind the fabric has in common.
///
/// Modelled: TLM-2.0 blocking transport with annotated delay (never `wait`), byte enables, debug
/// transport, direct memory; sparse contents with a defined state after power-up, and reads
/// of unwritten pages; statistics. Offsets count from the start of the memory, which does not
/// depend on addresses.
/// Not modelled: non-blocking transport, streaming width, ECC. Power and clock gates are guards of
/// the fabric.
class TimedMemory : public FabricTarget,  // first: called without a thunk
                    public RepeatableTarget,
                    public sc_core::sc_module,
                    public tlm::tlm_fw_transport_if<> {
  public:
    tlm::tlm_target_socket<> port;

    /// Called, once per 4 KiB page, for a read of a page in which nothing was ever stored, unless
    /// the read is part of a store (`Transfer::for_store`). A DMI request for such a page counts
    /// as a read, unless it is a request to write or to store.
    /// `at` is the time of the read at the memory, or of its request (`Transfer::asked_at`).
    std::function<void(std::uint32_t offset, Picoseconds at)> on_unwritten_read;

    struct Statistics {
        std::uint64_t reads = 0, writes = 0;  ///< transactions
        std::uint64_t bytes_read = 0, bytes_written = 0;
        Picoseconds waited = 0;  ///< sum over transactions of waiting for an earlier one
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const BackingStore& contents() const { return store_; }
    /// For what changes contents beside the port: a serial device by its commands.
    [[nodiscard]] BackingStore& cells() { return store_; }

    /// The clock of the port changes for bursts from now on.
    virtual void set_clock_hz(double hz) = 0;
    /// Returns contents, timing state and statistics to those after construction.
    virtual void reset();

  protected:
    struct Burst {
        bool write = false;
        std::uint32_t offset = 0, bytes = 0;
    };

    TimedMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, std::uint8_t fill,
                bool writable);

    /// All of `serve`. `Memory::schedule` books the port for a burst that reaches it at `arrival`;
    /// it returns the last beat (not before the arrival), and answers the first, waiting and for
    /// whom in `transfer`. Bursts come in the order of the calls, not of their arrivals.
    template <class Memory>
    static Picoseconds serve_as(Memory& memory, tlm::tlm_generic_payload& trans,
                                std::uint32_t offset, Transfer& transfer, Picoseconds arrival);
    /// All of `read_again`, in the same way.
    template <class Memory>
    static Picoseconds serve_again_as(Memory& memory, const tlm::tlm_generic_payload& trans,
                                      std::uint32_t offset, Transfer& transfer,
                                      const RepeatTime& when);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) override;

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) override;
    [[nodiscard]] tlm::tlm_response_status judge(const tlm::tlm_generic_payload& trans,
                                                 std::uint64_t offset) const;
    /// Returns true if memory holds what was read last.
    [[nodiscard]] bool repeats(const tlm::tlm_generic_payload& trans, std::uint32_t offset);
    /// Both return whether the page may be had directly.
    bool move_data(const tlm::tlm_generic_payload& trans, const Burst& burst, bool for_store,
                   Picoseconds arrival);
    bool move_slowly(const tlm::tlm_generic_payload& trans, Burst burst, bool for_store,
                     Picoseconds arrival);
    void move_enabled_data(const tlm::tlm_generic_payload& trans, Burst burst);
    void notice_unwritten(std::uint32_t offset, std::uint32_t bytes, Picoseconds at);

    BackingStore store_;
    bool writable_;
    /// The kernel's own variable: to ask for it each time shows in the host's time.
    const sc_core::sc_time& kernel_time_;
    Statistics statistics_;
    Transfer transfer_;  ///< for transactions that bring none
    LastDelay delay_;
    /// The read made again last.
    struct Repeated {
        std::uint64_t series = 0;
        const std::uint8_t* data = nullptr;  ///< tells one read of a series from the other
    };
    Repeated repeated_;
};

N6VP_ALWAYS_INLINE tlm::tlm_response_status TimedMemory::judge(
    const tlm::tlm_generic_payload& trans, std::uint64_t offset) const {
    if (!store_.holds(offset, trans.get_data_length())) {
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

N6VP_ALWAYS_INLINE bool TimedMemory::move_data(const tlm::tlm_generic_payload& trans,
                                               const Burst& burst, bool for_store,
                                               Picoseconds arrival) {
    std::uint8_t* const kept = store_.stored(burst.offset, burst.bytes);
    if (kept == nullptr || trans.get_byte_enable_ptr() != nullptr) [[unlikely]] {
        return move_slowly(trans, burst, for_store, arrival);
    }
    std::uint8_t* const to = burst.write ? kept : trans.get_data_ptr();
    const std::uint8_t* const from = burst.write ? trans.get_data_ptr() : kept;
    // Most bursts are one beat or one cache line of the core: constant lengths are fast.
    if (burst.bytes == 8) [[likely]] {
        std::memcpy(to, from, 8);
    } else if (burst.bytes == 32) {
        std::memcpy(to, from, 32);
    } else {
        std::memcpy(to, from, burst.bytes);
    }
    return true;
}

template <class Memory>
N6VP_ALWAYS_INLINE Picoseconds TimedMemory::serve_as(Memory& memory,
                                                     tlm::tlm_generic_payload& trans,
                                                     std::uint32_t offset, Transfer& transfer,
                                                     Picoseconds arrival) {
    TimedMemory& self = memory;
    const tlm::tlm_response_status verdict = self.judge(trans, offset);
    trans.set_response_status(verdict);
    if (verdict != tlm::TLM_OK_RESPONSE) return 0;
    const Burst burst{trans.is_write(), offset, trans.get_data_length()};
    trans.set_dmi_allowed(self.move_data(trans, burst, transfer.for_store, arrival));
    const Picoseconds last =
        transfer.untimed ? arrival : memory.Memory::schedule(transfer, burst, arrival);
    if (transfer.untimed) transfer.first_beat = arrival;
    Statistics& statistics = self.statistics_;
    if (burst.write) {
        ++statistics.writes;
        statistics.bytes_written += burst.bytes;
    } else {
        ++statistics.reads;
        statistics.bytes_read += burst.bytes;
    }
    statistics.waited += transfer.waited;
    return last;
}

template <class Memory>
N6VP_ALWAYS_INLINE Picoseconds TimedMemory::serve_again_as(Memory& memory,
                                                           const tlm::tlm_generic_payload& trans,
                                                           std::uint32_t offset, Transfer& transfer,
                                                           const RepeatTime& when) {
    TimedMemory& self = memory;
    const std::uint32_t bytes = trans.get_data_length();
    const std::uint8_t* const data = trans.get_data_ptr();
    if (self.repeated_.series != when.series || self.repeated_.data != data) {
        if (!self.repeats(trans, offset)) return kDeclined;
        self.repeated_ = {when.series, data};
    }
    const Picoseconds last =
        transfer.untimed ? when.arrival
                         : memory.Memory::schedule(transfer, {false, offset, bytes}, when.arrival);
    if (transfer.untimed) transfer.first_beat = when.arrival;
    ++self.statistics_.reads;
    self.statistics_.bytes_read += bytes;
    self.statistics_.waited += transfer.waited;
    return last;
}

}  // namespace n6vp::models
