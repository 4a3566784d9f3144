// SPDX-License-Identifier: Apache-2.0
// ARITH from the documents, sample by sample. Shares nothing with the model.
#pragma once

#include <array>
#include <vector>

#include "tests/models/npu/reference/vector_reference.h"

namespace n6vp::test {

struct ReferenceArith {
    int op = 0;
    bool two_inputs = false, logical = false, combine = false;
    bool memory_a = false, memory_b = false, memory_c = false;
    Integer a = 0, b = 0, c = 0;
    unsigned ax = 0, by = 0, c_shift = 0, x_bytes = 1, y_bytes = 1;
    ReferenceStage stage;
    std::array<std::array<Integer, 3>, 512> memory{};

    Integer address = 0, increment = 0, increment_every = 1;
    std::array<bool, 3> counts{};
    std::array<Integer, 3> period{1, 1, 1}, offset{};

    /// Returns the entry of each of `samples` samples.
    [[nodiscard]] std::vector<Integer> entries(Integer samples) const {
        std::vector<Integer> all;
        Integer at = address;
        for (Integer s = 1; s <= samples; ++s) {
            all.push_back(at);
            if (counts[2] && s % period[2] == 0) {
                at += offset[2];
            } else if (counts[1] && s % period[1] == 0) {
                at += offset[1];
            } else if (counts[0] && s % period[0] == 0) {
                at += offset[0];
            } else if (s % increment_every == 0) {
                at += increment;
            }
            at = (at % 512 + 512) % 512;
        }
        return all;
    }

    [[nodiscard]] Integer sum(Integer x_word, Integer y_word,
                              const std::array<Integer, 3>& m) const {
        const Integer x = wrapped(x_word, x_bytes), y = wrapped(y_word, y_bytes);
        const Integer pa = memory_a ? m[0] : a, pb = memory_b ? m[1] : b, pc = memory_c ? m[2] : c;
        const Integer low_c = ((pc % 65536) + 65536) % 65536;
        switch (op) {
            case 0x00:
                if (combine) return floor_shift(pa * x, ax) + wrapped(pb * 65536 + low_c, 4);
                return floor_shift(pa * x, ax) + (two_inputs ? floor_shift(pb * y, by) : 0) +
                       pc * power(c_shift);
            case 0x01:
                return x < y ? x : y;
            case 0x02:
                return x > y ? x : y;
            case 0x07:
                return x * y;
            case 0x0B:
                return logical ? (x != 0 && y != 0)
                               : by_bits(x, y, [](int p, int q) { return p * q; });
            case 0x0F:
                return logical ? (x != 0 || y != 0)
                               : by_bits(x, y, [](int p, int q) { return p + q > 0; });
            case 0x13:
                return logical ? x == 0 : -1 - x;
            case 0x17:
                return logical ? ((x != 0) != (y != 0))
                               : by_bits(x, y, [](int p, int q) { return p != q; });
            case 0x1B:
                return x == y;
            case 0x1F:
                return x < y;
            case 0x23:
                return !(x > y);
            case 0x27:
                return x > y;
            case 0x2B:
                return !(x < y);
            case 0x2F:
                return x < 0 ? -x : x;
            case 0x33:
                return x < 0 ? -1 : x > 0 ? 1 : 0;
            default:
                return x < pa ? pa : x > pc * power(c_shift) ? pc * power(c_shift) : x;
        }
    }

    [[nodiscard]] std::vector<Integer> run(const std::vector<Integer>& x,
                                           const std::vector<Integer>& y) const {
        std::vector<Integer> out;
        const std::vector<Integer> at = entries(static_cast<Integer>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
            out.push_back(stage(sum(x[i], y[i], memory[static_cast<std::size_t>(at[i])])));
        }
        return out;
    }

  private:
    template <typename Rule>
    static Integer by_bits(Integer x, Integer y, Rule rule) {
        Integer result = 0;
        for (unsigned i = 0; i < 32; ++i) {
            const auto bit = [i](Integer v) {
                return static_cast<int>(((floor_shift(v, i) % 2) + 2) % 2);
            };
            if (rule(bit(x), bit(y)) != 0) result += power(i);
        }
        return wrapped(result, 4);
    }
};

}  // namespace n6vp::test
