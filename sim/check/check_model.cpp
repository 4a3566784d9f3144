// SPDX-License-Identifier: Apache-2.0
#include "sim/check/check_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/install/writable_places.h"
#include "sim/model_file/host_memory.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using loader::Diagnosis;
using loader::Severity;
using loader::Status;

/// Keeps findings, bounded per rule so that a table of a million broken words stays readable.
class Collector {
  public:
    /// `container` names the section a finding lies in.
    Collector(CheckReport& report, const InstallPlan& plan, std::uint64_t limit,
              const loader::Container& container)
        : report_(report), plan_(plan), limit_(limit), container_(container) {}

    void add(const Diagnosis& finding, bool in_params_file, std::optional<std::uint32_t> hit) {
        // A default was not chosen by the user.
        if (finding.rule == loader::Rule::ExtUnused && !plan_.external_ram_given()) return;
        switch (finding.severity) {
            case Severity::Error:
                ++report_.errors;
                break;
            case Severity::Warning:
                ++report_.warnings;
                break;
            case Severity::Hint:
                ++report_.hints;
                break;
        }
        if (limit_ != 0 && ++counts_[finding.rule] > limit_) {
            ++report_.suppressed[finding.rule];
            return;
        }
        const loader::Container* container = in_params_file ? nullptr : &container_;
        report_.findings.push_back({finding, traces::fields_of(finding, container),
                                    traces::describe(finding, container),
                                    mending_option(finding, plan_), in_params_file, hit});
    }

    [[nodiscard]] loader::FindingSink sink() {
        return {this, [](void* context, const Diagnosis& finding) {
                    static_cast<Collector*>(context)->add(finding, false, std::nullopt);
                    return true;
                }};
    }

  private:
    CheckReport& report_;
    const InstallPlan& plan_;
    std::uint64_t limit_;
    const loader::Container& container_;
    std::map<loader::Rule, std::uint64_t> counts_;
};

void note(CheckReport& report, std::string_view id, Severity severity, std::string text) {
    if (severity == Severity::Error) ++report.errors;
    if (severity == Severity::Warning) ++report.warnings;
    report.notes.push_back({id, severity, std::move(text)});
}

/// Returns the names of the model's pools.
std::vector<std::string> pool_names(const loader::Container& container) {
    std::vector<std::string> names;
    const std::uint32_t count = container.pool_count(loader::format::kMaxPoolsVisited);
    for (std::uint32_t index = 0; index < count; ++index) {
        loader::Pool pool;
        char text[loader::format::kMaxNameBytes + 1];
        if (container.pool(index, pool) && container.name(pool.name, text, sizeof text)) {
            names.emplace_back(text);
        }
    }
    return names;
}

void scan_blobs(const ModelFiles& files, const loader::Container& container, Collector& collector,
                CheckReport& report) {
    // The ecloader is part of the model, so the model's own generation decides, not the firmware's.
    const loader::Generation generation = matching_profile(container).generation;
    report.ec = scan_ec(
        container.header(), {files.file.data(), static_cast<std::uint32_t>(files.file.size())},
        {files.params.data(), static_cast<std::uint32_t>(files.params.size())}, generation);
    const std::vector<std::string> pools = pool_names(container);
    for (std::uint32_t index = 0; index < report.ec.hits.size(); ++index) {
        const EcHit& hit = report.ec.hits[index];
        for (const Diagnosis& finding : hit.findings) {
            collector.add(finding, hit.in_params_file, index);
        }
        for (const std::string& symbol : hit.symbols) {
            const bool user_io =
                symbol.starts_with("_user_io_input_") || symbol.starts_with("_user_io_output_");
            if (user_io || std::find(pools.begin(), pools.end(), symbol) != pools.end()) continue;
            note(
                report, "ec-symbol-foreign", Severity::Warning,
                fmt::format("the epoch-controller container at 0x{:x} is relocated by symbol '{}', "
                            "which is neither a memory pool of this model nor a user buffer",
                            hit.offset, traces::terminal_text(symbol)));
        }
    }
}

bool is_npu_operation(const MemoryEvent& event) {
    return event.kind == MemoryEvent::Kind::Maintain &&
           (event.op == loader::CacheOp::NpuClean ||
            event.op == loader::CacheOp::NpuCleanInvalidate ||
            event.op == loader::CacheOp::NpuInvalidateAll);
}

