// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/image_builder.h"

/// The model of the vendor article: a yolov5n 224 build on the discovery kit with overdrive, whose
/// install and initialise times are published. The model itself is not public; sizes are inputs and
/// come from the article: RO image without controller blobs 169,488 - 28,472 bytes, with blobs
/// about 280 KB of which 260 KB are the blob; the all-internal build copies pools of 458,752,
/// 458,752 and 1,048,572 bytes. Inferred, not published: blob size and number of patched words.
namespace n6vp::test {

enum class ArticleBuild : std::uint8_t {
    NoBlobs,
    Blobs,       ///< the container of `article_blobs` in the RO image, its RAM array behind .bss
    BlobsApart,  ///< an RO image as large, the container elsewhere
    AllInternal,
};

inline constexpr std::uint32_t kArticleBlobWords = 260'000 / 4;
/// 0.16 ms of patching remain of the published 0.93 and 0.73 ms, at 60 to 70 cycles per word whose
/// cache line must be fetched.
inline constexpr std::uint32_t kArticlePatchedWords = 2'000;
/// Runtime initialise without blobs, published: ms. All but the work with blobs.
inline constexpr double kArticleInitMs = 0.03;

[[nodiscard]] Image article_model(ArticleBuild build);

/// Returns an epoch-controller container of generation 0020: header, one symbol, blob.
[[nodiscard]] std::vector<std::uint32_t> article_blobs();

}  // namespace n6vp::test
