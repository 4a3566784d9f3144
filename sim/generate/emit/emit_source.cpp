// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/emit_source.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "loader/ec_container.h"
#include "sim/ecdump/ec_text.h"
#include "sim/generate/lower/epoch_steps.h"
#include "sim/generate/lower/memory_plan.h"

namespace n6vp::sim::generate {

namespace {

/// A text as a C string: printable ASCII stays, everything else becomes an escape of three digits.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        const bool plain = byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\' && byte != '?';
        result += plain ? std::string(1, character) : fmt::format("\\{:03o}", byte);
    }
    return result + "\"";
}

/// Words to be relocated, by what their addresses count from.
using Sites = std::map<Base, std::vector<std::uint32_t>>;

Sites sites_of(const EcAssembly& program) {
    Sites sites;
    for (const auto& [word, symbol] : program.relocations) {
        sites[base_of_symbol(symbol)].push_back(word);
    }
    return sites;
}

/// What runtimes call a base: its pool, or the user's tensor by its number in its list.
std::string symbol_name(const ModelPlan& plan, Base base) {
    if (base == Base::Weights) return plan.weights_pool;
    if (base == Base::External) {
        for (const PlacedPool& pool : plan.activations) {
            if (pool.external) return pool.name;
        }
    }
    const std::uint32_t tensor =
        static_cast<std::uint32_t>(base) - static_cast<std::uint32_t>(Base::User);
    const auto inputs = static_cast<std::uint32_t>(plan.user_inputs ? plan.inputs.size() : 0);
    if (tensor < inputs) return fmt::format("_user_io_input_{}", tensor);
    return fmt::format("_user_io_output_{}", tensor - inputs);
}

/// Relocation table: number of symbols, an entry for each, their words, their names.
std::vector<std::uint32_t> relocation_table(const ModelPlan& plan, const Sites& sites) {
    if (sites.empty()) return {};
    constexpr std::uint32_t kEntry = 3;
    std::vector<std::uint32_t> head = {static_cast<std::uint32_t>(sites.size())};
    std::vector<std::uint32_t> words;
    std::string names;
    std::uint32_t count = 0;
    for (const auto& [base, list] : sites) count += static_cast<std::uint32_t>(list.size());
    const std::uint32_t arrays = 1 + kEntry * head[0];
    for (const auto& [base, list] : sites) {
        head.push_back(4 * (arrays + count) + static_cast<std::uint32_t>(names.size()));
        head.push_back(static_cast<std::uint32_t>(list.size()));
        head.push_back(4 * (arrays + static_cast<std::uint32_t>(words.size())));
        words.insert(words.end(), list.begin(), list.end());
        names += symbol_name(plan, base) + '\0';
    }
    head.insert(head.end(), words.begin(), words.end());
    names.resize((names.size() + 3) / 4 * 4, '\0');
    for (std::size_t i = 0; i < names.size(); i += 4) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            word |= std::uint32_t{static_cast<unsigned char>(names[i + k])} << (8 * k);
        }
        head.push_back(word);
    }
    if (head.size() % 2 != 0) head.push_back(0);
    return head;
}

/// Words of a container: header, relocation table, blob.
std::vector<std::uint32_t> container_words(const EcAssembly& program,
                                           const std::vector<std::uint32_t>& table,
                                           loader::Generation generation) {
    const bool old = generation == loader::Generation::Core21;
    const std::uint32_t header = old ? 16 : 24;  // bytes
    const std::uint32_t reloc = table.empty() ? 0 : header;
    const std::uint32_t blob = header + 4 * static_cast<std::uint32_t>(table.size());
    const std::uint32_t magic = loader::ec::magic_of(generation);
    std::vector<std::uint32_t> words;
    if (old)
        words = {magic, reloc, blob, blob};
    else
        words = {magic, reloc, 0, 0, blob, 0};
    words.insert(words.end(), table.begin(), table.end());
    words.push_back(loader::ec::kBlobMagic);
    words.push_back(static_cast<std::uint32_t>(program.words.size()));
    words.insert(words.end(), program.words.begin(), program.words.end());
    if (words.size() % 2 != 0) words.push_back(0);
    return words;
}

