// SPDX-License-Identifier: Apache-2.0
#include "tests/support/article_model.h"

namespace n6vp::test {

namespace {

constexpr std::uint32_t kPlainRo = 169'488 - 28'472, kBlobRo = 280'000, kRw = 28'472;

/// As large as the article's model; 213 relocations and 63 GOT words, as the real reference file.
ImageSpec sized(std::uint32_t ro_bytes) {
    ImageSpec spec = minimal_spec(ImageGeneration::Core21);
    spec.c_name = "yolov5n_224";
    for (std::uint32_t i = 0; i < 213; ++i) {
        spec.data.push_back({ImageWord::Kind::Code, 1 + 4 * (i % 4), true});
    }
    for (std::uint32_t i = 0; i < 60; ++i) spec.got.push_back({ImageWord::Kind::Plain, 0x40000000});
    const Image base = build_image(spec);
    spec.code_bytes += ro_bytes - base.ro_bytes;
    spec.bss_bytes += kRw - base.bss_end;
    return spec;
}

void add_blobs(ImageSpec& spec) {
    const std::vector<std::uint32_t> words = article_blobs();
    for (const std::uint32_t word : words) spec.ro_words.push_back({ImageWord::Kind::Plain, word});
    spec.code_bytes -= kPlainRo + 4 * static_cast<std::uint32_t>(words.size()) - kBlobRo;
    spec.bss_bytes += 4 * kArticleBlobWords + 8;
}

void add_copied_pools(ImageSpec& spec) {
    const auto copied = [&spec](const char* name, std::uint32_t bytes, std::uint32_t dst) {
        spec.pools.push_back({name, 0x02010100, bytes, dst, pattern(bytes, dst), {}});
    };
    copied("npuRAM3", 458'752, 0x34200000);
    copied("npuRAM4", 458'752, 0x34270000);
    copied("cpuRAM2", 1'048'572, 0x34100000);
}

}  // namespace

Image article_model(ArticleBuild build) {
    ImageSpec spec = sized(build == ArticleBuild::BlobsApart ? kBlobRo : kPlainRo);
    if (build == ArticleBuild::Blobs) add_blobs(spec);
    if (build == ArticleBuild::AllInternal) {
        add_copied_pools(spec);
    } else {
        spec.pools.push_back({"xSPI2", 0x01010500, 64, 0, pattern(64, 1), {}});
    }
    spec.pools.push_back({"npuRAM5", 0x03020200, 448 * 1024, 0x342E0000, {}, {}});
    return build_image(spec);
}

std::vector<std::uint32_t> article_blobs() {
    constexpr std::uint32_t kTableBytes = 16 + 4 * kArticlePatchedWords + 8;
    std::vector<std::uint32_t> words = {0xECBF0020, 16, 16 + kTableBytes, 16 + kTableBytes};
    words.insert(words.end(), {1, 16 + 4 * kArticlePatchedWords, kArticlePatchedWords, 16});
    // Start and limit address of one stream engine's burst stand close together.
    for (std::uint32_t i = 0; i < kArticlePatchedWords; ++i) {
        words.push_back(40 * (i / 2) + 12 * (i % 2));
    }
    words.insert(words.end(), {0x49505378, 0x00000031});  // "xSPI1"
    words.insert(words.end(), {0xCA057A7A, kArticleBlobWords - 2});
    words.resize(words.size() + kArticleBlobWords - 2, 0x12345678);
    return words;
}

}  // namespace n6vp::test
