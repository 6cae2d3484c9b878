// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/textrow.h"

#include <cstdint>
#include <string>
#include <vector>

// What the program and the module with Apache Arrow share. The module is loaded when the first Parquet file is read:
// Arrow takes 50 MB and is not everywhere.
namespace gpuledger::format {

// Why a Parquet file can't be read.
struct ParquetProblem {
    enum class Kind { None, Damaged, Unsupported, TooMuch };
    Kind kind = Kind::None;
    std::string text; // in Arrow's words; may not be printable
};

// An open Parquet file, read from its beginning to its end in constant memory. One thread. Nothing throws.
class ParquetFile {
public:
    ParquetFile() = default;
    ParquetFile(const ParquetFile &) = delete;
    ParquetFile &operator=(const ParquetFile &) = delete;
    virtual ~ParquetFile() = default;

    virtual const std::vector<std::string> &columns() const = 0;
    virtual std::uint64_t rows() const = 0; // as the file says
    // Appends the next row to `text`, and one field per column to `fields`. False at the end, or if the file can't be
    // read further: see problem().
    [[nodiscard]] virtual bool next(std::string &text, std::vector<TextRow::Field> &fields) = 0;
    virtual const ParquetProblem &problem() const = 0;
};

// A module of another build is refused: the number changes with this header.
inline constexpr int kParquetModule = 1;

// What the module exports under the name kOpenParquet. `fd` stays the caller's and must outlive the file; its position
// is not used. Returns null with the problem if the file can't be opened; else the caller owns the result.
using OpenParquet = ParquetFile *(*)(int fd, int module, ParquetProblem *problem);
inline constexpr const char *kOpenParquet = "gpuledgerOpenParquet";

} // namespace gpuledger::format
