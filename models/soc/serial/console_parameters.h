// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// The console UART as the vendor's firmware drives it: one blocking call per character, which
/// waits for the end of the frame, so that nothing overlaps.
struct ConsoleParameters {
    Parameter kernel_clock{"kernel_clock", 100, kMegahertz, Confidence::Documented,
                           "validation firmware: PCLK"};
    Parameter divider{"divider", 109, counts(65535), Confidence::Documented,
                      "BRR for a request of 921,600 Bd: 917,431 Bd"};
    Parameter frame_bits{"frame_bits", 10, counts(65535), Confidence::Documented, "8N1 frame"};
    Parameter software{"software", 0.3, "us", Confidence::Assumed,
                       "per character, beside the frame: 0.2 to 0.5"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.kernel_clock);
        function(self.divider);
        function(self.frame_bits);
        function(self.software);
    }

    /// Returns the time one character takes: 10.90 us on the wire, plus software.
    [[nodiscard]] Picoseconds character_ps() const {
        return cycles_to_ps(frame_bits.value * divider.value, kernel_clock.value * 1e6) +
               ns_to_ps(software.value * 1e3);
    }
};

}  // namespace n6vp::models
