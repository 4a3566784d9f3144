// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <ostream>
#include <streambuf>

namespace n6vp::sim {

/// A stream on a file descriptor that remembers why writing failed: a reader that went away (`n6vp
/// info … | head`) is no fault, a full disk is one.
class DescriptorBuffer : public std::streambuf {
  public:
    explicit DescriptorBuffer(int descriptor);
    /// Returns the errno of the first failed write, or 0.
    [[nodiscard]] int error() const { return error_; }

  protected:
    int_type overflow(int_type character) override;
    int sync() override;

  private:
    bool drain();
    int descriptor_;
    int error_ = 0;
    std::array<char, 65536> bytes_{};
};

}  // namespace n6vp::sim
