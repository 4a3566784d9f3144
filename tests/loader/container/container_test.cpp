// SPDX-License-Identifier: Apache-2.0
#include "loader/container.h"

#include <doctest/doctest.h>

#include <cstring>

#include "loader/crc32.h"
#include "tests/support/bench.h"

/// The view of a file: what it decodes, and that no accessor reaches outside.
namespace n6vp::test {
namespace {

using loader::Container;
using loader::Diagnosis;
using loader::kUnknownBytes;
using loader::Rule;
using loader::Status;

constexpr std::uint32_t kAt = 0x71000000;

struct View {
    explicit View(const Image& source, std::uint32_t bytes = 0)
        : image(source), port(map()), container(port, GuestAddr{kAt}, bytes != 0 ? bytes : size()) {
        status = container.open(why);
    }
    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(image.file.size());
    }
    loader::MemoryPort map() {
        memory.map({GuestAddr{kAt}, size()}, 0, false);
        memory.store(GuestAddr{kAt}, image.file);
        return memory.port();
    }
    Image image;
    sim::HostMemory memory;
    loader::MemoryPort port;
    Container container;
    Diagnosis why;
    Status status = Status::Ok;
};

TEST_CASE("container: header, context and pools of every generation") {
    for (const ImageGeneration generation : kAllGenerations) {
        const View view(build_image(sample_spec(generation)));
        const Image& image = view.image;
        const Container& file = view.container;
        REQUIRE(view.status == Status::Ok);
        CHECK(file.header().header_bytes == image.header_bytes);
        CHECK(file.header().entry_count() == image.vector_words);
        CHECK(file.header().ro_bytes() == image.ro_bytes);
        CHECK(file.header().copied_bytes() == image.bss_start);
        CHECK(file.header().rw_bytes() == image.bss_end);
        CHECK(file.header().context() == 0x40000000 + image.context - image.ro_bytes);
        CHECK(file.header().exec_bytes(true) == image.exec_bytes(true));
        CHECK(file.header().exec_bytes(false) == image.exec_bytes(false));
        loader::RuntimeContext context;
        REQUIRE(file.context(context));
        CHECK(context.has_struct_sizes == (generation != ImageGeneration::Core21));
        CHECK(context.params_bin_sz == image.raw_bytes);
        CHECK(context.itf_network == 0x40000000 + image.interface - image.ro_bytes);
        CHECK(context.rt_c_struct_sizes == (context.has_struct_sizes ? 0x3038u : 0u));
        CHECK(loader_generation(generation) == loader::generation_of(context.version()));
        CHECK(file.pool_count(100) == image.pool_count);
        CHECK(file.pool_count(2) == 2);
        loader::Pool pool;
        REQUIRE(file.pool(2, pool));
        CHECK(pool.bytes == 0x94);
        char text[32];
        REQUIRE(file.name(pool.name, text, sizeof text));
        CHECK(std::string(text) == "copy_ro");
        std::uint32_t word = 0;
        CHECK(file.got(image.got_words - 1, word));
        CHECK_FALSE(file.got(image.got_words, word));
        REQUIRE(file.relocation(image.rel_count - 1, word));
        CHECK(word == image.word(image.relocation(image.rel_count - 1)));
        CHECK_FALSE(file.relocation(image.rel_count, word));
        CHECK_FALSE(file.relocation(0xFFFFFFFF, word));
    }
}

TEST_CASE("container: offsets of link addresses") {
    const View view(build_image(sample_spec(ImageGeneration::Core30)));
    const Image& image = view.image;
    const auto offset = [&](std::uint32_t link) { return view.container.offset_of(link); };
    CHECK(offset(0x20000000) == 0);
    CHECK(offset(0x20000000 + image.ro_bytes - 1) == image.ro_bytes - 1);
    CHECK(offset(0x20000000 + image.ro_bytes) == loader::kNotApplicable);
    CHECK(offset(0x40000000) == image.ro_bytes);
    CHECK(offset(0x40000000 + image.bss_start - 1) == image.ro_bytes + image.bss_start - 1);
    CHECK(offset(0x40000000 + image.bss_start) == loader::kNotApplicable);
    CHECK(offset(0x80000000) == loader::kNotApplicable);
    CHECK(offset(0) == loader::kNotApplicable);
}

TEST_CASE("container: names end inside RO and inside the buffer") {
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.c_name = std::string(255, 'n');
    const View view(build_image(spec));
    const std::uint32_t link = 0x20000000 + view.image.c_name;
    char text[300];
    REQUIRE(view.container.name(link, text, sizeof text));
    CHECK(std::strlen(text) == 255);
    REQUIRE(view.container.name(link, text, 256));
    CHECK_FALSE(view.container.name(link, text, 255));
    CHECK_FALSE(view.container.name(link, text, 0));
    CHECK_FALSE(view.container.name(0x40000000, text, sizeof text));
    CHECK_FALSE(view.container.name(0x20000000 + view.image.ro_bytes, text, sizeof text));
    CHECK(view.container.name(link + 255, text, 1));
    CHECK(text[0] == '\0');
}

TEST_CASE("container: nothing is read behind the stated length") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    const View whole(image);
    std::uint8_t byte = 0;
    std::uint32_t word = 0;
    CHECK(whole.container.read(whole.size() - 1, &byte, 1));
    CHECK_FALSE(whole.container.read(whole.size(), &byte, 1));
    CHECK(whole.container.read(whole.size(), &byte, 0));
    CHECK_FALSE(whole.container.read(whole.size() + 1, &byte, 0));
    CHECK_FALSE(whole.container.read(0xFFFFFFFF, &byte, 1));
    CHECK_FALSE(whole.container.word(whole.size() - 3, word));
    CHECK_FALSE(whole.container.word(0xFFFFFFFE, word));
    for (const std::uint32_t bytes : {96u, 100u, 103u}) {
        const View cut(image, bytes);
        CHECK(cut.status == Status::Ok);  // a header of 96 bytes is complete
        CHECK_FALSE(cut.container.word(bytes - 3, word));
        loader::RuntimeContext context;
        CHECK_FALSE(cut.container.context(context));
        CHECK(cut.container.pool_count(10) == 0);
    }
    CHECK(View(image, 95).why.rule == Rule::FileTooShort);
    const Image long_header = build_image(sample_spec(ImageGeneration::Core4x));
    CHECK(View(long_header, 103).why.rule == Rule::HeaderLength);
    CHECK(View(long_header, 104).status == Status::Ok);
}

