// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "tests/support/image_builder.h"

namespace n6vp::test {

namespace {

using Kind = ImageWord::Kind;

/// Words of .data in every space, a zero and a link address that must stay as it is.
void add_data(ImageSpec& spec) {
    spec.data = {
        {Kind::Text, 0, true},           {Kind::Plain, 0x40000008, true},
        {Kind::Plain, 0x80000010, true}, {Kind::Plain, 0x90000020, true},
        {Kind::Plain, 0, true},          {Kind::Text, 0, false},
        {Kind::Code, 1, true},           {Kind::Bss, 4, true},
    };
}

void add_got(ImageSpec& spec) {
    spec.got = {{Kind::Plain, 0x40000000},
                {Kind::Code, 1},
                {Kind::Plain, 0x80000004},
                {Kind::Plain, 0x90000008},
                {Kind::Bss, 0}};
}

void add_pools(ImageSpec& spec, PoolSpec external, const std::uint32_t (&dst)[3]) {
    spec.pools.push_back({"weights", 0x01010500, 0x128, 0, pattern(0x128, 1), {}});
    spec.pools.push_back(std::move(external));
    spec.pools.push_back({"copy_ro", 0x02010100, 0x94, dst[0], pattern(0x94, 2), {}});
    spec.pools.push_back({"copy_rw", 0x02030200, 0xC8, dst[1], pattern(0x51, 3), {}});
    spec.pools.push_back({"reset", 0x03020200, 0x6C, dst[2], {}, {}});
}

}  // namespace

ImageSpec minimal_spec(ImageGeneration generation) {
    ImageSpec spec;
    spec.generation = generation;
    switch (generation) {
        case ImageGeneration::Core21:
            spec.rt_version = 0x01010000;
            spec.rt_version_extra = 31;
            spec.version_text = "atonn-v1.1.0-31 (RELOC.GCC)";
            break;
        case ImageGeneration::Core22:
            break;
        case ImageGeneration::Core30:
            spec.rt_version = 0x01010300;
            spec.rt_version_extra = 8;
            spec.version_text = "atonn-v1.1.3-8 (RELOC.GCC)";
            break;
        case ImageGeneration::Core4x:
            spec.rt_version = 0x01010300;
            spec.rt_version_extra = 262;
            spec.version_text = "atonn-v1.1.3-262 (RELOC.GCC)";
            break;
    }
    return spec;
}

ImageSpec sample_spec(ImageGeneration generation, std::uint32_t copy_dst, std::uint32_t mixed_dst,
                      std::uint32_t reset_dst) {
    ImageSpec spec = minimal_spec(generation);
    add_data(spec);
    add_got(spec);
    // 28 bytes: the loader rounds to 32.
    add_pools(spec, {"external", 0x01020601, 0x1C, 0, {}, {}}, {copy_dst, mixed_dst, reset_dst});
    spec.bss_alignment = 16;
    return spec;
}

ImageSpec mixed_spec(ImageGeneration generation, std::uint32_t copy_dst, std::uint32_t mixed_dst,
                     std::uint32_t reset_dst) {
    ImageSpec spec = minimal_spec(generation);
    add_data(spec);
    add_got(spec);
    add_pools(spec, {"external", 0x01030601, 0x54, 0, pattern(0x40, 4), {}},
              {copy_dst, mixed_dst, reset_dst});
    return spec;
}

ImageSpec clang_spec(ImageGeneration generation) {
    if (generation == ImageGeneration::Core21) {
        throw std::invalid_argument("1.1.0 has no clang variant");
    }
    ImageSpec spec = sample_spec(generation);
    spec.flags = 0x80695D22;
    spec.version_text += " clang";
    spec.got.clear();
    spec.ro_words = {{Kind::Text, 0, true},
                     {Kind::Plain, 0x40000004, true},
                     {Kind::Plain, 0x80000008, true},
                     {Kind::Plain, 0x12345678, false},
                     {Kind::Plain, 0x90000004, true}};
    return spec;
}

}  // namespace n6vp::test
