// SPDX-License-Identifier: Apache-2.0
// Field numbers: Perfetto's public description of its format (trace_packet.proto,
// track_event.proto, track_descriptor.proto, counter_descriptor.proto, interned_data.proto,
// debug_annotation.proto).
#include <bit>
#include <map>
#include <string>
#include <string_view>

#include "traces/escape.h"
#include "traces/format/limited_steps.h"
#include "traces/trace_sinks.h"

namespace n6vp::traces {

namespace {

/// Bytes of one message in protobuf's encoding.
class Message {
  public:
    Message& number(unsigned field, std::uint64_t value) {
        key(field, 0);
        varint(value);
        return *this;
    }
    Message& real(unsigned field, double value) {
        key(field, 1);
        std::uint64_t word = std::bit_cast<std::uint64_t>(value);
        for (unsigned i = 0; i < sizeof word; ++i, word >>= 8) {
            bytes_ += static_cast<char>(word & 0xFF);
        }
        return *this;
    }
    Message& text(unsigned field, std::string_view value) {
        key(field, 2);
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    Message& message(unsigned field, const Message& value) { return text(field, value.bytes_); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }

  private:
    void key(unsigned field, unsigned wire_type) { varint(field << 3 | wire_type); }
    void varint(std::uint64_t value) {
        constexpr std::uint64_t kMore = 0x80;
        for (; value >= kMore; value >>= 7) bytes_ += static_cast<char>(value | kMore);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

// TracePacket.
constexpr unsigned kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                   kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;
// TrackDescriptor and CounterDescriptor.
constexpr unsigned kUuid = 1, kTrackName = 2, kParent = 5, kCounter = 8, kChildOrdering = 11,
                   kRank = 12, kUnitName = 6;
constexpr std::uint64_t kExplicitOrder = 3;
// TrackEvent.
constexpr unsigned kCategoryIds = 3, kAnnotations = 4, kType = 9, kNameId = 10, kTrackUuid = 11,
                   kValue = 44;
enum Type : std::uint64_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounterValue = 4 };
// InternedData; each entry has its number in field 1 and its text in field 2.
constexpr unsigned kCategories = 1, kNames = 2, kAnnotationNames = 3;
// DebugAnnotation.
constexpr unsigned kAnnotationNameId = 1, kUnsigned = 3, kReal = 5, kText = 6;

constexpr TraceTime kNanosecond = 1000;  // ps
constexpr std::uint64_t kOnlySequence = 1;

class PerfettoTrace {
  public:
    static constexpr std::uint64_t kMaxEnd = 40;

    explicit PerfettoTrace(const TraceLog& log) : log_(log) {}

    [[nodiscard]] std::string head() {
        std::string text;
        for (TrackId i = 0; i < log_.tracks().size(); ++i) text += descriptor(i);
        return text;
    }

    [[nodiscard]] std::string step(const TraceStep& step) {
        Message interned, event;
        switch (step.kind) {
            case TraceStep::Kind::Begin: {
                const TraceSlice& slice = log_.slices()[step.index];
                event = named(kBegin, step.track, log_.text(slice.name), interned);
                annotate(event, log_.details(slice.details), interned);
                break;
            }
            case TraceStep::Kind::End:
                return end(step.track, step.at);
            case TraceStep::Kind::Mark: {
                const TracePoint& point = log_.points()[step.index];
                event = named(kInstant, step.track, log_.text(point.name), interned);
                annotate(event, log_.details(point.details), interned);
                break;
            }
            default:
                event.number(kType, kCounterValue).number(kTrackUuid, uuid(step.track));
                event.real(kValue, log_.points()[step.index].value);
                break;
        }
        return packet(step.at, event, interned);
    }
    [[nodiscard]] std::string end(TrackId track, TraceTime at) const {
        Message event;
        event.number(kType, kEnd).number(kTrackUuid, uuid(track));
        return packet(at, event, {});
    }
    [[nodiscard]] std::string cut(TraceTime at, std::uint64_t steps) {
        Message interned;
        Message event = named(kInstant, 0, "trace cut off: limit reached", interned);
        annotate(event, {{"missing", steps}}, interned);
        return packet(at, event, interned);
    }
    [[nodiscard]] std::string tail() const { return {}; }

  private:
    using Numbers = std::map<std::string, std::uint64_t, std::less<>>;

    /// 0 is a track of Perfetto's own.
    [[nodiscard]] static std::uint64_t uuid(TrackId track) { return std::uint64_t{track} + 1; }

    [[nodiscard]] std::string descriptor(TrackId number) {
        const Track& track = log_.tracks()[number];
        Message description;
        description.number(kUuid, uuid(number)).text(kTrackName, clean(track.name));
        if (track.parent != kNoTrack) description.number(kParent, uuid(track.parent));
        if (track.kind == Track::Kind::Counter) {
            Message counter;
            counter.text(kUnitName, clean(track.unit));
            description.message(kCounter, counter);
        }
        description.number(kChildOrdering, kExplicitOrder).number(kRank, number);
        Message packet;
        packet.number(kSequence, kOnlySequence);
        packet.number(kSequenceFlags, number == 0 ? kStateCleared | kNeedsState : kNeedsState);
        packet.message(kTrackDescriptor, description);
        return in_file(packet);
    }

    /// Text as protobuf wants it: UTF-8, here without control characters.
    [[nodiscard]] static std::string clean(std::string_view text) { return terminal_text(text); }

    [[nodiscard]] static std::uint64_t intern(Numbers& known, unsigned field, std::string_view text,
                                              Message& interned) {
        const auto found = known.find(text);
        if (found != known.end()) return found->second;
        const std::uint64_t number = known.size() + 1;
        known.emplace(text, number);
        Message entry;
        entry.number(1, number).text(2, clean(text));
        interned.message(field, entry);
        return number;
    }

    [[nodiscard]] Message named(Type type, TrackId track, std::string_view name,
                                Message& interned) {
        Message event;
        const std::string& category = log_.tracks()[track].category;
        event.number(kType, type).number(kTrackUuid, uuid(track));
        if (!category.empty()) {
            event.number(kCategoryIds, intern(categories_, kCategories, category, interned));
        }
        event.number(kNameId, intern(names_, kNames, name, interned));
        return event;
    }

    void annotate(Message& event, const TraceDetails& details, Message& interned) {
        for (const TraceDetail& detail : details) {
            Message annotation;
            annotation.number(kAnnotationNameId,
                              intern(annotation_names_, kAnnotationNames, detail.name, interned));
            if (const auto* const whole = std::get_if<std::uint64_t>(&detail.value)) {
                annotation.number(kUnsigned, *whole);
            } else if (const auto* const number = std::get_if<double>(&detail.value)) {
                annotation.real(kReal, *number);
            } else {
                annotation.text(kText, clean(std::get<std::string>(detail.value)));
            }
            event.message(kAnnotations, annotation);
        }
    }

    [[nodiscard]] static std::string packet(TraceTime at, const Message& event,
                                            const Message& interned) {
        Message packet;
        packet.number(kTimestamp, at / kNanosecond).number(kSequence, kOnlySequence);
        packet.number(kSequenceFlags, kNeedsState);
        if (!interned.empty()) packet.message(kInternedData, interned);
        packet.message(kTrackEvent, event);
        return in_file(packet);
    }
    [[nodiscard]] static std::string in_file(const Message& packet) {
        return Message().message(1, packet).bytes();
    }

    const TraceLog& log_;
    Numbers categories_, names_, annotation_names_;
};

}  // namespace

TraceSummary write_perfetto_trace(std::ostream& out, const TraceLog& log,
                                  const TraceOutput& output) {
    PerfettoTrace format(log);
    return write_steps(out, log, output, format);
}

}  // namespace n6vp::traces