TEST_CASE("container: a file of unknown length ends where the address space ends") {
    const View view(build_image(sample_spec(ImageGeneration::Core22)), kUnknownBytes);
    CHECK(view.status == Status::Ok);
    std::uint32_t word = 0;
    // 0x71000000 + 0x8F000000 is 2^32.
    CHECK_FALSE(view.container.word(0x8F000000, word));
    CHECK_FALSE(view.container.word(0x8EFFFFFE, word));
    CHECK_FALSE(view.container.word(view.size(), word));  // bus error
    CHECK(view.container.word(view.size() - 4, word));
}

TEST_CASE("crc: equal to the plain definition for every length and cut") {
    const std::vector<std::uint8_t> bytes = pattern(200, 7);
    CHECK(loader::crc32(0, "123456789", 9) == 0xCBF43926);
    for (std::uint32_t length = 0; length <= bytes.size(); ++length) {
        const std::uint32_t expected = crc32(bytes.data(), length);
        CHECK(loader::crc32(0, bytes.data(), length) == expected);
        const std::uint32_t cut = length / 3;
        const std::uint32_t first = loader::crc32(0, bytes.data(), cut);
        CHECK(loader::crc32(first, bytes.data() + cut, length - cut) == expected);
    }
}

}  // namespace
}  // namespace n6vp::test
