// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/fabric/transfer.h"

namespace n6vp::models {

/// An access that failed on the bus.
struct AccessFault {
    enum class Kind : std::uint8_t {
        Unmapped,       ///< no window holds the address: the default slave answered
        Unreachable,    ///< the initiator has no route to this target
        CrossesWindow,  ///< the burst leaves the target's window
        ReadOnly,
        Refused,       ///< by a filter: `reason`
        NotSupported,  ///< the target cannot do this kind of access: `reason`
    };
    Kind kind = Kind::Unmapped;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool write = false;
    bool answered_zero = false;  ///< the initiator saw no error
    std::uint8_t initiator = 0;
    int target = -1;  ///< number of the target, -1 if none
    const char* reason = "";
    /// When it left the initiator's port, absolute; for registers when it reached them.
    Picoseconds at = 0;
};

/// An access to bytes in use by another master.
struct BufferInUse {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool write = false;
    std::uint8_t initiator = 0;  ///< of the access
    std::uint8_t user = 0;       ///< initiator that claimed the bytes
    bool being_written = false;  ///< by the user; else the user reads them
    const char* claim = "";      ///< what for: the text of the claim
    Picoseconds at = 0;          ///< when it left the initiator's port, absolute
};

/// A transaction as it leaves the initiator's port.
struct BusTransaction {
    Picoseconds at = 0;
    std::uint64_t address = 0;
    std::uint64_t attributes = 0;  ///< attributes of the initiator, as bits
    std::uint32_t bytes = 0;
    bool write = false;
    std::uint8_t initiator = 0;
    const std::uint8_t* data = nullptr;  ///< of a write
};

/// Receives every transaction, refused ones included, in the order of the calls.
class BusRecorder {
  public:
    BusRecorder() = default;
    BusRecorder(const BusRecorder&) = delete;
    BusRecorder& operator=(const BusRecorder&) = delete;
    virtual ~BusRecorder() = default;

    virtual void begins(const BusTransaction& transaction) = 0;
};

/// Bytes of a target moved by an initiator. Observed by models that keep copies (caches).
class BusObserver {
  public:
    BusObserver() = default;
    BusObserver(const BusObserver&) = delete;
    BusObserver& operator=(const BusObserver&) = delete;
    virtual ~BusObserver() = default;

    /// Before the bytes change.
    virtual void before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                              std::uint32_t bytes) = 0;
    /// Before the bytes are read.
    virtual void before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                             std::uint32_t bytes) = 0;
    /// Returns false as long as reads have no effect on the observer. Asked once for a series of
    /// repeated reads, during which nothing else happens.
    [[nodiscard]] virtual bool heeds_reads() const { return true; }
};

}  // namespace n6vp::models
