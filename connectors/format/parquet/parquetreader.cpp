// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/parquet/parquetreader.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/parquet/parquetfile.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuledger::format {

namespace {

using base::Error;
using base::ErrorCode;
using base::fail;
using base::Result;

constexpr std::string_view kMagic = "PAR1", kEncryptedMagic = "PARE";
constexpr std::size_t kShownBytes = 200;
constexpr const char *kExportAsCsv = "export the bill as CSV, or build this program with Apache Arrow";
constexpr const char *kModuleVariable = "GPULEDGER_PARQUET_MODULE"; // a path in place of the built-in one
constexpr const char *kModulePath = "../lib/gpuledger/libgpuledger-parquet.so"; // from the folder of the program

std::string magicAt(int fd, off_t at)
{
    std::array<char, 4> magic{};
    const ssize_t n = pread(fd, magic.data(), magic.size(), at);
    return n == static_cast<ssize_t>(magic.size()) ? std::string(magic.data(), magic.size()) : std::string();
}

std::filesystem::path modulePath()
{
    if (const char *named = std::getenv(kModuleVariable))
        return named;
    std::error_code ec;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ec);
    return (program.parent_path() / kModulePath).lexically_normal();
}

Result<OpenParquet> loadModule()
{
    static constexpr const char *kCantRead = "Parquet can't be read: this build has no Apache Arrow";
    const std::filesystem::path path = modulePath();
    if (std::error_code ec; !std::filesystem::exists(path, ec))
        return fail(ErrorCode::Unsupported, kCantRead, kExportAsCsv);
    void *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // stays until the program ends
    void *open = module ? dlsym(module, kOpenParquet) : nullptr;
    if (open)
        return reinterpret_cast<OpenParquet>(open);
    const char *why = dlerror();
    return fail(ErrorCode::Unsupported,
                "Parquet can't be read: Apache Arrow can't be loaded: " + base::printable(why ? why : "", kShownBytes),
                kExportAsCsv);
}

const Result<OpenParquet> &module()
{
    static const Result<OpenParquet> kModule = loadModule();
    return kModule;
}

Error errorOf(const ParquetProblem &problem)
{
    const std::string why = base::printable(problem.text, kShownBytes);
    switch (problem.kind) {
    case ParquetProblem::Kind::TooMuch:
        return Error::make(ErrorCode::TooMuch, "the Parquet file takes too much memory: " + why);
    case ParquetProblem::Kind::Unsupported:
        return Error::make(ErrorCode::Unsupported, "the Parquet file can't be read: " + why, kExportAsCsv);
    case ParquetProblem::Kind::None:
    case ParquetProblem::Kind::Damaged:
        break;
    }
    return Error::make(ErrorCode::Parse, "the Parquet file is damaged: " + why, kFetchAgain);
}

// A file that begins as it should but does not end so.
Result<void> checkEnd(int fd)
{
    struct stat info { };
    if (fstat(fd, &info) != 0)
        return fail(ErrorCode::Storage, "a Parquet file can't be read", base::Remedy::TryAgain);
    const std::string last = info.st_size >= 12 ? magicAt(fd, info.st_size - 4) : std::string();
    if (last == kEncryptedMagic || magicAt(fd, 0) == kEncryptedMagic)
        return fail(ErrorCode::Unsupported, "the Parquet file is encrypted", kExportAsCsv);
    if (last == kMagic)
        return {};
    Error error = Error::make(ErrorCode::Parse, "the Parquet file is cut off", kFetchAgain);
    error.retryable = true;
    return fail(std::move(error));
}

} // namespace

bool isParquet(int fd)
{
    const std::string first = magicAt(fd, 0);
    return first == kMagic || first == kEncryptedMagic;
}

Result<void> parquetAvailable()
{
    if (!module())
        return fail(module().error());
    return {};
}

ParquetReader::ParquetReader(std::unique_ptr<ParquetFile> file)
    : m_file(std::move(file))
{
}

ParquetReader::~ParquetReader() = default;

Result<std::unique_ptr<ParquetReader>> ParquetReader::open(int fd)
{
    GPULEDGER_TRY(parquetAvailable());
    GPULEDGER_TRY(checkEnd(fd));
    ParquetProblem problem;
    std::unique_ptr<ParquetFile> file((*module())(fd, kParquetModule, &problem));
    if (!file)
        return fail(errorOf(problem));
    return std::unique_ptr<ParquetReader>(new ParquetReader(std::move(file)));
}

Result<bool> ParquetReader::next(TextRow &row)
{
    row.begin(++m_line);
    if (m_line == 1) {
        for (const std::string &name : m_file->columns()) {
            row.m_text += name;
            row.m_ends.push_back({row.m_text.size(), true});
        }
    } else if (!m_file->next(row.m_text, row.m_ends)) {
        if (m_file->problem().kind != ParquetProblem::Kind::None)
            return fail(errorOf(m_file->problem()));
        return false;
    }
    if (row.m_text.size() > m_limits.rowBytes) {
        row.m_problem = TextRow::Problem::TooLong;
        row.m_text.clear();
        row.m_ends.clear();
    } else if (row.m_ends.size() > m_limits.fields) {
        row.m_problem = TextRow::Problem::TooManyFields;
        row.m_ends.resize(m_limits.fields);
    }
    row.finish();
    return true;
}

double ParquetReader::shareRead() const
{
    const double rows = static_cast<double>(m_file->rows());
    return rows > 0 ? std::min(1.0, static_cast<double>(m_line > 0 ? m_line - 1 : 0) / rows) : 1;
}

} // namespace gpuledger::format
