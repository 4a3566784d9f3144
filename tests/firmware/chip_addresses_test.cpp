// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/firmware/matrix.h"
#include "tests/support/bench.h"

using namespace n6vp;
using namespace n6vp::test;

TEST_CASE("sample models at the chip's own addresses: host == oracle") {
    const std::vector<MatrixFile> files = sample_files(N6VP_SAMPLE_MANIFEST, "n6");
    CHECK(files.size() >= 40);
    for (const loader::Policy policy : {loader::Policy::Strict, loader::Policy::Compat}) {
        Matrix matrix(N6VP_MATRIX_FOLDER);
        std::size_t expected = 0;
        for (const Placement& place : n6_placements()) {
            const AddressSet set{place.name,    place.file,     place.params,    place.exec_ram,
                                 place.ext_ram, place.instance, place.callbacks, 0};
            for (const MatrixFile& file : files) {
                matrix.add(file, set, policy);
                expected += file.copy_only ? 2 : 4;
            }
        }
        CHECK(matrix.cases() == expected);
        for (const std::string& difference : matrix.host_differences()) FAIL_CHECK(difference);
    }
}
