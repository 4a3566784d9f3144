// SPDX-License-Identifier: Apache-2.0
// Sample models with a few bytes changed, each installed and run to its end on one platform:
//   mutations FIRMWARE MANIFEST strict|compat SEED RUNS [SECONDS]
// Every run must end in a result, a diagnosis of the loader or the runtime, or a report of a fault
// or of no progress, whose texts carry no control characters; nothing may be written beside the
// folder that was granted. Each run has 20 ms of simulated time and 120 s of CPU time. All RUNS are
// done; with SECONDS of CPU time no further one is begun after that, which is no failure.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "loader/container.h"
#include "loader/ec_container.h"
#include "memmap/board.h"
#include "tests/sim/faults/model_bench.h"
#include "tests/support/process.h"

using namespace n6vp;
using test::ModelBench;
using test::ModelRunEnd;

namespace {

namespace fs = std::filesystem;
namespace report = sim::fault_report;
using Bytes = std::vector<std::uint8_t>;

constexpr models::Picoseconds kLongest = 20'000'000'000;  // 20 ms; a good run takes 1
constexpr double kMaxOnHost = 120;                        // s of CPU time

struct Sample {
    std::string name;
    Bytes file, params;
    std::uint32_t build = 0;  ///< of the firmware that it wants
};

[[nodiscard]] Bytes read_bytes(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

[[nodiscard]] std::vector<Sample> read_samples(const std::string& manifest) {
    std::ifstream stream(manifest);
    std::vector<Sample> samples;
    for (const auto& one : nlohmann::json::parse(stream)) {
        if (one.at("target") == "qemu") continue;
        Sample sample;
        sample.name = fmt::format("{} {} {}", one.at("name").get<std::string>(),
                                  one.at("generation").get<std::string>(),
                                  one.at("variant").get<std::string>());
        namespace chip = test::chip;
        if (one.at("secure").get<bool>()) sample.build |= chip::kSecure;
        if (one.at("dbg_info").get<bool>()) sample.build |= chip::kDebugInfo;
        if (one.at("async").get<bool>()) sample.build |= chip::kAsync;
        sample.file = read_bytes(one.at("file").get<std::string>());
        const auto params = one.at("params").get<std::string>();
        if (!params.empty()) sample.params = read_bytes(params);
        samples.push_back(std::move(sample));
    }
    return samples;
}

/// Parts of a model, each of which gets its share of the changes.
enum class Part : std::uint8_t { Header, Code, Data, Got, Relocations, Blob, Params };
constexpr std::array kParts = {Part::Header,      Part::Code, Part::Data,  Part::Got,
                               Part::Relocations, Part::Blob, Part::Params};
constexpr std::array<const char*, kParts.size()> kPartNames = {
    "header", "code", "data", "GOT", "relocations", "blob", "parameters"};

struct Stretch {
    std::size_t start = 0, end = 0;
};

[[nodiscard]] std::uint32_t word_at(const Bytes& file, std::size_t at) {
    std::uint32_t value = 0;
    if (at + 4 <= file.size()) std::memcpy(&value, file.data() + at, 4);
    return value;
}

/// Where a part of a sample is, by its header; empty where it has none.
[[nodiscard]] Stretch stretch_of(const Bytes& file, Part part) {
    constexpr std::uint32_t kOffset = 0x0FFFFFFF;
    const auto offset = [&file](std::size_t at) -> std::size_t {
        return word_at(file, at) & kOffset;
    };
    const std::size_t ro = offset(0x10);
    switch (part) {
        case Part::Header:
            return {0, 104};
        case Part::Code:
            return {104, ro};
        case Part::Data:
            return {ro, ro + offset(0x0C)};
        case Part::Got:
            return {ro + offset(0x1C), ro + offset(0x20)};
        case Part::Relocations:
            return {offset(0x24), offset(0x28)};
        case Part::Params:
            return {offset(0x30), file.size()};
        case Part::Blob:
            break;
    }
    for (std::size_t at = 104; at + 4 <= file.size(); at += 4) {
        constexpr std::size_t kMuchOfIt = 800;
        if (word_at(file, at) != loader::ec::kMagic0020 &&
            word_at(file, at) != loader::ec::kMagic0030 &&
            word_at(file, at) != loader::ec::kMagic0050) {
            continue;
        }
        // The magic is in the code, too, as a literal; a container has small offsets behind it.
        if (word_at(file, at + 4) > kMuchOfIt) continue;
        return {at, std::min(at + kMuchOfIt, file.size())};
    }
    return {};
}

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}
    [[nodiscard]] std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(random_() % limit);
    }
    /// Changes one to four places of the part. Returns false if the sample has no such part.
    [[nodiscard]] bool change(Bytes& file, Part part) {
        const Stretch where = stretch_of(file, part);
        const std::size_t end = std::min(where.end, file.size());
        if (where.start + 4 > end) return false;
        for (std::size_t left = 1 + below(4); left != 0; --left) {
            change_at(file, where.start + below(end - where.start - 3));
        }
        return true;
    }

  private:
    void change_at(Bytes& file, std::size_t at) {
        constexpr std::array<std::uint32_t, 10> kWords = {
            0,          1,          0x40000000, 0x20000001, 0x80000004,
            0x90000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x34000000, 0x580E0000};
        switch (below(4)) {
            case 0:
                file[at] ^= static_cast<std::uint8_t>(1u << below(8));
                break;
            case 1:
                file[at] = static_cast<std::uint8_t>(below(256));
                break;
            case 2: {
                at &= ~std::size_t{3};
                std::memcpy(file.data() + at, &kWords[below(kWords.size())], 4);
                break;
            }
            default: {
                at &= ~std::size_t{3};
                std::uint32_t word = word_at(file, at);
                word += static_cast<std::uint32_t>(below(64)) * 4 - 128;
                std::memcpy(file.data() + at, &word, 4);
                break;
            }
        }
    }
    std::mt19937_64 random_;
};

