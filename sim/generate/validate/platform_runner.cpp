// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/platform_runner.h"

#include <fmt/format.h>

#include <fstream>

#include "sim/host/child_process.h"
#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/input_file.h"
#include "sim/host/message_text.h"
#include "sim/host/signals.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::uintmax_t kMaxBytes = 256u << 20;
constexpr std::size_t kShown = 400;  // of what a run says

std::vector<TensorForm> forms_of(const Json& tensors) {
    std::vector<TensorForm> forms;
    forms.reserve(tensors.size());
    for (const Json& tensor : tensors) {
        TensorForm form;
        form.name = tensor.at("name").get<std::string>();
        form.type = tensor.at("type").get<std::string>();
        form.shape = tensor.at("shape").get<std::vector<std::uint64_t>>();
        form.bytes = tensor.at("bytes").get<std::size_t>();
        form.quantised = tensor.contains("scale");
        form.scale = tensor.value("scale", 1.0);
        form.zero_point = tensor.value("zero_point", std::int64_t{0});
        forms.push_back(std::move(form));
    }
    return forms;
}

/// The tensor's bytes, whether the file says what they are or not.
Bytes tensor_bytes(const std::string& path) {
    const Bytes file = read_input(path, kMaxBytes, "outputs have up to 256 MiB");
    return model_run::is_npy(file) ? model_run::parse_npy(file, path).bytes : file;
}

/// Returns what stands behind the first `key` at the beginning of a line.
std::string line_of(const std::string& text, const std::string& key) {
    const std::size_t at = ('\n' + text).find('\n' + key);
    if (at == std::string::npos) return "";
    const std::size_t first = at + key.size();
    return one_line(text.substr(first, text.find('\n', first) - first), kShown);
}

/// `text` is what `n6vp run` says of a model that the loader refuses.
[[noreturn]] void fail_refused(const std::string& text) {
    const std::string remedy = line_of(text, "  remedy: ");
    throw UserError("the loader refuses the model: " + line_of(text, "error: "),
                    (remedy.empty() ? "" : remedy + " ") + "n6vp check gives details.",
                    kExitRefused);
}

}  // namespace

Json PlatformRunner::execute(const Tensors& inputs) {
    const auto path = [&](const std::string& name) { return (folder_.path() / name).string(); };
    std::vector<std::string> words = {"run", model_,     "--quiet", "--report", path("report.json"),
                                      "-o",  path("out")};
    words.insert(words.end(), words_.begin(), words_.end());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string file = path(fmt::format("input{}.bin", i));
        std::ofstream stream(file, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(inputs[i].data()),
                     static_cast<std::streamsize>(inputs[i].size()));
        if (!stream.flush()) throw UserError("cannot write an input", "check the free disk space");
        words.insert(words.end(), {"-i", file});
    }
    constexpr const char *kMessages = "messages", *kOutput = "output";
    const int exit_code =
        run_child({kSelf, words, path(kOutput), path(kMessages), "check that /proc is mounted"});
    // A signal may also end the other process before it listens.
    if (exit_code == kExitInterrupted || (exit_code != 0 && interrupted())) {
        throw UserError("interrupted before the first sample was done", "run it again",
                        kExitInterrupted);
    }
    if (exit_code == kExitRefused) fail_refused(folder_.read(kOutput));
    if (exit_code != 0) {
        const std::string said = one_line(folder_.read(kMessages), kShown);
        if (said.empty()) {
            throw UserError(
                fmt::format("the run of the model ended with exit code {} and could not write why",
                            exit_code),
                fmt::format("look for free space in {}, or set TMPDIR to another folder",
                            traces::terminal_text(folder_.path().parent_path().string())));
        }
        throw UserError(
            fmt::format("the run of the model ended with exit code {}: {}", exit_code, said),
            "n6vp run with the same model gives details", exit_code);
    }
    std::ifstream report(path("report.json"));
    return Json::parse(report).at("model");
}

void PlatformRunner::ask() {
    const Json model = execute({});
    inputs_ = forms_of(model.at("inputs"));
    outputs_ = forms_of(model.at("outputs"));
}

RunResult PlatformRunner::run(const Tensors& inputs) {
    const Json model = execute(inputs);
    RunResult result;
    for (const Json& output : model.at("outputs")) {
        result.outputs.push_back(tensor_bytes(output.at("file").get<std::string>()));
    }
    for (const std::string& file : kept_) {
        result.kept.push_back(tensor_bytes((folder_.path() / "out" / file).string()));
    }
    const Json& inferences = model.at("inferences");
    if (!inferences.empty()) result.cycles = inferences.front().at("cycles").get<std::uint64_t>();
    return result;
}

}  // namespace n6vp::sim::generate
