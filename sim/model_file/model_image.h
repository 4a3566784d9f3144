// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loader/container.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim::report {

/// A model file in host memory, seen through the loader's own container view. Nothing is copied.
class ModelImage {
  public:
    /// Opens the file. Fails with UserError (exit code 2) if it is no container at all: too short,
    /// wrong magic, or the legacy format of other chips. A container with unknown header length is
    /// kept: `opened` is then false.
    explicit ModelImage(ModelFiles files);
    ModelImage(const ModelImage&) = delete;
    ModelImage& operator=(const ModelImage&) = delete;

    [[nodiscard]] const ModelFiles& files() const { return files_; }
    [[nodiscard]] const loader::Container& container() const { return container_; }
    [[nodiscard]] const loader::Header& header() const { return container_.header(); }
    [[nodiscard]] std::uint32_t bytes() const { return container_.bytes(); }
    [[nodiscard]] bool opened() const { return opened_; }

  private:
    static bool read(void* context, GuestAddr from, void* to, std::uint32_t bytes);

    ModelFiles files_;
    loader::MemoryPort port_;
    loader::Container container_;
    bool opened_ = false;
};

/// One row of the memory-pool table.
struct PoolRow {
    std::uint32_t index = 0;
    loader::Pool pool;
    std::optional<std::string> name;  ///< raw text of the file; none if it cannot be read
};

/// How many words hold an address of each space.
struct SpaceCounts {
    std::uint32_t ram = 0, flash = 0, param0 = 0, param1 = 0, zero = 0, other = 0;
    void add(std::uint32_t link_address);
};

/// Words of the GOT.
struct GotFacts {
    std::uint32_t words = 0;
    std::uint32_t unreadable = 0;  ///< outside the file
    SpaceCounts held;
};

/// Entries of the relocation table: where the patched words are and what they hold now.
struct RelocationFacts {
    std::uint32_t entries = 0;
    std::uint32_t unreadable = 0;  ///< entries outside the file
    std::uint32_t in_ram = 0, in_ro = 0, elsewhere = 0;
    std::uint32_t word_unreadable = 0;  ///< the patched word has no content in the file
    SpaceCounts held;
};

/// A stretch of the file.
struct FilePart {
    std::string name;
    std::uint64_t start = 0, bytes = 0;
    std::string note;
};

/// Everything `info` says about a file, as data. What the file does not let one derive is absent.
struct ModelFacts {
    std::optional<loader::RuntimeContext> context;
    std::optional<std::string> c_name, version_desc;
    std::vector<PoolRow> pools;  ///< with the terminator, if there is one
    bool pools_terminated = false;
    bool layout_sound = false;  ///< the section words are ordered and inside the file
    GotFacts got;
    RelocationFacts relocations;
    std::vector<FilePart> parts;              ///< in file order, without gaps, if `layout_sound`
    std::optional<std::uint32_t> blob_bytes;  ///< epoch-controller blobs before the raw parameters
    bool split = false;
    std::vector<std::string> notes;
};

[[nodiscard]] ModelFacts gather(const ModelImage& image);

/// Returns true if something in the file cannot be derived or is not an address of any space.
[[nodiscard]] bool is_damaged(const ModelImage& image, const ModelFacts& facts);

/// Most rows of the pool table that are shown. The loader visits 10; a table without an end has no
/// length.
inline constexpr std::uint32_t kMaxPoolRows = 32;

}  // namespace n6vp::sim::report
