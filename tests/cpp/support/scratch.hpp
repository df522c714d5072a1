// Names for scratch files.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SCRATCH_HPP
#define HITMISS_TESTS_SCRATCH_HPP

#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include <hitmiss/data/scratch_file.hpp>

/// A path where there is no file.
inline std::string scratch_path() {
  static int count = 0;
  return (std::filesystem::temp_directory_path() /
          ("hitmiss-test-" + std::to_string(++count) + "-" +
           std::to_string(std::random_device{}())))
      .string();
}

inline std::shared_ptr<hitmiss::ScratchFile> new_scratch() {
  return std::make_shared<hitmiss::ScratchFile>(scratch_path());
}

#endif
