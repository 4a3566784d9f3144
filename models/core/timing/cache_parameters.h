// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models::core {

/// Geometry and timing of the caches, for the executing core and for the loader's data path.
/// Without `fill_turnaround`, a width and no fit, copies came out too fast: 376 and 582 MB/s.
struct CacheParameters {
    Parameter dcache_bytes{"dcache_bytes", 32768, ParameterUnit{"B", {1024, 1024 * 1024, true}},
                           Confidence::Documented, "device header"};
    Parameter dcache_ways{"dcache_ways", 4, counts(16), Confidence::Documented, "Cortex-M55 TRM"};
    Parameter icache_bytes{"icache_bytes", 32768, ParameterUnit{"B", {1024, 1024 * 1024, true}},
                           Confidence::Documented, "device header"};
    Parameter icache_ways{"icache_ways", 2, counts(16), Confidence::Documented, "Cortex-M55 TRM"};
    Parameter miss_request{"miss_request", 2, "CPU cycles", Confidence::Assumed,
                           "from a missing access to the bus"};
    Parameter miss_answer{"miss_answer", 2, "CPU cycles", Confidence::Assumed,
                          "from the bus to the waiting load or fetch"};
    Parameter fill_turnaround{"fill_turnaround", 4, "CPU cycles", Confidence::Assumed,
                              "last beat to next request: 32 B into a 64-bit cache RAM"};
    Parameter store_buffers{"store_buffers", 4, counts(32), Confidence::Assumed,
                            "stores past the cache that may be on their way"};
    Parameter write_back_buffers{"write_back_buffers", 2, counts(32), Confidence::Assumed,
                                 "dirty lines that may be on their way"};
    Parameter maintenance_cycles{"maintenance_cycles", 9, "CPU cycles", Confidence::Measured,
                                 "per line; all-internal install of the vendor article: 6 to 12"};
    Parameter clean_delay{"clean_delay", 500, "CPU cycles", Confidence::Assumed,
                          "real: a clean without DSB is in memory after; the architecture sets no "
                          "limit"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.dcache_bytes);
        function(self.dcache_ways);
        function(self.icache_bytes);
        function(self.icache_ways);
        function(self.miss_request);
        function(self.miss_answer);
        function(self.fill_turnaround);
        function(self.store_buffers);
        function(self.write_back_buffers);
        function(self.maintenance_cycles);
        function(self.clean_delay);
    }
};

}  // namespace n6vp::models::core
