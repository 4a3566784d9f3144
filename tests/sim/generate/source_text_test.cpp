// SPDX-License-Identifier: Apache-2.0
// C sources and headers of generated models, of plans by hand: tables, tensors, pools, and the
// names that applications of the embedded client API use.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/generate/emit/client_headers.h"
#include "sim/generate/emit/emit_source.h"
#include "sim/generate/lower/core_epoch.h"

using namespace n6vp::sim::generate;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void check_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        CAPTURE(part);
        CHECK(contains(text, part));
    }
}

PlacedTensor tensor(const std::string& name, Address at, std::uint32_t bytes) {
    PlacedTensor one;
    one.name = name;
    one.shape = {1, bytes};
    one.at = at;
    one.bytes = bytes;
    one.scale = 0.25F;
    one.zero_point = -7;
    return one;
}

EpochBlock software(std::uint32_t number) {
    EpochBlock block;
    block.first = block.last = number;
    block.software = true;
    return block;
}

SoftmaxEpoch softmax(std::uint32_t rows, std::uint32_t elements) {
    SoftmaxEpoch epoch;
    epoch.input = {Base::Absolute, 0x34200000};
    epoch.output = {Base::External, 0x40};
    epoch.rows = rows;
    epoch.elements = elements;
    epoch.table.fill(9);
    return epoch;
}

/// Two epochs on the core; weights in place, 100 bytes inside and 60 in external RAM.
ModelPlan core_plan() {
    ModelPlan plan;
    plan.name = "net";
    plan.epochs = {softmax(2, 32), softmax(5, 13)};
    plan.inputs = {tensor("in", {Base::Absolute, 0x34200000}, 64)};
    plan.outputs = {tensor("out", {Base::External, 0x40}, 65)};
    plan.outputs[0].type = ElementType::Uint8;
    plan.outputs[0].zero_point = 200;
    plan.activations = {{"npuRAM3", 0x34200000, 100, false}, {"hyperRAM", 0, 60, true}};
    plan.weights_pool = "octoFlash";
    plan.weights.resize(77);
    return plan;
}

std::string source_of(const ModelPlan& plan) {
    return model_source(plan, {software(1), software(2)});
}

ClientNetwork client() {
    ClientNetwork network;
    network.name = "my_net2";
    network.origin = "a\"b\\c?\n~ z";
    network.inputs = {{"S8", 2, 3, 4, 24}, {"U8", 1, 1, 7, 8}};
    network.outputs = {{"FLOAT", 1, 1, 5, 20}};
    network.activations = {100, 28};
    network.weights = {};
    network.nodes = 12;
    network.inputs_in_activations = true;
    return network;
}

}  // namespace

TEST_CASE("model source: tensors with their limits, scales and types") {
    check_parts(
        source_of(core_plan()),
        {("static const uint32_t input_0_shape[] = {1, 1, 1, 64};\n"
          "static const float input_0_scale[] = {0x1p-2f};\n"
          "static const int16_t input_0_zero[] = {-7};\n"),
         // What engines may read ahead: to a multiple of 8, and 64 bytes.
         "{.name = \"in\", .addr_base = (void*)0x34200000u, .offset_end = 64, .offset_limit = "
         "128,\n"
         "     .batch = 64, .mem_shape = input_0_shape, .mem_ndims = 4, .chpos = kChannelLast,\n"
         "     .type = kTypeInt8, .qm = 7, .ndims = 4, .nbits = 8, .shape = input_0_shape,\n"
         "     .scale = input_0_scale, .offset = input_0_zero},\n    {.name = NULL},\n};\n",
         "static const int16_t output_0_zero[] = {200};\n",
         "{.name = \"out\", .addr_base = external + 0x40, .offset_end = 65, .offset_limit = 136,\n",
         "     .type = kTypeUint8, .qm = 8, .qunsigned = 1, .ndims = 4,"});
}

