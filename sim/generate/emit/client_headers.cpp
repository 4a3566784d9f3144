// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/client_headers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace n6vp::sim::generate {

namespace {

std::string upper(std::string text) {
    for (char& character : text) {
        if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 32);
    }
    return text;
}

/// Printable ASCII that needs no escape in a C string; everything else becomes '_'.
std::string plain(std::string text) {
    for (char& character : text) {
        const bool good = character >= ' ' && character <= '~' && character != '"' &&
                          character != '\\' && character != '?';
        if (!good) character = '_';
    }
    return text;
}

/// Macros of the inputs or outputs; `direction` is IN or OUT.
std::string tensor_macros(const ClientNetwork& network, const std::vector<ClientTensor>& tensors,
                          const char* direction) {
    const std::string prefix = fmt::format("AI_{}_{}", upper(network.name), direction);
    const char* const getter = direction == std::string{"IN"} ? "inputs" : "outputs";
    std::string text = fmt::format("#define {}_NUM ({})\n", prefix, tensors.size());
    text += fmt::format("#define {} ai_{}_{}_get(AI_HANDLE_NULL, NULL)\n", prefix, network.name,
                        getter);
    for (const char* const kind : {"SIZE", "SIZE_BYTES"}) {
        std::vector<std::string> sizes;
        for (std::size_t i = 1; i <= tensors.size(); ++i)
            sizes.push_back(fmt::format("{}_{}_{}", prefix, i, kind));
        text += fmt::format("#define {}_{} {{ {} }}\n", prefix, kind, fmt::join(sizes, ", "));
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const ClientTensor& tensor = tensors[i];
        const std::string one = fmt::format("#define {}_{}", prefix, i + 1);
        const std::uint64_t elements = std::uint64_t{tensor.height} * tensor.width * tensor.channel;
        text += fmt::format("{}_FORMAT AI_BUFFER_FORMAT_{}\n", one, tensor.format);
        text += fmt::format("{}_HEIGHT ({})\n", one, tensor.height);
        text += fmt::format("{}_WIDTH ({})\n", one, tensor.width);
        text += fmt::format("{}_CHANNEL ({})\n", one, tensor.channel);
        text += fmt::format("{}_SIZE ({})\n", one, elements);
        text += fmt::format("{}_SIZE_BYTES ({})\n", one, tensor.bytes);
    }
    return text;
}

/// Macros of the activation or weight buffers; `kind` is ACTIVATION or WEIGHT.
std::string buffer_macros(const ClientNetwork& network, const std::vector<std::uint64_t>& bytes,
                          const char* kind, const char* flags) {
    const std::string prefix = fmt::format("AI_{}_DATA_{}", upper(network.name), kind);
    const std::uint64_t sum = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
    std::string table = fmt::format("g_{}_{}s_table", network.name, kind);
    std::transform(table.begin(), table.end(), table.begin(), [](char character) {
        return character >= 'A' && character <= 'Z' ? static_cast<char>(character + 32) : character;
    });
    std::string text = fmt::format("#define {}S_SIZES {{ {} }}\n", prefix,
                                   bytes.empty() ? "0" : fmt::format("{}", fmt::join(bytes, ", ")));
    text += fmt::format("#define {}S_SIZE ({})\n", prefix, sum);
    text += fmt::format("#define {}S_COUNT ({})\n", prefix, bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        text += fmt::format("#define {}_{}_SIZE ({})\n", prefix, i + 1, bytes[i]);
    text += fmt::format("#define {}S_TABLE_GET() (&{}[1])\n", prefix, table);
    text += fmt::format("extern ai_handle {}[{} + 2];\n", table, bytes.size());
    text += fmt::format(
        "/* One buffer at `address`, or the table, as an initialiser. */\n"
        "#define {}S(address) \\\n"
        "    {{ {}, AI_HANDLE_PTR(address), NULL, 0, {}, {{ 0, 0, NULL }} }}\n",
        prefix, flags, sum);
    return text;
}

std::string guarded(const std::string& guard, const std::string& text) {
    return fmt::format(
        "/* SPDX-License-Identifier: Apache-2.0 */\n/* Written by n6vp generate. */\n#ifndef "
        "{0}\n#define {0}\n\n{1}\n#endif /* {0} */\n",
        guard, text);
}

constexpr const char* kExtern = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
constexpr const char* kEnd = "\n#ifdef __cplusplus\n}\n#endif\n";

}  // namespace

