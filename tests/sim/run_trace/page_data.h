// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace n6vp::test {

/// Returns the data in a page of `n6vp run --report`.
inline nlohmann::json page_data(const std::string& page) {
    const std::string from = "<script type=\"application/json\" id=\"data\">";
    const std::size_t start = page.find(from) + from.size();
    return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

}  // namespace n6vp::test
