// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// No copy rate is a parameter: the rates follow from these and are compared with published times.
/// One of them, `fill_turnaround`, was introduced because without it both rates came out too high
/// (376 and 582 MB/s); its value is the width of the cache RAM, not a fit.
struct DataPathParameters {
    Parameter dcache_bytes{"dcache_bytes", 32768, "B", Confidence::Documented, "device header"};
    Parameter dcache_ways{"dcache_ways", 4, "", Confidence::Documented, "Cortex-M55 TRM"};
    Parameter line_bytes{"line_bytes", 32, "B", Confidence::Documented, "Cortex-M55 TRM"};
    Parameter miss_request{"miss_request", 2, "CPU cycles", Confidence::Assumed,
                           "from a missing load to the bus"};
    Parameter miss_answer{"miss_answer", 2, "CPU cycles", Confidence::Assumed,
                          "from the bus to the waiting load"};
    Parameter fill_turnaround{"fill_turnaround", 4, "CPU cycles", Confidence::Assumed,
                              "last beat to next request: 32 B into a 64-bit cache RAM"};
    Parameter write_streaming{"write_streaming", 0, "", Confidence::Assumed,
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
    Parameter maintenance_cycles{"maintenance_cycles", 9, "CPU cycles", Confidence::Measured,
                                 "per line; all-internal install of the vendor article: 6 to 12"};
    Parameter icache_cycles{"icache_cycles", 9, "CPU cycles", Confidence::Assumed,
                            "per line, as for the D-cache"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.dcache_bytes);
        function(self.dcache_ways);
        function(self.line_bytes);
        function(self.miss_request);
        function(self.miss_answer);
        function(self.fill_turnaround);
        function(self.write_streaming);
        function(self.load_cycles);
        function(self.store_cycles);
        function(self.loop_cycles);
        function(self.word_access_cycles);
        function(self.maintenance_cycles);
        function(self.icache_cycles);
    }
};

}  // namespace n6vp::models