EpochBlock controller_block(const ModelPlan& plan, std::uint32_t first, std::uint32_t last,
                            loader::Generation generation) {
    std::vector<NumberedEpoch> epochs;
    for (std::uint32_t number = first; number <= last; ++number) {
        epochs.push_back({number, &std::get<NpuEpoch>(plan.epochs[number - 1])});
    }
    EpochBlock block;
    block.first = first;
    block.last = last;
    block.program = controller_program(epochs);
    const EcAssembly assembly = assemble(block.program);
    const Sites sites = sites_of(assembly);
    block.blob_words = static_cast<std::uint32_t>(assembly.words.size()) + 2;
    block.container = container_words(assembly, relocation_table(plan, sites), generation);
    block.bases.reserve(sites.size());
    for (const auto& site : sites) block.bases.push_back(site.first);
    return block;
}

/// Writes the C source piece by piece.
class SourceWriter {
  public:
    SourceWriter(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                 const SourceOptions& options)
        : plan_(plan), blocks_(blocks), options_(options) {}

    std::string run() {
        text_ = "// SPDX-License-Identifier: Apache-2.0\n// Written by n6vp generate.\n";
        text_ += "#include \"generated_operators.h\"\n\n";
        bases();
        for (std::size_t i = 0; i < blocks_.size(); ++i) block(i);
        controller_set_up();
        items();
        tensors("input", plan_.inputs);
        tensors("output", plan_.outputs);
        user_access("input", plan_.inputs);
        user_access("output", plan_.outputs);
        pools();
        return std::move(text_);
    }

  private:
    /// Memory without a fixed address, and the function that returns its address.
    void bases() {
        const auto one = [](Base base, const std::string& address) {
            return fmt::format("        case {}:\n            return (uint32_t)(uintptr_t){};\n",
                               static_cast<unsigned>(base), address);
        };
        std::string cases;
        if (!plan_.weights.empty() && plan_.weights_in_place) {
            text_ += fmt::format("static N6VP_IN_PARAMETERS uint8_t weights[{}];\n",
                                 plan_.weights.size());
            cases += one(Base::Weights, "weights");
        }
        for (const PlacedPool& pool : plan_.activations) {
            if (!pool.external) continue;
            text_ += fmt::format(
                "static N6VP_IN_EXTERNAL_RAM uint8_t external[{}] __attribute__((aligned({})));\n",
                pool.bytes, kBufferAlignment);
            cases += one(Base::External, "external");
        }
        for (const auto* const list : {&plan_.inputs, &plan_.outputs}) {
            for (const PlacedTensor& tensor : *list) {
                if (!is_user(tensor.at.base)) continue;
                const std::string buffer = user_buffer(tensor.at.base);
                text_ += fmt::format("static struct user_buffer {};\n", buffer);
                cases += one(tensor.at.base, buffer + ".address");
            }
        }
        text_ += "static uint32_t gen_base(uint32_t number) {\n    switch (number) {\n" + cases +
                 "        default:\n            return 0;\n    }\n}\n\n";
    }

    static std::string user_buffer(Base base) {
        return fmt::format("user_{}",
                           static_cast<unsigned>(base) - static_cast<unsigned>(Base::User));
    }

    /// What the core computes an address with.
    static std::string address_text(Address at) {
        return fmt::format("(gen_base({}) + 0x{:08x}u)", static_cast<unsigned>(at.base), at.offset);
    }

    template <class Words, class Print>
    void table(const std::string& declaration, const Words& words, const Print& print) {
        constexpr std::size_t kPerLine = 8;
        text_ += declaration + " = {";
        std::size_t column = 0;
        for (const auto& word : words) {
            text_ += column++ % kPerLine == 0 ? "\n    " : " ";
            text_ += print(word);
        }
        text_ += "\n};\n";
    }
    void words(const std::string& declaration, const std::vector<std::uint32_t>& list) {
        table(declaration, list, [](std::uint32_t word) { return fmt::format("0x{:08x},", word); });
    }
    void steps(const std::string& name, const std::vector<Step>& list) {
        table("static const struct gen_step " + name + "[]", list, [](const Step& step) {
            constexpr unsigned kKind = 28, kBase = 20;
            return fmt::format("{{0x{:08x}, 0x{:08x}}},",
                               static_cast<std::uint32_t>(step.kind) << kKind |
                                   static_cast<std::uint32_t>(step.base) << kBase | step.offset,
                               step.value);
        });
    }

    void block(std::size_t index) {
        const EpochBlock& block = blocks_[index];
        if (block.software) {
            software(block.first, plan_.epochs[block.first - 1]);
        } else if (!block.container.empty()) {
            container(block);
        } else {
            core_epoch(block.first, std::get<NpuEpoch>(plan_.epochs[block.first - 1]));
        }
    }

