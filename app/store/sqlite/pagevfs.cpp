// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/pagevfs.h"

#include <sqlite3.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace gpuledger::store {

namespace {

constexpr char kName[] = "gpuledger";
constexpr char kMagic[] = "SQLite format 3"; // with its terminating zero
constexpr int kFileHeaderSize = 100; // of the file
constexpr int kSizeAt = 16, kReserveAt = 20; // in the header
constexpr int kSmallestPage = 512, kLargestPage = 65536;
// From the range of codes that SQLite leaves to applications.
constexpr int kAskForDamage = 0x47504C, kAskForSize = kAskForDamage + 1, kTellUnused = kAskForDamage + 2;

using Header = std::array<unsigned char, kFileHeaderSize>;

// SQLite's view of the file; the system VFS's file object follows it.
struct PageFile {
    sqlite3_file base;
    unsigned char *buffer; // a page
    std::int64_t damaged; // the last damaged page, or 0
    int pageSize; // 0 until the pages are known to have checksums
    bool isReader;
    const std::set<std::int64_t> *unused; // pages that may be damaged; or null
};

sqlite3_vfs *systemVfs()
{
    static sqlite3_vfs *const found = sqlite3_vfs_find(nullptr);
    return found;
}

PageFile *ours(sqlite3_file *file)
{
    return reinterpret_cast<PageFile *>(file);
}

sqlite3_file *real(sqlite3_file *file)
{
    return reinterpret_cast<sqlite3_file *>(ours(file) + 1);
}

// The header says whether pages have checksums; a file gets them when it is created or rewritten.
void learnFrom(PageFile *file, const unsigned char *header)
{
    const int raw = (header[kSizeAt] << 8) | header[kSizeAt + 1];
    const int size = raw == 1 ? kLargestPage : raw;
    const bool isSize = size >= kSmallestPage && (size & (size - 1)) == 0;
    if (std::memcmp(header, kMagic, sizeof kMagic) == 0 && saysChecksums(header) && isSize)
        file->pageSize = size;
}

// A disk that fails to read (EIO) is not a damaged file: SQLite would turn its own code for that,
// SQLITE_IOERR_CORRUPTFS, into SQLITE_CORRUPT, and the cache would be set aside.
int readReal(sqlite3_file *file, void *to, int count, sqlite3_int64 offset)
{
    const int rc = real(file)->pMethods->xRead(real(file), to, count, offset);
    return rc == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : rc;
}

int pageSizeOf(sqlite3_file *file)
{
    PageFile *f = ours(file);
    Header header;
    if (f->pageSize == 0 && readReal(file, header.data(), kFileHeaderSize, 0) == SQLITE_OK)
        learnFrom(f, header.data());
    return f->pageSize;
}

// SQLite may write the first page of a new file last, and new files always have checksums.
bool hasNoHeader(sqlite3_file *file)
{
    Header header{};
    const int rc = readReal(file, header.data(), kFileHeaderSize, 0);
    return (rc == SQLITE_OK || rc == SQLITE_IOERR_SHORT_READ) && header == Header{};
}

unsigned char *bufferOf(PageFile *file)
{
    if (!file->buffer)
        file->buffer = static_cast<unsigned char *>(sqlite3_malloc(kLargestPage));
    return file->buffer;
}

std::string_view viewOf(const void *bytes, int count)
{
    return {static_cast<const char *>(bytes), static_cast<std::size_t>(count)};
}

bool isZero(std::string_view bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
}

int checked(PageFile *file, void *page, int size, sqlite3_int64 offset)
{
    const std::int64_t number = offset / size + 1;
    const std::string_view bytes = viewOf(page, size);
    if (pageHolds(bytes, static_cast<std::uint64_t>(number)))
        return SQLITE_OK;
    // Free pages may exist in the file without ever having been written; only a writer encounters them.
    if (!file->isReader && number > 1 && isZero(bytes))
        return SQLITE_OK;
    if (number > 1 && file->unused && file->unused->contains(number)) {
        std::memset(page, 0, static_cast<std::size_t>(size));
        return SQLITE_OK;
    }
    file->damaged = number;
    return SQLITE_IOERR_DATA;
}

int readPart(sqlite3_file *file, void *to, int count, sqlite3_int64 offset, int size)
{
    unsigned char *buffer = bufferOf(ours(file));
    if (!buffer)
        return SQLITE_IOERR_NOMEM;
    const sqlite3_int64 start = offset - offset % size;
    if (const int rc = readReal(file, buffer, size, start); rc != SQLITE_OK)
        return rc;
    if (const int rc = checked(ours(file), buffer, size, start); rc != SQLITE_OK)
        return rc;
    std::memcpy(to, buffer + (offset - start), static_cast<std::size_t>(count));
    return SQLITE_OK;
}

int readBytes(sqlite3_file *file, void *to, int count, sqlite3_int64 offset)
{
    const bool isHeader = offset + count <= kFileHeaderSize; // read before anything is known, and again with its page
    const int size = isHeader ? 0 : pageSizeOf(file);
    if (size > 0 && count < size && offset % size + count <= size)
        return readPart(file, to, count, offset, size);
    const int rc = readReal(file, to, count, offset);
    if (rc != SQLITE_OK || size == 0)
        return rc;
    return count == size && offset % size == 0 ? checked(ours(file), to, size, offset) : SQLITE_IOERR_DATA;
}

int writeBytes(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset)
{
    PageFile *f = ours(file);
    if (offset == 0 && count >= kFileHeaderSize)
        learnFrom(f, static_cast<const unsigned char *>(from));
    if (pageSizeOf(file) == 0 && offset > 0 && count >= kSmallestPage && hasNoHeader(file))
        f->pageSize = count;
    const int size = f->pageSize;
    if (size == 0 || count != size || offset % size != 0)
        return real(file)->pMethods->xWrite(real(file), from, count, offset);
    unsigned char *buffer = bufferOf(f);
    if (!buffer)
        return SQLITE_IOERR_NOMEM;
    const int content = size - kPageSumBytes;
    std::memcpy(buffer, from, static_cast<std::size_t>(content));
    const std::uint64_t sum = pageSum(viewOf(from, content), static_cast<std::uint64_t>(offset / size + 1));
    std::memcpy(buffer + content, &sum, sizeof sum);
    return real(file)->pMethods->xWrite(real(file), buffer, size, offset);
}

int closeFile(sqlite3_file *file)
{
    sqlite3_free(ours(file)->buffer);
    ours(file)->buffer = nullptr;
    return real(file)->pMethods->xClose(real(file));
}

int control(sqlite3_file *file, int code, void *argument)
{
    if (code == kAskForSize) {
        *static_cast<std::int64_t *>(argument) = pageSizeOf(file);
        return SQLITE_OK;
    }
    if (code == kTellUnused) {
        ours(file)->unused = static_cast<const std::set<std::int64_t> *>(argument);
        return SQLITE_OK;
    }
    if (code != kAskForDamage)
        return real(file)->pMethods->xFileControl(real(file), code, argument);
    *static_cast<std::int64_t *>(argument) = std::exchange(ours(file)->damaged, 0);
    return SQLITE_OK;
}

// Everything else is passed to the system VFS. Version 2: pages are never memory-mapped, so that each goes through
// readBytes().
const sqlite3_io_methods &methods()
{
    static const sqlite3_io_methods kMethods{
        2,
        closeFile,
        readBytes,
        writeBytes,
        [](sqlite3_file *f, sqlite3_int64 size) { return real(f)->pMethods->xTruncate(real(f), size); },
        [](sqlite3_file *f, int flags) { return real(f)->pMethods->xSync(real(f), flags); },
        [](sqlite3_file *f, sqlite3_int64 *size) { return real(f)->pMethods->xFileSize(real(f), size); },
        [](sqlite3_file *f, int level) { return real(f)->pMethods->xLock(real(f), level); },
        [](sqlite3_file *f, int level) { return real(f)->pMethods->xUnlock(real(f), level); },
        [](sqlite3_file *f, int *held) { return real(f)->pMethods->xCheckReservedLock(real(f), held); },
        control,
        [](sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); },
        [](sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
        [](sqlite3_file *f, int region, int size, int extend, void volatile **to) {
            return real(f)->pMethods->xShmMap(real(f), region, size, extend, to);
        },
        [](sqlite3_file *f, int offset, int n, int flags) {
            return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
        },
        [](sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); },
        [](sqlite3_file *f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); },
        nullptr,
        nullptr,
    };
    return kMethods;
}

