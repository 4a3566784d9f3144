// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

/// Writes small .tflite files for tests: any field may hold anything.
namespace n6vp::test {

/// A table of a flatbuffer, by field number.
class FlatObject {
  public:
    template <class T>
    FlatObject& number(unsigned field, T value) {
        std::vector<std::uint8_t>& bytes = scalars_[field];
        bytes.resize(sizeof value);
        std::memcpy(bytes.data(), &value, sizeof value);
        return *this;
    }
    template <class T>
    FlatObject& numbers(unsigned field, const std::vector<T>& values) {
        std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
        vectors_[field] = {static_cast<std::uint32_t>(values.size()), bytes};
        return *this;
    }
    FlatObject& text(unsigned field, const std::string& value) {
        return numbers(field, std::vector<char>(value.begin(), value.end()));
    }
    FlatObject& table(unsigned field, const FlatObject& value) {
        single_[field] = {value};
        return *this;
    }
    FlatObject& tables(unsigned field, const std::vector<FlatObject>& values) {
        many_[field] = values;
        return *this;
    }

    /// Returns the file with this table as its root.
    [[nodiscard]] std::vector<std::uint8_t> file(const std::string& identifier = "TFL3") const;

  private:
    struct Vector {
        std::uint32_t count = 0;
        std::vector<std::uint8_t> bytes;
    };
    std::size_t append(std::vector<std::uint8_t>& out) const;

    std::map<unsigned, std::vector<std::uint8_t>> scalars_;
    std::map<unsigned, Vector> vectors_;
    std::map<unsigned, std::vector<FlatObject>> single_, many_;  ///< one each in `single_`
};

/// A tensor of the file, with the defaults of an int8 activation.
struct FileTensor {
    std::vector<std::int32_t> shape = {};
    std::int8_t type = 9;
    std::vector<float> scale = {1.0F};
    std::vector<std::int64_t> zero_point = {0};
    std::int32_t axis = 0;
    std::vector<std::uint8_t> data = {};  ///< of a constant
    std::string name = "t";
};

struct FileOperator {
    std::int32_t code = 0;
    std::vector<std::int32_t> inputs, outputs;
    FlatObject options;
    std::string custom;
};

struct FileNetwork {
    std::vector<FileTensor> tensors;
    std::vector<FileOperator> operators;
    std::vector<std::int32_t> inputs, outputs;

    /// Returns the root table, to be altered before it becomes a file.
    [[nodiscard]] FlatObject model() const;
    [[nodiscard]] std::vector<std::uint8_t> file() const { return model().file(); }
};

[[nodiscard]] std::vector<std::uint8_t> int8_data(const std::vector<int>& values);
[[nodiscard]] std::vector<std::uint8_t> int32_data(const std::vector<std::int32_t>& values);

/// Returns a convolution 3x3 with SAME padding over [1, 4, 4, 2] to 3 channels, per channel, RELU.
[[nodiscard]] FileNetwork small_convolution();

/// Returns networks of a few elements that have every supported operator between them.
struct NamedNetwork {
    std::string name;
    FileNetwork network;
};
[[nodiscard]] std::vector<NamedNetwork> small_networks();

}  // namespace n6vp::test
