// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_models.h"

namespace n6vp::bench {

namespace {

constexpr std::uint32_t kMegabyte = 1u << 20;
constexpr std::uint32_t kFile = 0x71000000;
constexpr std::uint32_t kExecRam = 0x91000000, kExecBytes = 4 * kMegabyte;
constexpr std::uint32_t kExtRam = 0x90100000, kExtBytes = kMegabyte;
constexpr std::uint32_t kPools[] = {0x92000000, 0x92400000};
constexpr std::uint32_t kPoolRoom = 4 * kMegabyte;
constexpr std::uint32_t kInstance = 0x34000400, kCallbacks = 0x34000800;

}  // namespace

test::ImageSpec parameter_model() {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core30);
    const std::uint32_t bytes = 4 * kMegabyte - 4096;
    spec.pools.push_back({"weights", 0x01010500, bytes, 0, test::pattern(bytes, 1), {}});
    return spec;
}

test::ImageSpec relocation_model() {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core30);
    const std::uint32_t bytes = 2 * kMegabyte;
    spec.pools.push_back({"weights", 0x01010500, bytes, 0, test::pattern(bytes, 2), {}});
    for (std::uint32_t index = 0; index < kRelocations; ++index) {
        spec.data.push_back({test::ImageWord::Kind::Plain, 0x80000000 + 4 * index, true});
    }
    return spec;
}

test::ImageSpec copy_model() {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core30);
    const std::uint32_t bytes = 2 * kMegabyte;
    spec.pools.push_back({"copy_ro", 0x02010100, bytes, kPools[0], test::pattern(bytes, 3), {}});
    spec.pools.push_back({"copy_rw", 0x02030200, bytes, kPools[1], test::pattern(bytes, 4), {}});
    return spec;
}

GuestModel::GuestModel(const test::ImageSpec& spec, std::uint32_t mode) {
    const test::Image image = test::build_image(spec);
    const auto file_bytes = static_cast<std::uint32_t>(image.file.size());
    memory.map({GuestAddr{kFile}, file_bytes}, 0, false);
    memory.store(GuestAddr{kFile}, image.file);
    memory.map({GuestAddr{kExecRam}, kExecBytes});
    memory.map({GuestAddr{kExtRam}, kExtBytes});
    memory.map({GuestAddr{kInstance & ~0xFFFu}, 0x1000});
    for (std::uint32_t k = 0; k < 2; ++k) {
        grants[k] = {GuestAddr{kPools[k]}, kPoolRoom};
        memory.map(grants[k]);
    }
    port = memory.port();
    request.file = GuestAddr{kFile};
    request.file_bytes = file_bytes;
    request.exec_ram = GuestAddr{kExecRam};
    request.exec_ram_bytes = kExecBytes;
    request.ext_ram = GuestAddr{kExtRam};
    request.ext_ram_bytes = kExtBytes;
    request.mode = mode;
    request.instance = GuestAddr{kInstance};
    request.callbacks = GuestAddr{kCallbacks};
    request.grants = grants;
    request.grant_count = 2;
    request.profile = loader::default_profile(loader::Generation::Core30);
}

}  // namespace n6vp::bench
