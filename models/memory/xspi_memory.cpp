// SPDX-License-Identifier: Apache-2.0
#include "models/memory/xspi_memory.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace n6vp::models {

XspiParameters psram_parameters() {
    constexpr Confidence kDoc = Confidence::Documented;
    constexpr Confidence kGuess = Confidence::Assumed;
    XspiParameters psram;
    psram.lines = {"lines", 16, counts(64), kDoc, "board support package"};
    psram.command_clocks = {"command_clocks", 1, "clocks", kDoc, "8-bit opcode, single rate"};
    psram.address_clocks = {"address_clocks", 2, "clocks", kDoc, "32-bit address, double rate"};
    psram.read_dummy_clocks = {"read_dummy_clocks", 14, "clocks", kGuess,
                               "device latency code 7, taken as 2 x 7"};
    psram.write_dummy_clocks = {"write_dummy_clocks", 7, "clocks", kDoc, "device latency code 7"};
    psram.ncs_high_clocks = {"ncs_high_clocks", 1, "clocks", kDoc, "board support package"};
    psram.release_clocks = {"release_clocks", 129, "clocks", kDoc,
                            "refresh counter of the board support package: 2 f/3 / 1 MHz - 4"};
    psram.restart_clocks = {"restart_clocks", 4, "clocks", kGuess,
                            "controller time to resume after a forced release"};
    psram.boundary_bytes = {"boundary_bytes", 16384, psram.boundary_bytes.unit, kDoc,
                            "board support package"};
    psram.writable = {"writable", 1, kSwitch, kDoc, "board support package"};
    psram.power_up_byte = {
        "power_up_byte", 0x5A, psram.power_up_byte.unit, kGuess,
        "undefined on silicon; a fixed pattern exposes reads of uninitialised memory"};
    return psram;
}

XspiMemory::XspiMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, double kernel_hz,
                       const XspiParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value),
                  parameters.writable.value != 0),
      parameters_(parameters),
      kernel_hz_(kernel_hz),
      bytes_per_clock_(2 * parameters.lines.value / 8) {}

void XspiMemory::reset() {
    TimedMemory::reset();
    port_.clear();
    state_ = {};
}

void XspiMemory::set_clock_hz(double hz) {
    kernel_hz_ = hz;
}

Picoseconds XspiMemory::clocks(double count) const {
    return cycles_to_ps(count, kernel_hz_);
}

Picoseconds XspiMemory::data_ps(std::uint32_t bytes) const {
    return clocks(bytes / bytes_per_clock_);
}

Picoseconds XspiMemory::open(Mode mode, Picoseconds wanted) {
    Picoseconds start = std::max(wanted, state_.ready);
    if (state_.mode != Mode::Released) {
        Picoseconds rises = start;
        if (parameters_.release_clocks.value != 0) {
            rises = std::min(rises, state_.ncs_low + clocks(parameters_.release_clocks.value));
        }
        start = std::max(start, rises + clocks(parameters_.ncs_high_clocks.value));
    }
    state_.mode = mode;
    state_.ncs_low = start;
    ++state_.transactions.started;
    return start + header(mode);
}

Picoseconds XspiMemory::header(Mode mode) const {
    const double dummy = mode == Mode::Write ? parameters_.write_dummy_clocks.value
                                             : parameters_.read_dummy_clocks.value;
    return clocks(parameters_.command_clocks.value + parameters_.address_clocks.value + dummy);
}

Picoseconds XspiMemory::reopen_by_force(Picoseconds at) {
    ++state_.transactions.forced;
    const Mode mode = state_.mode;
    state_.mode = Mode::Released;
    state_.ready = at;
    return open(mode,
                at + clocks(parameters_.ncs_high_clocks.value + parameters_.restart_clocks.value));
}

std::uint32_t XspiMemory::until_release(std::uint32_t offset, Picoseconds at) const {
    std::uint32_t bytes = std::numeric_limits<std::uint32_t>::max();
    if (parameters_.boundary_bytes.value != 0) {
        const auto boundary = static_cast<std::uint32_t>(parameters_.boundary_bytes.value);
        bytes = boundary - offset % boundary;
    }
    if (parameters_.release_clocks.value != 0) {
        const Picoseconds deadline = state_.ncs_low + clocks(parameters_.release_clocks.value);
        const Picoseconds clock = clocks(1);
        const Picoseconds left = at < deadline ? (deadline - at) / clock : 0;
        bytes = std::min(bytes,
                         static_cast<std::uint32_t>(static_cast<double>(left) * bytes_per_clock_));
    }
    return bytes;
}

