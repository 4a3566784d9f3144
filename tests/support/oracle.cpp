// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle.h"

#include <map>
#include <stdexcept>

namespace n6vp::test {

namespace {

using Buffer = std::vector<std::uint8_t>;

/// A byte string with bounds-checked little-endian words and slices.
class View {
  public:
    explicit View(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::uint32_t at(std::uint64_t offset) const {
        if (offset + 4 > bytes_.size()) throw std::invalid_argument("word outside the file");
        const std::uint8_t* word = bytes_.data() + offset;
        std::uint32_t value = 0;
        for (int i = 3; i >= 0; --i) value = value * 256 + word[i];
        return value;
    }

    [[nodiscard]] Buffer slice(std::uint64_t offset, std::uint64_t count) const {
        if (offset + count > bytes_.size()) throw std::invalid_argument("part outside the file");
        const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
        return {first, first + static_cast<std::ptrdiff_t>(count)};
    }

  private:
    std::span<const std::uint8_t> bytes_;
};

void put(Buffer& buffer, std::uint64_t offset, std::uint32_t value) {
    if (offset + 4 > buffer.size()) throw std::invalid_argument("patch outside the image");
    for (int i = 0; i < 4; ++i) {
        buffer[offset + static_cast<std::uint64_t>(i)] = static_cast<std::uint8_t>(value % 256);
        value /= 256;
    }
}

std::uint32_t low28(std::uint32_t link) {
    return link % 0x10000000;
}
std::uint32_t up8(std::uint32_t bytes) {
    return (bytes + 7) / 8 * 8;
}

/// Address spaces by their top hexadecimal digit.
using Bases = std::map<std::uint32_t, std::uint32_t>;

std::uint32_t translate(std::uint32_t link, const Bases& bases) {
    if (link == 0) return 0;
    const auto base = bases.find(link / 0x10000000);
    if (base == bases.end()) throw std::invalid_argument("value in no address space");
    return base->second + low28(link);
}

class Oracle {
  public:
    Oracle(View file, View params, const OracleRequest& request)
        : file_(file), params_(params), request_(request) {}

    OracleImage run() {
        context_link_ = file_.at(0x5C) / 0x10000000 == 4 ? file_.at(0x5C) : file_.at(0x64);
        if (file_.at(0) != 0x4E49424E || context_link_ / 0x10000000 != 4) {
            throw std::invalid_argument("not a container");
        }
        serve_pools();
        build();
        return image_;
    }

  private:
    void serve_pools();
    void build();
    void resolve(Buffer& ro, Buffer& ram);
    void finish(Buffer& ram);
    void write(std::uint32_t address, Buffer bytes) {
        image_.writes.push_back({address, std::move(bytes)});
    }
    /// Returns parameter bytes: of the separate file, or of the section inside the container.
    [[nodiscard]] Buffer parameters(std::uint32_t offset, std::uint32_t count) const {
        return request_.params != 0 ? params_.slice(offset, count)
                                    : file_.slice(std::uint64_t{file_.at(0x30)} + offset, count);
    }

