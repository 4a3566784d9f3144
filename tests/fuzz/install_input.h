// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loader/install.h"

/// How fuzz_install reads its input. A request of all zeros is a sensible one, so that seeds are
/// easy to make and mutations move away from it step by step.
namespace n6vp::fuzz {

inline constexpr std::uint32_t kFile = 0x71000000, kParams = 0x71800000;
inline constexpr std::uint32_t kControlPage = 0x34000000, kInstance = 0x34000400,
                               kCallbacks = 0x34000800;
inline constexpr std::uint32_t kExecRam = 0x34060000, kExecBytes = 0x4000;
inline constexpr std::uint32_t kExtRam = 0x90100000, kExtBytes = 0x2000;
inline constexpr std::uint32_t kGrants[] = {0x34200000, 0x34270000, 0x342E0000};  ///< 4 KiB each
inline constexpr std::uint32_t kGrantBytes = 0x1000;

/// Byte positions of the request; words are little-endian.
enum RequestField : std::size_t {
    kFieldMode = 0,  ///< 0 XIP, 1 COPY, 2 XIP|CLEAR, 3 COPY|CLEAR; above: the raw mode bits / 4
    kFieldGeneration =
        1,  ///< bits 1..0 generation; 2 not secure, 3 no debug, 4 polling, 5 NDEBUG, 6 no FPU
    kFieldGiven = 2,      ///< bits 2..0 withhold a grant; 3, 4 withhold file, parameter length
    kFieldShift = 3,      ///< bits 2..0, 5..3 added to the exec and external RAM address
    kFieldExecBytes = 4,  ///< u16, subtracted from the exec RAM size
    kFieldExtBytes = 6,   ///< u16, subtracted from the external RAM size
    kFieldExec = 8,       ///< u32 each, xor-ed to the address
    kFieldExt = 12,
    kFieldParams = 16,
    kFieldFile = 20,
    kFieldParamsSize = 24,  ///< u16: so many bytes at the end are the parameter file; 0 = not split
    kFieldBufferBytes = 26,  ///< added to buffer_info_bytes
    kFieldItemBytes = 27,    ///< added to epoch_item_bytes
    kRequestBytes = 28,
};

struct InstallInput {
    loader::InstallRequest request;
    std::vector<AddressRange> grants;
    std::vector<std::uint8_t> file, params;
};

inline std::uint32_t field(const std::uint8_t* data, std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t k = bytes; k-- > 0;) value = value << 8 | data[at + k];
    return value;
}

inline loader::RuntimeProfile decode_profile(const std::uint8_t* data) {
    const std::uint8_t bits = data[kFieldGeneration];
    loader::RuntimeProfile profile =
        loader::default_profile(static_cast<loader::Generation>(bits & 3));
    profile.secure = (bits & 4) == 0;
    profile.dbg_info = (bits & 8) == 0;
    profile.async = (bits & 16) == 0;
    profile.ndebug = (bits & 32) != 0;
    profile.fpu_enabled = (bits & 64) == 0;
    profile.buffer_info_bytes =
        static_cast<std::uint8_t>(profile.buffer_info_bytes + data[kFieldBufferBytes]);
    profile.epoch_item_bytes =
        static_cast<std::uint8_t>((profile.dbg_info ? 48 : 20) + data[kFieldItemBytes]);
    return profile;
}

inline std::uint32_t decode_mode(std::uint8_t code) {
    using namespace loader::format;
    constexpr std::uint32_t kModes[] = {kModeXip, kModeCopy, kModeXip | kModeClear,
                                        kModeCopy | kModeClear};
    return code < 4 ? kModes[code] : code / 4u;
}

/// Fills `input`. Returns false for an input too short to hold a request.
inline bool decode(const std::uint8_t* data, std::size_t size, InstallInput& input) {
    constexpr std::size_t kLimit = std::size_t{1} << 20;
    if (size <= kRequestBytes || size > kLimit) return false;
    const std::size_t rest = size - kRequestBytes;
    const std::size_t params_bytes =
        field(data, kFieldParamsSize, 2) < rest ? field(data, kFieldParamsSize, 2) : 0;
    const std::uint8_t* file = data + kRequestBytes;
    input.file.assign(file, file + (rest - params_bytes));
    input.params.assign(file + (rest - params_bytes), file + rest);

    const std::uint8_t given = data[kFieldGiven];
    const std::uint8_t shift = data[kFieldShift];
    loader::InstallRequest& request = input.request;
    request.file = GuestAddr{kFile ^ field(data, kFieldFile, 4)};
    request.file_bytes =
        (given & 8) != 0 ? loader::kUnknownBytes : static_cast<std::uint32_t>(input.file.size());
    request.exec_ram = GuestAddr{(kExecRam ^ field(data, kFieldExec, 4)) + (shift & 7u)};
    request.exec_ram_bytes = kExecBytes - field(data, kFieldExecBytes, 2);
    request.ext_ram = GuestAddr{(kExtRam ^ field(data, kFieldExt, 4)) + (shift >> 3 & 7u)};
    request.ext_ram_bytes = kExtBytes - field(data, kFieldExtBytes, 2);
    const std::uint32_t params =
        (input.params.empty() ? 0 : kParams) ^ field(data, kFieldParams, 4);
    request.params = GuestAddr{params};
    request.params_bytes =
        (given & 16) != 0 ? loader::kUnknownBytes : static_cast<std::uint32_t>(input.params.size());
    request.mode = decode_mode(data[kFieldMode]);
    request.instance = GuestAddr{kInstance};
    request.callbacks = GuestAddr{kCallbacks};
    request.profile = decode_profile(data);
    for (unsigned k = 0; k < 3; ++k) {
        if ((given >> k & 1) == 0) input.grants.push_back({GuestAddr{kGrants[k]}, kGrantBytes});
    }
    return true;
}

}  // namespace n6vp::fuzz
