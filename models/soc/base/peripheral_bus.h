// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/fabric/access_filter.h"
#include "models/fabric/bus_events.h"
#include "models/fabric/repeatable_target.h"
#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct PeripheralBusParameters {
    Parameter read_cycles{"read_cycles", 7, "AHB cycles", Confidence::Assumed,
                          "40 to 60 CPU cycles per read at 800 and 100 MHz: 56"};
    Parameter write_cycles{"write_cycles", 5, "AHB cycles", Confidence::Assumed,
                           "40 CPU cycles per write at 800 and 100 MHz while the buffer is full"};
    Parameter write_buffer{"write_buffer", 2, counts(64, "entries"), Confidence::Assumed,
                           "register writes are posted through 1 or 2 entries"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.read_cycles);
        function(self.write_cycles);
        function(self.write_buffer);
    }
};

/// The AHB and APB buses behind the NOC: decodes 0x40000000 to 0x5FFFFFFF into register blocks.
///
/// Modelled: both aliases of each block, bytes and halfwords by read and masked write, posted
/// writes through a small buffer, reads that wait for it to drain and for a register that stalls,
/// filters per block, a log of every access. An address in no block answers zero, is logged as not
/// modelled, and is a bus error where the log says so. All take the time of one clock, 100 MHz
/// until `set_clock_hz`. Not modelled: the buses one by one with their prescalers; debug accesses
/// by TLM (reading a register has side effects; `peek` reads those that have none).
class PeripheralBus : public sc_core::sc_module,
                      public tlm::tlm_fw_transport_if<>,
                      public RepeatableTarget {
  public:
    tlm::tlm_target_socket<> port;  ///< addresses are absolute

    PeripheralBus(const sc_core::sc_module_name& name, const PeripheralBusParameters& parameters,
                  RegisterLog& log);

    /// Called for every access that a filter refused.
    std::function<void(const AccessFault&)> on_fault;

    /// `start` is the secure base unless `one_alias`; the block must outlive the bus. Ranges must
    /// not overlap: std::logic_error.
    void add(RegisterBlock& block, GuestAddr start, std::uint32_t bytes, bool one_alias = false);
    /// Asked before the block is; the first filter that does not pass decides.
    void add_filter(RegisterBlock& block, AccessFilter& filter);
    /// Returns what a secure privileged read of the word at `address`, a multiple of 4, would
    /// give now, without a trace: it takes no time and is not logged. None where there is no block,
    /// a filter refuses it, or reading has an effect (RegisterBlock::reads_freely).
    [[nodiscard]] std::optional<RegisterBlock::Answer> peek(GuestAddr address);
    void reset();
    /// The AHB clock from now on.
    void set_clock_hz(double hz);

  private:
    struct Slot {
        AddressRange range;
        RegisterBlock* block = nullptr;
        std::vector<AccessFilter*> filters;
    };
    struct Word {
        GuestAddr address{};     ///< first byte of the access in this word
        std::uint32_t mask = 0;  ///< bits of the bytes that are accessed
        std::uint32_t bytes = 0;
    };

    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& /*trans*/) override { return 0; }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t address,
                           Transfer& transfer, const RepeatTime& when) override;
    /// Returns true if the read could be made again, which `repeated_` then describes.
    [[nodiscard]] bool repeats(const tlm::tlm_generic_payload& trans, std::uint32_t address,
                               const Transfer& transfer);
    void insert(RegisterBlock& block, AddressRange range);
    [[nodiscard]] Slot* find(GuestAddr address);
    /// Returns the time at which a read answers.
    [[nodiscard]] Picoseconds finish_read(Picoseconds arrival) const;
    /// Books a write; `arrival` becomes the time at which the initiator is rid of it. Returns the
    /// time at which it reaches the register.
    [[nodiscard]] Picoseconds post_write(Picoseconds& arrival);
    [[nodiscard]] bool access(Word word, bool write, std::uint32_t& value, Picoseconds at,
                              Transfer& transfer);
    [[nodiscard]] AccessFilter::Verdict judge(const Slot& slot, Word word, bool write,
                                              Transfer& transfer, Picoseconds at);

    PeripheralBusParameters parameters_;
    RegisterLog& log_;
    Picoseconds read_ps_ = 0, write_ps_ = 0;
    std::vector<Picoseconds> buffer_free_;  ///< absolute time at which each entry is free again
    std::vector<Slot> slots_;               ///< by ascending address
    std::size_t last_ = 0;                  ///< slot of the last access, a guess for the next
    /// The read made again last.
    struct Repeated {
        std::uint64_t series = 0;
        const std::uint8_t* data = nullptr;  ///< tells one read of a series from the other
        RegisterBlock* block = nullptr;
        std::uint32_t offset = 0;
        std::uint32_t mask = 0, value = 0;  ///< of the word
    };
    Repeated repeated_;
    Picoseconds until_ = 0;  ///< the register last read answers not before
    Transfer anonymous_;     ///< for transactions that say nothing of themselves
};

}  // namespace n6vp::models
