// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit_source.h"

#include <fmt/format.h>

#include "loader/ec_container.h"
#include "sim/ecdump/ec_text.h"
#include "sim/generate/epoch_steps.h"

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

/// Words of a container: header, relocation table with one symbol, blob.
/// The symbol is the pool that the weights are in.
std::vector<std::uint32_t> container_words(const EcAssembly& program, const std::string& symbol,
                                           loader::Generation generation) {
    const bool old = generation == loader::Generation::Core21;
    std::vector<std::uint32_t> table;
    if (!program.relocations.empty()) {
        const auto count = static_cast<std::uint32_t>(program.relocations.size());
        constexpr std::uint32_t kHead = 4;  // words: one symbol
        table = {1, 4 * (kHead + count), count, 4 * kHead};
        for (const auto& site : program.relocations) table.push_back(site.first);
        for (std::size_t i = 0; i <= symbol.size(); i += 4) {
            std::uint32_t word = 0;
            for (std::size_t k = 0; k < 4 && i + k < symbol.size(); ++k) {
                word |= std::uint32_t{static_cast<unsigned char>(symbol[i + k])} << (8 * k);
            }
            table.push_back(word);
        }
        if (table.size() % 2 != 0) table.push_back(0);
    }
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
    EpochBlock block{first, last, false, controller_program(epochs), {}, 0};
    const EcAssembly assembly = assemble(block.program);
    block.blob_words = static_cast<std::uint32_t>(assembly.words.size()) + 2;
    block.container = container_words(assembly, plan.weights_pool, generation);
    return block;
}

/// Writes the C source piece by piece.
class SourceWriter {
  public:
    SourceWriter(const ModelPlan& plan, const std::vector<EpochBlock>& blocks)
        : plan_(plan), blocks_(blocks) {}

    std::string run() {
        text_ = "// SPDX-License-Identifier: Apache-2.0\n// Written by n6vp generate.\n";
        text_ += "#include \"generated_model.h\"\n\n";
        weights();
        for (std::size_t i = 0; i < blocks_.size(); ++i) block(i);
        controller_set_up();
        items();
        tensors("input", plan_.inputs);
        tensors("output", plan_.outputs);
        pools();
        return std::move(text_);
    }

  private:
    void weights() {
        if (plan_.weights.empty() || !plan_.weights_in_place) {
            text_ += "#define GEN_WEIGHTS 0u\n\n";
            return;
        }
        text_ +=
            fmt::format("static N6VP_IN_PARAMETERS uint8_t weights[{}];\n", plan_.weights.size());
        text_ += "#define GEN_WEIGHTS ((uintptr_t)weights)\n\n";
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
            return fmt::format("{{0x{:08x}, 0x{:08x}}},",
                               static_cast<std::uint32_t>(step.kind) << 28 | step.offset,
                               step.value);
        });
    }

    void block(std::size_t index) {
        const EpochBlock& block = blocks_[index];
        if (block.software) {
            softmax(block.first, std::get<SoftmaxEpoch>(plan_.epochs[block.first - 1]));
        } else if (!block.container.empty()) {
            words(fmt::format("static const uint32_t container_{}[] __attribute__((aligned(8)))",
                              block.first),
                  block.container);
            text_ += fmt::format("static uint32_t blob_{}[{}] __attribute__((aligned(8)));\n\n",
                                 block.first, (block.blob_words + 1) / 2 * 2);
        } else {
            core_epoch(block.first, std::get<NpuEpoch>(plan_.epochs[block.first - 1]));
        }
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
                "GEN_WEIGHTS);\n}}\n\n",
                name);
        }
    }

    void softmax(std::uint32_t number, const SoftmaxEpoch& epoch) {
        words(fmt::format("static const uint32_t softmax_{}_table[256]", number),
              {epoch.table.begin(), epoch.table.end()});
        const std::uint32_t bytes = epoch.rows * epoch.elements;
        text_ += fmt::format(
            "static N6VP_EPOCH_FUNCTION(end_{0}) {{\n    N6VP_EPOCH_UNUSED();\n"
            "    const int8_t* const in = (const int8_t*)0x{1:08x}u;\n"
            "    int8_t* const out = (int8_t*)0x{2:08x}u;\n"
            "    gen_mcu_invalidate(in, {3});\n"
            "    gen_softmax(in, out, {4}, {5}, softmax_{0}_table);\n"
            "    model_mcu_clean(out, {3});\n}}\n\n",
            number, epoch.input, epoch.output, bytes, epoch.rows, epoch.elements);
    }

    void controller_set_up() {
        std::string list;
        for (const EpochBlock& block : blocks_) {
            if (block.container.empty()) continue;
            list += fmt::format("        {{container_{0}, blob_{0}, {1}}},\n", block.first,
                                block.blob_words);
        }
        if (list.empty()) return;
        text_ +=
            "bool model_ec_network_init(void) {\n    static const struct gen_blob blobs[] = {\n" +
            list +
            "    };\n    for (uint32_t i = 0; i < sizeof blobs / sizeof *blobs; ++i) {\n"
            "        gen_load_blob(&blobs[i], GEN_WEIGHTS);\n    }\n    return true;\n}\n\n";
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
                "    {{.name = {0}, .addr_base = (void*)0x{1:08x}u, .offset_end = {2}, "
                ".offset_limit = {3},\n     .batch = {4}, .mem_shape = {5}_{6}_shape, .mem_ndims = "
                "{7}, .chpos = kChannelLast,\n     .type = kTypeInt8, .qm = 7, .ndims = {7}, "
                ".nbits = 8, .shape = {5}_{6}_shape,\n     .scale = {5}_{6}_scale, .offset = "
                "{5}_{6}_zero}},\n",
                quoted(tensor.name), tensor.address, tensor.bytes, (tensor.bytes + 7) / 8 * 8 + 64,
                shape.back(), kind, i, shape.size());
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
        std::uint32_t activations = 0;
        for (const PlacedPool& pool : plan_.activations) {
            activations += pool.bytes;
            list.push_back(fmt::format("{{{}, kPoolResetActiv, 0, 0x{:08x}u, {}}}",
                                       quoted(pool.name), pool.address, pool.bytes));
        }
        text_ += fmt::format("N6VP_POOLS({});\n", fmt::join(list, ",\n           "));
        text_ += fmt::format("N6VP_RELOC_MODEL({}, {}, {}, 0);\n", quoted(plan_.name), activations,
                             plan_.weights.size());
    }

    const ModelPlan& plan_;
    const std::vector<EpochBlock>& blocks_;
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
            blocks.push_back({number, number, !on_npu(number), "", {}, 0});
            continue;
        }
        const std::uint32_t first = number;
        while (on_npu(number + 1)) ++number;
        blocks.push_back(controller_block(plan, first, number, generation));
    }
    return blocks;
}

std::string model_source(const ModelPlan& plan, const std::vector<EpochBlock>& blocks) {
    return SourceWriter(plan, blocks).run();
}

}  // namespace n6vp::sim::generate
