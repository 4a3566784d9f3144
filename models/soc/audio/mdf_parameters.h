// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// Of MDF1 and ADF1, and of the microphone in front of them.
struct MdfParameters {
    Parameter fifo_depth{"fifo_depth", 4, counts(64, "samples"), Confidence::Assumed,
                         "RXFIFO of a filter"};
    Parameter reshape_gain{"reshape_gain", 2.98, "", Confidence::Documented,
                           "9.5 dB in the passband: RM0456, total MDF gain (the same unit in the "
                           "STM32U5)"};
    Parameter reshape_cycles{"reshape_cycles", 24, counts(1000, "processing cycles"),
                             Confidence::Documented,
                             "reshape filter, each of its input samples: RM0456"};
    Parameter headroom{"headroom",
                       8,
                       {"bits", {0, 24, true}},
                       Confidence::Assumed,
                       "full scale of a recording below that of the microphone: 48 dB, or 72 dB "
                       "SPL with one of 120 dB SPL, a loud voice near by"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.fifo_depth);
        function(self.reshape_gain);
        function(self.reshape_cycles);
        function(self.headroom);
    }
};

}  // namespace n6vp::models
