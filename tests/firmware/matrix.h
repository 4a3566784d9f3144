// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "loader/install.h"
#include "tests/support/oracle.h"

/// Installs many models three times each: by the loader on the host, by the same loader on QEMU's
/// Cortex-M55, and by the oracle. All three must leave the same bytes.
namespace n6vp::test {

/// One choice of addresses, all in the DDR of QEMU's mps3-an547.
struct AddressSet {
    const char* name = "";
    std::uint32_t file = 0, params = 0, exec_ram = 0, ext_ram = 0, instance = 0, callbacks = 0;
    std::uint32_t pools = 0;  ///< where COPY and RESET pools of synthetic containers go
};

inline constexpr AddressSet kAddressSets[] = {
    {"flash and PSRAM", 0x70000000, 0x71000000, 0x80000000, 0x90000000, 0x88000000, 0x88001000,
     0xA0000000},
    {"odd lines", 0x61000020, 0x62800060, 0x64000028, 0x66000018, 0x67000004, 0x67001000,
     0xB0000008},
    {"end of memory", 0xC0000008, 0xD0000010, 0xDFFE0008, 0xDFF00018, 0xDFFFF000, 0xDFFFF800,
     0xDFE00010},
};

/// A container and what its user must know.
struct MatrixFile {
    std::string name;
    std::vector<std::uint8_t> file;
    std::vector<std::uint8_t> params;  ///< parameter file of a split container, else empty
    loader::RuntimeProfile profile;
    bool copy_only = false;
    std::uint32_t exec_xip = 0, exec_copy = 0, ext_ram = 0;
    std::vector<AddressRange> pools;
};

/// Returns containers of the image builder in every generation, with pools at `set.pools`.
[[nodiscard]] std::vector<MatrixFile> synthetic_files(const AddressSet& set);

/// Returns the sample models of the manifest that are made for `target` ("n6" or "qemu") or for
/// any. Throws for a manifest that cannot be read.
[[nodiscard]] std::vector<MatrixFile> sample_files(const std::filesystem::path& manifest,
                                                   const std::string& target);

class Matrix {
  public:
    /// Collects cases, to be run in one go in `folder`, which is emptied.
    explicit Matrix(std::filesystem::path folder);

    /// Adds the file in XIP and COPY, with and without CLEAR, at this address set, and installs it
    /// on the host.
    void add(const MatrixFile& file, const AddressSet& set, loader::Policy policy);

    /// Returns one line for every difference between host and oracle, and every refusal.
    [[nodiscard]] std::vector<std::string> host_differences() const;
    /// Runs QEMU once over all cases. Returns one line for every difference.
    [[nodiscard]] std::vector<std::string> run();

    [[nodiscard]] std::size_t cases() const { return cases_.size(); }

  private:
    struct Region {
        AddressRange range;
        std::vector<std::uint8_t> host, oracle;
    };
    struct Case {
        std::string name;
        std::vector<Region> regions;
        loader::Status status = loader::Status::Ok;
        loader::InstallResult result;
        loader::Diagnosis why;
    };

    void add_mode(const MatrixFile& file, const AddressSet& set, loader::Policy policy,
                  std::uint32_t mode);
    void add_jobs(const Case& entry, const MatrixFile& file, const loader::InstallRequest& request);
    [[nodiscard]] std::string stored(const std::vector<std::uint8_t>& bytes);

    std::filesystem::path folder_;
    std::vector<Case> cases_;
    std::string jobs_;
    std::vector<std::vector<std::uint8_t>> stored_;
};

}  // namespace n6vp::test