bool XspiMemory::at_boundary(std::uint32_t offset) const {
    const auto boundary = static_cast<std::uint32_t>(parameters_.boundary_bytes.value);
    return boundary != 0 && offset % boundary == 0;
}

bool XspiMemory::follows(const Burst& burst) const {
    return burst.offset == state_.next && state_.mode == (burst.write ? Mode::Write : Mode::Read);
}

Picoseconds XspiMemory::start(const Burst& burst, Picoseconds arrival, Picoseconds& begin) {
    const bool over = parameters_.release_clocks.value != 0 &&
                      arrival >= state_.ncs_low + clocks(parameters_.release_clocks.value);
    if (!follows(burst) || over || state_.interrupted) {
        begin = std::max(state_.ready, arrival);
        return open(burst.write ? Mode::Write : Mode::Read, arrival);
    }
    ++state_.transactions.continued;
    // A read finds what the device moved ahead of it; beyond that its clock stood still. A write
    // finds NCS low and the clock standing.
    const Picoseconds ahead =
        burst.write ? 0 : data_ps(static_cast<std::uint32_t>(parameters_.prefetch_bytes.value));
    const Picoseconds standstill = state_.ready + ahead;
    begin = state_.ready + (arrival > standstill ? arrival - standstill : 0);
    return at_boundary(burst.offset) ? reopen_by_force(begin) : begin;
}

Picoseconds XspiMemory::move(const Burst& burst, Picoseconds cursor) {
    Picoseconds first_beat = 0;
    std::uint32_t moved = 0;
    const std::uint32_t beat = std::min<std::uint32_t>(8, burst.bytes);
    while (moved < burst.bytes) {
        const std::uint32_t at = burst.offset + moved;
        std::uint32_t room = until_release(at, cursor);
        if (room == 0 || (moved != 0 && at_boundary(at))) {
            cursor = reopen_by_force(cursor);
            room = until_release(at, cursor);
        }
        const std::uint32_t piece = std::min(burst.bytes - moved, std::max(room, 1u));
        if (moved < beat && moved + piece >= beat) first_beat = cursor + data_ps(beat - moved);
        moved += piece;
        cursor += data_ps(piece);
    }
    state_.next = burst.offset + burst.bytes;
    state_.ready = cursor;
    state_.interrupted = false;
    return first_beat;
}

Picoseconds XspiMemory::serve_late(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    const State after = state_;
    const Mode mode = burst.write ? Mode::Write : Mode::Read;
    state_.mode = Mode::Released;
    state_.ready = arrival;
    const Picoseconds first_beat = move(burst, open(mode, arrival));
    const Picoseconds finish = state_.ready;
    const Transactions counted = state_.transactions;
    state_ = after;
    const Picoseconds high = clocks(parameters_.ncs_high_clocks.value);
    Picoseconds taken = finish - arrival + high;
    // The stream starts over behind it.
    if (after.mode != Mode::Released && arrival < after.ready) taken += high + header(after.mode);
    const PortSchedule::Grant grant = port_.book(arrival, taken, transfer.initiator);
    state_.transactions = counted;
    state_.interrupted = true;
    transfer.first_beat = first_beat + grant.waited;
    transfer.waited = grant.waited;
    transfer.holder = grant.holder;
    return finish + grant.waited;
}

Picoseconds XspiMemory::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    if (!follows(burst) && arrival < port_.end() && port_.late(arrival, transfer.initiator)) {
        return serve_late(transfer, burst, arrival);
    }
    if (state_.interrupted) state_.ready = std::max(state_.ready, port_.end());
    Picoseconds begin = 0;
    const Picoseconds first_beat = move(burst, start(burst, arrival, begin));
    const PortSchedule::Grant grant =
        port_.book_last(arrival, begin, state_.ready - begin, transfer.initiator);
    transfer.first_beat = std::max(first_beat, arrival);
    transfer.waited = grant.waited;
    transfer.holder = grant.holder;
    return std::max(state_.ready, arrival);
}

Picoseconds XspiMemory::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                              Transfer& transfer, Picoseconds arrival) {
    if (cipher_ != nullptr || instead_ != nullptr) [[unlikely]]
        return serve_changed(trans, offset, transfer, arrival);
    return serve_as(*this, trans, offset, transfer, arrival);
}

