// SPDX-License-Identifier: Apache-2.0
// Feeds files, and all files of folders, to one fuzz target: any compiler, no fuzzer needed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_check.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(int argc, char** argv) {
    std::vector<fs::path> files;
    for (int index = 1; index < argc; ++index) {
        const fs::path path = argv[index];
        if (!fs::is_directory(path)) {
            files.push_back(path);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(path)) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<fs::path> files = files_of(argc, argv);
    if (files.empty()) {
        std::cerr << "usage: " << argv[0] << " FILE|FOLDER...\nno input found\n";
        return 2;
    }
    for (const fs::path& path : files) {
        std::ifstream file(path, std::ios::binary);
        if (!file) {
            std::cerr << "cannot read " << path << '\n';
            return 2;
        }
        const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
        std::cerr << path.filename().string() << '\n';  // the last line names the input of a crash
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::cout << files.size() << " inputs replayed\n";
    return 0;
}
