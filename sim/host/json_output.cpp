// SPDX-License-Identifier: Apache-2.0
#include "sim/host/json_output.h"

#include <fmt/format.h>

#include <array>
#include <ostream>
#include <stdexcept>

namespace n6vp::sim {

namespace {
constexpr std::array kSchemas = {
    Schema{"analyze", 2}, Schema{"board", 1}, Schema{"check", 1},         Schema{"ecdump", 1},
    Schema{"epoch", 2},   Schema{"exec", 1},  Schema{"generate", 2},      Schema{"info", 1},
    Schema{"install", 1}, Schema{"map", 1},   Schema{"pack", 1},          Schema{"params", 1},
    Schema{"run", 2},     Schema{"state", 1}, Schema{"supported-ops", 1}, Schema{"validate", 1},
};
}  // namespace

std::span<const Schema> schemas() {
    return kSchemas;
}

std::string schema_name(std::string_view verb) {
    for (const Schema& schema : kSchemas) {
        if (schema.verb == verb) return fmt::format("n6vp.{}/{}", schema.verb, schema.version);
    }
    throw std::logic_error(fmt::format("no schema for '{}'", verb));
}

Json json_document(std::string_view verb) {
    Json document;
    document["schema"] = schema_name(verb);
    return document;
}

void write_json(std::ostream& out, const Json& document) {
    out << document.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
}

std::string hex_word(std::uint32_t value) {
    return fmt::format("0x{:08x}", value);
}

}  // namespace n6vp::sim
