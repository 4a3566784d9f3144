// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_tensors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "loader/crc32.h"
#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/input_file.h"
#include "sim/host/npy.h"
#include "sim/host/output_file.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& why) {
    throw UserError(fmt::format("-o: {} {}", traces::terminal_text(folder), why),
                    "name a writable folder that exists or can be created");
}

/// Fails with UserError if there is no such folder and none can be made.
void require_place(const std::string& folder) {
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(folder, error);
    while (!std::filesystem::exists(at, error) && at.has_relative_path()) at = at.parent_path();
    if (!std::filesystem::is_directory(at, error)) refuse_folder(folder, "is not a folder");
    // As the write itself will be judged: with the rights that this process has now.
    if (::faccessat(AT_FDCWD, at.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return;
    const bool exists = std::filesystem::exists(folder, error);
    refuse_folder(folder, exists ? "is not writable" : "cannot be created");
}

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) refuse_folder(folder, "cannot be created: " + error.message());
    if (!std::filesystem::is_directory(folder, error)) refuse_folder(folder, "is not a folder");
}

[[nodiscard]] std::uint32_t crc_of(const std::vector<std::uint8_t>& bytes) {
    return loader::crc32(0, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

void write_file(const std::filesystem::path& path, std::string_view head,
                std::span<const std::uint8_t> bytes) {
    OutputFile file(path);
    file.stream().write(head.data(), static_cast<std::streamsize>(head.size()));
    file.stream().write(reinterpret_cast<const char*>(bytes.data()),
                        static_cast<std::streamsize>(bytes.size()));
    file.commit();
}

/// `model` is empty if there is only one.
[[nodiscard]] std::string tensor_text(const Tensor& tensor, const std::string& model) {
    const std::string form = tensor.type.empty()
                                 ? fmt::format("{} bytes", tensor.bytes)
                                 : fmt::format("{} of {}", shape_text(tensor.shape), tensor.type);
    return fmt::format("{} {} ({}: {}){}{}", tensor.input ? "input" : "output", tensor.number,
                       traces::terminal_text(tensor.name), form, model.empty() ? "" : " of ",
                       model);
}

/// The shape without dimensions of 1 at its front, which a batch or a channel may add.
[[nodiscard]] std::span<const std::uint64_t> bare(std::span<const std::uint64_t> shape) {
    while (!shape.empty() && shape.front() == 1) shape = shape.subspan(1);
    return shape;
}

/// Returns the numbers of an array, or refuses it with the reason; `title` is that of the tensor.
[[nodiscard]] std::vector<std::uint8_t> fitted(NpyArray array, const Tensor& tensor,
                                               const std::string& title, const std::string& name) {
    const auto refuse = [&](const std::string& why) -> UserError {
        return {fmt::format("{} does not fit {}: {}", name, title, why),
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

TensorFiles::TensorFiles(const std::vector<std::string>& files, const char* kind,
                         const char* option)
    : kind_(kind), option_(option) {
    sources_.reserve(files.size());
    for (const std::string& file : files) {
        sources_.push_back({file, read_input(file, kMaxModelBytes, "a tensor has up to 256 MiB")});
    }
}

std::optional<TensorFiles::Content> TensorFiles::next(const Tensor& tensor,
                                                      const std::string& model) {
    const std::size_t index = tensors_++;
    if (turns_.empty() || turns_.back().model != model) turns_.push_back({model});
    ++turns_.back().tensors;
    if (index >= sources_.size()) return std::nullopt;
    Content& source = sources_[index];
    const std::string shown = traces::terminal_text(source.file);
    const std::string title = tensor_text(tensor, model);
    if (is_npy(source.bytes)) {
        return Content{source.file, fitted(parse_npy(source.bytes, shown), tensor, title, shown)};
    }
    if (source.bytes.size() == tensor.bytes) return std::move(source);
    throw UserError(fmt::format("{} does not fit {}: it has {} bytes, not {}", shown, title,
                                source.bytes.size(), tensor.bytes),
                    "a raw file has the bytes of the tensor as in memory");
}

void TensorFiles::finish() const {
    if (sources_.size() <= tensors_) return;
    std::string order = "of the model, in its order";
    if (turns_.size() > 1) {
        order = "in this order:";
        for (const Turn& turn : turns_) {
            order += fmt::format("{}{} of {}", &turn == turns_.data() ? " " : ", ", turn.tensors,
                                 turn.model);
        }
    }
    throw UserError(fmt::format("{} files for {} {}s", sources_.size(), tensors_, kind_),
                    fmt::format("give {} once for every {} {}", option_, kind_, order));
}

Inputs::Inputs(const InputChoice& choice, TensorFiles& given, std::filesystem::path folder,
               std::string model)
    : sources_(given),
      folder_(std::move(folder)),
      model_(std::move(model)),
      random_(choice.random),
      numbers_(choice.seed, choice.range) {}

void Inputs::add(const Tensor& tensor) {
    std::optional<TensorFiles::Content> given = sources_.next(tensor, model_);
    std::vector<std::uint8_t> bytes(tensor.bytes);
    if (given) {
        bytes = std::move(given->bytes);
    } else if (random_) {
        bytes = numbers_.make(tensor);
    }
    try {
        write_file(folder_ / file_name("input", tensor.number, "bin"), {}, bytes);
    } catch (const UserError& error) {
        // A file of the run's own, in TMPDIR: nothing is done without it.
        if (error.exit_code() != kExitOutput) throw;
        throw UserError(error.what(), "look for free space there, or set TMPDIR to another folder");
    }
    given_.push_back({tensor, given ? given->file : std::string(), crc_of(bytes), {}});
}

Outputs::Outputs(double tolerance, TensorFiles& demanded, std::string to, std::string model)
    : demanded_(demanded), tolerance_(tolerance), to_(std::move(to)), model_(std::move(model)) {
    if (!to_.empty()) require_place(to_);
}

void Outputs::add(const Tensor& tensor) {
    wanted_.push_back(demanded_.next(tensor, model_));
    if (wanted_.back()) require_comparable(tensor, tolerance_);
    outputs_.push_back({tensor, {}, {}, {}});
}

void Outputs::collect(const std::filesystem::path& folder) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        TensorFile& output = outputs_[i];
        const Tensor& tensor = output.tensor;
        std::vector<std::uint8_t> bytes =
            read_file((folder / file_name("output", tensor.number, "bin")).string());
        output.crc = crc_of(bytes);
        if (wanted_[i]) {
            output.compared = compare(tensor, bytes, wanted_[i]->bytes, tolerance_);
            output.compared->file = wanted_[i]->file;
        }
        if (!to_.empty()) bytes_.push_back(std::move(bytes));
    }
    collected_ = true;
}

bool Outputs::as_expected() const {
    if (demanded_.empty()) return true;
    return collected_ && std::all_of(outputs_.begin(), outputs_.end(), [](const TensorFile& one) {
               return !one.compared || one.compared->holds();
           });
}

void Outputs::write() {
    if (to_.empty()) return;
    make_folder(to_);
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
        TensorFile& output = outputs_[i];
        const Tensor& tensor = output.tensor;
        const std::vector<std::uint8_t>& bytes = bytes_[i];
        const bool known = !tensor.type.empty() && bytes.size() == tensor.bytes;
        const std::filesystem::path path =
            std::filesystem::path(to_) / file_name("output", tensor.number, known ? "npy" : "bin");
        write_file(path, known ? npy_head(tensor.type, tensor.shape) : std::string(), bytes);
        output.file = path.string();
    }
}

}  // namespace n6vp::sim::model_run
