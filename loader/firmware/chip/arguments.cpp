// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/words.h"

namespace n6vp::firmware::chip {

namespace {

struct NumberKey {
    const char* name;
    std::uint32_t Job::*field;
};
constexpr NumberKey kNumberKeys[] = {
    {"omit", &Job::omitted},     {"divider", &Job::uart_divider},
    {"exec", &Job::exec_ram},    {"exec_bytes", &Job::exec_ram_bytes},
    {"ext", &Job::ext_ram},      {"ext_bytes", &Job::ext_ram_bytes},
    {"wait", &Job::wait_cycles}, {"clocks", &Job::clocks},
    {"repeat", &Job::repeat},    {"fill", &Job::fill},
    {"user", &Job::user_ram},    {"user_bytes", &Job::user_ram_bytes},
};

/// Of the model that was named last.
struct ModelKey {
    const char* name;
    std::uint32_t Model::*field;
};
constexpr ModelKey kModelKeys[] = {
    {"file", &Model::file},   {"params", &Model::params},         {"mode", &Model::mode},
    {"build", &Model::build}, {"generation", &Model::generation},
};

struct NamedValue {
    const char* name;
    std::uint32_t value;
};
constexpr NamedValue kKinds[] = {{"setup", kSetUpOnly},
                                 {"install", kInstall},
                                 {"copy", kCopy},
                                 {"probe", kProbe},
                                 {"infer", kInfer}};
constexpr NamedValue kFlags[] = {
    {"console", kUseConsole}, {"log", kLog | kUseConsole}, {"nocrc", kNoImageCrc},
    {"provoke", kProvoke},    {"await", kWaitForNpu},      {"keepclocks", kKeepClocks},
    {"raise", kRaiseNpu},     {"files", kFiles},           {"table", kTable},
    {"noblocks", kNoBlocks},  {"nonpucache", kNoNpuCache}, {"tensors", kTensors},
    {"marks", kMarks},        {"values", kValues},         {"overlay", kOverlay}};

Model& last_model(Job& job) {
    const std::uint32_t count = job.model_count < kMaxModels ? job.model_count : kMaxModels;
    return job.models[count == 0 ? 0 : count - 1];
}

/// Another model, with what was said of the one before it.
bool begin_model(Job& job) {
    if (job.model_count == 0 || job.model_count >= kMaxModels) return false;
    job.models[job.model_count] = last_model(job);
    ++job.model_count;
    return true;
}

bool apply_name(Job& job, const char* word) {
    if (same(word, "next")) return begin_model(job);
    for (const NamedValue& kind : kKinds) {
        if (!same(word, kind.name)) continue;
        job.kind = kind.value;
        // Whoever just wants to see a model run need not know what it was built for.
        if (job.kind == kInfer) {
            for (Model& one : job.models) one.generation = 0;
        }
        return true;
    }
    for (const NamedValue& flag : kFlags) {
        if (!same(word, flag.name)) continue;
        job.flags |= flag.value;
        return true;
    }
    return false;
}

bool apply(Job& job, char* word) {
    char* value = word;
    while (*value != '\0' && *value != '=') ++value;
    if (*value == '\0') return apply_name(job, word);
    const std::uint32_t name_bytes = static_cast<std::uint32_t>(value - word);
    const auto is_word = [word, name_bytes](const char* name) {
        return std::strncmp(name, word, name_bytes) == 0 && name[name_bytes] == '\0';
    };
    for (const NumberKey& key : kNumberKeys) {
        if (is_word(key.name)) return parse_number(value + 1, job.*key.field);
    }
    for (const ModelKey& key : kModelKeys) {
        if (is_word(key.name)) return parse_number(value + 1, last_model(job).*key.field);
    }
    return false;
}

}  // namespace

bool apply_arguments(Job& job, char* words, const char*& bad) {
    Words rest(words);
    while (char* word = rest.next()) {
        if (apply(job, word)) continue;
        bad = word;
        return false;
    }
    return true;
}

}  // namespace n6vp::firmware::chip