// Of the log and of temporary files: their contents are their own, but a disk that fails is the same.
const sqlite3_io_methods &otherMethods()
{
    static const sqlite3_io_methods kMethods = [] {
        sqlite3_io_methods copy = methods();
        copy.xRead = readReal;
        copy.xWrite = [](sqlite3_file *f, const void *from, int count, sqlite3_int64 offset) {
            return real(f)->pMethods->xWrite(real(f), from, count, offset);
        };
        copy.xFileControl = [](sqlite3_file *f, int code, void *argument) {
            return real(f)->pMethods->xFileControl(real(f), code, argument);
        };
        return copy;
    }();
    return kMethods;
}

int openFile(sqlite3_vfs *, const char *name, sqlite3_file *file, int flags, int *outFlags)
{
    *ours(file) = PageFile{{nullptr}, nullptr, 0, 0, (flags & SQLITE_OPEN_READONLY) != 0, nullptr};
    const int rc = systemVfs()->xOpen(systemVfs(), name, real(file), flags, outFlags);
    if (real(file)->pMethods) // SQLite then closes it, even after a failure
        file->pMethods = (flags & SQLITE_OPEN_MAIN_DB) != 0 ? &methods() : &otherMethods();
    return rc;
}

} // namespace

bool saysChecksums(const unsigned char *header)
{
    return header[kReserveAt] == kPageSumBytes;
}

