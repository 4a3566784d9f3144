// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/firmware/matrix.h"
#include "tests/support/bench.h"

namespace n6vp::test {

namespace {

constexpr std::uint32_t kPoolStride = 0x1000;

MatrixFile from_image(std::string name, const Image& image, const AddressSet& set) {
    MatrixFile file;
    file.name = std::move(name);
    file.file = image.file;
    file.params = image.params;
    file.profile = profile_for(image);
    file.exec_xip = image.exec_bytes(false);
    file.exec_copy = image.exec_bytes(true);
    file.ext_ram = kExternalBytes;
    for (std::uint32_t i = 0; i < 3; ++i)
        file.pools.push_back({GuestAddr{set.pools + i * kPoolStride}, kPoolBytes});
    return file;
}

std::vector<std::uint8_t> read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

loader::Generation generation_named(const std::string& name) {
    if (name == "2.1") return loader::Generation::Core21;
    if (name == "2.2") return loader::Generation::Core22;
    if (name == "3.0") return loader::Generation::Core30;
    if (name == "4.x") return loader::Generation::Core4x;
    throw std::runtime_error("unknown generation " + name);
}

MatrixFile from_manifest(const nlohmann::json& entry) {
    MatrixFile file;
    const auto text = [&entry](const char* key) { return entry.at(key).get<std::string>(); };
    file.name = fmt::format("{} {} {}", text("name"), text("generation"), text("variant"));
    file.file = read_file(text("file"));
    if (!text("params").empty()) file.params = read_file(text("params"));
    file.profile = loader::default_profile(generation_named(text("generation")));
    file.profile.secure = entry.at("secure").get<bool>();
    file.profile.dbg_info = entry.at("dbg_info").get<bool>();
    file.profile.async = entry.at("async").get<bool>();
    if (!file.profile.dbg_info) file.profile.epoch_item_bytes = 20;
    file.copy_only = entry.at("needs_copy_mode").get<bool>();
    file.exec_xip = entry.at("exec_xip").get<std::uint32_t>();
    file.exec_copy = entry.at("exec_copy").get<std::uint32_t>();
    file.ext_ram = entry.at("ext_ram").get<std::uint32_t>();
    for (const nlohmann::json& pool : entry.at("pool_regions")) {
        const auto address =
            static_cast<std::uint32_t>(std::stoul(pool.at("addr").get<std::string>(), nullptr, 16));
        file.pools.push_back({GuestAddr{address}, pool.at("bytes").get<std::uint32_t>()});
    }
    return file;
}

}  // namespace

std::vector<MatrixFile> synthetic_files(const AddressSet& set) {
    const std::uint32_t copy = set.pools;
    const std::uint32_t mixed = set.pools + kPoolStride;
    const std::uint32_t reset = set.pools + 2 * kPoolStride;
    std::vector<MatrixFile> files;
    for (const ImageGeneration generation : kAllGenerations) {
        const auto add = [&](const char* kind, const ImageSpec& spec) {
            const std::string name =
                fmt::format("{} of generation {}", kind, static_cast<int>(generation));
            files.push_back(from_image(name, build_image(spec), set));
        };
        ImageSpec sample = sample_spec(generation, copy, mixed, reset);
        add("all pools", sample);
        sample.split = true;
        add("split", sample);
        sample.split = false;
        sample.bss_alignment = 16;
        add("gap before .bss", sample);
        add("mixed external pool", mixed_spec(generation, copy, mixed, reset));
        if (generation == ImageGeneration::Core21) continue;
        ImageSpec clang = clang_spec(generation);
        std::uint32_t dst = set.pools;
        for (PoolSpec& pool : clang.pools) {
            if (pool.dst == 0) continue;
            pool.dst = dst;
            dst += kPoolStride;
        }
        add("clang", clang);
        files.back().copy_only = true;
    }
    return files;
}

std::vector<MatrixFile> sample_files(const std::filesystem::path& manifest,
                                     const std::string& target) {
    std::ifstream in(manifest);
    if (!in) throw std::runtime_error("cannot read " + manifest.string());
    std::vector<MatrixFile> files;
    for (const nlohmann::json& entry : nlohmann::json::parse(in)) {
        const auto made_for = entry.at("target").get<std::string>();
        if (made_for == "any" || made_for == target) files.push_back(from_manifest(entry));
    }
    return files;
}

}  // namespace n6vp::test
