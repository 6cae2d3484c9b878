// SPDX-License-Identifier: GPL-3.0-or-later
// Parquet files by Apache Arrow. This is all of the module but for the texts of cells.
#include "connectors/format/parquet/module/cellcolumn.h"
#include "connectors/format/parquet/module/celltext.h"
#include "connectors/format/parquet/parquetfile.h"

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/status.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <exception>
#include <new>
#include <unistd.h>

namespace gpuledger::format {

namespace {

using Kind = ParquetProblem::Kind;

constexpr std::int64_t kBatchRows = 4096;
constexpr std::int64_t kBufferBytes = 64 << 10; // of each column that is read
constexpr std::int64_t kMostMemory = 256LL << 20; // a page's size is what the file says
constexpr std::int32_t kMostTextBytes = 16 << 20; // in the description of a file
constexpr std::int32_t kMostEntries = 100'000; // likewise

ParquetProblem problemOf(const arrow::Status &status)
{
    if (status.IsOutOfMemory() || status.IsCapacityError())
        return {Kind::TooMuch, status.message()};
    return {status.IsNotImplemented() ? Kind::Unsupported : Kind::Damaged, status.message()};
}

// Arrow throws in few places; none may leave the module.
template <typename Work> ParquetProblem guarded(Work &&work)
{
    try {
        return work();
    } catch (const parquet::ParquetStatusException &error) {
        return problemOf(error.status());
    } catch (const parquet::ParquetException &error) {
        return {Kind::Damaged, error.what()};
    } catch (const std::bad_alloc &) {
        return {Kind::TooMuch, "out of memory"};
    } catch (const std::exception &error) {
        return {Kind::Damaged, error.what()};
    }
}

// Whether each flat column has a value, or null, for each row. Arrow reads as many rows as the file says, even if its
// columns have more.
bool isConsistent(const parquet::FileMetaData &file)
{
    std::int64_t rows = 0;
    for (int g = 0; g < file.num_row_groups(); ++g) {
        const auto group = file.RowGroup(g);
        if (group->num_rows() < 0)
            return false;
        rows += group->num_rows();
        for (int c = 0; c < group->num_columns() && c < file.num_columns(); ++c) {
            const bool isFlat = file.schema()->Column(c)->max_repetition_level() == 0;
            if (isFlat && group->ColumnChunk(c)->num_values() != group->num_rows())
                return false;
        }
    }
    return file.num_rows() == rows;
}

class ArrowFile final : public ParquetFile {
public:
    ArrowFile()
        : m_pool(arrow::system_memory_pool(), kMostMemory)
    {
    }
    ArrowFile(const ArrowFile &) = delete;
    ArrowFile &operator=(const ArrowFile &) = delete;
    ~ArrowFile() override
    {
        m_cells.clear();
        m_batch.reset();
        m_batches.reset();
        m_reader.reset();
    }

    ParquetProblem open(int fd)
    {
        const int own = dup(fd);
        if (own < 0)
            return {Kind::TooMuch, "too many open files"};
        auto file = arrow::io::ReadableFile::Open(own, &m_pool);
        if (!file.ok()) {
            close(own);
            return problemOf(file.status());
        }
        parquet::arrow::FileReaderBuilder builder;
        if (const arrow::Status status = describe(*file, builder); !status.ok())
            return problemOf(status);
        const auto metadata = builder.raw_reader()->metadata();
        if (metadata->is_encryption_algorithm_set())
            return {Kind::Unsupported, "it is encrypted"};
        if (!isConsistent(*metadata))
            return {Kind::Damaged, "its columns have other numbers of rows than it says"};
        m_rows = metadata->num_rows();
        if (const arrow::Status status = start(builder); !status.ok())
            return problemOf(status);
        for (const auto &field : m_batches->schema()->fields()) {
            if (nestingOf(*field->type()) > kMostNested)
                return {Kind::Unsupported, "the values of the column " + field->name() + " are nested too deeply"};
            m_columns.push_back(field->name());
        }
        return {};
    }

