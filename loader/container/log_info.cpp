// SPDX-License-Identifier: Apache-2.0
#include "loader/log_info.h"

#include "loader/digits.h"

namespace n6vp::loader {

namespace {

// The labels and their order are documented, the layout is not. Widths are assumed such that the
// text is as long as published install times say: about 966 characters with two pools, about 46
// more per pool. On a UART its length is its time.
constexpr std::uint32_t kLabelColumns = 27;

/// Collects a line and hands it over in one piece.
class Line {
  public:
    explicit Line(const TextSink& sink) : sink_(&sink) {}

    Line& put(char character) {
        if (count_ == sizeof text_) flush();
        text_[count_++] = character;
        return *this;
    }

    Line& put(const char* text) {
        while (*text != '\0') put(*text++);
        return *this;
    }

    Line& decimal(std::uint32_t value) {
        put_decimal(value, [this](char digit) { put(digit); });
        return *this;
    }

    Line& hex(std::uint32_t value, std::uint32_t digits = 8) {
        put("0x");
        put_hex(value, digits, "0123456789ABCDEF", [this](char digit) { put(digit); });
        return *this;
    }

    Line& label(const char* text) {
        put(' ');
        std::uint32_t columns = 0;
        for (; text[columns] != '\0'; ++columns) put(text[columns]);
        for (; columns < kLabelColumns; ++columns) put(' ');
        return put(": ");
    }

    /// A name from the file: only printable ASCII reaches a terminal.
    Line& name(const Container& container, std::uint32_t link_address) {
        char text[format::kMaxNameBytes + 1];
        if (!container.name(link_address, text, sizeof text)) return put('?');
        for (const char* at = text; *at != '\0'; ++at) {
            put(*at >= 0x20 && *at < 0x7F ? *at : '?');
        }
        return *this;
    }

    void end() {
        put("\r\n");
        flush();
    }

  private:
    void flush() {
        if (count_ != 0 && sink_->write != nullptr) sink_->write(sink_->context, text_, count_);
        count_ = 0;
    }

    const TextSink* sink_;
    char text_[96] = {};
    std::uint32_t count_ = 0;
};

void log_number(Line& line, const char* label, std::uint32_t value) {
    line.label(label).decimal(value).end();
}

void log_sizes(const Container& container, Line& line) {
    const Header& header = container.header();
    RuntimeContext context;
    if (!container.context(context)) context = RuntimeContext{};
    line.label("c-name").name(container, context.c_name).end();
    log_number(line, "act sz", context.acts_sz);
    log_number(line, "params sz", context.params_sz);
    log_number(line, "params off", header.params_offset);
    log_number(line, "ext ram sz", format::align8(context.ext_ram_sz));
    line.label("exec ram xip").decimal(header.exec_bytes(false)).put(" for XIP mode").end();
    line.label("exec ram copy").decimal(header.exec_bytes(true)).put(" for COPY mode").end();
    line.label("rt_desc").name(container, context.rt_version_desc).end();
    const RuntimeVersion version = context.version();
    line.label("rt_version").decimal(version.major).put('.').decimal(version.minor);
    line.put('.').decimal(version.micro).put('-').decimal(version.dev).end();
}

void log_pools(const Container& container, Line& line) {
    line.put(" C-mempool descriptors").end();
    for (std::uint32_t i = 0; i < format::kMaxPoolsVisited; ++i) {
        Pool pool;
        if (!container.pool(i, pool) || pool.terminates()) return;
        line.put(' ').decimal(i).put(' ').hex(pool.flags.raw).put(' ').decimal(pool.foff);
        line.put(' ').hex(pool.dst).put(' ').decimal(pool.bytes);
        line.put(' ').name(container, pool.name).end();
    }
}

void log_flags(const Header& header, const RuntimeProfile& profile, Line& line) {
    const format::Flags flags = header.flags;
    line.label("flags").put('v').decimal(flags.major()).put('.').decimal(flags.minor());
    line.put(" compil=").decimal(flags.toolchain()).put(" feabi=").decimal(flags.float_abi());
    line.put(" (").hex(flags.raw).put(')').end();
    line.put("   fpu=").decimal(flags.fpu()).put(" is_enabled=").decimal(profile.fpu_enabled).end();
    line.put("   cpuid=").hex(flags.cpu_part(), 3).put(' ').hex(profile.cpu_part, 3).end();
    line.put("   extra dbg=").decimal(flags.dbg_info()).put(" async=").decimal(flags.async());
    line.put(" secure=").decimal(flags.secure()).end();
}

void log_header(const Container& container, const RuntimeProfile& profile, Line& line) {
    const Header& header = container.header();
    line.put(" Binary header").end();
    line.label("magic").hex(header.magic).put(' ');
    for (std::uint32_t i = 0; i < 4; ++i) line.put(static_cast<char>(header.magic >> 8 * i & 0x7F));
    line.end();
    log_flags(header, profile, line);
    log_number(line, "size", format::link_offset(header.rel_end));
    log_number(line, ".txt/.rodata", header.ro_bytes());
    log_number(line, ".data", header.data_bytes());
    log_number(line, ".got", header.got_bytes());
    log_number(line, ".rel", header.rel_bytes());
    log_number(line, ".bss", header.bss_bytes());
}

}  // namespace

void log_info(const Container& container, const RuntimeProfile& profile, const TextSink& sink) {
    Line line(sink);
    line.put("Runtime loadable model at ").hex(to_word(container.file())).end();
    log_sizes(container, line);
    log_pools(container, line);
    log_header(container, profile, line);
}

}  // namespace n6vp::loader
