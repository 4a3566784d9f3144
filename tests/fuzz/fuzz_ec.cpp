// SPDX-License-Identifier: Apache-2.0
// Input: one epoch-controller container, and at the same time one plain blob.
#include <algorithm>
#include <cstring>
#include <vector>

#include "loader/ec_check.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using namespace n6vp::loader;
namespace ec = n6vp::loader::ec;

constexpr std::uint64_t kGuard = 0xA5C3A5C3A5C3A5C3u;
constexpr std::size_t kGuardWords = 16;

/// Counts findings and checks that they make sense.
struct Findings {
    std::uint32_t errors = 0;
    std::uint32_t all = 0;
    std::uint32_t size = 0;  ///< bytes that an offset may name

    FindingSink sink() {
        return {this, [](void* context, const Diagnosis& finding) {
                    auto* self = static_cast<Findings*>(context);
                    ++self->all;
                    if (finding.severity == Severity::Error) ++self->errors;
                    N6VP_FUZZ_CHECK(finding.rule >= Rule::EcTooShort &&
                                    finding.rule <= Rule::EcNotEncrypted);
                    N6VP_FUZZ_CHECK(finding.file_offset <= self->size);
                    return true;
                }};
    }
};

/// RAM for a blob between two guards.
class Ram {
  public:
    explicit Ram(const ec::Container& container)
        : words_((container.blob_words + 1) / 2), storage_(words_ + 2 * kGuardWords, kGuard) {
        Diagnosis why;
        N6VP_FUZZ_CHECK(ec::copy_blob(container, blob(), container.blob_words, why) == Status::Ok);
    }
    std::uint32_t* blob() {
        return reinterpret_cast<std::uint32_t*>(storage_.data() + kGuardWords);
    }
    [[nodiscard]] bool intact() const {
        const auto is_guard = [](std::uint64_t word) { return word == kGuard; };
        return std::all_of(storage_.begin(), storage_.begin() + kGuardWords, is_guard) &&
               std::all_of(storage_.end() - kGuardWords, storage_.end(), is_guard);
    }
    friend bool operator==(const Ram& left, const Ram& right) {
        return left.storage_ == right.storage_;
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> storage_;
};

/// Relocating through many bases must equal relocating to the last one.
void relocate_all(const ec::Container& container) {
    Ram moved(container);
    Ram fresh(container);
    Diagnosis why;
    for (std::uint32_t index = 0; index < container.symbol_count; ++index) {
        std::uint32_t previous = 0;
        std::uint32_t from_zero = 0;
        for (const std::uint32_t base :
             {0x34000000u, 0xFFFFFFF9u, 0xFFFFFFF9u, 0x90000000u + 64 * index}) {
            N6VP_FUZZ_CHECK(ec::relocate(container, moved.blob(), index, base, previous, why) ==
                            Status::Ok);
        }
        N6VP_FUZZ_CHECK(ec::relocate(container, fresh.blob(), index, previous, from_zero, why) ==
                        Status::Ok);
        ec::Symbol symbol;
        N6VP_FUZZ_CHECK(ec::symbol(container, index, symbol));
        N6VP_FUZZ_CHECK(std::strlen(symbol.name) > 0);
        N6VP_FUZZ_CHECK(ec::relocate_by_name(container, fresh.blob(), symbol.name, previous,
                                             from_zero, why) == Status::Ok);
    }
    N6VP_FUZZ_CHECK(moved == fresh);
    N6VP_FUZZ_CHECK(moved.intact());
    std::uint32_t previous = 0;
    N6VP_FUZZ_CHECK(ec::relocate(container, fresh.blob(), container.symbol_count, 1, previous,
                                 why) != Status::Ok);
    N6VP_FUZZ_CHECK(previous == 0 && moved == fresh);
}

void patch_all(const ec::Container& container) {
    Ram ram(container);
    Diagnosis why;
    for (std::uint32_t index = 0; index < container.patch_count; ++index) {
        ec::Patch patch;
        N6VP_FUZZ_CHECK(ec::patch(container, index, patch));
        N6VP_FUZZ_CHECK(ec::apply_patch(container, ram.blob(), index, 0x0123456789ABCDEFu, why) ==
                        Status::Ok);
        N6VP_FUZZ_CHECK(ec::apply_patch_by_name(container, ram.blob(), patch.name,
                                                ~std::uint64_t{0}, why) == Status::Ok);
    }
    N6VP_FUZZ_CHECK(ram.intact());
}

void check_as_blob(ec::Bytes bytes) {
    Findings findings;
    findings.size = std::max(bytes.size, 8u);
    ec::StreamFacts facts;
    const Status status = ec::check_blob(bytes, facts, findings.sink());
    N6VP_FUZZ_CHECK((status == Status::Ok) == (findings.errors == 0));
    N6VP_FUZZ_CHECK(facts.words <= bytes.size / 4);
    Findings encrypted;
    encrypted.size = findings.size;
    ec::StreamFacts ignored;
    const Status called = ec::check_blob(bytes, ignored, encrypted.sink(), ec::Cipher::Encrypted);
    if (status == Status::Ok) N6VP_FUZZ_CHECK(called != Status::Ok);
}

void check_as_container(ec::Bytes bytes) {
    ec::Container container;
    Diagnosis why;
    const Status status = ec::open(bytes, container, why);
    if (status != Status::Ok) {
        N6VP_FUZZ_CHECK(why.rule >= Rule::EcTooShort && why.rule <= Rule::EcPatchShift);
        N6VP_FUZZ_CHECK(container.bytes.data == nullptr);
        return;
    }
    Findings findings;
    findings.size = bytes.size;
    ec::StreamFacts facts;
    const Status deep = ec::check_container(container, facts, findings.sink());
    N6VP_FUZZ_CHECK((deep == Status::Ok) == (findings.errors == 0));
    relocate_all(container);
    patch_all(container);
    const ec::Bytes blob{bytes.data + container.blob_offset, 4 * container.blob_words};
    check_as_blob(blob);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Exactly as long as the input, so that the sanitizer sees the first byte too many.
    const std::vector<std::uint8_t> copy(data, data + size);
    const ec::Bytes bytes{copy.data(), static_cast<std::uint32_t>(copy.size())};
    check_as_container(bytes);
    check_as_blob(bytes);
    return 0;
}
