// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billrows.h"

#include "connectors/format/csvreader.h"
#include "connectors/format/decompress.h"
#include "connectors/format/parquet/parquetreader.h"

#include <vector>

namespace gpuledger::focus {

namespace {

using base::Result;

constexpr std::size_t kPieceBytes = 1u << 20;

// Lends the bytes of a file that outlives the reader.
class BorrowedSource final : public format::ByteSource {
public:
    explicit BorrowedSource(BillFileBytes &bytes)
        : m_bytes(bytes)
    {
    }
    Result<std::size_t> read(std::span<char> to) override { return m_bytes.read(to); }

private:
    BillFileBytes &m_bytes;
};

} // namespace

BillRows::BillRows(std::unique_ptr<BillFileBytes> file)
    : m_file(std::move(file))
{
}

BillRows::BillRows(BillRows &&) noexcept = default;
BillRows::~BillRows() = default;

Result<BillRows> BillRows::open(std::unique_ptr<BillFileBytes> file, cur::UsageReports &reports, std::uint32_t index)
{
    BillRows rows(std::move(file));
    GPULEDGER_TRY(format::isParquet(rows.m_file->descriptor()) ? rows.openParquet() : rows.openCsv());
    rows.m_rows = cur::asFocus(std::move(rows.m_rows), reports, index);
    return rows;
}

Result<void> BillRows::openParquet()
{
    const auto stamp = m_file->stamp();
    GPULEDGER_TRY(stamp);
    m_fileBytes = stamp->bytes;
    auto reader = format::ParquetReader::open(m_file->descriptor());
    GPULEDGER_TRY(reader);
    m_parquet = reader->get();
    m_rows = std::move(*reader);
    return {};
}

Result<void> BillRows::openCsv()
{
    auto plain = format::decompressed(std::make_unique<BorrowedSource>(*m_file));
    GPULEDGER_TRY(plain);
    m_plain = std::move(*plain);
    m_rows = std::make_unique<format::CsvReader>(*m_plain);
    return {};
}

std::uint64_t BillRows::bytesRead() const
{
    return m_parquet ? static_cast<std::uint64_t>(static_cast<double>(m_fileBytes) * m_parquet->shareRead())
                     : m_file->bytesRead();
}

Result<CheckSum> BillRows::checkSum()
{
    std::vector<char> piece(m_parquet ? kPieceBytes : 0);
    for (std::size_t n = piece.size(); n > 0;) {
        const auto got = m_file->read(piece);
        GPULEDGER_TRY(got);
        n = *got;
    }
    return m_file->checkSum();
}

} // namespace gpuledger::focus
