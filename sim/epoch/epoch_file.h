// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "memmap/npu/units.h"
#include "sim/platform/parameter_file.h"

/// Epochs as tables of parameters: what `n6vp epoch` reads.
namespace n6vp::sim {

/// What a buffer must hold when the last epoch has ended, from its first byte on.
struct BufferExpectation {
    std::vector<std::uint8_t> bytes;     ///< empty: `crc32` of `count` bytes decides
    std::optional<std::uint32_t> crc32;  ///< as zlib computes it
    std::uint32_t count = 0;
    std::string origin;  ///< "file.toml:7"
};

struct BenchBuffer {
    std::string name;
    std::uint32_t address = 0, bytes = 0;
    std::vector<std::uint8_t> content;  ///< stored before the first epoch; empty: left as it is
    std::optional<BufferExpectation> expected;
    std::string origin;

    [[nodiscard]] std::uint64_t end() const { return std::uint64_t{address} + bytes; }
};

/// One element of a register with the word it gets.
struct RegisterSetting {
    const memmap::npu::Register* at = nullptr;
    std::uint32_t index = 0;
    std::uint32_t value = 0;
};

/// One coefficient of an ARITH.
struct CoefficientWords {
    std::uint32_t ab = 0, c = 0;
};

struct UnitSettings {
    memmap::npu::Unit unit;
    std::vector<RegisterSetting> registers;  ///< by offset; CTRL is among them
    std::vector<CoefficientWords> coefficients;
    std::string origin;

    /// Returns the word of a register: what is set, or the reset value.
    [[nodiscard]] std::uint32_t word(const memmap::npu::Register& at,
                                     std::uint32_t index = 0) const;
};

struct BenchEpoch {
    std::string name;
    std::vector<UnitSettings> units;        ///< by page
    std::vector<memmap::npu::Unit> enable;  ///< in this order
    std::vector<unsigned> waited;           ///< output engines whose end ends the epoch
    /// Address of a program that the epoch controller runs instead of units and order.
    std::optional<std::uint32_t> blob;
    std::string origin;
};

struct EpochFile {
    std::string title;
    std::vector<ParameterSetting> parameters;
    std::vector<BenchBuffer> buffers;  ///< by address
    std::vector<BenchEpoch> epochs;
};

/// Reads a file of epochs. Fails with UserError that names file, line and remedy for whatever it
/// cannot understand, for buffers that overlap, and for engines that leave their buffer or go where
/// the NPU has no memory.
[[nodiscard]] EpochFile read_epoch_file(const std::filesystem::path& path);

/// Returns the CRC-32 that zlib and PNG use.
[[nodiscard]] std::uint32_t crc32(const std::vector<std::uint8_t>& bytes);

}  // namespace n6vp::sim
