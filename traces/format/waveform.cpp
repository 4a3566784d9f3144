// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "traces/format/limited_steps.h"
#include "traces/trace_sinks.h"

namespace n6vp::traces {

namespace {

/// A short name out of the printable characters, as the format has it.
[[nodiscard]] std::string code(std::size_t number) {
    constexpr std::size_t kFirst = 33, kCodes = 94;
    std::string text;
    do {
        text += static_cast<char>(kFirst + number % kCodes);
        number /= kCodes;
    } while (number != 0);
    return text;
}

/// Only what every reader takes for an identifier.
[[nodiscard]] std::string identifier(const std::string& name) {
    std::string text;
    for (const char c : name) {
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        text += plain ? c : '_';
    }
    return text.empty() || (text[0] >= '0' && text[0] <= '9') ? "_" + text : text;
}

class Waveform {
  public:
    explicit Waveform(const TraceLog& log) : log_(log), signals_(log.tracks().size()) {
        for (TrackId i = 0; i < signals_.size(); ++i) {
            const Track& track = log.tracks()[i];
            Signal& signal = signals_[i];
            signal.shown = track.kind == Track::Kind::Counter ||
                           (track.kind == Track::Kind::Slices && track.bits != 0);
            signal.code = code(i);
            signal.written = value_text(i);
        }
    }

    [[nodiscard]] std::string head() const {
        std::string text = fmt::format(
            "$version n6vp, schema n6vp.trace/{} $end\n$timescale 1 ps $end\n"
            "$scope module n6vp $end\n",
            kTraceSchema);
        for (TrackId i = 0; i < signals_.size(); ++i) {
            if (log_.tracks()[i].parent == kNoTrack) text += scope(i);
        }
        return text + "$upscope $end\n$enddefinitions $end\n";
    }
    [[nodiscard]] std::string first_values() const {
        std::string text = "$dumpvars\n";
        for (const Signal& signal : signals_) {
            if (signal.shown) text += signal.written + signal.code + "\n";
        }
        return text + "$end\n";
    }

    void take(const TraceStep& step) {
        Signal& signal = signals_[step.track];
        switch (step.kind) {
            case TraceStep::Kind::Begin:
                signal.open.push_back(log_.slices()[step.index].number);
                break;
            case TraceStep::Kind::End:
                if (!signal.open.empty()) signal.open.pop_back();
                break;
            case TraceStep::Kind::Value:
                signal.value = log_.points()[step.index].value;
                break;
            default:
                return;
        }
        if (!signal.shown || signal.touched) return;
        signal.touched = true;
        touched_.push_back(step.track);
    }
    /// Ends all slices; `changes` tells every wire and number again, as the last ones it told may
    /// not have been written.
    void close() {
        touched_.clear();
        for (TrackId i = 0; i < signals_.size(); ++i) {
            signals_[i].open.clear();
            if (!signals_[i].shown || log_.tracks()[i].kind == Track::Kind::Counter) continue;
            signals_[i].written.clear();
            touched_.push_back(i);
        }
    }
    /// Returns what has another value than when it was written last.
    [[nodiscard]] std::string changes() {
        std::string text;
        std::sort(touched_.begin(), touched_.end());
        for (const TrackId track : touched_) {
            Signal& signal = signals_[track];
            signal.touched = false;
            std::string value = value_text(track);
            if (value == signal.written) continue;
            text += value + signal.code + "\n";
            signal.written = std::move(value);
        }
        touched_.clear();
        return text;
    }

  private:
    struct Signal {
        bool shown = false, touched = false;
        std::string code, written;
        std::vector<std::uint64_t> open;  ///< numbers of the slices that are open
        double value = 0;
    };

    [[nodiscard]] std::string value_text(TrackId track) const {
        const Signal& signal = signals_[track];
        if (log_.tracks()[track].kind == Track::Kind::Counter) {
            return fmt::format("r{:.6g} ", signal.value);
        }
        const std::uint64_t number = signal.open.empty() ? 0 : signal.open.back();
        if (log_.tracks()[track].bits == 1) return signal.open.empty() ? "0" : "1";
        return fmt::format("b{:b} ", number);
    }

    [[nodiscard]] std::string scope(TrackId group) const {
        std::string text =
            fmt::format("$scope module {} $end\n", identifier(log_.tracks()[group].name));
        std::map<std::string, unsigned> taken;
        for (TrackId i = 0; i < signals_.size(); ++i) {
            const Track& track = log_.tracks()[i];
            if (i != group && track.parent != group) continue;
            if (i != group && track.kind == Track::Kind::Group) text += scope(i);
            if (!signals_[i].shown) continue;
            std::string name = identifier(track.name);
            if (const unsigned before = taken[name]++; before != 0) {
                name += fmt::format("_{}", before + 1);
            }
            const bool counter = track.kind == Track::Kind::Counter;
            text += fmt::format("$var {} {} {} {} $end\n", counter ? "real" : "wire",
                                counter ? 64 : track.bits, signals_[i].code, name);
        }
        return text + "$upscope $end\n";
    }

    const TraceLog& log_;
    std::vector<Signal> signals_;
    std::vector<TrackId> touched_;
};

}  // namespace

TraceSummary write_waveform(std::ostream& out, const TraceLog& log, const TraceOutput& output) {
    const std::vector<TraceStep> steps = ordered(log, output.choice);
    Waveform wave(log);
    TraceSummary summary;
    const std::string head =
        wave.head() + fmt::format("#{}\n", steps.empty() ? 0 : steps[0].at) + wave.first_values();
    std::uint64_t used = head.size();
    out << head;
    TraceTime now = steps.empty() ? 0 : steps[0].at, told = now;
    std::size_t next = 0;
    while (next < steps.size()) {
        const std::size_t first = next;
        now = steps[next].at;
        for (; next < steps.size() && steps[next].at == now; ++next) wave.take(steps[next]);
        std::string text = wave.changes();
        if (!text.empty() && now != told) {
            text = fmt::format("#{}\n{}", now, text);
            told = now;
        }
        if (used + text.size() + kTailReserve > output.limit) {
            next = first;
            break;
        }
        used += text.size();
        out << text;
        summary.steps += next - first;
    }
    summary.missing = steps.size() - summary.steps + log.not_kept();
    if (summary.missing != 0) {
        wave.close();
        out << fmt::format("$comment trace cut off: limit reached, {} steps are missing $end\n",
                           summary.missing);
        if (next < steps.size()) out << fmt::format("#{}\n", now) << wave.changes();
    } else if (now != told) {
        out << fmt::format("#{}\n", now);
    }
    return summary;
}

}  // namespace n6vp::traces