TEST_CASE("model source: pools, and memory without a fixed address") {
    ModelPlan plan = core_plan();
    check_parts(source_of(plan),
                {"static N6VP_IN_PARAMETERS uint8_t weights[77];\n"
                 "static N6VP_IN_EXTERNAL_RAM uint8_t external[60] __attribute__((aligned(64)));\n"
                 "static uint32_t gen_base(uint32_t number) {\n    switch (number) {\n"
                 "        case 1:\n            return (uint32_t)(uintptr_t)weights;\n"
                 "        case 2:\n            return (uint32_t)(uintptr_t)external;\n"
                 "        default:\n            return 0;\n    }\n}\n",
                 "N6VP_POOLS({\"octoFlash\", kPoolRelocParam, 0, 0x00000000u, 77},\n"
                 "           {\"npuRAM3\", kPoolResetActiv, 0, 0x34200000u, 100},\n"
                 "           {\"hyperRAM\", kPoolRelocActiv, 0, 0x00000000u, 60});\n"
                 "N6VP_RELOC_MODEL(\"net\", 160, 77, 60);\n"});
    plan.weights_in_place = false;
    plan.weights_address = 0x34350000;
    const std::string copied = source_of(plan);
    check_parts(copied, {"N6VP_POOLS({\"octoFlash\", kPoolCopyParam, 0, 0x34350000u, 77},\n"});
    CHECK_FALSE(contains(copied, "uint8_t weights["));
    plan.weights.clear();
    check_parts(source_of(plan),
                {"N6VP_POOLS({\"npuRAM3\", ", "N6VP_RELOC_MODEL(\"net\", 160, 0, 60);\n"});
    plan.weights_in_place = true;
    CHECK_FALSE(contains(source_of(plan), "uint8_t weights["));
}

TEST_CASE("model source: memory of the user has setters, getters and a base of its own") {
    ModelPlan plan = core_plan();
    plan.user_inputs = plan.user_outputs = true;
    plan.inputs[0].at = {user_base(0), 0};
    plan.outputs[0].at = {user_base(1), 0};
    const std::string source = source_of(plan);
    check_parts(
        source,
        {"static struct user_buffer user_0;\nstatic struct user_buffer user_1;\n",
         ("        case 3:\n            return (uint32_t)(uintptr_t)user_0.address;\n"
          "        case 4:\n            return (uint32_t)(uintptr_t)user_1.address;\n"),
         ".addr_base = &user_0.address, .is_user_allocated = 1, .offset_end = 64",
         "enum user_io_result model_set_input(uint32_t index, void* buffer, uint32_t bytes) {\n"
         "    switch (index) {\n        case 0:\n"
         "            return user_buffer_set(&user_0, 1, 64, 0, buffer, bytes);\n"
         "        default:\n            return kUserIoWrongIndex;\n    }\n}\n"
         "void* model_get_input(uint32_t index) {\n    switch (index) {\n        case 0:\n"
         "            return user_0.address;\n        default:\n            return NULL;\n",
         "            return user_buffer_set(&user_1, 1, 65, 0, buffer, bytes);\n"});
    CHECK_FALSE(contains(source_of(core_plan()), "model_set_input"));
    // Without blobs nothing is relocated.
    CHECK_FALSE(contains(source, "model_ec_inference_init"));
}

TEST_CASE("model source: a softmax of more than 64 elements uses Helium") {
    check_parts(
        source_of(core_plan()),
        {"static N6VP_EPOCH_FUNCTION(end_1) {\n    N6VP_EPOCH_UNUSED();\n"
         "    const int8_t* const in = (const int8_t*)(gen_base(0) + 0x34200000u);\n"
         "    int8_t* const out = (int8_t*)(gen_base(2) + 0x00000040u);\n"
         "    model_npu_clean_invalidate(out, 64);\n    gen_mcu_invalidate(in, 64);\n"
         "    gen_softmax(in, out, 2, 32, softmax_1_table);\n    model_mcu_clean(out, 64);\n}\n",
         "    gen_softmax_helium(in, out, 5, 13, softmax_2_table);\n",
         "    model_mcu_clean(out, 65);\n",
         "static const uint32_t softmax_2_table[256] = {\n    0x00000009, 0x00000009,",
         ("static const struct epoch_item items[] = {\n"
          "    {.end = end_1, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(1, 1)},\n"
          "    {.end = end_2, .flags = kEpochSoftware, N6VP_EPOCH_NUMBERS(2, 2)},\n"
          "    {.flags = kEpochLast},\n};\n")});
}

