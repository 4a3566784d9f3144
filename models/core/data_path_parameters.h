// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// What loops of loads and stores cost beyond what the core's caches do (CacheParameters). No copy
/// rate is a parameter: the rates follow from both and are compared with published times.
struct DataPathParameters {
    Parameter write_streaming{"write_streaming", 0, kSwitch, Confidence::Assumed,
                              "1 = a store to a whole line does not allocate it; the published "
                              "install times fit either"};
    Parameter load_cycles{"load_cycles", 2, "CPU cycles", Confidence::Documented,
                          "LLVM scheduling model: issue 1, result after 2"};
    Parameter store_cycles{"store_cycles", 1, "CPU cycles", Confidence::Documented,
                           "LLVM scheduling model"};
    Parameter loop_cycles{"loop_cycles", 0, "CPU cycles", Confidence::Assumed,
                          "low-overhead loop or unrolled copy: the loop end is free"};
    Parameter word_access_cycles{
        "word_access_cycles", 10, "CPU cycles", Confidence::Assumed,
        "one load or store of a table loop with its share of the loop body"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.write_streaming);
        function(self.load_cycles);
        function(self.store_cycles);
        function(self.loop_cycles);
        function(self.word_access_cycles);
    }
};

}  // namespace n6vp::models
