// SPDX-License-Identifier: GPL-3.0-or-later
// Tables: the large ones of bills, plain or compressed, and the small ones of prices.
#include "app/ledger/prices/csvtable.h"
#include "connectors/format/csvreader.h"
#include "connectors/format/decompress.h"
#include "tests/fuzz/fuzz.h"

#include <memory>

namespace gpuledger::fuzz {

namespace {

constexpr format::CsvLimits kSmall{200, 20, 5'000};

struct Read {
    std::vector<std::vector<std::string>> rows;
    bool isGood = false; // read to the end, and no row had a problem

    bool operator==(const Read &) const = default;
};

Read readAll(format::ByteSource &source, const format::CsvLimits &limits)
{
    Read out;
    format::CsvReader reader(source, limits);
    format::TextRow row;
    std::uint64_t line = 0;
    out.isGood = true;
    for (;;) {
        const auto more = reader.next(row);
        if (!more || !*more) {
            out.isGood = out.isGood && more.has_value();
            return out;
        }
        check(row.line() > line, "rows come in order");
        line = row.line();
        check(row.bytes() <= limits.rowBytes && row.size() <= limits.fields, "a row is within its limits");
        out.isGood = out.isGood && row.problem() == format::TextRow::Problem::None;
        std::vector<std::string> fields;
        for (std::size_t i = 0; i < row.size(); ++i)
            fields.emplace_back(row[i]);
        out.rows.push_back(std::move(fields));
    }
}

Read readPlain(std::string_view bytes, const format::CsvLimits &limits, std::size_t atOnce)
{
    MemoryBytes source(bytes, atOnce);
    return readAll(source, limits);
}

void readCompressed(std::string_view bytes)
{
    constexpr format::DecompressLimits kLimits{50, 100'000};
    auto source = format::decompressed(std::make_unique<MemoryBytes>(bytes), kLimits);
    if (!source)
        return;
    std::vector<char> buffer(4096);
    for (std::uint64_t out = 0;;) {
        const auto n = (*source)->read(buffer);
        if (!n || *n == 0)
            return;
        check(*n <= buffer.size(), "no more bytes than the buffer holds");
        out += *n;
        // One block may be decompressed before the limit is checked.
        check(out <= kLimits.freeBytes + (bytes.size() + 1) * kLimits.ratio + (1u << 20),
              "a decompression bomb is detected");
    }
}

} // namespace

void fuzz(std::string_view bytes)
{
    readCompressed(bytes);
    const Read whole = readPlain(bytes, {}, 4096);
    check(whole == readPlain(bytes, {}, 1), "the result does not depend on how the table is split into pieces");
    (void)readPlain(bytes, kSmall, 7);
    const auto table = ledger::CsvTable::parse(bytes);
    if (table) {
        for (const auto &row : table->rows())
            check(row.size() == table->rows().front().size(), "every row of a small table has each column");
    }
}

} // namespace gpuledger::fuzz