TEST_CASE("model source: an operator of the core with a constant and what the NPU wrote") {
    CoreEpoch epoch;
    epoch.inputs = {{{Base::External, 0x10}, 4, {}}, {{}, 3, {1, 0xFF, 0x80}}};
    epoch.output = {Base::Absolute, 0x34200100};
    epoch.elements = 4;
    PairWork work;
    work.kind = PairKind::Difference;
    work.x = {1, {11, -2}, {12, 4, 2, 1}};
    work.y = {-3, {13, -4}, {0, 0, 0, 1}};
    work.lengths = {1, 3, 2, 2};
    work.multiplier = {15, -6};
    work.zero_point = 7;
    work.low = -8;
    work.high = 9;
    epoch.work = work;
    ModelPlan plan = core_plan();
    plan.epochs = {epoch};
    check_parts(model_source(plan, {software(1)}),
                {"static const int8_t constant_1_1[] = {\n    1, -1, -128,\n};\n",
                 "static N6VP_EPOCH_FUNCTION(end_1) {\n    N6VP_EPOCH_UNUSED();\n"
                 "    const int8_t* const in0 = (const int8_t*)(gen_base(2) + 0x00000010u);\n"
                 "    model_npu_clean_invalidate(in0, 4);\n    gen_mcu_invalidate(in0, 4);\n"
                 "    const int8_t* const in1 = constant_1_1;\n"
                 "    int8_t* const out = (int8_t*)(gen_base(0) + 0x34200100u);\n"
                 "    gen_sum(in0, in1, out, &pair_1);\n    model_mcu_clean(out, 4);\n}\n"});
    const OperatorSource pair = operator_source(epoch, "7");
    CHECK(pair.tables ==
          "static const struct gen_pair pair_7 = {\n    {1, {11, -2}, {12, 4, 2, 1}},\n"
          "    {-3, {13, -4}, {0, 0, 0, 1}},\n    {1, 3, 2, 2}, {15, -6}, 7, -8, 9, 1};\n");
    CHECK(pair.call == "gen_sum(in0, in1, out, &pair_7)");
    work.kind = PairKind::Product;
    epoch.work = work;
    CHECK(operator_source(epoch, "7").call == "gen_product(in0, in1, out, &pair_7)");
    CHECK(operator_source(epoch, "7").tables.ends_with("7, -8, 9, 0};\n"));
    epoch.work = PixelWork{6, {0, 12}, std::vector<std::uint32_t>(13, 5)};
    CHECK(operator_source(epoch, "8").tables ==
          "static const uint32_t lines_8[] = {\n    0, 12,\n};\n"
          "static const uint32_t columns_8[] = {\n    5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,\n    5,\n"
          "};\n");
    CHECK(operator_source(epoch, "8").call == "gen_pixels(in0, out, lines_8, 2, columns_8, 13, 6)");
    epoch.work = LookupWork{};
    CHECK(operator_source(epoch, "9").call == "gen_lookup(in0, out, 4, table_9)");
}