[[nodiscard]] test::chip::Job job_for(const Sample& sample, bool copy, std::uint32_t generation) {
    namespace chip = test::chip;
    chip::Job job;
    job.kind = chip::kInfer;
    job.flags = chip::kUseMailbox | chip::kNoImageCrc | chip::kTensors;
    job.models[0].mode = copy ? 2 : 1;
    job.models[0].generation = generation;
    job.models[0].build = sample.build;
    if (!sample.params.empty()) job.models[0].params = to_word(memmap::board::kParams.start);
    return job;
}

/// The generation that a sample's name says, for the firmware that has to be told.
[[nodiscard]] std::uint32_t generation_of(const Sample& sample) {
    const auto has = [&sample](const char* text) {
        return sample.name.find(text) != std::string::npos;
    };
    return has(" 2.1 ") ? 21 : has(" 2.2 ") ? 22 : has(" 3.0 ") ? 30 : 40;
}

[[nodiscard]] bool is_clean(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n') || byte == 0x7F;
    });
}

/// Returns what the run came to, "" if it came to nothing that a user could understand.
[[nodiscard]] std::string outcome_of(const ModelRunEnd& end, std::string& text) {
    using sim::RunVerdict;
    std::ostringstream out;
    for (const report::FaultReport& one : end.reports) {
        report::write_report(out, one);
        out << report::report_json(one).dump() << '\n';
    }
    text = out.str();
    if (end.hung || !is_clean(text)) return "";
    const bool explained = !end.reports.empty() && !end.reports.front().cause.empty();
    if (end.by_fault) return explained ? "fault report" : "";
    const auto said = [&end](const char* what) { return end.said.find(what) != std::string::npos; };
    switch (end.verdict) {
        case RunVerdict::Exit:
            if (end.exit_code == 0) return "result";
            if (said("install code=-")) return "refused by the loader";
            if (said("runtime stopped: ")) return "stopped by the runtime";
            return end.said.empty() ? "" : "ended by the program";
        case RunVerdict::Limit:
        case RunVerdict::Asleep:
            return explained ? "no progress" : "";
        case RunVerdict::Reset:
            return "requested a reset";
        case RunVerdict::Breakpoint:
            return "semihosting call";
        default:
            return "";
    }
}

class Folder {
  public:
    Folder() { fs::create_directory(granted()); }
    [[nodiscard]] std::string granted() const { return folder_.file("granted"); }
    /// Returns true if nothing is beside the granted folder.
    [[nodiscard]] bool is_alone() const {
        return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()) == 1;
    }

  private:
    test::ScratchFolder folder_;
};

