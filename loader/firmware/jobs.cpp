// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/jobs.h"

#include <cstring>

#include "loader/direct_port.h"
#include "loader/firmware/install_job.h"
#include "loader/firmware/line_reader.h"
#include "loader/firmware/port.h"
#include "loader/firmware/semihosting.h"
#include "loader/firmware/text.h"
#include "loader/firmware/words.h"

namespace n6vp::firmware {

namespace {

constexpr std::uint32_t kLineBytes = 1024;

bool fail(Text& out, const char* what) {
    out.put("error: ").put(what).put("\n");
    return false;
}

/// Returns true if the range exists, so that a wrong job is a message and not a fault.
bool is_mapped(AddressRange range) {
    std::uint32_t count = 0;
    const AddressRange* mapped = port::mapped(count);
    if (range.wraps()) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (mapped[i].contains(range)) return true;
    }
    return false;
}

bool parse_range(Words& words, AddressRange& range) {
    const char* start = words.next();
    const char* bytes = start == nullptr ? nullptr : words.next();
    std::uint32_t address = 0;
    if (bytes == nullptr || !parse_number(start, address) || !parse_number(bytes, range.bytes))
        return false;
    range.start = GuestAddr{address};
    return is_mapped(range);
}

bool run_map(Text& out) {
    std::uint32_t count = 0;
    const AddressRange* mapped = port::mapped(count);
    out.put("map");
    for (std::uint32_t i = 0; i < count; ++i) {
        out.put(" ").hex(to_word(mapped[i].start)).put(":").hex(mapped[i].bytes);
    }
    out.put("\n");
    return true;
}

bool run_fill(Words& words, Text& out) {
    AddressRange range;
    std::uint32_t byte = 0;
    if (!parse_range(words, range)) return fail(out, "fill: range");
    const char* text = words.next();
    if (text == nullptr || !parse_number(text, byte) || byte > 0xFF) return fail(out, "fill: byte");
    std::memset(loader::pointer_to(range.start), static_cast<int>(byte), range.bytes);
    out.put("fill ").hex(to_word(range.start)).put("\n");
    return true;
}

bool run_load(Words& words, Text& out) {
    const char* path = words.next();
    const char* text = path == nullptr ? nullptr : words.next();
    std::uint32_t address = 0;
    if (text == nullptr || !parse_number(text, address)) return fail(out, "load: arguments");
    const std::int32_t file = semihosting::open(path, semihosting::OpenMode::Read);
    if (file == semihosting::kNoFile) return fail(out, "load: cannot open the file");
    const std::int32_t bytes = semihosting::length(file);
    const AddressRange range{GuestAddr{address},
                             bytes < 0 ? 0u : static_cast<std::uint32_t>(bytes)};
    const bool good =
        bytes >= 0 && is_mapped(range) &&
        semihosting::read(file, loader::pointer_to(range.start), range.bytes) == range.bytes;
    semihosting::close(file);
    if (!good) return fail(out, "load: no memory there, or the file cannot be read");
    out.put("load ").hex(address).put(" bytes=").decimal(range.bytes).put("\n");
    return true;
}

/// Appends the range to the file: many dumps of one run make one file.
bool run_dump(Words& words, Text& out) {
    const char* path = words.next();
    AddressRange range;
    if (path == nullptr || !parse_range(words, range)) return fail(out, "dump: arguments or range");
    const std::int32_t file = semihosting::open(path, semihosting::OpenMode::Append);
    if (file == semihosting::kNoFile) return fail(out, "dump: cannot open the file");
    // QEMU 7.2 opens for appending but writes from the start, hence the seek.
    const std::int32_t end = semihosting::length(file);
    const bool good = end >= 0 && semihosting::seek(file, static_cast<std::uint32_t>(end)) &&
                      semihosting::write(file, loader::pointer_to(range.start), range.bytes);
    semihosting::close(file);
    if (!good) return fail(out, "dump: the file cannot be written");
    out.put("dump ").hex(to_word(range.start)).put(" bytes=").decimal(range.bytes).put("\n");
    return true;
}

bool run_job(const char* verb, Words& words, Text& out) {
    if (same(verb, "map")) return run_map(out);
    if (same(verb, "load")) return run_load(words, out);
    if (same(verb, "fill")) return run_fill(words, out);
    if (same(verb, "dump")) return run_dump(words, out);
    if (same(verb, "install")) return run_install(words, out);
    return fail(out, "unknown job");
}

}  // namespace

std::uint32_t run_jobs(const char* path) {
    const std::int32_t file = semihosting::open(path, semihosting::OpenMode::Read);
    if (file == semihosting::kNoFile) {
        semihosting::print("error: cannot open the job file\n");
        return 1;
    }
    LineReader reader(file);
    for (;;) {
        char line[kLineBytes];
        const LineReader::Result result = reader.next(line, sizeof line);
        if (result == LineReader::Result::End) return 0;
        if (result == LineReader::Result::TooLong) {
            semihosting::print("error: line too long\n");
            return 1;
        }
        Words words(line);
        const char* verb = words.next();
        if (verb == nullptr || verb[0] == '#') continue;
        if (same(verb, "quit")) return 0;
        Text out;
        const bool good = run_job(verb, words, out);
        semihosting::print(out.text());
        if (!good) return 1;
    }
}

}  // namespace n6vp::firmware