bool is_client_name(const std::string& name) {
    const auto lower = [](char character) { return character >= 'a' && character <= 'z'; };
    return !name.empty() && name.size() <= 64 && lower(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char character) {
               return lower(character) || character == '_' ||
                      (character >= '0' && character <= '9');
           });
}

std::string client_header(const ClientNetwork& network) {
    const std::string name = upper(network.name);
    std::string text = "#include <stddef.h>\n\n#include \"ai_platform.h\"\n\n";
    text += fmt::format("#define AI_{}_MODEL_NAME \"{}\"\n", name, network.name);
    text += fmt::format("#define AI_{}_ORIGIN_MODEL_NAME \"{}\"\n", name, plain(network.origin));
    text += fmt::format("#define AI_{}_N_NODES ({})\n", name, network.nodes);
    text += fmt::format("#define AI_{}_ACTIVATIONS_ALIGNMENT (4)\n\n", name);
    text += tensor_macros(network, network.inputs, "IN") + "\n";
    text += tensor_macros(network, network.outputs, "OUT") + "\n";
    if (network.inputs_in_activations)
        text += fmt::format("#define AI_{}_INPUTS_IN_ACTIVATIONS (1)\n", name);
    if (network.outputs_in_activations)
        text += fmt::format("#define AI_{}_OUTPUTS_IN_ACTIVATIONS (1)\n", name);
    text += kExtern;
    text += fmt::format(
        "ai_error ai_{0}_create(ai_handle* network, const ai_buffer* network_config);\n"
        "ai_bool ai_{0}_init(ai_handle network, const ai_network_params* params);\n"
        "ai_error ai_{0}_create_and_init(ai_handle* network, const ai_handle activations[],\n"
        "                                const ai_handle weights[]);\n"
        "ai_bool ai_{0}_get_report(ai_handle network, ai_network_report* report);\n"
        "ai_bool ai_{0}_get_info(ai_handle network, ai_network_report* report);\n"
        "ai_buffer* ai_{0}_inputs_get(ai_handle network, ai_u16* n_buffer);\n"
        "ai_buffer* ai_{0}_outputs_get(ai_handle network, ai_u16* n_buffer);\n"
        "ai_i32 ai_{0}_run(ai_handle network, const ai_buffer* input, ai_buffer* output);\n"
        "ai_i32 ai_{0}_forward(ai_handle network, const ai_buffer* input);\n"
        "ai_error ai_{0}_get_error(ai_handle network);\n"
        "ai_handle ai_{0}_destroy(ai_handle network);\n",
        network.name);
    return guarded("AI_" + name + "_H", text + kEnd);
}

std::string client_data_header(const ClientNetwork& network) {
    const std::string name = upper(network.name);
    std::string text = fmt::format("#include <stddef.h>\n\n#include \"{}.h\"\n\n", network.name);
    text += kExtern;
    text += fmt::format("#define AI_{}_DATA_CONFIG (NULL)\n\n", name);
    text += buffer_macros(network, network.activations, "ACTIVATION", "AI_BUFFER_FORMAT_U8") + "\n";
    text += buffer_macros(network, network.weights, "WEIGHT",
                          "AI_BUFFER_FORMAT_U8 | AI_BUFFER_FMT_FLAG_CONST");
    text += fmt::format(
        "\nai_bool ai_{0}_data_params_get(ai_network_params* params);\n"
        "ai_handle ai_{0}_data_weights_get(void);\n",
        network.name);
    return guarded("AI_" + name + "_DATA_H", text + kEnd);
}

}  // namespace n6vp::sim::generate
