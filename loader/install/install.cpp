// SPDX-License-Identifier: Apache-2.0
#include "loader/install.h"

#include "loader/image.h"
#include "loader/install_compat.h"

namespace n6vp::loader {

namespace {

/// Keeps the first error and ends the check there; warnings and hints pass.
struct FirstError {
    Diagnosis* why;
    static bool report(void* context, const Diagnosis& finding) {
        if (finding.severity != Severity::Error) return true;
        *static_cast<FirstError*>(context)->why = finding;
        return false;
    }
};

Status install_strict(const MemoryPort& port, const InstallRequest& request, InstallResult& result,
                      Diagnosis& why) {
    if (port.enter != nullptr) port.enter(port.context, Phase::Checks);
    FirstError first{&why};
    Status status = check(port, request, {&first, &FirstError::report});
    if (status != Status::Ok) return status;
    Container container(port, request.file, request.file_bytes);
    status = container.open(why);
    if (status != Status::Ok) return status;
    const std::uint32_t context_word_offset = container.header().header_bytes - 4;
    Installer installer(port, request, context_word_offset, result, why);
    status = installer.read_words();
    if (status == Status::Ok) status = installer.pools();
    if (status == Status::Ok) status = installer.image();
    if (status == Status::Ok) {
        installer.maintain(CacheOp::McuInstructionInvalidate, request.exec_ram,
                           request.exec_ram_bytes);
    }
    return status;
}

}  // namespace

Status install(const MemoryPort& port, const InstallRequest& request, InstallResult& result,
               Diagnosis& why) {
    result = {};
    why = {};
    return request.policy == Policy::Compat ? install_compat(port, request, result, why)
                                            : install_strict(port, request, result, why);
}

}  // namespace n6vp::loader
