// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// What no public source says of the times and attributes of GPDMA and HPDMA.
struct DmaParameters {
    Parameter grant_cycles{"grant_cycles", 2, counts(1000, "AHB cycles"), Confidence::Assumed,
                           "arbitration before a burst leaves its port"};
    Parameter link_cycles{"link_cycles", 4, counts(1000, "AHB cycles"), Confidence::Assumed,
                          "end of a block to the first word of the next list item, and its "
                          "last word to the first burst"};
    Parameter low_weight{"low_weight", 1, counts(64, "bursts"), Confidence::Assumed,
                         "PRIO = 0: bursts in a round of the low-priority queues"};
    Parameter mid_weight{"mid_weight", 2, counts(64, "bursts"), Confidence::Assumed, "PRIO = 1"};
    Parameter high_weight{"high_weight", 4, counts(64, "bursts"), Confidence::Assumed, "PRIO = 2"};
    Parameter gpdma_fifo{"gpdma_fifo",
                         8,
                         {"B", {8, 4096, true}},
                         Confidence::Documented,
                         "RM0486: GPDMA channels 0 to 11"};
    Parameter gpdma_fifo_2d{"gpdma_fifo_2d",
                            32,
                            {"B", {8, 4096, true}},
                            Confidence::Documented,
                            "RM0486: GPDMA channels 12 to 15"};
    Parameter hpdma_fifo{"hpdma_fifo",
                         16,
                         {"B", {16, 4096, true}},
                         Confidence::Assumed,
                         "HPDMA channels 0 to 11: as documented for the STM32H7R/S"};
    Parameter hpdma_fifo_2d{"hpdma_fifo_2d",
                            64,
                            {"B", {16, 4096, true}},
                            Confidence::Assumed,
                            "HPDMA channels 12 to 15: as documented for the STM32H7R/S"};
    Parameter gpdma_compartment{"gpdma_compartment",
                                1,
                                {"", {0, 6, true}},
                                Confidence::Assumed,
                                "CID of GPDMA, which has no register for it"};
    Parameter hpdma_compartment{"hpdma_compartment",
                                0,
                                {"", {0, 6, true}},
                                Confidence::Assumed,
                                "CID of an HPDMA channel with CIDCFGR.CFEN = 0"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.grant_cycles);
        function(self.link_cycles);
        function(self.low_weight);
        function(self.mid_weight);
        function(self.high_weight);
        function(self.gpdma_fifo);
        function(self.gpdma_fifo_2d);
        function(self.hpdma_fifo);
        function(self.hpdma_fifo_2d);
        function(self.gpdma_compartment);
        function(self.hpdma_compartment);
    }
};

}  // namespace n6vp::models
