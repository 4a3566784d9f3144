// SPDX-License-Identifier: Apache-2.0
// Input: a request (tests/fuzz/install_input.h), then the file, then the parameter file if there is
// one. Installs with both policies and checks what each of them promises about memory.
#include <algorithm>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/fuzz/fuzz_check.h"
#include "tests/fuzz/install_input.h"

namespace {

using namespace n6vp;
using namespace n6vp::loader;
using fuzz::InstallInput;

constexpr std::uint8_t kFill = 0xA5;
constexpr std::uint32_t kPage = 0x1000;

/// Guest memory with the input in it, and an install request for it.
class World {
  public:
    World(const InstallInput& input, Policy policy) : grants_(input.grants) {
        request = input.request;
        request.policy = policy;
        request.grants = grants_.data();
        request.grant_count = static_cast<std::uint32_t>(grants_.size());
        // Every region has mapped neighbours that nobody granted.
        for (const std::uint32_t start :
             {fuzz::kControlPage, fuzz::kExecRam - kPage, fuzz::kExecRam + fuzz::kExecBytes,
              fuzz::kExtRam - kPage, fuzz::kExtRam + fuzz::kExtBytes}) {
            memory.map({GuestAddr{start}, kPage}, kFill);
        }
        memory.map({GuestAddr{fuzz::kExecRam}, fuzz::kExecBytes}, kFill);
        memory.map({GuestAddr{fuzz::kExtRam}, fuzz::kExtBytes}, kFill);
        for (const std::uint32_t start : fuzz::kGrants)
            memory.map({GuestAddr{start}, 2 * kPage}, kFill);
        map_input(fuzz::kFile, input.file);
        map_input(fuzz::kParams, input.params);
        memory.record(true);
        real_ = memory.port();
        port = real_;
        port.context = this;
        port.read = [](void* context, GuestAddr from, void* to, std::uint32_t bytes) {
            return static_cast<World*>(context)->read(from, to, bytes);
        };
        port.write = [](void* context, GuestAddr to, const void* from, std::uint32_t bytes) {
            const MemoryPort& real = static_cast<World*>(context)->real_;
            return real.write(real.context, to, from, bytes);
        };
        port.copy = [](void* context, GuestAddr to, GuestAddr from, std::uint32_t bytes) {
            auto* self = static_cast<World*>(context);
            self->check_source({from, bytes});
            return self->real_.copy(self->real_.context, to, from, bytes);
        };
        port.clear = [](void* context, GuestAddr to, std::uint32_t bytes) {
            const MemoryPort& real = static_cast<World*>(context)->real_;
            return real.clear(real.context, to, bytes);
        };
        port.maintain = [](void* context, CacheOp op, GuestAddr start, std::uint32_t bytes) {
            const MemoryPort& real = static_cast<World*>(context)->real_;
            real.maintain(real.context, op, start, bytes);
        };
        port.enter = [](void* context, Phase phase) {
            const MemoryPort& real = static_cast<World*>(context)->real_;
            real.enter(real.context, phase);
        };
    }

    Status install() { return loader::install(port, request, result, why); }

    /// Checks that every write, refused ones included, stayed inside what the request gives.
    void check_writes() const {
        using Kind = sim::MemoryEvent::Kind;
        for (const sim::MemoryEvent& event : memory.events()) {
            if (event.kind != Kind::Write && event.kind != Kind::Copy && event.kind != Kind::Clear)
                continue;
            if (event.bytes == 0) continue;
            N6VP_FUZZ_CHECK(granted({event.address, event.bytes}));
        }
    }

    [[nodiscard]] bool same_memory(const World& other) const {
        const std::vector<AddressRange> ranges = memory.mappings();
        return std::all_of(ranges.begin(), ranges.end(), [&](AddressRange range) {
            const auto mine = memory.bytes(range);
            const auto theirs = other.memory.bytes(range);
            return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
        });
    }

    sim::HostMemory memory;
    MemoryPort port;
    InstallRequest request;
    InstallResult result;
    Diagnosis why;

  private:
    void map_input(std::uint32_t start, const std::vector<std::uint8_t>& bytes) {
        if (bytes.empty()) return;
        memory.map({GuestAddr{start}, static_cast<std::uint32_t>(bytes.size())}, 0, false);
        memory.store(GuestAddr{start}, bytes);
    }

    /// Returns true if every byte lies in some region that the request gives; regions may touch.
    [[nodiscard]] bool granted(AddressRange range) const {
        std::vector<AddressRange> regions = grants_;
        regions.push_back({request.instance, instance_layout(request.profile).bytes});
        regions.push_back({request.exec_ram, request.exec_ram_bytes});
        regions.push_back({request.ext_ram, request.ext_ram_bytes});
        std::uint64_t at = to_word(range.start);
        while (at < range.end()) {
            std::uint64_t next = at;
            for (const AddressRange region : regions) {
                if (at >= to_word(region.start) && at < region.end())
                    next = std::max(next, region.end());
            }
            if (next == at || at > 0xFFFFFFFFu) return false;
            at = next;
        }
        return true;
    }

    /// In Strict, a read may leave the input only where its length was withheld from the loader. In
    /// Compat a word to relocate is read wherever it lies, as the vendor's loader does; memory that
    /// is not there answers with a bus error.
    void check_source(AddressRange range) const {
        if (request.policy == Policy::Compat || range.bytes == 0 || granted(range)) return;
        if (request.file_bytes == kUnknownBytes || request.params_bytes == kUnknownBytes) return;
        const AddressRange file{request.file, request.file_bytes};
        const AddressRange params{request.params, request.params_bytes};
        N6VP_FUZZ_CHECK(!range.wraps() && (file.contains(range) || params.contains(range)));
    }

    bool read(GuestAddr from, void* to, std::uint32_t bytes) {
        check_source({from, bytes});
        return real_.read(real_.context, from, to, bytes);
    }

    std::vector<AddressRange> grants_;
    MemoryPort real_;
};

struct FirstError {
    Diagnosis first;
    std::uint32_t errors = 0;
    static bool report(void* context, const Diagnosis& finding) {
        auto* self = static_cast<FirstError*>(context);
        if (finding.severity == Severity::Error && self->errors++ == 0) self->first = finding;
        return true;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    InstallInput input;
    if (!fuzz::decode(data, size, input)) return 0;

    World checked(input, Policy::Strict);
    FirstError findings;
    const Status verdict = check(checked.port, checked.request, {&findings, &FirstError::report});
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
        // What the request gives need not exist; that alone may fail after the checks.
        N6VP_FUZZ_CHECK(strict_status == Status::Ok || strict_status == Status::BusError);
    }

    World compat(input, Policy::Compat);
    const Status compat_status = compat.install();
    compat.check_writes();
    if (compat_status != Status::Ok) N6VP_FUZZ_CHECK(compat.why.rule != Rule::None);
    if (strict_status == Status::Ok) {
        N6VP_FUZZ_CHECK(compat_status == Status::Ok);
        N6VP_FUZZ_CHECK(compat.same_memory(strict));
        N6VP_FUZZ_CHECK(to_word(compat.result.context) == to_word(strict.result.context));
        N6VP_FUZZ_CHECK(compat.result.state == strict.result.state);
    }
    return 0;
}