TEST_CASE("model source: words of a blob and steps of the core") {
    ModelPlan plan = core_plan();
    NpuEpoch npu;
    npu.units.emplace_back(n6vp::memmap::npu::Unit{&n6vp::memmap::npu::kStreng, 3});
    npu.units[0].set("CTRL.DIR", 1).set_address("ADDR", {Base::External, 0x20});
    plan.epochs = {npu, npu, softmax(1, 2)};
    EpochBlock blob, core;
    blob.first = 1;
    blob.last = 2;
    blob.container.assign(9, 0xAB);
    blob.bases = {Base::Weights, user_base(1)};
    blob.blob_words = 7;
    check_parts(model_source(plan, {blob, software(3)}),
                {"static const uint32_t container_1[] __attribute__((aligned(8))) = {\n"
                 "    0x000000ab, 0x000000ab, 0x000000ab, 0x000000ab, 0x000000ab, 0x000000ab, "
                 "0x000000ab, 0x000000ab,\n    0x000000ab,\n};\n"
                 // A multiple of eight bytes.
                 "static uint32_t blob_1[8] __attribute__((aligned(8)));\n"
                 "static const uint8_t bases_1[] = {\n    1, 4,\n};\n"
                 "static uint32_t relocated_1[2];\n",
                 "static const struct gen_blob blobs[] = {\n"
                 "    {container_1, blob_1, 7, bases_1, relocated_1, 2},\n};\n",
                 "    {.blob = (uintptr_t)blob_1, .flags = kEpochBlob, N6VP_EPOCH_NUMBERS(1, 2)},\n"
                 "    {.end = end_3, "});
    SourceOptions options;
    options.blobs_in_parameters = true;
    blob.bases.clear();
    check_parts(model_source(plan, {blob, software(3)}, options),
                {"static N6VP_BLOB_IN_PARAMETERS const uint32_t container_1[]",
                 "    {container_1, blob_1, 7, 0, 0, 0},\n"});
    plan.user_inputs = true;
    check_parts(
        model_source(plan, {blob, software(3)}),
        {"bool model_ec_inference_init(void) {\n", "gen_set_user_addresses(&blobs[i], gen_base);"});
    core.first = core.last = 2;
    // Kind above bit 28, base above bit 20, offset: engine 3 is page 8, its gate bit 3.
    check_parts(
        model_source(plan, {core, software(3)}),
        {"static const struct gen_step start_2_steps[] = {\n"
         "    {0x10000010, 0x00000008}, {0x00008000, 0x00000008}, {0x00208008, 0x00000020},",
         "static N6VP_EPOCH_FUNCTION(end_2) {\n    N6VP_EPOCH_UNUSED();\n"
         "    gen_play(end_2_steps, sizeof end_2_steps / sizeof *end_2_steps, gen_base);\n}\n",
         "    {.start = start_2, .end = end_2, .wait_mask = 0x8, .flags = kEpochHardware, "
         "N6VP_EPOCH_NUMBERS(2, 2)},\n"});
}

TEST_CASE("model source: neighbours on the NPU share a blob, each other epoch is a block") {
    NpuEpoch npu;
    npu.units.emplace_back(n6vp::memmap::npu::Unit{&n6vp::memmap::npu::kStreng, 3});
    ModelPlan plan = core_plan();
    plan.epochs = {npu, npu, softmax(1, 2), npu, softmax(1, 2)};
    const auto ends = [](const std::vector<EpochBlock>& blocks) {
        std::string text;
        for (const EpochBlock& block : blocks) {
            text += std::to_string(block.first) + "-" + std::to_string(block.last) +
                    (block.software            ? "s "
                     : block.container.empty() ? "c "
                                               : "b ");
        }
        return text;
    };
    using n6vp::loader::Generation;
    CHECK(ends(make_blocks(plan, true, Generation::Core30)) == "1-2b 3-3s 4-4b 5-5s ");
    CHECK(ends(make_blocks(plan, false, Generation::Core30)) == "1-1c 2-2c 3-3s 4-4c 5-5s ");
    // Nothing to relocate: 16 bytes of header with the first release, 24 with later ones, then the
    // blob's magic number and the number of its words.
    for (const Generation generation : {Generation::Core21, Generation::Core30}) {
        const bool first = generation == Generation::Core21;
        const EpochBlock block = make_blocks(plan, true, generation).front();
        const std::size_t header = first ? 4 : 6;
        REQUIRE(block.container.size() > header + 1);
        CHECK(block.container[1] == 0);
        CHECK(block.container[first ? 2 : 4] == 4 * header);
        CHECK(block.container[header + 1] + 2 == block.blob_words);
        CHECK(block.container.size() == (header + block.blob_words + 1) / 2 * 2);
        CHECK(block.bases.empty());
    }
}

