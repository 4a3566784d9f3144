// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/chip/traffic_master.h"
#include "sim/host/toml_file.h"

namespace n6vp::sim {

/// A master with generated traffic, as text with its origin.
struct TrafficSetting {
    struct Key {
        std::string name, text, origin;
    };
    std::string origin;  ///< "scenario.toml:7", "--master"
    std::vector<Key> keys;

    /// Returns the text of a key, "" if it is not there.
    [[nodiscard]] std::string_view get(std::string_view key) const;
    /// Returns the option that says the same.
    [[nodiscard]] std::string option() const;
};

/// Takes "NAME:PATTERN:ACCESS@ADDR[,KEY=VALUE...]" apart. Fails with UserError.
[[nodiscard]] TrafficSetting traffic_option(std::string_view text, const std::string& origin);
/// Returns the keys of a table [[master]]. Fails with UserError for a key that it does not have.
[[nodiscard]] TrafficSetting traffic_table(const ScenarioNodes& nodes, const toml::table& table);

/// Returns the name in reports, apart from a port of the same name.
[[nodiscard]] std::string traffic_name(std::string_view name);
/// Returns the master that the setting describes. Fails with UserError, naming origin and key.
[[nodiscard]] models::TrafficMaster traffic_master(const TrafficSetting& setting);

}  // namespace n6vp::sim
