// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/fabric/transfer.h"

namespace n6vp::models {

/// What stands before a target: a clock gate, a power switch, a filter of access rights. Of a
/// transfer it judges by its initiator, `secure`, `privileged`, `instruction` and `compartment`
/// only: the bus remembers what passed by these.
class AccessFilter {
  public:
    enum class Verdict : std::uint8_t {
        Pass,
        Zero,   ///< reads answer zero, writes vanish; the bus answers OK
        Error,  ///< the bus answers an error: a BusFault of the core
    };
    struct Access {
        std::uint32_t offset = 0, bytes = 0;  ///< within the target
        bool write = false;
        /// On the bus, on the alias that the master used; of no account to `passes`.
        std::uint32_t address = 0;
    };

    AccessFilter() = default;
    AccessFilter(const AccessFilter&) = delete;
    AccessFilter& operator=(const AccessFilter&) = delete;
    virtual ~AccessFilter() = default;

    /// Judges one access and records it where the hardware would (IAC, status registers).
    [[nodiscard]] virtual Verdict judge(const Transfer& transfer, const Access& access) = 0;
    /// Returns true if everything of this kind in the range passes, so that direct memory may be
    /// granted. Records nothing. A filter that changes its mind says so to Bus::filter_changed.
    [[nodiscard]] virtual bool passes(const Transfer& transfer, const Access& access) const = 0;
    /// Why an access does not pass, for reports: which register bit would change that.
    [[nodiscard]] virtual const char* reason() const = 0;
};

}  // namespace n6vp::models
