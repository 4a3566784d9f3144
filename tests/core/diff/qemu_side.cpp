// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/qemu_side.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace n6vp::test::diff {

namespace {

namespace fs = std::filesystem;

void write_job(const fs::path& path, const std::vector<Entry>& entries, JobMode mode) {
    std::ofstream file(path, std::ios::binary);
    JobHeader header;
    header.mode = mode;
    header.entries = static_cast<std::uint32_t>(entries.size());
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(entries.data()),
               static_cast<std::streamsize>(entries.size() * sizeof(Entry)));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

template <class T>
std::vector<T> read_answer(const fs::path& path, std::size_t count) {
    std::vector<T> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(count * sizeof(T)));
    if (static_cast<std::size_t>(file.gcount()) != count * sizeof(T)) {
        throw std::runtime_error("QEMU answered " + std::to_string(file.gcount()) +
                                 " bytes instead of " + std::to_string(count * sizeof(T)));
    }
    return values;
}

std::size_t vectors_of(const std::vector<Entry>& entries) {
    std::size_t vectors = 0;
    for (const Entry& entry : entries) vectors += entry.vectors;
    return vectors;
}

}  // namespace

QemuSide::QemuSide(std::string qemu, std::string machine, std::string runner, fs::path folder,
                   QemuClock clock)
    : qemu_(std::move(qemu)),
      machine_(std::move(machine)),
      runner_(fs::absolute(runner).string()),
      folder_(std::move(folder)),
      clock_(clock) {
    fs::create_directories(folder_);
}

Answer QemuSide::run(const std::vector<Entry>& entries, JobMode mode) {
    // The runner's command line knows no quoting: short names, and the folder as working directory.
    const std::string tag = std::to_string(getpid());
    const fs::path job = folder_ / ("job" + tag), out = folder_ / ("out" + tag);
    write_job(job, entries, mode);
    const std::string command =
        "cd '" + folder_.string() + "' && timeout 3000 '" + qemu_ + "' -M " + machine_ +
        " -nographic -monitor none -serial none" +
        // 8 ns for each instruction.
        (clock_ == QemuClock::Instructions ? " -icount shift=3,sleep=off" : "") +
        " -semihosting-config enable=on,target=native,arg=runner,arg=job" + tag + ",arg=out" + tag +
        " -kernel '" + runner_ + "' </dev/null >log" + tag + " 2>&1";
    const int status = std::system(command.c_str());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw std::runtime_error("QEMU failed, see " + (folder_ / ("log" + tag)).string() +
                                 "; the job is " + job.string());
    }
    Answer answer;
    if (mode == JobMode::Hash) {
        answer.hashes = read_answer<std::uint32_t>(out, entries.size());
    } else {
        answer.records = read_answer<Record>(out, vectors_of(entries));
    }
    fs::remove(job);
    fs::remove(out);
    fs::remove(folder_ / ("log" + tag));
    return answer;
}

}  // namespace n6vp::test::diff
