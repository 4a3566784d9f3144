// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/firmware/matrix.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

std::filesystem::path folder(const char* name) {
    return std::filesystem::path(N6VP_MATRIX_FOLDER) / name;
}

void check(Matrix& matrix) {
    const std::vector<std::string> differences = matrix.run();
    MESSAGE(matrix.cases() << " installs compared");
    CHECK(differences.size() == 0);
    for (std::size_t i = 0; i < differences.size() && i < 10; ++i) FAIL_CHECK(differences[i]);
}

}  // namespace

TEST_CASE("synthetic containers, Strict: host == Cortex-M55 == oracle") {
    Matrix matrix(folder("strict"));
    for (const AddressSet& set : kAddressSets) {
        for (const MatrixFile& file : synthetic_files(set))
            matrix.add(file, set, loader::Policy::Strict);
    }
    // 16 GCC containers and 3 of clang, which only know COPY, per address set.
    CHECK(matrix.cases() == 3 * (16 * 4 + 3 * 2));
    check(matrix);
}

TEST_CASE("synthetic containers, Compat: host == Cortex-M55 == oracle") {
    Matrix matrix(folder("compat"));
    for (const AddressSet& set : kAddressSets) {
        for (const MatrixFile& file : synthetic_files(set))
            matrix.add(file, set, loader::Policy::Compat);
    }
    check(matrix);
}

TEST_CASE("sample models, Strict: host == Cortex-M55 == oracle") {
    Matrix matrix(folder("samples"));
    const std::vector<MatrixFile> files = sample_files(N6VP_SAMPLE_MANIFEST, "qemu");
    CHECK(files.size() >= 40);
    for (const AddressSet& set : kAddressSets) {
        for (const MatrixFile& file : files) matrix.add(file, set, loader::Policy::Strict);
    }
    check(matrix);
}