Picoseconds XspiMemory::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                   Transfer& transfer, const RepeatTime& when) {
    if (!plain(offset, trans.get_data_length())) return kDeclined;
    return serve_again_as(*this, trans, offset, transfer, when);
}

namespace {

/// Whole blocks around an access, as the memory holds them and as the bus sees them.
class CipheredBlocks {
  public:
    CipheredBlocks(const MemoryCipher& cipher, const BackingStore& cells, std::uint32_t offset,
                   std::uint32_t bytes)
        : cipher_(cipher), first_(offset / kBytes * kBytes), skipped_(offset - first_) {
        const std::uint32_t count = (skipped_ + bytes + (kBytes - 1)) / kBytes;
        bytes_.resize(std::size_t{count} * kBytes);
        cells.read(first_, bytes_.data(), count * kBytes);
        for_each([&](std::uint32_t at, const MemoryCipher::Block& held) {
            return cipher_.to_bus(at, held);
        });
    }
    /// The bytes of the access.
    [[nodiscard]] std::uint8_t* data() { return bytes_.data() + skipped_; }
    void store(BackingStore& cells) {
        for_each([&](std::uint32_t at, const MemoryCipher::Block& plain) {
            return cipher_.to_memory(at, plain);
        });
        cells.write(first_, bytes_.data(), static_cast<std::uint32_t>(bytes_.size()));
    }

  private:
    static constexpr std::uint32_t kBytes = MemoryCipher::kBlockBytes;

    template <class Function>
    void for_each(Function&& change) {
        for (std::uint32_t i = 0; i < bytes_.size(); i += kBytes) {
            if (!cipher_.covers(first_ + i, kBytes)) continue;
            MemoryCipher::Block block{};
            std::copy_n(bytes_.begin() + i, kBytes, block.begin());
            const MemoryCipher::Block changed = change(first_ + i, block);
            std::copy(changed.begin(), changed.end(), bytes_.begin() + i);
        }
    }

    const MemoryCipher& cipher_;
    const std::uint32_t first_, skipped_;
    std::vector<std::uint8_t> bytes_;
};

/// Copies the enabled bytes of the access to or from blocks.
void exchange(const tlm::tlm_generic_payload& trans, std::uint8_t* blocks) {
    const std::uint8_t* const enables = trans.get_byte_enable_ptr();
    const unsigned period = trans.get_byte_enable_length();
    for (unsigned i = 0; i < trans.get_data_length(); ++i) {
        if (enables != nullptr && enables[i % period] == 0) continue;
        if (trans.is_write()) {
            blocks[i] = trans.get_data_ptr()[i];
        } else {
            trans.get_data_ptr()[i] = blocks[i];
        }
    }
}

}  // namespace

Picoseconds XspiMemory::serve_changed(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                      Transfer& transfer, Picoseconds arrival) {
    XspiMemory& memory = instead_ != nullptr ? *instead_ : *this;
    const std::uint32_t bytes = trans.get_data_length();
    const bool ciphered = cipher_ != nullptr && memory.contents().holds(offset, bytes) &&
                          bytes != 0 && cipher_->covers(offset, bytes);
    if (!ciphered) {
        const Picoseconds last = serve_as(memory, trans, offset, transfer, arrival);
        if (!plain(offset, bytes)) trans.set_dmi_allowed(false);
        return last;
    }
    CipheredBlocks blocks(*cipher_, memory.contents(), offset, bytes);
    const Picoseconds last = serve_as(memory, trans, offset, transfer, arrival);
    trans.set_dmi_allowed(false);
    if (!trans.is_response_ok()) return last;
    exchange(trans, blocks.data());
    if (trans.is_write()) blocks.store(memory.cells());
    return last;
}

/// Swapped lines do not show here: loaders and debuggers find devices where the board has them.
unsigned XspiMemory::transport_dbg(tlm::tlm_generic_payload& trans) {
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    const std::uint32_t bytes = trans.get_data_length();
    const bool ciphered = cipher_ != nullptr && bytes != 0 &&
                          contents().holds(trans.get_address(), bytes) &&
                          cipher_->covers(offset, bytes);
    if (!ciphered) return TimedMemory::transport_dbg(trans);
    CipheredBlocks blocks(*cipher_, contents(), offset, bytes);
    exchange(trans, blocks.data());
    if (trans.is_write()) blocks.store(cells());
    return bytes;
}

}  // namespace n6vp::models
