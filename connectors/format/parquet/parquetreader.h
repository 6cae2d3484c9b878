// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/csvreader.h"
#include "connectors/format/textrow.h"

#include <memory>

namespace gpuledger::format {

class ParquetFile;

// Whether the file begins as Parquet files do; leaves the position of `fd` as it is.
bool isParquet(int fd);

// Fails with Unsupported if this build has no module with Apache Arrow, or it can't be loaded. Safe from any thread.
[[nodiscard]] base::Result<void> parquetAvailable();

// A Parquet file, row by row: the first row has the names of the columns. Values are texts as in CSV, see
// module/celltext.h; those of text columns count as quoted. Memory stays constant. One thread.
class ParquetReader final : public TextRows {
public:
    // `fd` must outlive the reader; its position is neither used nor changed. Fails as parquetAvailable(), with Parse
    // (damaged; retryable if the file is cut off), Unsupported (encrypted, or a form that Arrow can't read) or TooMuch.
    [[nodiscard]] static base::Result<std::unique_ptr<ParquetReader>> open(int fd);
    ~ParquetReader() override;

    // Fails with Parse, Unsupported or TooMuch.
    [[nodiscard]] base::Result<bool> next(TextRow &row) override;
    // Of the rows, from 0 to 1.
    double shareRead() const;

private:
    explicit ParquetReader(std::unique_ptr<ParquetFile> file);

    std::unique_ptr<ParquetFile> m_file;
    CsvLimits m_limits; // they hold for any table
    std::uint64_t m_line = 0; // of the last row
};

} // namespace gpuledger::format
