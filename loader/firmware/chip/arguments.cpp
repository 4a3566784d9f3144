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
    {"omit", &Job::omitted},  {"divider", &Job::uart_divider},
    {"file", &Job::file},     {"mode", &Job::mode},
    {"exec", &Job::exec_ram}, {"exec_bytes", &Job::exec_ram_bytes},
    {"ext", &Job::ext_ram},   {"ext_bytes", &Job::ext_ram_bytes},
    {"params", &Job::params}, {"generation", &Job::generation},
    {"build", &Job::build},   {"wait", &Job::wait_cycles},
    {"repeat", &Job::repeat}, {"fill", &Job::fill},
    {"user", &Job::user_ram}, {"user_bytes", &Job::user_ram_bytes},
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
    {"marks", kMarks}};

bool apply_name(Job& job, const char* word) {
    for (const NamedValue& kind : kKinds) {
        if (!same(word, kind.name)) continue;
        job.kind = kind.value;
        // Whoever just wants to see a model run need not know what it was built for.
        if (job.kind == kInfer) job.generation = 0;
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
    for (const NumberKey& key : kNumberKeys) {
        if (std::strncmp(key.name, word, name_bytes) != 0 || key.name[name_bytes] != '\0') continue;
        return parse_number(value + 1, job.*key.field);
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