TEST_CASE("model source: the table of a blob names what its addresses count from") {
    NpuEpoch npu;
    npu.units.emplace_back(n6vp::memmap::npu::Unit{&n6vp::memmap::npu::kStreng, 3});
    npu.units[0].set_address("ADDR", {Base::Weights, 0x20});
    npu.units[0].set_address("LIMITADDR", {Base::Weights, 0x30});
    npu.units.emplace_back(n6vp::memmap::npu::Unit{&n6vp::memmap::npu::kStreng, 4});
    npu.units[1].set_address("ADDR", {user_base(1), 0});
    ModelPlan plan = core_plan();
    plan.user_inputs = true;
    plan.epochs = {npu};
    const EpochBlock block = make_blocks(plan, true, n6vp::loader::Generation::Core30).front();
    CHECK(block.bases == std::vector<Base>{Base::Weights, user_base(1)});
    const std::vector<std::uint32_t>& words = block.container;
    // The table begins behind 24 bytes: two symbols; for each the place of its name, the number of
    // its words and their place, in bytes from the table's start.
    CHECK(words[1] == 24);
    const std::size_t table = 6;
    REQUIRE(words.size() > table + 20);
    CHECK(words[table] == 2);
    CHECK(words[table + 2] == 2);
    CHECK(words[table + 3] == 4 * 7);
    CHECK(words[table + 5] == 1);
    CHECK(words[table + 6] == 4 * 9);
    const auto text_at = [&](std::uint32_t offset) {
        std::string text;
        for (;; ++offset) {
            const std::uint32_t word = words.at(table + offset / 4);
            const auto character = static_cast<char>(word >> (8 * (offset % 4)) & 0xFF);
            if (character == '\0') return text;
            text += character;
        }
    };
    CHECK(words[table + 1] == 4 * 10);
    CHECK(text_at(words[table + 1]) == "octoFlash");
    CHECK(words[table + 4] == 4 * 10 + 10);
    // One input is the user's: the second tensor is the first output.
    CHECK(text_at(words[table + 4]) == "_user_io_output_0");
    // 28 bytes of names end at 4 * 17 = 68: 18 words with one that fills eight bytes.
    CHECK(words[4] == 24 + 4 * 18);
    for (const std::size_t place : {7U, 8U, 9U}) CHECK(words[table + place] < block.blob_words);
}

TEST_CASE("client headers: names that functions and files can have") {
    for (const char* name : {"a", "net", "n_2", "network1"})
        CHECK_MESSAGE(is_client_name(name), name);
    for (const char* name : {"", "2n", "_n", "Net", "nEt", "n-t", "n t", "n\xC3\xA4"})
        CHECK_FALSE_MESSAGE(is_client_name(name), name);
    CHECK(is_client_name(std::string(64, 'z')));
    CHECK_FALSE(is_client_name(std::string(65, 'z')));
}

