// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace n6vp::models {

/// Travels with the core's transactions: what AMBA carries beside the address.
class CoreAttributes : public tlm::tlm_extension<CoreAttributes> {
  public:
    bool secure = true;
    bool privileged = true;
    bool instruction = false;
    bool exclusive = false;

    [[nodiscard]] tlm::tlm_extension_base* clone() const override {
        return new CoreAttributes(*this);
    }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const CoreAttributes&>(other);
    }
};

}  // namespace n6vp::models
