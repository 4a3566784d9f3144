// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/install_job.h"

#include "loader/direct_port.h"
#include "loader/firmware/port.h"
#include "loader/install.h"

namespace n6vp::firmware {

namespace {

using loader::InstallRequest;

constexpr std::uint32_t kMaxGrants = 16;

/// A request and the storage it points to.
struct Job {
    InstallRequest request;
    AddressRange grants[kMaxGrants];
    std::uint32_t grant_count = 0;
};

using Setter = void (*)(Job& job, std::uint32_t value);

struct NumberKey {
    const char* name;
    Setter set;
};

constexpr NumberKey kNumberKeys[] = {
    {"file", [](Job& job, std::uint32_t v) { job.request.file = GuestAddr{v}; }},
    {"file_bytes", [](Job& job, std::uint32_t v) { job.request.file_bytes = v; }},
    {"exec", [](Job& job, std::uint32_t v) { job.request.exec_ram = GuestAddr{v}; }},
    {"exec_bytes", [](Job& job, std::uint32_t v) { job.request.exec_ram_bytes = v; }},
    {"ext", [](Job& job, std::uint32_t v) { job.request.ext_ram = GuestAddr{v}; }},
    {"ext_bytes", [](Job& job, std::uint32_t v) { job.request.ext_ram_bytes = v; }},
    {"params", [](Job& job, std::uint32_t v) { job.request.params = GuestAddr{v}; }},
    {"params_bytes", [](Job& job, std::uint32_t v) { job.request.params_bytes = v; }},
    {"mode", [](Job& job, std::uint32_t v) { job.request.mode = v; }},
    {"instance", [](Job& job, std::uint32_t v) { job.request.instance = GuestAddr{v}; }},
    {"callbacks", [](Job& job, std::uint32_t v) { job.request.callbacks = GuestAddr{v}; }},
    {"secure", [](Job& job, std::uint32_t v) { job.request.profile.secure = v != 0; }},
    {"dbg", [](Job& job, std::uint32_t v) { job.request.profile.dbg_info = v != 0; }},
    {"async", [](Job& job, std::uint32_t v) { job.request.profile.async = v != 0; }},
    {"ndebug", [](Job& job, std::uint32_t v) { job.request.profile.ndebug = v != 0; }},
    {"fpu", [](Job& job, std::uint32_t v) { job.request.profile.fpu_enabled = v != 0; }},
    {"cpu", [](Job& job, std::uint32_t v) { job.request.profile.cpu_part = v; }},
    {"dev", [](Job& job, std::uint32_t v) { job.request.profile.version.dev = v; }},
    {"buffer_info_bytes",
     [](Job& job, std::uint32_t v) {
         job.request.profile.buffer_info_bytes = static_cast<std::uint8_t>(v);
     }},
    {"epoch_item_bytes",
     [](Job& job, std::uint32_t v) {
         job.request.profile.epoch_item_bytes = static_cast<std::uint8_t>(v);
     }},
};

bool set_generation(Job& job, const char* name) {
    using loader::Generation;
    constexpr struct {
        const char* name;
        Generation generation;
    } kNames[] = {{"2.1", Generation::Core21},
                  {"2.2", Generation::Core22},
                  {"3.0", Generation::Core30},
                  {"4.x", Generation::Core4x}};
    for (const auto& entry : kNames) {
        if (same(name, entry.name)) {
            job.request.profile = loader::default_profile(entry.generation);
            return true;
        }
    }
    return false;
}

bool add_grant(Job& job, const char* text) {
    std::uint32_t start = 0;
    std::uint32_t bytes = 0;
    const char* rest = nullptr;
    if (job.grant_count == kMaxGrants || !parse_number(text, start, &rest, ':') ||
        !parse_number(rest, bytes)) {
        return false;
    }
    job.grants[job.grant_count++] = {GuestAddr{start}, bytes};
    return true;
}

bool set_policy(Job& job, const char* name) {
    job.request.policy = same(name, "compat") ? loader::Policy::Compat : loader::Policy::Strict;
    return same(name, "compat") || same(name, "strict");
}

bool set(Job& job, char* word) {
    char* value = word;
    while (*value != '\0' && *value != '=') ++value;
    if (*value == '\0') return false;
    *value++ = '\0';
    if (same(word, "generation")) return set_generation(job, value);
    if (same(word, "policy")) return set_policy(job, value);
    if (same(word, "grant")) return add_grant(job, value);
    std::uint32_t number = 0;
    if (!parse_number(value, number)) return false;
    for (const NumberKey& key : kNumberKeys) {
        if (!same(word, key.name)) continue;
        key.set(job, number);
        return true;
    }
    return false;
}

void maintain(void*, loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    port::maintain(op, start, bytes);
}

void install(const Job& job, Text& out) {
    loader::DirectMemory memory;
    memory.mapped = port::mapped(memory.mapped_count);
    memory.maintain = maintain;
    loader::InstallResult result;
    loader::Diagnosis why;
    const loader::Status status =
        loader::install(loader::direct_port(memory), job.request, result, why);
    out.put("install status=").decimal(static_cast<std::uint32_t>(status));
    if (status != loader::Status::Ok) {
        out.put(" rule=")
            .decimal(static_cast<std::uint32_t>(why.rule))
            .put(" offset=")
            .hex(why.file_offset);
        out.put(" address=").hex(to_word(why.address)).put(" expected=").hex(why.expected);
        out.put(" found=").hex(why.found).put("\n");
        return;
    }
    out.put(" ro=").hex(to_word(result.ro_base)).put(" ram=").hex(to_word(result.ram_base));
    out.put(" param0=").hex(to_word(result.param0)).put(" param1=").hex(to_word(result.param1));
    out.put(" context=").hex(to_word(result.context)).put(" state=").decimal(result.state);
    out.put(" pools=").decimal(result.pools).put(" got=").decimal(result.got_words);
    out.put(" relocations=").decimal(result.relocations).put("\n");
}

}  // namespace

bool run_install(Words& words, Text& out) {
    Job job;
    while (char* word = words.next()) {
        if (!set(job, word)) {
            out.put("error: install: ").put(word).put("\n");
            return false;
        }
    }
    job.request.grants = job.grants;
    job.request.grant_count = job.grant_count;
    install(job, out);
    return true;
}

}  // namespace n6vp::firmware
