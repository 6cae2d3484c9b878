// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/cur/usagereports.h"
#include "connectors/format/focus/billfilebytes.h"
#include "connectors/format/textrow.h"

#include <cstdint>
#include <memory>

namespace gpuledger::format {
class ParquetReader;
} // namespace gpuledger::format

namespace gpuledger::focus {

// The rows of a bill file, the header first: Parquet, or CSV that may be compressed with gzip or Zstandard. What it is
// is told from its first bytes. One thread.
class BillRows {
public:
    // Rows of a Cost and Usage Report are those of FOCUS; `index`: of the file among those of `reports`, which must
    // outlive the rows. Fails as ParquetReader::open() or format::decompressed().
    [[nodiscard]] static base::Result<BillRows> open(std::unique_ptr<BillFileBytes> file, cur::UsageReports &reports,
                                                     std::uint32_t index);
    BillRows(BillRows &&) noexcept;
    BillRows &operator=(BillRows &&) = delete;
    ~BillRows();

    // As TextRows::next().
    [[nodiscard]] base::Result<bool> next(format::TextRow &row) { return m_rows->next(row); }
    std::uint64_t bytesRead() const; // of the file; approximate for Parquet
    // The checksum of the file, once its rows are read. Reads Parquet once more; fails as BillFileBytes::read().
    [[nodiscard]] base::Result<CheckSum> checkSum();

private:
    explicit BillRows(std::unique_ptr<BillFileBytes> file);
    [[nodiscard]] base::Result<void> openParquet();
    [[nodiscard]] base::Result<void> openCsv();

    std::unique_ptr<BillFileBytes> m_file; // outlives what reads it
    std::unique_ptr<format::ByteSource> m_plain; // null for Parquet
    std::unique_ptr<format::TextRows> m_rows;
    const format::ParquetReader *m_parquet = nullptr; // what m_rows reads, or null
    std::uint64_t m_fileBytes = 0; // of Parquet
};

} // namespace gpuledger::focus
