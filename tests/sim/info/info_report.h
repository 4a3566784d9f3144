// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "sim/info/detail_report.h"
#include "sim/info/layout_report.h"
#include "sim/info/report_text.h"
#include "sim/model_file/model_image.h"
#include "tests/support/image_builder.h"

/// What `n6vp info` gathers of a small image and writes about it.
namespace n6vp::test {

/// A model with a word in every space, two pools, a blob of 5 bytes and 24 bytes of parameters.
inline ImageSpec small_spec(ImageGeneration generation) {
    using Kind = ImageWord::Kind;
    ImageSpec spec = minimal_spec(generation);
    spec.data = {{Kind::Text, 0, true}, {Kind::Bss, 4, true}, {Kind::Plain, 0x80000010, true}};
    spec.got = {{Kind::Plain, 0x40000000},
                {Kind::Code, 1},
                {Kind::Plain, 0x80000004},
                {Kind::Plain, 0x90000008},
                {Kind::Plain, 0x80000000}};
    spec.pools = {{"weights", 0x01010500, 24, 0, pattern(24, 1), {}},
                  {"reset", 0x03020200, 0x6C, 0x342E0000, {}, {}}};
    spec.blobs = {1, 2, 3, 4, 5};
    return spec;
}

/// A report of an image: what `info` gathers and what it writes.
class Report {
  public:
    explicit Report(const Image& image, std::optional<loader::Resolver> bases = {})
        : image_({"m.bin", "", image.file, image.params}),
          facts_(sim::report::gather(image_)),
          words_(image_, facts_, {}),
          bases_(bases) {}

    [[nodiscard]] std::string details() const {
        std::ostringstream out;
        sim::report::write_details(out, image_, facts_, words_, bases_);
        return out.str();
    }
    [[nodiscard]] std::string links() const {
        std::ostringstream out;
        sim::report::write_links(out, image_, words_, bases_);
        return out.str();
    }
    [[nodiscard]] std::string layout() const {
        std::ostringstream out;
        sim::report::write_layout(out, image_, facts_);
        return out.str();
    }
    /// Returns the lines of one section, without its title.
    [[nodiscard]] std::string section(const std::string& title) const {
        const std::string text = details();
        const std::size_t at = text.find("\n" + title + "\n");
        if (at == std::string::npos) return "no such section";
        const std::size_t start = at + title.size() + 2;
        const std::size_t end = text.find("\n\n", start);
        return end == std::string::npos ? text.substr(start) : text.substr(start, end + 1 - start);
    }
    [[nodiscard]] const sim::report::ModelFacts& facts() const { return facts_; }
    [[nodiscard]] const sim::report::ModelImage& image() const { return image_; }
    [[nodiscard]] const sim::report::LinkWords& words() const { return words_; }

  private:
    sim::report::ModelImage image_;
    sim::report::ModelFacts facts_;
    sim::report::LinkWords words_;
    std::optional<loader::Resolver> bases_;
};

/// A row of a section: 22 columns for its name, 12 for its value, blanks between and before.
inline std::string row(std::string name, std::string value, const std::string& note = "") {
    name.resize(std::max<std::size_t>(name.size(), 22), ' ');
    value.resize(std::max<std::size_t>(value.size(), 12), ' ');
    std::string text = "  " + name + " " + value + " " + note;
    while (text.back() == ' ') text.pop_back();
    return text + "\n";
}
inline std::string hex(std::uint32_t value) {
    return fmt::format("0x{:08x}", value);
}
inline std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace n6vp::test
