// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Headers of a static network of the older family, `<name>.h` and `<name>_data.h`, with the names
/// that applications of the embedded client API use.
namespace n6vp::sim::generate {

struct ClientTensor {
    std::string format;  ///< what stands after AI_BUFFER_FORMAT_: S8, U8, FLOAT, …
    std::uint32_t height = 1, width = 1, channel = 1;
    std::uint64_t bytes = 0;  ///< of one batch
};

struct ClientNetwork {
    std::string name;    ///< a C identifier in lower case, as in `ai_<name>_run`
    std::string origin;  ///< what the network was made of; any text
    std::vector<ClientTensor> inputs, outputs;
    std::vector<std::uint64_t> activations, weights;  ///< bytes of each buffer
    std::uint32_t nodes = 0;
    bool inputs_in_activations = false, outputs_in_activations = false;
};

/// Returns whether `name` can stand in names of functions and files: a lower-case letter, then at
/// most 63 of lower-case letters, digits and underscores.
[[nodiscard]] bool is_client_name(const std::string& name);

/// Return the text of `<name>.h` and `<name>_data.h`. The name must satisfy `is_client_name`.
[[nodiscard]] std::string client_header(const ClientNetwork& network);
[[nodiscard]] std::string client_data_header(const ClientNetwork& network);

}  // namespace n6vp::sim::generate
