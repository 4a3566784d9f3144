// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/room_cycles.h"

#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace n6vp::tests {

namespace {

using Names = std::vector<std::string>;
using Graph = std::map<std::string, std::set<std::string>>;

/// Returns the folders of a path, without its last part.
Names folders_of(const std::string& path) {
    Names folders;
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '/');) folders.push_back(part);
    if (!folders.empty()) folders.pop_back();
    return folders;
}

struct RoomEdge {
    std::string house, user, used;
};

/// Returns the deepest common folder of both ends and the rooms in it that they belong to.
RoomEdge rooms_of(const Edge& edge) {
    const Names user = folders_of(edge.file);
    const Names used = folders_of(edge.target);
    std::size_t same = 0;
    RoomEdge rooms;
    for (; same < user.size() && same < used.size() && user[same] == used[same]; ++same) {
        rooms.house += user[same] + "/";
    }
    rooms.user = same < user.size() ? user[same] : ".";
    rooms.used = same < used.size() ? used[same] : ".";
    return rooms;
}

bool reaches(const Graph& graph, const std::string& from, const std::string& to) {
    std::set<std::string> seen = {from};
    for (Names open = {from}; !open.empty();) {
        const std::string at = open.back();
        open.pop_back();
        const auto next = graph.find(at);
        if (next == graph.end()) continue;
        for (const std::string& room : next->second) {
            if (room == to) return true;
            if (seen.insert(room).second) open.push_back(room);
        }
    }
    return false;
}

}  // namespace

std::vector<std::string> room_cycles(const std::vector<Edge>& includes) {
    std::map<std::string, Graph> houses;
    for (const Edge& edge : includes) {
        const RoomEdge rooms = rooms_of(edge);
        if (rooms.user != rooms.used) houses[rooms.house][rooms.user].insert(rooms.used);
    }
    std::vector<std::string> cycles;
    for (const Edge& edge : includes) {
        const RoomEdge rooms = rooms_of(edge);
        if (rooms.user == rooms.used || !reaches(houses[rooms.house], rooms.used, rooms.user)) {
            continue;
        }
        cycles.push_back(edge.file + ":" + std::to_string(edge.line) + " closes a cycle of " +
                         rooms.house + " through " + edge.target);
    }
    return cycles;
}

}  // namespace n6vp::tests