    View file_, params_;
    const OracleRequest& request_;
    std::uint32_t context_link_ = 0;
    OracleImage image_;
};

void Oracle::serve_pools() {
    const std::uint32_t base =
        request_.params != 0 ? request_.params : request_.file + file_.at(0x30);
    image_.param0 = base;
    std::uint64_t entry = std::uint64_t{low28(file_.at(0x10))} + low28(file_.at(0x2C));
    for (; file_.at(entry) != 0 && file_.at(entry + 4) != 0; entry += 20) {
        const std::uint32_t flags = file_.at(entry + 4);
        const std::uint32_t position = file_.at(entry + 8);
        const std::uint32_t destination = file_.at(entry + 12);
        const std::uint32_t bytes = up8(file_.at(entry + 16));
        switch (flags & 0xFFFF00FF) {
            case 0x01010000:
                image_.param0 = base + position;
                break;
            case 0x01030001:
                write(request_.ext_ram, parameters(position, bytes));
                break;
            case 0x01020001:
                if (request_.clear) write(request_.ext_ram, Buffer(bytes));
                break;
            default:
                if (flags >> 24 == 2) write(destination, parameters(position, bytes));
                if (flags >> 24 == 3 && request_.clear) write(destination, Buffer(bytes));
        }
    }
}

void Oracle::build() {
    const std::uint32_t ro_bytes = low28(file_.at(0x10));
    const std::uint32_t from_file = low28(file_.at(0x14));
    image_.ro_base = request_.copy ? request_.exec_ram : request_.file;
    image_.ram_base = request_.exec_ram + (request_.copy ? ro_bytes : 0);
    Buffer ro = file_.slice(0, ro_bytes);
    Buffer ram = file_.slice(ro_bytes, from_file);
    ram.resize(low28(file_.at(0x18)));  // .bss
    resolve(ro, ram);
    finish(ram);
    if (request_.copy) write(image_.ro_base, std::move(ro));
    write(image_.ram_base, std::move(ram));
}

void Oracle::resolve(Buffer& ro, Buffer& ram) {
    const Bases bases = {{0x4, image_.ram_base},
                         {0x2, image_.ro_base},
                         {0x8, image_.param0},
                         {0x9, request_.ext_ram}};
    const auto patch = [&bases](Buffer& buffer, std::uint32_t offset) {
        put(buffer, offset, translate(View(buffer).at(offset), bases));
    };
    const std::uint32_t got_end = low28(file_.at(0x20));
    for (std::uint32_t word = low28(file_.at(0x1C)); word < got_end; word += 4) patch(ram, word);
    const std::uint32_t rel_end = low28(file_.at(0x28));
    for (std::uint32_t at = low28(file_.at(0x24)); at < rel_end; at += 4) {
        const std::uint32_t entry = file_.at(at);
        if (entry / 0x10000000 == 2 && !request_.copy)
            throw std::invalid_argument("RO entry in XIP");
        patch(entry / 0x10000000 == 2 ? ro : ram, low28(entry));
    }
}

void Oracle::finish(Buffer& ram) {
    const std::uint32_t context = low28(context_link_);
    image_.context = image_.ram_base + context;
    // rt_version 1.1.0 has no struct-size word before the last two fields.
    const std::uint32_t tail = View(ram).at(context + 0x28) == 0x01010000 ? 0x38 : 0x3C;
    put(ram, context + 0x00, request_.copy ? 1 : 3);
    put(ram, context + 0x04, request_.file);
    put(ram, context + 0x08, image_.ram_base);
    put(ram, context + 0x0C, image_.ro_base);
    put(ram, context + 0x10, request_.callbacks);
    put(ram, context + tail, request_.instance);
    Buffer instance(request_.instance_bytes);
    put(instance, 0, View(ram).at(context + tail + 4));
    put(instance, request_.inst_reloc_offset, image_.context);
    write(request_.instance, std::move(instance));
}

}  // namespace

void OracleImage::apply(std::uint32_t start, std::span<std::uint8_t> memory) const {
    for (const OracleWrite& write : writes) {
        for (std::size_t i = 0; i < write.bytes.size(); ++i) {
            const std::uint64_t address = std::uint64_t{write.address} + i;
            if (address >= start && address - start < memory.size()) {
                memory[address - start] = write.bytes[i];
            }
        }
    }
}

std::vector<std::uint8_t> OracleImage::region(std::uint32_t start, std::uint32_t bytes,
                                              std::uint8_t fill) const {
    std::vector<std::uint8_t> memory(bytes, fill);
    apply(start, memory);
    return memory;
}

OracleImage expected_image(std::span<const std::uint8_t> file, std::span<const std::uint8_t> params,
                           const OracleRequest& request) {
    return Oracle(View(file), View(params), request).run();
}

}  // namespace n6vp::test
