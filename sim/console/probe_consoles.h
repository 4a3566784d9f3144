// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/picoseconds.h"
#include "sim/console/console_backends.h"
#include "sim/console/console_group.h"
#include "sim/console/rtt_reader.h"

namespace n6vp::sim {

/// What a debug probe hears of the program, and the places on the host that a run connects it to:
/// "itm" is stimulus port 0 of the ITM and "itm1" to "itm31" are the others; "rtt" is up-buffer 0
/// of SEGGER's RTT and "rtt1" and so on are the others. Output only: input at such a place is
/// dropped.
///
/// The ITM is heard at once and without limit: the bandwidth of SWO is not modelled. RTT is looked
/// at in fixed intervals of simulated time and takes none itself.
class ProbeConsoles {
  public:
    /// Opens the places of the probe, and takes them out of `places`. Fails with UserError.
    void open(std::vector<PortPlace>& places, std::ostream& err);
    /// Returns a bit for each stimulus port with a place.
    [[nodiscard]] std::uint32_t itm_ports() const;
    [[nodiscard]] bool wants_rtt() const;

    /// The program wrote to a stimulus port.
    void stimulus(unsigned port, std::uint32_t value, unsigned bytes);
    /// `look` takes RTT from there on, once per interval.
    void read_rtt(RttReader reader, models::Picoseconds interval);
    /// At a time of the run, while nothing is under way.
    void look(models::Picoseconds now);
    /// Hands over what is left, to every place. Fails with UserError if one took no more.
    void finish();
    [[nodiscard]] bool gone() const;

    /// Text that came.
    std::function<void(std::string_view)> on_text;
    /// A place takes no more: the run had better end. `finish` says why.
    std::function<void()> on_failure;

  private:
    struct Entry {
        std::string name;  ///< "itm3"
        bool itm = false;
        unsigned channel = 0;
        std::unique_ptr<ConsoleBackend> place;
        bool failed = false;  ///< takes no more; the others go on
    };
    void put(Entry& entry, std::string_view text);
    void take_rtt();
    void guarded(Entry& entry, const std::function<void()>& work);

    std::vector<Entry> entries_;
    std::optional<RttReader> rtt_;
    models::Picoseconds interval_ = 0, next_ = 0;
    std::exception_ptr failure_;  ///< the first
};

}  // namespace n6vp::sim
