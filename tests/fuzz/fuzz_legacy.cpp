// SPDX-License-Identifier: Apache-2.0
// Input: a request (tests/fuzz/legacy_input.h), then a container of the older family. Opens it,
// reads everything in it, judges it, installs it with both policies, and calls every function of
// the client interface with a model that answers with bytes of the input.
#include <algorithm>
#include <vector>

#include "loader/legacy/client.h"
#include "sim/model_file/host_memory.h"
#include "tests/fuzz/fuzz_check.h"
#include "tests/fuzz/legacy_input.h"
#include "traces/diagnosis/rule_text.h"

namespace {

using namespace n6vp;
using namespace n6vp::loader;
using fuzz::LegacyInput;

constexpr std::uint8_t kFill = 0xA5;
constexpr std::uint32_t kPage = 0x1000;

/// Guest memory with the file in it, and RAM with mapped neighbours that nobody gave.
struct World {
    World(const LegacyInput& input, Policy policy) : request(input.request) {
        request.policy = policy;
        if (input.has_heap) {
            request.heap = {this,
                            [](void* context, std::uint32_t bytes) {
                                std::uint32_t& most = static_cast<World*>(context)->heap_bytes;
                                most = std::max(most, bytes);
                                return GuestAddr{fuzz::kLegacyHeap};
                            },
                            nullptr};
        }
        memory.map({GuestAddr{fuzz::kLegacyRam - kPage}, fuzz::kLegacyRamBytes + 2 * kPage}, kFill);
        const auto bytes = static_cast<std::uint32_t>(input.file.size());
        memory.map({GuestAddr{fuzz::kLegacyFile}, bytes}, 0, false);
        memory.store(GuestAddr{fuzz::kLegacyFile}, input.file);
        memory.record(true);
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    Status install() { return legacy::install(memory.port(), request, result, why); }

    /// Checks that every write, refused ones included, stayed inside RAM or the heap block.
    void check_writes() const {
        using Kind = sim::MemoryEvent::Kind;
        const AddressRange ram{request.ram, request.ram_bytes};
        const AddressRange heap{GuestAddr{fuzz::kLegacyHeap}, heap_bytes};
        for (const sim::MemoryEvent& event : memory.events()) {
            if (event.kind != Kind::Write && event.kind != Kind::Copy && event.kind != Kind::Clear)
                continue;
            if (event.bytes == 0) continue;
            const AddressRange range{event.address, event.bytes};
            N6VP_FUZZ_CHECK(!range.wraps() && (ram.contains(range) || heap.contains(range)));
        }
    }
    [[nodiscard]] bool same_memory(const World& other) const {
        const AddressRange all{GuestAddr{fuzz::kLegacyRam - kPage},
                               fuzz::kLegacyRamBytes + 2 * kPage};
        const auto mine = memory.bytes(all);
        const auto theirs = other.memory.bytes(all);
        return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
    }

    sim::HostMemory memory;
    legacy::Request request;
    legacy::Result result;
    Diagnosis why;
    std::uint32_t heap_bytes = 0;  ///< of the largest block that was asked for
};

struct Findings {
    Diagnosis first;
    std::uint32_t errors = 0, all = 0;
    static bool report(void* context, const Diagnosis& finding) {
        auto* self = static_cast<Findings*>(context);
        N6VP_FUZZ_CHECK(finding.rule != Rule::None && finding.rule < Rule::kCount);
        if (self->all++ < 3) N6VP_FUZZ_CHECK(!traces::describe(finding, nullptr).empty());
        if (finding.severity == Severity::Error && self->errors++ == 0) self->first = finding;
        return true;
    }
};

void read_everything(const legacy::Container& container) {
    legacy::Context context;
    legacy::Info info;
    char text[format::kMaxNameBytes + 1];
    if (container.context(context)) static_cast<void>(container.name(context.name, text, 8));
    static_cast<void>(info_of(container, info));
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < 64 && container.got(i, word); ++i) {
        const std::uint32_t at = container.offset_of(word);
        N6VP_FUZZ_CHECK(at == kNotApplicable || at < container.bytes());
    }
    for (const std::uint32_t i : {0u, 1u, 0x3FFFFFFFu, 0x40000000u, 0xFFFFFFFFu}) {
        static_cast<void>(container.got(i, word));
        static_cast<void>(container.relocation(i, word));
    }
}

void use(World& world, const LegacyInput& input) {
    legacy::Machine machine;
    machine.port = world.memory.port();
    machine.policy = world.request.policy;
    machine.target = world.request.target;
    machine.heap = world.request.heap;
    machine.context = const_cast<LegacyInput*>(&input);  // handed back as const only
    machine.call = [](void* context, const legacy::Call& call) {
        const auto& file = static_cast<const LegacyInput*>(context)->file;
        return std::uint32_t{file[to_word(call.target) % file.size()]};
    };
    legacy::LoadRequest load{world.request.file,       world.request.ram, world.request.ram_bytes,
                             world.request.mode,       input.has_heap,    world.request.acquire_crc,
                             world.request.release_crc};
    GuestAddr handle{0};
    legacy::Info info;
    static_cast<void>(legacy::get_info(machine, load.file, info));
    static_cast<void>(legacy::load_and_create(machine, load, &handle));
    const GuestAddr array{fuzz::kLegacyRam};
    static_cast<void>(legacy::init(machine, handle, array, array));
    static_cast<void>(legacy::run(machine, handle, array, array));
    static_cast<void>(legacy::get_report(machine, handle, array));
    static_cast<void>(legacy::get_error(machine, handle));
    static_cast<void>(legacy::observer_register(machine, handle, array, 1, 2));
    static_cast<void>(legacy::observer_unregister(machine, handle));
    static_cast<void>(legacy::observer_node_info(machine, handle, array));
    static_cast<void>(legacy::register_crc_callbacks(machine, handle, array, array));
    static_cast<void>(legacy::destroy(machine, handle));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    LegacyInput input;
    if (!fuzz::decode_legacy(data, size, input)) return 0;

    World checked(input, Policy::Strict);
    const MemoryPort port = checked.memory.port();
    legacy::Container container(port, GuestAddr{fuzz::kLegacyFile},
                                static_cast<std::uint32_t>(input.file.size()));
    if (container.open(checked.why) == Status::Ok) read_everything(container);
    Findings alone;
    static_cast<void>(legacy::check_file(container, {&alone, &Findings::report}));
    Findings findings;
    const Status verdict = legacy::check(port, checked.request, {&findings, &Findings::report});
    N6VP_FUZZ_CHECK((verdict == Status::Ok) == (findings.errors == 0));
    N6VP_FUZZ_CHECK(checked.memory.bytes_written() == 0);

    World strict(input, Policy::Strict);
    const Status strict_status = strict.install();
    strict.check_writes();
    if (verdict != Status::Ok) {
        N6VP_FUZZ_CHECK(strict_status == verdict);
        N6VP_FUZZ_CHECK(strict.why.rule == findings.first.rule);
        N6VP_FUZZ_CHECK(strict.memory.bytes_written() == 0);
    } else {
        // The RAM of the request need not exist; that alone may fail after the checks.
        N6VP_FUZZ_CHECK(strict_status == Status::Ok || strict_status == Status::BusError);
    }
    World compat(input, Policy::Compat);
    const Status compat_status = compat.install();
    compat.check_writes();
    if (compat_status != Status::Ok) N6VP_FUZZ_CHECK(compat.why.rule != Rule::None);
    if (strict_status == Status::Ok) {
        N6VP_FUZZ_CHECK(compat_status == Status::Ok);
        N6VP_FUZZ_CHECK(compat.same_memory(strict));
        N6VP_FUZZ_CHECK(compat.result.context == strict.result.context);
        N6VP_FUZZ_CHECK(compat.result.state == strict.result.state);
    }
    use(strict, input);
    strict.check_writes();
    use(compat, input);
    return 0;
}
