// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/reports/reportkey.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/store/sqlite/cachefile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;

namespace {

constexpr char kKeyFile[] = "report-signing.key", kKnownFile[] = "known-signers";
constexpr std::size_t kDigits = 64; // of a key, and of a fingerprint
constexpr std::size_t kMostKnown = 10'000;

tl::unexpected<base::Error> failed(ErrorCode code, const std::filesystem::path &file, const std::string &what,
                                   base::Hint hint)
{
    const std::string name = base::printable(file.string());
    return base::fail(base::Error::make(code, name + ' ' + what, std::move(hint)).withSource(name));
}

tl::unexpected<base::Error> unwritable(const std::filesystem::path &file, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    return failed(full ? ErrorCode::StorageFull : ErrorCode::StorageReadOnly, file,
                  std::string("can't be written: ") + std::strerror(error),
                  full ? base::Remedy::FreeSpace : base::Remedy::AllowSigningKey);
}

Result<base::SigningKey> readKey(const std::filesystem::path &file)
{
    const int fd = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return failed(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Refused, file,
                      std::string("can't be read: ") + std::strerror(errno), base::Remedy::CheckPermissions);
    struct stat info { };
    std::string text(kDigits + 1, '\0');
    const bool known = fstat(fd, &info) == 0;
    const ssize_t n = known && S_ISREG(info.st_mode) ? read(fd, text.data(), text.size()) : 0;
    close(fd);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    if (!text.empty() && text.back() == '\n')
        text.pop_back();
    const base::Secret digits(std::move(text));
    if (!known || !S_ISREG(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077) != 0)
        return failed(ErrorCode::Refused, file, "signs reports and must be readable only by you",
                      base::Remedy::ProtectSigningKey);
    auto key = base::SigningKey::fromHex(digits);
    if (!key)
        return failed(ErrorCode::StorageCorrupt, file, "is damaged", base::Remedy::RestoreSigningKey);
    return key;
}

// Returns 0, or the errno of the failure. The file appears complete, and only if it does not exist yet.
int putKey(const std::filesystem::path &file, const base::Secret &digits)
{
    std::string temporary = file.string() + ".XXXXXX";
    const int fd = mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = 0;
    for (const std::string_view text : {digits.reveal(), std::string_view("\n")}) {
        const ssize_t n = error == 0 ? write(fd, text.data(), text.size()) : 0;
        if (error == 0 && n != static_cast<ssize_t>(text.size()))
            error = n < 0 ? errno : ENOSPC;
    }
    if (error == 0 && fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && link(temporary.c_str(), file.c_str()) != 0 && errno != EEXIST)
        error = errno;
    unlink(temporary.c_str());
    return error;
}

std::vector<std::string> knownSigners(const std::filesystem::path &dataFolder)
{
    std::vector<std::string> known;
    std::ifstream in(dataFolder / kKnownFile);
    for (std::string line; known.size() < kMostKnown && std::getline(in, line);) {
        if (line.size() == kDigits)
            known.push_back(line);
    }
    return known;
}

} // namespace

Result<base::SigningKey> signingKey(const std::filesystem::path &dataFolder)
{
    const std::filesystem::path file = dataFolder / kKeyFile;
    auto key = readKey(file);
    if (key || key.error().code != ErrorCode::NotFound)
        return key;
    GPULEDGER_TRY(store::createPrivateFolder(dataFolder));
    const auto made = base::SigningKey::make();
    GPULEDGER_TRY(made);
    if (const int error = putKey(file, made->hex()))
        return unwritable(file, error);
    return readKey(file); // another process may have been first
}

Signer signerOf(const std::string &fingerprint, const std::filesystem::path &dataFolder)
{
    if (const auto own = readKey(dataFolder / kKeyFile); own && base::fingerprintOf(own->publicKey()) == fingerprint)
        return Signer::Own;
    const std::vector<std::string> known = knownSigners(dataFolder);
    return std::find(known.begin(), known.end(), fingerprint) != known.end() ? Signer::Known : Signer::Unknown;
}

Result<void> trustSigner(const std::string &fingerprint, const std::filesystem::path &dataFolder)
{
    std::vector<std::string> known = knownSigners(dataFolder);
    if (std::find(known.begin(), known.end(), fingerprint) != known.end())
        return {};
    known.push_back(fingerprint);
    std::string text;
    for (const std::string &one : known)
        text += one + '\n';
    GPULEDGER_TRY(store::createPrivateFolder(dataFolder));
    return base::replaceFile(dataFolder / kKnownFile, text);
}

} // namespace gpuledger::services