std::uint64_t pageSum(std::string_view bytes, std::uint64_t number)
{
    const std::uint64_t sum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), number);
    return sum == 0 ? 1 : sum;
}

bool pageHolds(std::string_view page, std::uint64_t number)
{
    if (page.size() <= kPageSumBytes)
        return false;
    std::uint64_t stored = 0;
    std::memcpy(&stored, page.data() + page.size() - kPageSumBytes, sizeof stored);
    return stored == pageSum(page.substr(0, page.size() - kPageSumBytes), number);
}

const char *pageVfs()
{
    static sqlite3_vfs vfs = [] {
        sqlite3_vfs copy = *systemVfs();
        copy.pNext = nullptr;
        copy.szOsFile += static_cast<int>(sizeof(PageFile));
        copy.zName = kName;
        copy.xOpen = openFile;
        return copy;
    }();
    static const int kRegistered = sqlite3_vfs_register(&vfs, 0); // otherwise no file opens under this name
    (void)kRegistered;
    return kName;
}

bool hasChecksums(sqlite3 *handle)
{
    std::int64_t size = 0;
    return sqlite3_file_control(handle, "main", kAskForSize, &size) == SQLITE_OK && size > 0;
}

std::optional<std::int64_t> damagedPage(sqlite3 *handle)
{
    std::int64_t page = 0;
    if (sqlite3_file_control(handle, "main", kAskForDamage, &page) != SQLITE_OK || page == 0)
        return std::nullopt;
    return page;
}

std::optional<std::set<std::int64_t>> damagedPages(sqlite3 *handle)
{
    sqlite3_file *file = nullptr;
    sqlite3_int64 size = 0;
    if (!hasChecksums(handle) || sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK
        || !file || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
        return std::nullopt;
    const int pageSize = pageSizeOf(file);
    std::vector<char> page(static_cast<std::size_t>(pageSize));
    std::set<std::int64_t> damaged;
    for (sqlite3_int64 number = 1; number <= size / pageSize; ++number) {
        const int rc = file->pMethods->xRead(file, page.data(), pageSize, (number - 1) * pageSize);
        if (rc == SQLITE_IOERR_DATA)
            damaged.insert(number);
        else if (rc != SQLITE_OK)
            return std::nullopt;
    }
    ours(file)->damaged = 0;
    return damaged;
}

void overlookDamage(sqlite3 *handle, const std::set<std::int64_t> *unused)
{
    // SQLite passes the pointer on, as it is.
    sqlite3_file_control(handle, "main", kTellUnused, const_cast<std::set<std::int64_t> *>(unused));
}

} // namespace gpuledger::store
