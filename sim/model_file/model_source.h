// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/host_memory.h"

/// What `info`, `check` and `install` share: model files from disk, addresses and firmware from
/// options, and the install request they add up to. Everything a user can type wrong ends as a
/// UserError with exit code 2; what is wrong with a file or a placement is left to the loader.
namespace n6vp::sim {

/// Largest model or parameter file that is read: the whole window of one xSPI memory.
inline constexpr std::uint64_t kMaxModelBytes = 256ull * 1024 * 1024;

struct ModelFiles {
    std::string file_path;
    std::string params_path;  ///< empty without a parameter file
    std::vector<std::uint8_t> file;
    std::vector<std::uint8_t> params;
};

/// Reads a regular file. Fails with UserError if it does not exist, is no regular file, is longer
/// than kMaxModelBytes or cannot be read.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string& path);
/// Reads both files; an empty `params_path` means none. Fails with UserError also if the model is
/// obviously something else.
[[nodiscard]] ModelFiles read_model(const std::string& file_path, const std::string& params_path);

/// Parses decimal or 0x-hexadecimal, with an optional K, M or G (powers of 1024, "KiB" and "KB"
/// mean the same). `option` names the culprit in the UserError for anything else or above 32 bits.
[[nodiscard]] std::uint32_t parse_number(std::string_view text, std::string_view option);
/// Parses ADDR:SIZE. Fails with UserError also if the range runs past 0xFFFFFFFF.
[[nodiscard]] AddressRange parse_range(std::string_view text, std::string_view option);
/// Parses A.B.C or A.B.C-DEV. Without DEV, the last published dev number of that generation.
[[nodiscard]] loader::RuntimeVersion parse_runtime_version(std::string_view text,
                                                           std::string_view option);
/// Parses xip, copy, or the raw mode number of the C API (so that wrong modes can be tried).
[[nodiscard]] std::uint32_t parse_mode(std::string_view text, bool clear);

/// Options of the verbs, as typed. Empty means: the default.
struct ModelOptions {
    std::string file, params;
    std::string at, params_at, exec, ext;
    std::string mode = "xip";
    bool clear = false;
    std::string firmware;
    std::string instance;
    std::vector<std::string> grants;
};

/// Returns the profile of a firmware that fits the file: generation and version from `rt_ctx` (by
/// the header length if that version is unknown), switches from the flags word, short enums, FPU
/// enabled. A file too broken to open gets the default profile of Core 3.0.
[[nodiscard]] loader::RuntimeProfile matching_profile(const loader::Container& container);

/// Returns `base` changed by a --firmware text: comma-separated secure|nonsecure, dbg|nodbg,
/// async|polling, debug|ndebug, short-enums|int-enums, fpu|nofpu, cpu=HEX, rt=A.B.C[-DEV].
[[nodiscard]] loader::RuntimeProfile parse_firmware(std::string_view text,
                                                    const loader::RuntimeProfile& base);

/// Returns "ST Edge AI Core 2.2" and the like.
[[nodiscard]] std::string_view generation_name(loader::Generation generation);
/// Returns its last word: "2.1", "2.2", "3.0" or "4.x".
[[nodiscard]] std::string_view generation_number(loader::Generation generation);
/// Returns "1.1.3-8".
[[nodiscard]] std::string version_text(const loader::RuntimeVersion& version);
/// Returns one line: version, generation and every switch.
[[nodiscard]] std::string profile_text(const loader::RuntimeProfile& profile);

/// Where a model, its memories and its firmware are: an InstallRequest and what it points to.
/// Defaults are those of the vendor's validation firmware (memmap/board.h). COPY and RESET pools
/// may write to all RAM that the NPU reaches, except what firmware, exec RAM and the files occupy.
class InstallPlan {
  public:
    /// Fails with UserError for options that cannot be read or files that do not fit where they are
    /// put (past the end of the address space).
    InstallPlan(const ModelOptions& options, const ModelFiles& files);
    InstallPlan(const InstallPlan&) = delete;
    InstallPlan& operator=(const InstallPlan&) = delete;

    [[nodiscard]] const loader::InstallRequest& request() const { return request_; }
    /// Returns the request with another policy.
    [[nodiscard]] loader::InstallRequest request(loader::Policy policy) const;
    [[nodiscard]] const std::vector<AddressRange>& grants() const { return grants_; }
    [[nodiscard]] AddressRange file() const { return file_; }
    /// Returns where the parameter file is; empty if there is none.
    [[nodiscard]] AddressRange params() const { return params_; }
    [[nodiscard]] AddressRange exec_ram() const {
        return {request_.exec_ram, request_.exec_ram_bytes};
    }
    [[nodiscard]] AddressRange ext_ram() const {
        return {request_.ext_ram, request_.ext_ram_bytes};
    }
    /// Returns the caller's NN_Instance_TypeDef; empty if its address is 0.
    [[nodiscard]] AddressRange instance() const;
    /// Returns true if the user named the external RAM; false for the default and for none.
    [[nodiscard]] bool external_ram_given() const { return external_ram_given_; }
    /// Returns true if the profile was taken from the file: --firmware was not given, and the file
    /// can be opened.
    [[nodiscard]] bool firmware_matched() const { return firmware_matched_; }

    /// Maps everything the request names into an empty `memory`: RAM zeroed and writable, both
    /// files read-only unless they lie in that RAM. Ranges that overlap share their bytes.
    void place(HostMemory& memory, const ModelFiles& files) const;

  private:
    void choose_external_ram(const ModelOptions& options);
    void collect_grants(const ModelOptions& options);

    loader::InstallRequest request_;
    AddressRange file_;
    AddressRange params_;
    std::vector<AddressRange> grants_;
    bool external_ram_given_ = false;
    bool firmware_matched_ = false;
};

}  // namespace n6vp::sim