VendorVerdict judge_as_vendor(HostMemory& memory, const InstallPlan& plan) {
    VendorVerdict verdict;
    loader::InstallResult result;
    memory.record(true);
    verdict.status =
        loader::install(memory.port(), plan.request(loader::Policy::Compat), result, verdict.why);
    verdict.bytes_written = memory.bytes_written();
    verdict.npu_cache_used =
        std::any_of(memory.events().begin(), memory.events().end(), is_npu_operation);
    return verdict;
}

/// A finding and one that often follows from it: the first is the one to mend.
struct Cause {
    loader::Rule cause, effect;
};
constexpr Cause kCauses[] = {
    {loader::Rule::ParamsBoth, loader::Rule::ParamsTooShort},
    {loader::Rule::ParamsBoth, loader::Rule::ParamsUnreadable},
    {loader::Rule::ParamsBoth, loader::Rule::ParamsCrc},
    {loader::Rule::FirmwareVersion, loader::Rule::FirmwareHeaderLength},
};

/// Errors first, then by place in the file; a cause before its effect whatever the severity.
void order(std::vector<CheckFinding>& findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const CheckFinding& left, const CheckFinding& right) {
                         return left.diagnosis.severity < right.diagnosis.severity;
                     });
    for (const Cause& pair : kCauses) {
        const auto position = [&findings](loader::Rule rule) {
            return std::ranges::find_if(findings, [rule](const CheckFinding& finding) {
                return finding.diagnosis.rule == rule;
            });
        };
        const auto effect = position(pair.effect);
        const auto cause = position(pair.cause);
        if (cause != findings.end() && effect < cause) std::rotate(effect, cause, cause + 1);
    }
}

/// Says what the application has to do although nothing is wrong with file or request.
void note_duties(const InstallPlan& plan, const loader::Container& container, CheckReport& report) {
    const loader::InstallRequest& request = plan.request();
    if (report.vendor.npu_cache_used) {
        note(report, "npu-cache-enable", Severity::Hint,
             fmt::format("this install maintains the NPU cache: call npu_cache_enable() before it, "
                         "ll_aton {} stops in an assertion otherwise",
                         version_text(request.profile.version)));
    }
    if ((request.mode & loader::format::kModeCopy) != 0) {
        note(report, "exec-ram-executable", Severity::Hint,
             fmt::format("COPY runs the model's code from exec RAM at 0x{:08x}: an MPU region over "
                         "it must not forbid execution, or the first call ends in a hard fault",
                         to_word(request.exec_ram)));
    }
    const std::uint32_t count = container.pool_count(loader::format::kMaxPoolsVisited);
    for (std::uint32_t index = 0; index < count; ++index) {
        loader::Pool pool;
        if (!container.pool(index, pool)) continue;
        const bool external = pool.flags.type() == loader::format::PoolType::Reloc &&
                              pool.flags.id() == 1 &&
                              (pool.flags.attributes() & loader::format::kPoolCacheable) != 0;
        if (!external) continue;
        note(report, "external-ram-cached", Severity::Hint,
             fmt::format("pool {} is external RAM cached by core and NPU: accesses of the "
                         "application need cache maintenance",
                         index));
    }
}

}  // namespace

CheckReport check_model(const ModelFiles& files, const InstallPlan& plan, std::uint64_t limit) {
    CheckReport report;
    HostMemory memory;
    plan.place(memory, files);
    const loader::MemoryPort port = memory.port();
    loader::Container container(port, plan.file().start, plan.file().bytes);
    Diagnosis why;
    const Status opened = container.open(why);
    Collector collector(report, plan, limit, container);
    static_cast<void>(loader::check(port, plan.request(), collector.sink()));
    if (opened == Status::Ok) {
        report.header = container.header();
        loader::RuntimeContext context;
        if (container.context(context)) report.context = context;
        scan_blobs(files, container, collector, report);
        const std::optional<std::uint32_t> erased = erased_from(files.file, container.header());
        if (erased && report.errors != 0) {
            note(report, "erased-flash", Severity::Hint,
                 fmt::format("from file offset 0x{:x} on all of the image is 0xff, as erased flash "
                             "is: only the beginning of the file was programmed",
                             *erased));
        }
    } else {
        const std::string known = recognise(files.file);
        if (!known.empty()) note(report, "looks-like", Severity::Hint, known);
    }
    for (const PlaceFault& fault : place_faults(plan, container)) {
        note(report, fault.id, Severity::Error, fault.text + "; " + fault.remedy);
    }
    report.vendor = judge_as_vendor(memory, plan);
    if (opened == Status::Ok) note_duties(plan, container, report);
    order(report.findings);
    return report;
}

}  // namespace n6vp::sim