    void container(const EpochBlock& block) {
        words(fmt::format("static {}const uint32_t container_{}[] __attribute__((aligned(8)))",
                          options_.blobs_in_parameters ? "N6VP_BLOB_IN_PARAMETERS " : "",
                          block.first),
              block.container);
        text_ += fmt::format("static uint32_t blob_{}[{}] __attribute__((aligned(8)));\n",
                             block.first, (block.blob_words + 1) / 2 * 2);
        if (!block.bases.empty()) {
            const auto number = [](Base base) {
                return fmt::format("{},", static_cast<unsigned>(base));
            };
            table(fmt::format("static const uint8_t bases_{}[]", block.first), block.bases, number);
            text_ +=
                fmt::format("static uint32_t relocated_{}[{}];\n", block.first, block.bases.size());
        }
        text_ += '\n';
    }

    void core_epoch(std::uint32_t number, const NpuEpoch& epoch) {
        const CoreSteps list = core_steps(epoch);
        const std::pair<const char*, const std::vector<Step>*> halves[] = {{"start", &list.start},
                                                                           {"end", &list.end}};
        for (const auto& half : halves) {
            const std::string name = fmt::format("{}_{}", half.first, number);
            steps(name + "_steps", *half.second);
            text_ += fmt::format(
                "static N6VP_EPOCH_FUNCTION({0}) {{\n    N6VP_EPOCH_UNUSED();\n"
                "    gen_play({0}_steps, sizeof {0}_steps / sizeof *{0}_steps, "
                "gen_base);\n}}\n\n",
                name);
        }
    }

    void software(std::uint32_t number, const Epoch& epoch) {
        if (const auto* const core = std::get_if<CoreEpoch>(&epoch))
            core_operator(number, *core);
        else
            softmax(number, std::get<SoftmaxEpoch>(epoch));
    }

    void core_operator(std::uint32_t number, const CoreEpoch& epoch) {
        const OperatorSource source = operator_source(epoch, std::to_string(number));
        text_ += source.tables;
        std::string body;
        for (std::size_t i = 0; i < epoch.inputs.size(); ++i) {
            const CoreInput& input = epoch.inputs[i];
            const std::string name = fmt::format("in{}", i);
            if (input.constant.empty()) {
                body += fmt::format("    const int8_t* const {} = (const int8_t*){};\n", name,
                                    address_text(input.at));
                body += from_npu_cache(input.at, name.c_str(), input.bytes);
                body += fmt::format("    gen_mcu_invalidate({}, {});\n", name, input.bytes);
                continue;
            }
            const std::string array = fmt::format("constant_{}_{}", number, i);
            table("static const int8_t " + array + "[]", input.constant, [](std::uint8_t byte) {
                return fmt::format("{},", static_cast<std::int8_t>(byte));
            });
            body += fmt::format("    const int8_t* const {} = {};\n", name, array);
        }
        text_ += fmt::format(
            "static N6VP_EPOCH_FUNCTION(end_{0}) {{\n    N6VP_EPOCH_UNUSED();\n{1}"
            "    int8_t* const out = (int8_t*){2};\n{3}    {4};\n"
            "    model_mcu_clean(out, {5});\n}}\n\n",
            number, body, address_text(epoch.output),
            from_npu_cache(epoch.output, "out", epoch.elements), source.call, epoch.elements);
    }

    void softmax(std::uint32_t number, const SoftmaxEpoch& epoch) {
        // Up to here the larger code costs a first inference more than it saves: measured, see
        // README.
        constexpr std::uint32_t kFewElements = 64;
        words(fmt::format("static const uint32_t softmax_{}_table[256]", number),
              {epoch.table.begin(), epoch.table.end()});
        const std::uint32_t bytes = epoch.rows * epoch.elements;
        text_ += fmt::format(
            "static N6VP_EPOCH_FUNCTION(end_{0}) {{\n    N6VP_EPOCH_UNUSED();\n"
            "    const int8_t* const in = (const int8_t*){1};\n"
            "    int8_t* const out = (int8_t*){2};\n"
            "{6}{7}    gen_mcu_invalidate(in, {3});\n"
            "    gen_softmax{8}(in, out, {4}, {5}, softmax_{0}_table);\n"
            "    model_mcu_clean(out, {3});\n}}\n\n",
            number, address_text(epoch.input), address_text(epoch.output), bytes, epoch.rows,
            epoch.elements, from_npu_cache(epoch.input, "in", bytes),
            from_npu_cache(epoch.output, "out", bytes), bytes > kFewElements ? "_helium" : "");
    }