TEST_CASE("client headers: macros of inputs, outputs and the network") {
    const std::string text = client_header(client());
    CHECK(text.starts_with(
        "/* SPDX-License-Identifier: Apache-2.0 */\n/* Written by n6vp generate. "
        "*/\n#ifndef AI_MY_NET2_H\n#define AI_MY_NET2_H\n\n#include <stddef.h>\n"));
    CHECK(text.ends_with("#ifdef __cplusplus\n}\n#endif\n\n#endif /* AI_MY_NET2_H */\n"));
    check_parts(text,
                {"#define AI_MY_NET2_MODEL_NAME \"my_net2\"\n"
                 "#define AI_MY_NET2_ORIGIN_MODEL_NAME \"a_b_c__~ z\"\n"
                 "#define AI_MY_NET2_N_NODES (12)\n#define AI_MY_NET2_ACTIVATIONS_ALIGNMENT (4)\n\n"
                 "#define AI_MY_NET2_IN_NUM (2)\n"
                 "#define AI_MY_NET2_IN ai_my_net2_inputs_get(AI_HANDLE_NULL, NULL)\n"
                 "#define AI_MY_NET2_IN_SIZE { AI_MY_NET2_IN_1_SIZE, AI_MY_NET2_IN_2_SIZE }\n"
                 "#define AI_MY_NET2_IN_SIZE_BYTES { AI_MY_NET2_IN_1_SIZE_BYTES, "
                 "AI_MY_NET2_IN_2_SIZE_BYTES }\n"
                 "#define AI_MY_NET2_IN_1_FORMAT AI_BUFFER_FORMAT_S8\n"
                 "#define AI_MY_NET2_IN_1_HEIGHT (2)\n#define AI_MY_NET2_IN_1_WIDTH (3)\n"
                 "#define AI_MY_NET2_IN_1_CHANNEL (4)\n#define AI_MY_NET2_IN_1_SIZE (24)\n"
                 "#define AI_MY_NET2_IN_1_SIZE_BYTES (24)\n"
                 "#define AI_MY_NET2_IN_2_FORMAT AI_BUFFER_FORMAT_U8\n",
                 ("#define AI_MY_NET2_OUT ai_my_net2_outputs_get(AI_HANDLE_NULL, NULL)\n"
                  "#define AI_MY_NET2_OUT_SIZE { AI_MY_NET2_OUT_1_SIZE }\n"),
                 "#define AI_MY_NET2_OUT_1_SIZE (5)\n#define AI_MY_NET2_OUT_1_SIZE_BYTES (20)\n",
                 "#define AI_MY_NET2_INPUTS_IN_ACTIVATIONS (1)\n",
                 ("ai_i32 ai_my_net2_run(ai_handle network, const ai_buffer* input, ai_buffer* "
                  "output);\n")});
    CHECK_FALSE(contains(text, "OUTPUTS_IN_ACTIVATIONS"));
    ClientNetwork other = client();
    other.inputs_in_activations = false;
    other.outputs_in_activations = true;
    CHECK_FALSE(contains(client_header(other), "INPUTS_IN_ACTIVATIONS"));
    CHECK(contains(client_header(other), "#define AI_MY_NET2_OUTPUTS_IN_ACTIVATIONS (1)\n"));
}

TEST_CASE("client headers: buffers of activations and weights") {
    const std::string text = client_data_header(client());
    check_parts(
        text,
        {"#include \"my_net2.h\"\n",
         "#define AI_MY_NET2_DATA_ACTIVATIONS_SIZES { 100, 28 }\n"
         "#define AI_MY_NET2_DATA_ACTIVATIONS_SIZE (128)\n"
         "#define AI_MY_NET2_DATA_ACTIVATIONS_COUNT (2)\n"
         "#define AI_MY_NET2_DATA_ACTIVATION_1_SIZE (100)\n"
         "#define AI_MY_NET2_DATA_ACTIVATION_2_SIZE (28)\n"
         "#define AI_MY_NET2_DATA_ACTIVATIONS_TABLE_GET() (&g_my_net2_activations_table[1])\n"
         "extern ai_handle g_my_net2_activations_table[2 + 2];\n",
         ("#define AI_MY_NET2_DATA_ACTIVATIONS(address) \\\n"
          "    { AI_BUFFER_FORMAT_U8, AI_HANDLE_PTR(address), NULL, 0, 128, { 0, 0, NULL } }\n"),
         ("#define AI_MY_NET2_DATA_WEIGHTS_SIZES { 0 }\n"
          "#define AI_MY_NET2_DATA_WEIGHTS_SIZE (0)\n#define AI_MY_NET2_DATA_WEIGHTS_COUNT (0)\n"
          "#define AI_MY_NET2_DATA_WEIGHTS_TABLE_GET() (&g_my_net2_weights_table[1])\n"
          "extern ai_handle g_my_net2_weights_table[0 + 2];\n"),
         "    { AI_BUFFER_FORMAT_U8 | AI_BUFFER_FMT_FLAG_CONST, AI_HANDLE_PTR(address), ",
         "ai_handle ai_my_net2_data_weights_get(void);\n"});
    CHECK(text.ends_with("#endif /* AI_MY_NET2_DATA_H */\n"));
}
