// SPDX-License-Identifier: Apache-2.0
// Input: one network_rel.bin. Opens it, reads everything in it, runs all checks and prints all
// findings.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "loader/install.h"
#include "loader/log_info.h"
#include "sim/model_file/host_memory.h"
#include "tests/fuzz/fuzz_check.h"
#include "traces/diagnosis/rule_text.h"

namespace {

using namespace n6vp;
using namespace n6vp::loader;

constexpr GuestAddr kFile{0x71000000};
constexpr std::uint32_t kLimit = 1u << 20;

/// Collects findings, prints the first ones and checks that they make sense.
struct Findings {
    const Container* container = nullptr;
    std::uint32_t errors = 0;
    std::uint32_t all = 0;

    FindingSink sink() {
        return {this, [](void* context, const Diagnosis& finding) {
                    auto* self = static_cast<Findings*>(context);
                    ++self->all;
                    if (finding.severity == Severity::Error) {
                        ++self->errors;
                        N6VP_FUZZ_CHECK(finding.status != Status::Ok);
                    }
                    N6VP_FUZZ_CHECK(finding.rule != Rule::None && finding.rule < Rule::kCount);
                    if (self->all <= 3)
                        N6VP_FUZZ_CHECK(!traces::describe(finding, self->container).empty());
                    return true;
                }};
    }
};

/// Calls every accessor; names must come back terminated.
void read_everything(const Container& container) {
    char text[format::kMaxNameBytes + 1];
    const auto read_name = [&](std::uint32_t link_address, std::uint32_t capacity) {
        if (container.name(link_address, text, capacity)) {
            N6VP_FUZZ_CHECK(std::memchr(text, 0, capacity) != nullptr);
        }
    };
    RuntimeContext context;
    if (container.context(context)) {
        read_name(context.c_name, sizeof text);
        read_name(context.rt_version_desc, 8);
    }
    const std::uint32_t pools = container.pool_count(16);
    N6VP_FUZZ_CHECK(pools <= 16);
    for (std::uint32_t index = 0; index < pools; ++index) {
        Pool pool;
        if (container.pool(index, pool)) read_name(pool.name, sizeof text);
    }
    std::uint32_t word = 0;
    for (std::uint32_t index = 0; index < 64 && container.got(index, word); ++index) {
        (void)container.offset_of(word);
    }
    for (std::uint32_t index = 0; index < 64 && container.relocation(index, word); ++index) {
        const std::uint32_t offset = container.offset_of(word);
        if (offset != kNotApplicable) N6VP_FUZZ_CHECK(offset < container.bytes());
    }
    for (const std::uint32_t index : {0x3FFFFFFFu, 0x40000000u, 0xFFFFFFFFu}) {
        Pool pool;
        (void)container.pool(index, pool);
        (void)container.got(index, word);
        (void)container.relocation(index, word);
    }
}

void print_log(const Container& container) {
    std::string text;
    const TextSink sink{&text, [](void* context, const char* characters, std::uint32_t count) {
                            static_cast<std::string*>(context)->append(characters, count);
                        }};
    log_info(container, default_profile(Generation::Core30), sink);
    N6VP_FUZZ_CHECK(std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= ' ' && c <= '~') || c == '\r' || c == '\n';
    }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > kLimit) return 0;
    const auto bytes = static_cast<std::uint32_t>(size);
    sim::HostMemory memory;
    memory.map({kFile, bytes}, 0, false);
    memory.store(kFile, {data, size});
    memory.record(true);
    const MemoryPort port = memory.port();

    Container container(port, kFile, bytes);
    Diagnosis why;
    const Status opened = container.open(why);
    if (opened != Status::Ok) {
        N6VP_FUZZ_CHECK(why.rule != Rule::None && why.status == opened);
        N6VP_FUZZ_CHECK(!traces::describe(why, nullptr).empty());
    } else {
        read_everything(container);
        print_log(container);
        Findings findings{&container};
        const Status status = check_file(container, GuestAddr{0}, kUnknownBytes, findings.sink());
        N6VP_FUZZ_CHECK((status == Status::Ok) == (findings.errors == 0));
    }
    InstallRequest request;
    request.file = kFile;
    request.file_bytes = bytes;
    request.exec_ram = GuestAddr{0x34060000};
    request.exec_ram_bytes = 0xA0000;
    request.ext_ram = GuestAddr{0x90100000};
    request.ext_ram_bytes = 0x1B00000;
    request.mode = (size & 1) != 0 ? format::kModeXip : format::kModeCopy;
    request.instance = GuestAddr{0x34000400};
    request.callbacks = GuestAddr{0x34000800};
    Findings findings{opened == Status::Ok ? &container : nullptr};
    const Status status = check(port, request, findings.sink());
    N6VP_FUZZ_CHECK((status == Status::Ok) == (findings.errors == 0));
    N6VP_FUZZ_CHECK(memory.bytes_written() == 0);
    return 0;
}