    const std::vector<std::string> &columns() const override { return m_columns; }
    std::uint64_t rows() const override { return static_cast<std::uint64_t>(m_rows); }
    const ParquetProblem &problem() const override { return m_problem; }

    bool next(std::string &text, std::vector<TextRow::Field> &fields) override
    {
        bool isRow = false;
        m_problem = guarded([&]() -> ParquetProblem {
            if (!m_batch || m_row == m_batch->num_rows()) {
                if (auto problem = nextBatch(); problem.kind != Kind::None)
                    return problem;
            }
            if (!m_batch)
                return {};
            for (CellColumn &column : m_cells) {
                const bool isText = column.append(m_row, text);
                fields.push_back({text.size(), isText});
            }
            ++m_row;
            isRow = true;
            return {};
        });
        return isRow;
    }

private:
    arrow::Status describe(const std::shared_ptr<arrow::io::ReadableFile> &file,
                           parquet::arrow::FileReaderBuilder &builder)
    {
        parquet::ReaderProperties properties(&m_pool);
        properties.enable_buffered_stream();
        properties.set_buffer_size(kBufferBytes);
        properties.set_thrift_string_size_limit(kMostTextBytes);
        properties.set_thrift_container_size_limit(kMostEntries);
        properties.set_page_checksum_verification(true);
        return builder.Open(file, properties);
    }

    arrow::Status start(parquet::arrow::FileReaderBuilder &builder)
    {
        parquet::ArrowReaderProperties rows(false);
        rows.set_batch_size(kBatchRows);
        rows.set_pre_buffer(false);
        builder.memory_pool(&m_pool)->properties(rows);
        ARROW_ASSIGN_OR_RAISE(m_reader, builder.Build());
        ARROW_ASSIGN_OR_RAISE(m_batches, m_reader->GetRecordBatchReader());
        return arrow::Status::OK();
    }

    // Null after the last one.
    ParquetProblem nextBatch()
    {
        for (CellColumn &column : m_cells)
            column.setArray(nullptr);
        m_row = 0;
        do {
            m_batch.reset();
            if (const arrow::Status status = m_batches->ReadNext(&m_batch); !status.ok())
                return problemOf(status);
        } while (m_batch && m_batch->num_rows() == 0);
        if (!m_batch)
            return m_read == m_rows ? ParquetProblem{}
                                    : ParquetProblem{Kind::Damaged, "it has fewer rows than it says"};
        m_read += m_batch->num_rows();
        m_cells.resize(static_cast<std::size_t>(m_batch->num_columns()));
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            m_cells[i].setArray(m_batch->column(static_cast<int>(i)));
        return {};
    }

    arrow::CappedMemoryPool m_pool; // first: everything below allocates from it
    std::unique_ptr<parquet::arrow::FileReader> m_reader;
    std::shared_ptr<arrow::RecordBatchReader> m_batches;
    std::shared_ptr<arrow::RecordBatch> m_batch;
    std::vector<CellColumn> m_cells; // of the batch
    std::vector<std::string> m_columns;
    ParquetProblem m_problem;
    std::int64_t m_row = 0; // of the batch
    std::int64_t m_rows = 0, m_read = 0; // of the file
};

} // namespace

} // namespace gpuledger::format

extern "C" __attribute__((visibility("default"))) gpuledger::format::ParquetFile *
gpuledgerOpenParquet(int fd, int module, gpuledger::format::ParquetProblem *problem)
{
    using namespace gpuledger::format;
    if (module != kParquetModule) {
        *problem = {ParquetProblem::Kind::Unsupported, "the module for Parquet is of another version"};
        return nullptr;
    }
    auto file = std::make_unique<ArrowFile>();
    *problem = guarded([&] { return file->open(fd); });
    return problem->kind == ParquetProblem::Kind::None ? file.release() : nullptr;
}
