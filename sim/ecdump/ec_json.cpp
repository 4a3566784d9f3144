// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "memmap/npu/links.h"
#include "sim/ecdump/ec_report.h"
#include "traces/diagnosis/rule_text.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;

Json fields_json(const npu::Register& at, std::uint32_t value) {
    Json fields = Json::object();
    for (std::size_t i = 0; i < at.field_count; ++i) {
        fields[at.fields[i].name] = npu::extract(value, at.fields[i]);
    }
    return fields;
}

Json setting_json(const EcSource& source, const EcBlob& blob, npu::Unit unit,
                  const npu::Register& at, const EcSetting& setting) {
    Json json = {{"register", at.name},
                 {"value", hex_word(setting.value)},
                 {"fields", fields_json(at, setting.value)}};
    const std::string address = address_text(source, blob, unit, at, setting);
    if (!address.empty()) json["place"] = address;
    return json;
}

Json array_json(const npu::Register& at, const EcArray& array) {
    Json json = {{"register", at.name}, {"first", array.first}, {"values", Json::array()}};
    for (const std::uint32_t value : array.values) json["values"].push_back(hex_word(value));
    return json;
}

Json unit_json(const EcSource& source, const EcBlob& blob, const EcUnit& unit) {
    Json json = {
        {"unit", unit_text(unit.unit)}, {"registers", Json::array()}, {"arrays", Json::array()}};
    const npu::UnitType& type = *unit.unit.type;
    for (std::size_t i = 0; i < type.register_count; ++i) {
        const npu::Register& at = type.registers[i];
        if (at.count > 1) {
            for (const EcArray& array : written_elements(unit, at)) {
                json["arrays"].push_back(array_json(at, array));
            }
            continue;
        }
        const auto setting = unit.settings.find(at.offset);
        if (setting == unit.settings.end()) continue;
        json["registers"].push_back(setting_json(source, blob, unit.unit, at, setting->second));
    }
    return json;
}

Json run_json(const EcSource& source, const EcBlob& blob, const EcRun& run) {
    Json json = {{"enabled", Json::array()},
                 {"waited", Json::array()},
                 {"links", Json::array()},
                 {"units", Json::array()}};
    for (const EcUnit& unit : run.units) {
        json["enabled"].push_back(unit_text(unit.unit));
        json["units"].push_back(unit_json(source, blob, unit));
    }
    for (const std::uint32_t page : run.waited) {
        json["waited"].push_back(unit_text(npu::unit_at(page)));
    }
    for (const EcLink& link : run.links) {
        json["links"].push_back({{"destination", link.destination},
                                 {"value", hex_word(link.value)},
                                 {"text", link_text(link)}});
    }
    return json;
}

Json epoch_json(const EcSource& source, const EcBlob& blob, const EcEpoch& epoch) {
    Json json = {{"label", nullptr},
                 {"first_word", epoch.first_word},
                 {"words", epoch.end_word - epoch.first_word},
                 {"instructions", epoch.instructions},
                 {"runs", Json::array()}};
    if (epoch.label) json["label"] = *epoch.label;
    for (const EcRun& run : epoch.runs) json["runs"].push_back(run_json(source, blob, run));
    return json;
}

Json finding_json(const loader::Diagnosis& finding) {
    const traces::DiagnosisFields fields = traces::fields_of(finding, nullptr);
    return {{"rule", fields.rule},  {"severity", fields.severity}, {"offset", fields.file_offset},
            {"word", fields.index}, {"expected", fields.expected}, {"found", fields.found},
            {"what", fields.what}};
}

Json counts_json(const EcBlob& blob) {
    const loader::ec::StreamFacts& facts = blob.facts;
    return {{"write", facts.writes},      {"writefield", facts.write_fields},
            {"burstwrite", facts.bursts}, {"burstwriteinc", facts.increment_bursts},
            {"poll", facts.polls},        {"label", facts.labels},
            {"irq", facts.irqs}};
}

Json listing_json(const EcSource& source, const EcBlob& blob) {
    Json list = Json::array();
    for (const EcInstruction& instruction : blob.instructions) {
        list.push_back({{"word", instruction.index},
                        {"text", instruction_text(instruction, blob.relocations)},
                        {"meaning", meaning_text(source, blob, instruction)}});
    }
    return list;
}

Json blob_json(const EcSource& source, const EcBlob& blob, const EcView& view) {
    Json json = {{"kind", blob.container() ? "container" : "blob"},
                 {"magic", hex_word(blob.magic)},
                 {"in_params_file", blob.in_params_file},
                 {"offset", hex_word(blob.offset)},
                 {"blob_offset", hex_word(blob.blob_offset)},
                 {"words", blob.words.size()},
                 {"instructions", counts_json(blob)},
                 {"symbols", blob.symbols},
                 {"relocated_words", blob.relocations.size()},
                 {"patches", blob.patches},
                 {"findings", Json::array()},
                 {"fault", nullptr},
                 {"epochs", Json::array()}};
    for (const loader::Diagnosis& finding : blob.findings) {
        json["findings"].push_back(finding_json(finding));
    }
    if (blob.fault) json["fault"] = {{"word", blob.fault->index}, {"text", blob.fault->text()}};
    for (const EcEpoch& epoch : find_epochs(blob.instructions)) {
        json["epochs"].push_back(epoch_json(source, blob, epoch));
    }
    if (view.listing) json["listing"] = listing_json(source, blob);
    return json;
}

}  // namespace

Json ecdump_json(const EcSource& source, const EcView& view) {
    Json document = json_document("ecdump");
    document["blobs"] = Json::array();
    for (std::size_t number = 0; number < source.blobs.size(); ++number) {
        if (view.blob && *view.blob != number) continue;
        document["blobs"].push_back(blob_json(source, source.blobs[number], view));
    }
    document["undecoded_magics"] = source.literals;
    return document;
}

}  // namespace n6vp::sim
