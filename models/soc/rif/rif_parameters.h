// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// What nothing public says about the resource isolation, set so that each step of the validation
/// firmware's set-up is needed for what it is there for.
struct RifParameters {
    Parameter npu_exact{
        "npu_exact", 1, kSwitch, Confidence::Assumed,
        "1: the NPU's registers refuse secure accesses until RISC is set to secure"};
    /// Source: public applications leave RISAF4 and 5 as they are after reset and infer.
    Parameter npu_ports_closed{"npu_ports_closed", 0, kSwitch, Confidence::Assumed,
                               "1: RISAF4 and 5 refuse all outside open regions, trusted too"};
    Parameter cid0_refused{"cid0_refused", 1, kSwitch, Confidence::Assumed,
                           "1: memory filters refuse CID 0, which a master has until RIMC is set"};
    Parameter npu_banks_filtered{"npu_banks_filtered", 0, kSwitch, Confidence::Assumed,
                                 "1: RISAF6 also filters NPU accesses to AXISRAM3 to 6"};
    Parameter controller_filtered{"controller_filtered", 0, kSwitch, Confidence::Assumed,
                                  "1: fetches of the epoch controller pass RISAF4"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.npu_exact);
        function(self.npu_ports_closed);
        function(self.cid0_refused);
        function(self.npu_banks_filtered);
        function(self.controller_filtered);
    }
};

}  // namespace n6vp::models
