// SPDX-License-Identifier: Apache-2.0
// Operators that move, repeat or collect elements.
#include <algorithm>
#include <cstddef>

#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/evaluate/fixed_point.h"

namespace n6vp::sim::generate {

namespace {

/// Counts through the places of a shape, last dimension fastest.
class Places {
  public:
    explicit Places(const std::vector<std::uint32_t>& shape) : shape_(shape), at_(shape.size()) {}

    [[nodiscard]] const std::vector<std::uint32_t>& at() const { return at_; }
    void next() {
        for (std::size_t i = shape_.size(); i-- > 0;) {
            if (++at_[i] < shape_[i]) return;
            at_[i] = 0;
        }
    }

  private:
    const std::vector<std::uint32_t>& shape_;
    std::vector<std::uint32_t> at_;
};

/// Product of the lengths of dimensions first...last - 1.
std::size_t lengths(const Tensor& tensor, std::size_t first, std::size_t last) {
    std::size_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= tensor.shape[i];
    return product;
}

/// Two neighbours along one direction and the weight of the second, in 1/1024.
struct Between {
    std::uint32_t first = 0, second = 0;
    std::int64_t weight = 0;
};

constexpr std::int64_t kOne = 1 << 10;

Between between(std::uint32_t place, std::uint32_t from, std::uint32_t to, const Resize& op) {
    const bool corners = op.align_corners && to > 1;
    const std::int64_t scale =
        corners ? (kOne * (from - 1) + (to - 1) / 2) / (to - 1) : (kOne * from + to / 2) / to;
    const std::int64_t position =
        op.half_pixel_centers ? place * scale + scale / 2 - kOne / 2 : place * scale;
    const std::int64_t last = from - 1;
    Between result;
    result.first =
        static_cast<std::uint32_t>(std::min(std::max<std::int64_t>(position / kOne, 0), last));
    result.second =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>((position + kOne - 1) / kOne, 0, last));
    result.weight = position - kOne * result.first;
    return result;
}

}  // namespace

void evaluate_mean(const Mean& op, const Operand& from, const Tensor& result, Bytes& to) {
    const std::vector<std::uint32_t>& shape = from.tensor->shape;
    std::vector<std::int64_t> sums(to.size());
    Places places(shape);
    for (std::size_t i = 0; i < from.bytes->size(); ++i, places.next()) {
        std::size_t output = 0;
        for (std::uint32_t d = 0; d < shape.size(); ++d) {
            if (std::binary_search(op.axes.begin(), op.axes.end(), d)) continue;
            output = output * shape[d] + places.at()[d];
        }
        sums[output] += from.centred(i);
    }
    const auto count = static_cast<std::int64_t>(from.bytes->size() / to.size());
    const FixedMultiplier multiplier =
        fixed_multiplier(from.scale() / static_cast<double>(result.scale_of(0)));
    const StoredRange range = stored_range(Activation::None, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int64_t scaled = multiply(saturate_word(sums[i]), multiplier);
        const std::int64_t mean = (scaled + (scaled > 0 ? count / 2 : -(count / 2))) / count;
        to[i] = as_byte(static_cast<std::int32_t>(
            std::clamp<std::int64_t>(mean + result.zero_point_of(0), range.low, range.high)));
    }
}

void evaluate_concatenation(const Concat& op, const std::vector<Operand>& from,
                            const Tensor& result, Bytes& to) {
    const std::size_t outer = lengths(result, 0, op.axis);
    auto target = to.begin();
    for (std::size_t block = 0; block < outer; ++block) {
        for (const Operand& part : from) {
            const std::size_t length = lengths(*part.tensor, op.axis, part.tensor->shape.size());
            const auto first = part.bytes->begin() + static_cast<std::ptrdiff_t>(block * length);
            target = std::copy(first, first + static_cast<std::ptrdiff_t>(length), target);
        }
    }
}

void evaluate_pad(const Pad& op, const Operand& from, const Tensor& result, Bytes& to) {
    std::fill(to.begin(), to.end(), as_byte(op.value));
    Places places(from.tensor->shape);
    for (const std::uint8_t byte : *from.bytes) {
        std::size_t target = 0;
        for (std::size_t d = 0; d < result.shape.size(); ++d) {
            target = target * result.shape[d] + places.at()[d] + op.amounts[d].first;
        }
        to[target] = byte;
        places.next();
    }
}

void evaluate_resize(const Resize& op, const Operand& from, const Tensor& result, Bytes& to) {
    const PictureShape input = *picture_shape(*from.tensor);
    const PictureShape output = *picture_shape(result);
    const StoredRange range = stored_range(Activation::None, result);
    const std::vector<std::uint32_t> near_lines = nearest_places(input.height, output.height, op);
    const std::vector<std::uint32_t> near_columns = nearest_places(input.width, output.width, op);
    for (std::uint32_t y = 0; y < output.height; ++y) {
        for (std::uint32_t x = 0; x < output.width; ++x) {
            const Between lines = between(y, input.height, output.height, op);
            const Between columns = between(x, input.width, output.width, op);
            for (std::uint32_t c = 0; c < output.channels; ++c) {
                const auto at = [&](std::uint32_t source_y, std::uint32_t source_x) {
                    return std::int64_t{from.stored(
                        (std::size_t{source_y} * input.width + source_x) * input.channels + c)};
                };
                std::int64_t value = at(near_lines[y], near_columns[x]);
                if (op.mode == ResizeMode::Bilinear) {
                    const std::int64_t sum =
                        (at(lines.first, columns.first) * (kOne - columns.weight) +
                         at(lines.first, columns.second) * columns.weight) *
                            (kOne - lines.weight) +
                        (at(lines.second, columns.first) * (kOne - columns.weight) +
                         at(lines.second, columns.second) * columns.weight) *
                            lines.weight;
                    constexpr std::int64_t kHalf = kOne * kOne / 2;
                    value = (sum + (sum > 0 ? kHalf : -kHalf)) / (kOne * kOne);
                }
                to[(std::size_t{y} * output.width + x) * output.channels + c] =
                    as_byte(static_cast<std::int32_t>(
                        std::clamp<std::int64_t>(value, range.low, range.high)));
            }
        }
    }
}

}  // namespace n6vp::sim::generate