struct Options {
    std::string firmware, manifest;
    bool compat = false;
    std::uint64_t seed = 0, runs = 0;
    double seconds = 0;
};

struct Tally {
    std::uint64_t done = 0, bad = 0;
    std::map<std::string, std::uint64_t> outcomes;
    std::map<std::string, std::uint64_t> origins;
};

void keep(const std::string& label, const Bytes& file) {
    std::ofstream stream("mutation_" + label + ".bin", std::ios::binary);
    stream.write(reinterpret_cast<const char*>(file.data()),
                 static_cast<std::streamsize>(file.size()));
}

void run_one(ModelBench& bench, const Options& options, const std::vector<Sample>& samples,
             std::uint64_t number, Tally& tally) {
    Mutator mutator(options.seed * 1'000'003 + number);
    const Sample& sample = samples[mutator.below(samples.size())];
    Part part = kParts[number % kParts.size()];
    Sample changed = sample;
    Bytes& where = part == Part::Params && !sample.params.empty() ? changed.params : changed.file;
    if (&where == &changed.params) {
        where[mutator.below(where.size())] ^= 0x55;
    } else if (!mutator.change(where, part)) {
        part = Part::Code;
        (void)mutator.change(where, part);
    }
    const std::string label = fmt::format("{}_{}", options.seed, number);
    const test::chip::Job job =
        job_for(sample, mutator.below(2) != 0, options.compat ? generation_of(sample) : 0);
    const ModelRunEnd end = bench.run(changed.file, changed.params, job, {kLongest, kMaxOnHost});
    std::string text;
    const std::string outcome = outcome_of(end, text);
    ++tally.done;
    ++tally.outcomes[outcome.empty() ? "NOT UNDERSTOOD" : outcome];
    if (end.by_fault && end.reports.front().origin) ++tally.origins["with the word of the model"];
    if (!outcome.empty()) return;
    ++tally.bad;
    keep(label, changed.file);
    fmt::print("mutation {} of {}, {}: verdict {}, code {}, hung {}\n{}{}", label, sample.name,
               kPartNames[static_cast<std::size_t>(part)], sim::verdict_name(end.verdict),
               end.exit_code, end.hung, end.said, text);
}

int run_all(const Options& options) {
    const std::vector<Sample> samples = read_samples(options.manifest);
    const Folder folder;
    ModelBench bench({options.firmware, folder.granted(), models::core::Timing::Approx, {}});
    Tally tally;
    // What was not changed has to come to results: else nothing below means anything.
    for (const Sample& sample : samples) {
        const test::chip::Job job =
            job_for(sample, true, options.compat ? generation_of(sample) : 0);
        const ModelRunEnd end = bench.run(sample.file, sample.params, job, {kLongest, kMaxOnHost});
        std::string text;
        const std::string outcome = outcome_of(end, text);
        // Its blob reads an input that nobody can set: it has none in its list.
        const bool blind = sample.name.rfind("blobs_in_params", 0) == 0;
        if (outcome == (blind ? "fault report" : "result")) continue;
        fmt::print("{} does not run: {}{}\n", sample.name, end.said, text);
        return 1;
    }
    for (std::uint64_t i = 0; i < options.runs; ++i) {
        const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
        if (options.seconds != 0 && seconds > options.seconds) break;
        run_one(bench, options, samples, i, tally);
    }
    for (const auto& [name, count] : tally.outcomes) fmt::print("{:>6} {}\n", count, name);
    for (const auto& [name, count] : tally.origins) fmt::print("{:>6} faults {}\n", count, name);
    const bool alone = folder.is_alone();
    if (!alone) fmt::print("something was written beside the granted folder\n");
    fmt::print("{} mutated models, {} of them not understood, {:.1f} s of CPU time\n", tally.done,
               tally.bad, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return tally.bad == 0 && alone && tally.done != 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    if (count < 6) return 2;
    Options options;
    options.firmware = words[1];
    options.manifest = words[2];
    options.compat = std::strcmp(words[3], "compat") == 0;
    options.seed = std::strtoull(words[4], nullptr, 10);
    options.runs = std::strtoull(words[5], nullptr, 10);
    if (count > 6) options.seconds = std::strtod(words[6], nullptr);
    try {
        return run_all(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
