// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/sizes.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using loader::Header;

std::optional<std::uint64_t> span(std::uint32_t start, std::uint32_t end) {
    if (end < start || format::space_nibble(start) != format::space_nibble(end))
        return std::nullopt;
    return end - start;
}

void derive_params(const ModelImage& image, const ModelFacts& facts, Sizes& sizes) {
    const std::uint32_t offset = image.header().params_offset;
    if (offset == 0) {
        sizes.params_section = 0;
    } else if (offset <= image.bytes()) {
        sizes.params_section = image.bytes() - offset;
    }
    if (!image.files().params.empty()) {
        sizes.params_file = image.files().params.size();
    } else if (offset != 0) {
        sizes.params_file = 0;
    } else if (facts.context) {
        sizes.params_file = facts.context->params_bin_sz;
    }
}

}  // namespace

Sizes derive_sizes(const ModelImage& image, const ModelFacts& facts) {
    const Header& header = image.header();
    Sizes sizes;
    sizes.data = span(header.data_start, header.data_end);
    sizes.arrays = span(header.data_end, header.got_start);
    sizes.got = span(header.got_start, header.got_end);
    sizes.bss = span(header.bss_start, header.bss_end);
    sizes.rel = span(header.rel_start, header.rel_end);
    sizes.rw = header.rw_bytes();
    sizes.ro = header.ro_bytes();
    sizes.copied = header.copied_bytes();
    sizes.xip = header.exec_bytes(false);
    sizes.copy = header.exec_bytes(true);
    sizes.code = format::align8(header.ro_bytes());
    if (header.header_bytes != 0 && sizes.rel) {
        sizes.header_and_rel = header.header_bytes + *sizes.rel;
        if (sizes.got) sizes.extra = *sizes.got + *sizes.header_and_rel;
    }
    if (facts.context) {
        sizes.params = facts.context->params_sz;
        sizes.acts = facts.context->acts_sz;
        sizes.external_ram = format::align8(facts.context->ext_ram_sz);
    }
    derive_params(image, facts, sizes);
    return sizes;
}

}  // namespace n6vp::sim::report
