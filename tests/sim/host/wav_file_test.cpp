// SPDX-License-Identifier: Apache-2.0
// WAV files: what is read, what is refused with one line of cause, and what is written.
#include "sim/host/wav_file.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/host/errors.h"

using namespace n6vp::sim;

namespace {

using Bytes = std::vector<std::uint8_t>;

void put(Bytes& to, std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) to.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}
void put(Bytes& to, const std::string& text) {
    to.insert(to.end(), text.begin(), text.end());
}

struct Format {
    std::uint32_t code = 1, channels = 1, hz = 16000, bits = 16;
};
Bytes wav(const Format& format, const std::vector<std::int16_t>& samples,
          const Bytes& before = {}) {
    Bytes file;
    put(file, "RIFF");
    put(file, 0, 4);  // readers need no total
    put(file, "WAVE");
    file.insert(file.end(), before.begin(), before.end());
    put(file, "fmt ");
    put(file, 16, 4);
    put(file, format.code, 2);
    put(file, format.channels, 2);
    put(file, format.hz, 4);
    put(file, format.hz * format.channels * format.bits / 8, 4);
    put(file, format.channels * format.bits / 8, 2);
    put(file, format.bits, 2);
    put(file, "data");
    put(file, static_cast<std::uint32_t>(2 * samples.size()), 4);
    for (const std::int16_t sample : samples) put(file, static_cast<std::uint16_t>(sample), 2);
    return file;
}

std::string refusal(const Bytes& file) {
    try {
        (void)parse_wav(file, "x\x1b.wav");
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("wav: mono and stereo are read, unknown parts and a trailing byte are skipped") {
    const WavSound mono = parse_wav(wav({}, {1, -2, 32767, -32768}), "x");
    CHECK(mono.hz == 16000);
    CHECK(mono.channels == 1);
    CHECK(mono.samples == std::vector<std::int16_t>{1, -2, 32767, -32768});
    Bytes list;
    put(list, "LIST");
    put(list, 3, 4);
    put(list, "abc");
    list.push_back(0);  // to an even place
    Bytes stereo = wav({1, 2, 48000, 16}, {1, 2, 3, 4, 5}, list);
    stereo.push_back('x');
    const WavSound sound = parse_wav(stereo, "x");
    CHECK(sound.channels == 2);
    CHECK(sound.samples == std::vector<std::int16_t>{1, 2, 3, 4});  // whole frames
    CHECK(parse_wav(wav({}, {}), "x").samples.empty());
}

TEST_CASE("wav: the extensible format is read if it is PCM") {
    const auto extended = [](std::uint32_t code) {
        Bytes file;
        put(file, "RIFF");
        put(file, 0, 4);
        put(file, "WAVEfmt ");
        put(file, 40, 4);
        put(file, 0xFFFE, 2);
        put(file, 1, 2);
        put(file, 8000, 4);
        put(file, 16000, 4);
        put(file, 2, 2);
        put(file, 16, 2);
        put(file, 22, 2);
        put(file, 16, 2);
        put(file, 0, 4);
        put(file, code, 2);
        put(file, std::string(14, 'g'));
        put(file, "data");
        put(file, 2, 4);
        put(file, 7, 2);
        return file;
    };
    CHECK(parse_wav(extended(1), "x").samples == std::vector<std::int16_t>{7});
    CHECK(refusal(extended(3)).find("format 3") != std::string::npos);
}

TEST_CASE("wav: what is no such file is refused with its cause, and names are escaped") {
    const Bytes good = wav({}, {1, 2, 3, 4});
    const auto changed = [&good](const std::function<void(Bytes&)>& change) {
        Bytes file = good;
        change(file);
        return refusal(file);
    };
    const auto has = [](const std::string& text, const char* part) {
        CAPTURE(text);
        CHECK(text.find(part) != std::string::npos);
        CHECK(text.find('\x1b') == std::string::npos);
    };
    has(refusal({}), "no WAV file");
    has(changed([](Bytes& file) { file[0] = 'X'; }), "no WAV file");
    has(changed([](Bytes& file) { file[8] = 'X'; }), "no WAV file");
    has(changed([](Bytes& file) { file.pop_back(); }), "cut off");
    has(changed([](Bytes& file) { file[16] = 0xFF; }), "cut off");
    has(changed([](Bytes& file) { file[43] = 0x7F; }), "cut off");
    has(changed([](Bytes& file) { file[12] = 'x'; }), "before their format");
    has(changed([](Bytes& file) { file.resize(36); }), "no samples");
    has(changed([](Bytes& file) { file.resize(40); }), "no samples");
    has(changed([](Bytes& file) { file[36] = 'x'; }), "no samples");
    has(refusal(wav({1, 1, 16000, 8}, {1})), "8 bits");
    has(refusal(wav({3, 1, 16000, 32}, {1})), "format 3 with 32 bits");
    has(refusal(wav({1, 0, 16000, 16}, {1})), "0 channels");
    has(refusal(wav({1, 3, 16000, 16}, {1})), "3 channels");
    has(refusal(wav({1, 1, 999, 16}, {1})), "999 Hz");
    has(refusal(wav({1, 1, 0xFFFFFFFF, 16}, {1})), "4294967295 Hz");
    // Every cut of a file is refused, and no byte of it is read beyond its end.
    for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
        CAPTURE(bytes);
        CHECK(refusal(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes))) !=
              "");
    }
}

TEST_CASE("wav: what is written is the file that the format asks for") {
    std::ostringstream out;
    write_wav(out, 16000, 2, std::vector<std::int16_t>{1, -1, 256, -256});
    const std::string expected(
        "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0\x80\x3e\0\0\0\xfa\0\0\4\0\x10\0data\x08\0\0\0"
        "\1\0\xff\xff\0\1\0\xff",
        52);
    CHECK(out.str() == expected);
}
