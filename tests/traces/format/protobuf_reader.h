// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Reads protobuf messages by the published encoding alone. Knows nothing of the writer.
namespace n6vp::test {

struct Field {
    std::uint64_t number = 0;  ///< of wire type 0
    double real = 0;           ///< of wire type 1
    std::string_view bytes;    ///< of wire type 2
};
using Fields = std::multimap<unsigned, Field>;

class ProtobufReader {
  public:
    /// Fails with std::runtime_error if the bytes are no message.
    static Fields read(std::string_view bytes) {
        ProtobufReader reader(bytes);
        Fields fields;
        while (reader.at_ < bytes.size()) {
            const std::uint64_t key = reader.varint();
            Field field;
            switch (key & 7) {
                case 0:
                    field.number = reader.varint();
                    break;
                case 1: {
                    const std::string_view word = reader.take(8);
                    std::memcpy(&field.real, word.data(), 8);
                    break;
                }
                case 2:
                    field.bytes = reader.take(reader.varint());
                    break;
                default:
                    throw std::runtime_error("a wire type that Perfetto does not use");
            }
            if (key >> 3 == 0) throw std::runtime_error("field 0");
            fields.emplace(static_cast<unsigned>(key >> 3), field);
        }
        return fields;
    }

  private:
    explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_) throw std::runtime_error("cut off");
        const std::string_view part = bytes_.substr(at_, count);
        at_ += count;
        return part;
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 70; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(take(1)[0]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if ((byte & 0x80) == 0) return value;
        }
        throw std::runtime_error("a number without an end");
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

/// Returns the number in a field, `standard` if it is not there.
inline std::uint64_t number_in(const Fields& fields, unsigned field, std::uint64_t standard = 0) {
    const auto found = fields.find(field);
    return found == fields.end() ? standard : found->second.number;
}
inline std::string text_in(const Fields& fields, unsigned field) {
    const auto found = fields.find(field);
    return found == fields.end() ? std::string() : std::string(found->second.bytes);
}
inline Fields message_in(const Fields& fields, unsigned field) {
    const auto found = fields.find(field);
    return found == fields.end() ? Fields() : ProtobufReader::read(found->second.bytes);
}

/// A trace as Perfetto would understand it: names resolved, order checked.
struct PerfettoReader {
    struct Track {
        std::string name, unit;
        std::uint64_t parent = 0, rank = 0;
        bool counter = false;
    };
    struct Event {
        std::uint64_t type = 0, track = 0, time = 0;
        std::string name, category;
        std::map<std::string, Field> details;
        double value = 0;
    };
    std::map<std::uint64_t, Track> tracks;
    std::vector<Event> events;
    std::vector<std::string> complaints;

    explicit PerfettoReader(std::string_view file) {
        std::uint64_t last = 0;
        bool first = true;
        for (const auto& row : ProtobufReader::read(file)) {
            if (row.first != 1) complaints.emplace_back("something that is no packet");
            const Fields packet = ProtobufReader::read(row.second.bytes);
            if (number_in(packet, 10) == 0) complaints.emplace_back("a packet of no sequence");
            const std::uint64_t flags = number_in(packet, 13);
            if (first && (flags & 1) == 0) complaints.emplace_back("state is not cleared first");
            if (!first && (flags & 1) != 0) complaints.emplace_back("state is cleared again");
            first = false;
            take_interned(message_in(packet, 12));
            if (packet.contains(60)) take_track(message_in(packet, 60));
            if (!packet.contains(11)) continue;
            if ((flags & 2) == 0) complaints.emplace_back("an event without need of state");
            const std::uint64_t time = number_in(packet, 8);
            if (time < last) complaints.emplace_back("time goes back");
            last = time;
            take_event(message_in(packet, 11), time);
        }
        for (const auto& row : open_) {
            if (row.second != 0) complaints.emplace_back("a slice without an end");
        }
    }

  private:
    void take_interned(const Fields& data) {
        for (const auto& row : data) {
            const Fields entry = ProtobufReader::read(row.second.bytes);
            const auto [place, is_new] =
                interned_[row.first].emplace(number_in(entry, 1), std::string(text_in(entry, 2)));
            if (!is_new || place->first == 0) complaints.emplace_back("interned twice, or as 0");
        }
    }
    void take_track(const Fields& descriptor) {
        Track track;
        track.name = text_in(descriptor, 2);
        track.parent = number_in(descriptor, 5);
        track.rank = number_in(descriptor, 12);
        if (number_in(descriptor, 11) != 3) complaints.emplace_back("a track of no explicit order");
        track.counter = descriptor.contains(8);
        if (track.counter) track.unit = text_in(message_in(descriptor, 8), 6);
        if (track.parent != 0 && !tracks.contains(track.parent)) {
            complaints.emplace_back("a track before the one around it");
        }
        if (!tracks.emplace(number_in(descriptor, 1), track).second) {
            complaints.emplace_back("a track twice");
        }
    }
    std::string resolved(unsigned kind, std::uint64_t number) {
        const auto found = interned_[kind].find(number);
        if (found != interned_[kind].end()) return found->second;
        complaints.emplace_back("a name that is not interned");
        return {};
    }
    void take_event(const Fields& fields, std::uint64_t time) {
        Event event;
        event.type = number_in(fields, 9);
        event.track = number_in(fields, 11);
        event.time = time;
        if (!tracks.contains(event.track)) complaints.emplace_back("an event on no track");
        const bool counts = event.type == 4;
        if (counts != tracks[event.track].counter) complaints.emplace_back("the wrong kind");
        if (event.type == 1) ++open_[event.track];
        if (event.type == 2 && --open_[event.track] < 0) {
            complaints.emplace_back("an end without a slice");
        }
        if (fields.contains(10)) event.name = resolved(2, number_in(fields, 10));
        if (fields.contains(3)) event.category = resolved(1, number_in(fields, 3));
        if (counts) event.value = fields.find(44)->second.real;
        const auto [from, to] = fields.equal_range(4);
        for (auto row = from; row != to; ++row) {
            Fields annotation = ProtobufReader::read(row->second.bytes);
            const std::string name = resolved(3, number_in(annotation, 1));
            annotation.erase(1);
            if (annotation.size() != 1) complaints.emplace_back("not one value");
            event.details[name] = annotation.begin()->second;
        }
        events.push_back(event);
    }

    std::map<unsigned, std::map<std::uint64_t, std::string>> interned_;
    std::map<std::uint64_t, int> open_;
};

}  // namespace n6vp::test
