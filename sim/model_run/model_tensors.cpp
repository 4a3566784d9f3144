// SPDX-License-Identifier: Apache-2.0
#include "sim/model_run/model_tensors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <span>
#include <utility>

#include "loader/crc32.h"
#include "sim/errors.h"
#include "sim/input_file.h"
#include "sim/model_run/npy.h"
#include "sim/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] std::uint32_t crc_of(const std::vector<std::uint8_t>& bytes) {
    return loader::crc32(0, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

void write_file(const std::filesystem::path& path, std::string_view head,
                std::span<const std::uint8_t> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(head.data(), static_cast<std::streamsize>(head.size()));
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        throw UserError(traces::terminal_text(path.string()) + ": cannot be written",
                        "is the folder writable, and is there room?");
    }
}

[[nodiscard]] std::string tensor_text(const Tensor& tensor) {
    const std::string name = traces::terminal_text(tensor.name);
    if (tensor.type.empty()) {
        return fmt::format("input {} ({}: {} bytes)", tensor.number, name, tensor.bytes);
    }
    return fmt::format("input {} ({}: {} of {})", tensor.number, name, shape_text(tensor.shape),
                       tensor.type);
}

/// The shape without dimensions of 1 at its front, which a batch or a channel may add.
[[nodiscard]] std::span<const std::uint64_t> bare(std::span<const std::uint64_t> shape) {
    while (!shape.empty() && shape.front() == 1) shape = shape.subspan(1);
    return shape;
}

/// Returns the numbers of an array, or refuses it with the reason.
[[nodiscard]] std::vector<std::uint8_t> fitted(NpyArray array, const Tensor& tensor,
                                               const std::string& name) {
    const auto refuse = [&](const std::string& why) -> UserError {
        return {fmt::format("{} does not fit {}: {}", name, tensor_text(tensor), why),
                "`n6vp run` does not convert: quantise, transpose or reshape the array first"};
    };
    if (tensor.type.empty()) {
        if (array.bytes.size() == tensor.bytes) return std::move(array.bytes);
        throw refuse(fmt::format("it has {} bytes", array.bytes.size()));
    }
    if (array.type != tensor.type) throw refuse(fmt::format("its type is {}", array.type));
    const auto one = bare(array.shape), other = bare(tensor.shape);
    const bool flat = array.shape.size() == 1 && array.bytes.size() == tensor.bytes;
    if (!flat && !std::equal(one.begin(), one.end(), other.begin(), other.end())) {
        throw refuse(fmt::format("its shape is {}", shape_text(array.shape)));
    }
    return std::move(array.bytes);
}

[[nodiscard]] std::string file_name(const char* kind, std::uint32_t number, const char* ending) {
    return fmt::format("{}_{}.{}", kind, number, ending);
}

}  // namespace

WorkFolder::WorkFolder() {
    std::error_code error;
    const std::filesystem::path base = std::filesystem::temp_directory_path(error);
    std::string name = (base / "n6vp-run-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
        throw UserError("no folder can be made for the inputs and outputs of a run",
                        "set TMPDIR to a folder with room");
    }
    path_ = name;
}

WorkFolder::~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Inputs::Inputs(const InputChoice& choice, std::filesystem::path folder)
    : folder_(std::move(folder)), random_(choice.random), generator_(choice.seed) {
    for (const std::string& file : choice.files) {
        sources_.push_back({file, read_input(file, kMaxModelBytes, "an input has up to 256 MiB")});
    }
}

std::vector<std::uint8_t> Inputs::make(const Tensor& tensor) {
    std::vector<std::uint8_t> bytes(tensor.bytes);
    if (!random_) return bytes;
    if (tensor.type != "f4") {
        constexpr unsigned kTop = 24;  // the best bits of a number of 32
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator_() >> kTop);
        return bytes;
    }
    // From 0 to 1, as many images are.
    for (std::size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
        const float value = static_cast<float>(generator_() >> 8) * 0x1p-24F;
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    return bytes;
}

void Inputs::add(const Tensor& tensor) {
    std::vector<std::uint8_t> bytes;
    std::string name;
    if (given_.size() < sources_.size()) {
        Source& source = sources_[given_.size()];
        name = source.name;
        const std::string shown = traces::terminal_text(name);
        if (is_npy(source.content)) {
            bytes = fitted(parse_npy(source.content, shown), tensor, shown);
        } else if (source.content.size() == tensor.bytes) {
            bytes = std::move(source.content);
        } else {
            throw UserError(fmt::format("{} does not fit {}: it has {} bytes, not {}", shown,
                                        tensor_text(tensor), source.content.size(), tensor.bytes),
                            "a raw input has the bytes of the tensor as in memory");
        }
    } else {
        bytes = make(tensor);
    }
    write_file(folder_ / file_name("input", tensor.number, "bin"), {}, bytes);
    given_.push_back({tensor, name, crc_of(bytes)});
}

void Inputs::all_added() const {
    if (sources_.size() <= given_.size()) return;
    throw UserError(fmt::format("{} files for {} inputs", sources_.size(), given_.size()),
                    "give -i once for every input of the model, in its order");
}

std::vector<TensorFile> collect_outputs(const std::vector<Tensor>& tensors,
                                        const std::filesystem::path& folder,
                                        const std::string& to) {
    std::vector<TensorFile> outputs;
    for (const Tensor& tensor : tensors) {
        if (tensor.input) continue;
        const std::filesystem::path raw = folder / file_name("output", tensor.number, "bin");
        const std::vector<std::uint8_t> bytes = read_file(raw.string());
        TensorFile output{tensor, {}, crc_of(bytes)};
        if (!to.empty()) {
            const bool known = !tensor.type.empty() && bytes.size() == tensor.bytes;
            const std::filesystem::path path =
                std::filesystem::path(to) /
                file_name("output", tensor.number, known ? "npy" : "bin");
            write_file(path, known ? npy_head(tensor.type, tensor.shape) : std::string(), bytes);
            output.file = path.string();
        }
        outputs.push_back(std::move(output));
    }
    return outputs;
}

}  // namespace n6vp::sim::model_run
