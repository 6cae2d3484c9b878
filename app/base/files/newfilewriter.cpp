// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/files/newfilewriter.h"

#include "app/base/files/syncfolder.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gpuledger::base {

namespace {

tl::unexpected<Error> couldNotWrite(const std::filesystem::path &file, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return fail(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly,
                printable(file.string()) + " can't be written: " + std::strerror(error),
                full ? Remedy::FreeSpaceNothingChanged : Remedy::CheckPermissionsNothingChanged);
}

} // namespace

Result<std::unique_ptr<NewFileWriter>> NewFileWriter::begin(const std::filesystem::path &file, mode_t mode)
{
    std::error_code missing, ec;
    const bool link = std::filesystem::is_symlink(file, missing);
    const std::filesystem::path target = link ? std::filesystem::canonical(file, ec) : file;
    if (ec)
        return couldNotWrite(file, ec.value());
    std::string temporary = target.string() + ".XXXXXX";
    const int fd = mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return couldNotWrite(file, errno);
    std::unique_ptr<NewFileWriter> writer(new NewFileWriter(target, std::move(temporary), fd));
    struct stat old { };
    const bool exists = stat(target.c_str(), &old) == 0;
    if (fchmod(fd, exists ? old.st_mode & 07777 : mode) != 0)
        return couldNotWrite(file, errno);
    return writer;
}

NewFileWriter::~NewFileWriter()
{
    if (m_fd >= 0)
        close(m_fd);
    if (!m_temporary.empty())
        unlink(m_temporary.c_str());
}

Result<void> NewFileWriter::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(m_fd, bytes.data(), bytes.size());
        if (n >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            return couldNotWrite(m_file, errno);
    }
    return {};
}

Result<void> NewFileWriter::commit()
{
    if (fsync(m_fd) != 0)
        return couldNotWrite(m_file, errno);
    if (close(std::exchange(m_fd, -1)) != 0)
        return couldNotWrite(m_file, errno);
    if (rename(m_temporary.c_str(), m_file.c_str()) != 0)
        return couldNotWrite(m_file, errno);
    m_temporary.clear();
    if (const int error = syncFolder(m_file.parent_path()))
        return couldNotWrite(m_file, error);
    return {};
}

} // namespace gpuledger::base
