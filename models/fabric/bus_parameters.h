// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// Latencies per initiator and kind of target, from which the platform makes routes.
struct BusParameters {
    Parameter beat_bytes{"beat_bytes", 8, counts(64, "B"), Confidence::Documented,
                         "64-bit NOC and NIC"};
    Parameter cpu_noc_ram_request{"cpu_noc_ram_request", 4, "NOC cycles", Confidence::Assumed,
                                  "with one bank cycle and the response: 8 to the first beat"};
    Parameter cpu_noc_ram_response{"cpu_noc_ram_response", 3, "NOC cycles", Confidence::Assumed,
                                   "see cpu_noc_ram_request"};
    Parameter cpu_bridge{"cpu_bridge", 6, "NOC cycles", Confidence::Assumed,
                         "NOC to NIC bridge, both directions together, on top of the above"};
    Parameter cpu_xspi_control{"cpu_xspi_control", 50, "ns", Confidence::Assumed,
                               "FIFO, bus interface and bridge, half each way (NPU: 40)"};
    Parameter npu_nic_ram{"npu_nic_ram", 20, "NPU cycles", Confidence::Assumed,
                          "request to first beat from AXISRAM3 to 6, bank cycle included"};
    Parameter npu_bridge{"npu_bridge", 6, "NOC cycles", Confidence::Assumed,
                         "NIC to NOC bridge, both directions together: as for the CPU"};
    Parameter npu_xspi_control{"npu_xspi_control", 40, "ns", Confidence::Assumed,
                               "FIFO, bus interface and bridge, half each way"};
    Parameter dma_bridge{"dma_bridge", 4, "AHB cycles", Confidence::Assumed,
                         "AHB ports of the DMA controllers to the NOC, both directions together"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.beat_bytes);
        function(self.cpu_noc_ram_request);
        function(self.cpu_noc_ram_response);
        function(self.cpu_bridge);
        function(self.cpu_xspi_control);
        function(self.npu_nic_ram);
        function(self.npu_bridge);
        function(self.npu_xspi_control);
        function(self.dma_bridge);
    }
};

}  // namespace n6vp::models
