// SPDX-License-Identifier: Apache-2.0
#include "sim/host/wav_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::uintmax_t kMostBytes = 256u << 20;
constexpr std::size_t kHeadBytes = 12, kChunkHead = 8, kFormatBytes = 16;
constexpr std::size_t kExtendedBytes = 40, kSubFormat = 24;
constexpr std::uint32_t kPcm = 1, kExtensible = 0xFFFE;
constexpr unsigned kSampleBytes = 2;

[[nodiscard]] std::uint32_t little(std::span<const std::uint8_t> bytes, std::size_t at,
                                   unsigned count) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i)
        value |= static_cast<std::uint32_t>(bytes[at + i]) << 8 * i;
    return value;
}

[[nodiscard]] bool marked(std::span<const std::uint8_t> bytes, std::size_t at,
                          std::string_view mark) {
    return std::equal(mark.begin(), mark.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

class WavParser {
  public:
    WavParser(std::span<const std::uint8_t> file, const std::string& name)
        : file_(file), name_(traces::terminal_text(name)) {}

    [[nodiscard]] WavSound parse() {
        if (file_.size() < kHeadBytes || !marked(file_, 0, "RIFF") || !marked(file_, 8, "WAVE"))
            fail("no WAV file");
        for (std::size_t at = kHeadBytes; at + kChunkHead <= file_.size();) {
            const std::size_t begin = at + kChunkHead, left = file_.size() - begin;
            const std::size_t bytes = little(file_, at + 4, 4);
            if (bytes > left) fail("cut off: a part of it is longer than the file");
            const auto content = file_.subspan(begin, bytes);
            if (marked(file_, at, "fmt ")) read_format(content);
            if (marked(file_, at, "data")) return with_data(content);
            // Parts begin at even places.
            at = begin + std::min(left, bytes + bytes % 2);
        }
        fail("no samples in it");
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw UserError(fmt::format("{}: {}", name_, why),
                        "give a WAV file with 16-bit PCM, mono or stereo");
    }

    void read_format(std::span<const std::uint8_t> format) {
        if (format.size() < kFormatBytes) fail("its format is cut off");
        std::uint32_t code = little(format, 0, 2);
        if (code == kExtensible && format.size() >= kExtendedBytes)
            code = little(format, kSubFormat, 2);
        const std::uint32_t bits = little(format, 14, 2);
        sound_.channels = little(format, 2, 2);
        sound_.hz = little(format, 4, 4);
        if (code != kPcm || bits != 8 * kSampleBytes)
            fail(fmt::format("format {} with {} bits, not PCM with 16 bits", code, bits));
        if (sound_.channels < 1 || sound_.channels > WavSound::kMostChannels)
            fail(fmt::format("{} channels, not 1 or 2", sound_.channels));
        if (sound_.hz < WavSound::kLeastHz || sound_.hz > WavSound::kMostHz)
            fail(fmt::format("{} Hz, not 1000 to 192000", sound_.hz));
    }

    [[nodiscard]] WavSound with_data(std::span<const std::uint8_t> data) {
        if (sound_.channels == 0) fail("its samples come before their format");
        const std::size_t frame = std::size_t{kSampleBytes} * sound_.channels;
        const std::size_t samples = data.size() / frame * sound_.channels;
        sound_.samples.reserve(samples);
        for (std::size_t i = 0; i < samples; ++i) {
            sound_.samples.push_back(
                static_cast<std::int16_t>(little(data, i * kSampleBytes, kSampleBytes)));
        }
        return std::move(sound_);
    }

    const std::span<const std::uint8_t> file_;
    const std::string name_;
    WavSound sound_;
};

void put(std::ostream& out, std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) out.put(static_cast<char>(value >> 8 * i & 0xFF));
}

}  // namespace

WavSound parse_wav(std::span<const std::uint8_t> file, const std::string& shown_name) {
    return WavParser(file, shown_name).parse();
}

WavSound read_wav(const std::string& path) {
    return parse_wav(read_input(path, kMostBytes, "give a shorter recording"), path);
}

void write_wav(std::ostream& out, std::uint32_t hz, unsigned channels,
               std::span<const std::int16_t> samples) {
    const auto bytes = static_cast<std::uint32_t>(samples.size() * kSampleBytes);
    const std::uint32_t frame = channels * kSampleBytes;
    out << "RIFF";
    put(out,
        static_cast<std::uint32_t>(kHeadBytes - kChunkHead + 2 * kChunkHead + kFormatBytes) + bytes,
        4);
    out << "WAVEfmt ";
    put(out, kFormatBytes, 4);
    put(out, kPcm, 2);
    put(out, channels, 2);
    put(out, hz, 4);
    put(out, hz * frame, 4);
    put(out, frame, 2);
    put(out, 8 * kSampleBytes, 2);
    out << "data";
    put(out, bytes, 4);
    for (const std::int16_t sample : samples) put(out, static_cast<std::uint16_t>(sample), 2);
}

}  // namespace n6vp::sim