    /// What engines wrote to external RAM may still be in the NPU's cache. For a result of the
    /// core: what was there before must not be written back over it.
    static std::string from_npu_cache(Address at, const char* name, std::uint32_t bytes) {
        if (at.base != Base::External) return "";
        return fmt::format("    model_npu_clean_invalidate({}, {});\n", name, bytes);
    }

    void controller_set_up() {
        std::string list;
        for (const EpochBlock& block : blocks_) {
            if (block.container.empty()) continue;
            const bool moves = !block.bases.empty();
            list += fmt::format(
                "    {{container_{0}, blob_{0}, {1}, {2}, {3}, {4}}},\n", block.first,
                block.blob_words, moves ? fmt::format("bases_{}", block.first) : "0",
                moves ? fmt::format("relocated_{}", block.first) : "0", block.bases.size());
        }
        if (list.empty()) return;
        text_ += "static const struct gen_blob blobs[] = {\n" + list + "};\n";
        text_ +=
            "bool model_ec_network_init(void) {\n"
            "    for (uint32_t i = 0; i < sizeof blobs / sizeof *blobs; ++i) {\n"
            "        gen_load_blob(&blobs[i], gen_base);\n    }\n    return true;\n}\n";
        if (plan_.user_inputs || plan_.user_outputs) {
            text_ +=
                "bool model_ec_inference_init(void) {\n"
                "    for (uint32_t i = 0; i < sizeof blobs / sizeof *blobs; ++i) {\n"
                "        gen_set_user_addresses(&blobs[i], gen_base);\n    }\n"
                "    return true;\n}\n";
        }
        text_ += '\n';
    }

