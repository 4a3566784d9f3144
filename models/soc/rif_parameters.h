// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models {

/// What nothing public says about the resource isolation, set so that each step of the validation
/// firmware's set-up is needed for what it is there for.
struct RifParameters {
    Parameter npu_exact{"npu_exact", 1, "", Confidence::Assumed,
                        "1: the NPU's registers refuse secure accesses until RISC says secure"};
    Parameter npu_ports_closed{"npu_ports_closed", 1, "", Confidence::Assumed,
                               "1: RISAF4 and 5 refuse all outside open regions, trusted too"};
    Parameter cid0_refused{"cid0_refused", 1, "", Confidence::Assumed,
                           "1: memory filters refuse CID 0, which a master has until RIMC is set"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.npu_exact);
        function(self.npu_ports_closed);
        function(self.cid0_refused);
    }
};

}  // namespace n6vp::models
