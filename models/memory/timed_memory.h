// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>

#include "models/fabric/transfer.h"
#include "models/memory/backing_store.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// What every memory behind the fabric has in common.
///
/// Modelled: TLM-2.0 blocking transport with annotated delay (never `wait`), byte enables, debug
/// transport, direct memory; sparse contents with a defined state after power-up, and who reads
/// what was never written; statistics. Offsets count from the start of the memory: it knows no
/// address.
/// Not modelled: non-blocking transport, streaming width, ECC. Power and clock gates are guards of
/// the fabric.
class TimedMemory : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    tlm::tlm_target_socket<> port;

    /// Called, once per 4 KiB page, for a read of a page in which nothing was ever stored, unless
    /// the read is part of a store (`Transfer::for_store`). Who asks for direct memory of such a
    /// page counts as one who reads it there, unless it says that it wants to write or to store.
    std::function<void(std::uint32_t offset)> on_unwritten_read;

    struct Statistics {
        std::uint64_t reads = 0, writes = 0;  ///< transactions
        std::uint64_t bytes_read = 0, bytes_written = 0;
        Picoseconds waited = 0;  ///< sum over transactions of waiting for an earlier one
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const BackingStore& contents() const { return store_; }

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

    /// Books the port for a burst that reaches it at `arrival`, and answers in `transfer`: first
    /// and last beat (not before the arrival), waiting and for whom. Bursts come in the order of
    /// the calls, not of their arrivals.
    virtual void schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) = 0;

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) override;
    [[nodiscard]] tlm::tlm_response_status judge(const tlm::tlm_generic_payload& trans) const;
    /// Both return whether the page may be had directly.
    bool move_data(const tlm::tlm_generic_payload& trans, const Burst& burst, bool for_store);
    bool move_slowly(const tlm::tlm_generic_payload& trans, const Burst& burst, bool for_store);
    void move_enabled_data(const tlm::tlm_generic_payload& trans);
    void notice_unwritten(std::uint32_t offset, std::uint32_t bytes);
    void let_pass(sc_core::sc_time& delay, Picoseconds time);

    BackingStore store_;
    bool writable_;
    /// The kernel's own variable: to ask for it each time shows in the host's time.
    const sc_core::sc_time& kernel_time_;
    Statistics statistics_;
    Transfer transfer_;  ///< for transactions that bring none
    // The last duration in both forms: SystemC's conversion looks into its context.
    Picoseconds duration_ = 0;
    sc_core::sc_time duration_time_;
};

}  // namespace n6vp::models