    /// The setters and getters of the vector for tensors whose memory is the user's.
    void user_access(const char* kind, const std::vector<PlacedTensor>& list) {
        std::string setters, getters;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!is_user(list[i].at.base)) return;
            const std::string buffer = user_buffer(list[i].at.base);
            setters += fmt::format(
                "        case {0}:\n            return user_buffer_set(&{1}, 1, {2}, 0, buffer, "
                "bytes);\n",
                i, buffer, list[i].bytes);
            getters += fmt::format("        case {}:\n            return {}.address;\n", i, buffer);
        }
        text_ += fmt::format(
            "enum user_io_result model_set_{0}(uint32_t index, void* buffer, uint32_t bytes) {{\n"
            "    switch (index) {{\n{1}        default:\n            return kUserIoWrongIndex;\n"
            "    }}\n}}\nvoid* model_get_{0}(uint32_t index) {{\n    switch (index) {{\n{2}"
            "        default:\n            return NULL;\n    }}\n}}\n\n",
            kind, setters, getters);
    }

    void items() {
        text_ += "static const struct epoch_item items[] = {\n";
        for (const EpochBlock& block : blocks_) {
            std::string what;
            if (block.software) {
                what = fmt::format(".end = end_{}, .flags = kEpochSoftware", block.first);
            } else if (!block.container.empty()) {
                what = fmt::format(".blob = (uintptr_t)blob_{}, .flags = kEpochBlob", block.first);
            } else {
                const auto& epoch = std::get<NpuEpoch>(plan_.epochs[block.first - 1]);
                what = fmt::format(
                    ".start = start_{0}, .end = end_{0}, .wait_mask = 0x{1:x}, "
                    ".flags = kEpochHardware",
                    block.first, epoch.output_mask());
            }
            text_ += fmt::format("    {{{}, N6VP_EPOCH_NUMBERS({}, {})}},\n", what, block.first,
                                 block.last);
        }
        text_ +=
            "    {.flags = kEpochLast},\n};\n"
            "const struct epoch_item* model_epoch_items(void) {\n    return items;\n}\n\n";
    }

    /// Address of the tensor, or of the variable that holds the user's.
    static std::string address_base(Address at) {
        if (is_user(at.base)) {
            return fmt::format("&{}.address, .is_user_allocated = 1", user_buffer(at.base));
        }
        if (at.base == Base::External) return fmt::format("external + 0x{:x}", at.offset);
        return fmt::format("(void*)0x{:08x}u", at.offset);
    }

    void tensors(const char* kind, const std::vector<PlacedTensor>& list) {
        std::string entries;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const PlacedTensor& tensor = list[i];
            std::vector<std::uint32_t> shape = tensor.shape;
            while (shape.size() < 4) shape.insert(shape.begin(), 1);
            text_ += fmt::format("static const uint32_t {}_{}_shape[] = {{{}}};\n", kind, i,
                                 fmt::join(shape, ", "));
            text_ += fmt::format("static const float {}_{}_scale[] = {{{:a}f}};\n", kind, i,
                                 tensor.scale);
            text_ += fmt::format("static const int16_t {}_{}_zero[] = {{{}}};\n", kind, i,
                                 tensor.zero_point);
            entries += fmt::format(
                "    {{.name = {0}, .addr_base = {1}, .offset_end = {2}, "
                ".offset_limit = {3},\n     .batch = {4}, .mem_shape = {5}_{6}_shape, .mem_ndims = "
                "{7}, .chpos = kChannelLast,\n     {8}, .ndims = {7}, "
                ".nbits = 8, .shape = {5}_{6}_shape,\n     .scale = {5}_{6}_scale, .offset = "
                "{5}_{6}_zero}},\n",
                quoted(tensor.name), address_base(tensor.at), tensor.bytes,
                (tensor.bytes + 7) / 8 * 8 + 64, shape.back(), kind, i, shape.size(),
                tensor.type == ElementType::Uint8 ? ".type = kTypeUint8, .qm = 8, .qunsigned = 1"
                                                  : ".type = kTypeInt8, .qm = 7");
        }
        text_ += fmt::format(
            "static const struct buffer_info {}s[] = {{\n{}    {{.name = NULL}},\n}};\n", kind,
            entries);
        text_ += fmt::format(
            "const struct buffer_info* model_{0}s(void) {{\n    return {0}s;\n}}\n\n", kind);
    }

    void pools() {
        std::vector<std::string> list;
        if (!plan_.weights.empty()) {
            list.push_back(fmt::format(
                "{{{}, {}, 0, 0x{:08x}u, {}}}", quoted(plan_.weights_pool),
                plan_.weights_in_place ? "kPoolRelocParam" : "kPoolCopyParam",
                plan_.weights_in_place ? 0 : plan_.weights_address, plan_.weights.size()));
        }
        std::uint32_t activations = 0, external = 0;
        for (const PlacedPool& pool : plan_.activations) {
            activations += pool.bytes;
            if (pool.external) external += pool.bytes;
            list.push_back(fmt::format("{{{}, {}, 0, 0x{:08x}u, {}}}", quoted(pool.name),
                                       pool.external ? "kPoolRelocActiv" : "kPoolResetActiv",
                                       pool.address, pool.bytes));
        }
        text_ += fmt::format("N6VP_POOLS({});\n", fmt::join(list, ",\n           "));
        text_ += fmt::format("N6VP_RELOC_MODEL({}, {}, {}, {});\n", quoted(plan_.name), activations,
                             plan_.weights.size(), external);
    }

    const ModelPlan& plan_;
    const std::vector<EpochBlock>& blocks_;
    const SourceOptions& options_;
    std::string text_;
};

}  // namespace

const std::string& epoch_name(const Epoch& epoch) {
    return std::visit([](const auto& one) -> const std::string& { return one.name; }, epoch);
}

std::vector<EpochBlock> make_blocks(const ModelPlan& plan, bool controller,
                                    loader::Generation generation) {
    std::vector<EpochBlock> blocks;
    const auto count = static_cast<std::uint32_t>(plan.epochs.size());
    const auto on_npu = [&](std::uint32_t number) {
        return number <= count && std::holds_alternative<NpuEpoch>(plan.epochs[number - 1]);
    };
    for (std::uint32_t number = 1; number <= count; ++number) {
        if (!on_npu(number) || !controller) {
            EpochBlock block;
            block.first = block.last = number;
            block.software = !on_npu(number);
            blocks.push_back(std::move(block));
            continue;
        }
        const std::uint32_t first = number;
        while (on_npu(number + 1)) ++number;
        blocks.push_back(controller_block(plan, first, number, generation));
    }
    return blocks;
}

std::string model_source(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                         const SourceOptions& options) {
    return SourceWriter(plan, blocks, options).run();
}

}  // namespace n6vp::sim::generate
