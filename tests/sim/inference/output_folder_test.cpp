// SPDX-License-Identifier: Apache-2.0
// Where the outputs of a model may go, judged before the run.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "sim/host/errors.h"
#include "sim/inference/model_tensors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using n6vp::test::ScratchFolder;

namespace {

/// Returns what a user without rights is told about `folder`, "" if nothing.
std::string refusal(const std::string& folder) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::fflush(nullptr);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) _exit(1);
        std::string text;
        try {
            model_run::TensorFiles none({}, "output", "--expect");
            const model_run::Outputs outputs(0, none, folder);
        } catch (const UserError& error) {
            text = error.what();
        }
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0
                                                                                            : 1);
    }
    close(ends[1]);
    std::string text(1000, '\0');
    const ssize_t bytes = read(ends[0], text.data(), text.size());
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
    return text;
}

}  // namespace

TEST_CASE("a folder that is not writable is distinguished from a file") {
    const ScratchFolder place;
    REQUIRE(chmod(place.path().c_str(), 0755) == 0);  // others may look
    const std::string locked = place.file("locked"), file = place.write("file", std::string("x"));
    std::filesystem::create_directory(locked);
    REQUIRE(chmod(locked.c_str(), 0555) == 0);
    const std::string open = place.file("open");
    std::filesystem::create_directory(open);
    REQUIRE(chmod(open.c_str(), 0777) == 0);
    CHECK(refusal(open) == "");
    CHECK(refusal(open + "/a/b") == "");
    CHECK(refusal(locked) == "-o: " + locked + " is not writable");
    CHECK(refusal(locked + "/a/b") == "-o: " + locked + "/a/b cannot be created");
    CHECK(refusal(file) == "-o: " + file + " is not a folder");
}

TEST_CASE("a run that ended in its inference had outputs as expected") {
    const ScratchFolder place;
    model_run::TensorFiles demanded({place.write("want", std::string("xyz"))}, "output",
                                    "--expect");
    model_run::Outputs outputs(0, demanded, {});
    model_run::Tensor tensor;
    tensor.bytes = 3;
    outputs.add(tensor);
    CHECK_FALSE(outputs.as_expected());
    static_cast<void>(place.write("output_0.bin", std::string("xyz")));
    outputs.collect(place.path());
    CHECK(outputs.as_expected());
    model_run::TensorFiles none({}, "output", "--expect");
    CHECK(model_run::Outputs(0, none, {}).as_expected());
}
