// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/billtext.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace gpuledger::tests {

namespace {

const Cells &plainCells()
{
    static const Cells kCells{
        {"BilledCost", "1.5"},
        {"BillingAccountId", "acc-1"},
        {"BillingAccountName", "Payer"},
        {"BillingCurrency", "USD"},
        {"BillingPeriodEnd", "2026-10-01T00:00:00Z"},
        {"BillingPeriodStart", "2026-09-01T00:00:00Z"},
        {"ChargeCategory", "Usage"},
        {"ChargeClass", ""},
        {"ChargeDescription", "A GPU machine for an hour"},
        {"ChargePeriodEnd", "2026-09-02T01:00:00Z"},
        {"ChargePeriodStart", "2026-09-02T00:00:00Z"},
        {"ContractedCost", "1.75"},
        {"EffectiveCost", "1.25"},
        {"InvoiceIssuerName", "Example Cloud"},
        {"ListCost", "2"},
        {"PricingQuantity", "1"},
        {"PricingUnit", "Hours"},
        {"ProviderName", "Example Cloud"},
        {"PublisherName", "Example Cloud"},
        {"ServiceCategory", "Compute"},
        {"ServiceName", "Machines"},
    };
    return kCells;
}

} // namespace

Cells goodCells(const Cells &changes)
{
    Cells cells = plainCells();
    for (const auto &[column, cell] : changes)
        cells[column] = cell;
    return cells;
}

std::vector<std::string> mandatoryColumns()
{
    std::vector<std::string> columns;
    for (const auto &[column, cell] : plainCells())
        columns.push_back(column);
    return columns;
}

std::string csvText(const std::vector<Cells> &rows)
{
    std::vector<std::string> columns = mandatoryColumns();
    for (const Cells &row : rows) {
        for (const auto &[column, cell] : row) {
            if (std::find(columns.begin(), columns.end(), column) == columns.end())
                columns.push_back(column);
        }
    }
    return csvText(columns, rows);
}

std::string csvText(const std::vector<std::string> &columns, const std::vector<Cells> &rows)
{
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i)
        text += (i ? "," : "") + columns[i];
    text += '\n';
    for (const Cells &row : rows) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto cell = row.find(columns[i]);
            text += (i ? "," : "") + (cell == row.end() ? std::string() : cell->second);
        }
        text += '\n';
    }
    return text;
}

std::string gzipped(std::string_view plain, int level)
{
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        std::abort();
    std::string out(deflateBound(&stream, static_cast<uLong>(plain.size())) + 64, '\0');
    std::string in(plain);
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        std::abort();
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string zstandard(std::string_view plain)
{
    std::string out(ZSTD_compressBound(plain.size()), '\0');
    const std::size_t n = ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3);
    if (ZSTD_isError(n))
        std::abort();
    out.resize(n);
    return out;
}

void writeFile(const std::filesystem::path &path, std::string_view bytes, base::Seconds age)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        std::abort();
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

} // namespace gpuledger::tests
