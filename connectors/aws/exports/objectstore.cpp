// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/objectstore.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/aws/xmltree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownKey = 512;
constexpr std::string_view kPlainInKeys = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

// Percent-encoded as S3 signs it; slashes stay.
std::string encodedKey(std::string_view key, bool keepsSlash)
{
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : key) {
        if (kPlainInKeys.find(c) != std::string_view::npos || (keepsSlash && c == '/')) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
    return out;
}

int digitOf(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// The text of a list with encoding-type=url.
std::string decodedKey(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && digitOf(text[i + 1]) >= 0 && digitOf(text[i + 2]) >= 0) {
            out += static_cast<char>(digitOf(text[i + 1]) * 16 + digitOf(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

Result<void> writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const bool isFull = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
            return base::fail(isFull ? ErrorCode::StorageFull : ErrorCode::Storage,
                              std::string("the folder for temporary files can't take a bill: ") + std::strerror(errno),
                              isFull ? base::Remedy::FreeTemporaryFolder : base::Remedy::CheckTemporaryFolder);
        }
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path &path)
        : m_fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
    }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    ~OpenFile()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int fd() const { return m_fd; }

private:
    int m_fd;
};

} // namespace

bool isBucketName(std::string_view text)
{
    constexpr std::size_t kShortest = 3, kLongest = 63;
    return text.size() >= kShortest && text.size() <= kLongest && text.front() != '-' && text.front() != '.'
        && text.back() != '-' && text.back() != '.' && text.find("..") == std::string_view::npos
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string_view::npos;
}

Result<ObjectPage> objectPageOf(std::string_view body)
{
    const auto root = parseXml(body);
    if (!root || root->name != "ListBucketResult")
        return base::fail(ErrorCode::Parse, "s3:ListBucket was not answered with a list");
    const bool isEncoded = root->textAt("EncodingType") == "url";
    ObjectPage page;
    for (const XmlNode &node : root->children) {
        if (node.name != "Contents")
            continue;
        StoredObject one;
        one.key = isEncoded ? decodedKey(node.textAt("Key")) : node.textAt("Key");
        one.etag = node.textAt("ETag");
        const auto bytes = base::parseInt(node.textAt("Size"));
        const auto modified = base::parseTime(node.textAt("LastModified"));
        if (one.key.empty() || one.etag.empty() || !bytes || *bytes < 0 || !modified)
            return base::fail(ErrorCode::Parse, "s3:ListBucket has an object without a key, ETag, size or time");
        one.bytes = static_cast<std::uint64_t>(*bytes);
        one.modified = *modified;
        page.objects.push_back(std::move(one));
    }
    page.next = root->textAt("NextContinuationToken");
    if (root->textAt("IsTruncated") == "true" && page.next.empty())
        return base::fail(ErrorCode::Parse, "s3:ListBucket says that there is more, but not how to go on");
    return page;
}

ObjectStore::ObjectStore(AwsApi &api, std::string bucket)
    : m_api(api)
    , m_bucket(std::move(bucket))
{
}

std::string ObjectStore::nameOf(const std::string &key) const
{
    return "s3://" + m_bucket + '/' + key;
}

// A certificate of S3 covers one label before its name, and another endpoint need not know buckets as hosts.
std::string ObjectStore::address(const std::string &key) const
{
    std::string base = m_api.wire().addressOf("s3");
    const bool isPath = !m_api.wire().place().url.empty() || m_bucket.find('.') != std::string::npos;
    if (isPath)
        base += m_bucket + '/';
    else
        base.insert(base.find("://") + 3, m_bucket + '.');
    return base + encodedKey(key, true);
}

Result<std::string> ObjectStore::get(Call call, const std::string &right, const std::string &what,
                                     const std::stop_token &stop)
{
    call.service = "s3";
    call.action = right;
    m_missingRight.clear();
    auto answer = m_api.ask(call, stop);
    GPULEDGER_TRY(answer);
    if (!answer->isError())
        return std::move(answer->body);
    const std::string shown = base::printable(what, kShownKey);
    if (!answer->bucketRegion.empty() && answer->bucketRegion != m_api.region())
        return base::fail(ErrorCode::InvalidConfig,
                          "the bucket " + m_bucket + " is in the region " + base::printable(answer->bucketRegion, 64)
                              + ", not in " + m_api.region(),
                          "set auth.region to " + base::printable(answer->bucketRegion, 64));
    if (answer->status == 412 || answer->errorCode == "NoSuchKey") {
        base::Error changed = base::Error::make(ErrorCode::Server, shown + " was replaced or deleted while it was read",
                                                base::Remedy::NextSyncTriesAgain);
        changed.retryable = true;
        return base::fail(std::move(changed));
    }
    base::Error error = errorOf(*answer, right + " on " + shown);
    if (error.code == ErrorCode::Forbidden) {
        m_missingRight = right;
        error.text += "; nothing of this bill is shown until it is allowed";
    }
    if (error.code == ErrorCode::NotFound)
        error.text += "; check bucket, url and region";
    return base::fail(std::move(error));
}

Result<void> ObjectStore::list(const std::string &prefix, const std::stop_token &stop,
                               const std::function<void(StoredObject)> &visit)
{
    std::string token;
    for (int pages = 0; pages < kMostPages; ++pages) {
        Call call;
        call.url = address({}) + "?list-type=2&encoding-type=url&prefix=" + encodedKey(prefix, false);
        if (!token.empty())
            call.url += "&continuation-token=" + encodedKey(token, false);
        const auto body = get(std::move(call), "s3:ListBucket", "arn:aws:s3:::" + m_bucket, stop);
        GPULEDGER_TRY(body);
        auto page = objectPageOf(*body);
        GPULEDGER_TRY(page);
        for (StoredObject &object : page->objects)
            visit(std::move(object));
        if (page->next.empty())
            return {};
        if (page->next == token)
            return base::fail(ErrorCode::Parse, "s3:ListBucket repeats a page");
        token = std::move(page->next);
    }
    return base::fail(ErrorCode::TooMuch,
                      "more than 500,000 objects below " + base::printable(nameOf(prefix), kShownKey)
                          + ": narrow prefix to the folder of the export");
}

Result<std::string> ObjectStore::piece(const StoredObject &object, std::uint64_t from, std::uint64_t bytes,
                                       const std::stop_token &stop)
{
    Call call;
    call.url = address(object.key);
    call.headers.emplace_back("If-Match", object.etag);
    if (bytes < object.bytes)
        call.headers.emplace_back("Range", "bytes=" + std::to_string(from) + '-' + std::to_string(from + bytes - 1));
    auto body = get(std::move(call), "s3:GetObject", "arn:aws:s3:::" + m_bucket + '/' + object.key, stop);
    GPULEDGER_TRY(body);
    if (body->size() != bytes) {
        base::Error error =
            base::Error::make(ErrorCode::Network,
                              base::printable(nameOf(object.key), kShownKey) + ": " + std::to_string(body->size())
                                  + " bytes came in place of " + std::to_string(bytes),
                              base::Remedy::NextSyncTriesAgain);
        error.retryable = true;
        return base::fail(std::move(error));
    }
    return std::move(*body);
}

Result<std::string> ObjectStore::text(const StoredObject &object, const std::stop_token &stop)
{
    if (object.bytes > kPieceBytes)
        return base::fail(ErrorCode::TooMuch, base::printable(nameOf(object.key), kShownKey) + " is above 8 MiB");
    return piece(object, 0, object.bytes, stop);
}

Result<void> ObjectStore::download(const StoredObject &object, const std::filesystem::path &to,
                                   const std::stop_token &stop)
{
    const OpenFile file(to);
    if (file.fd() < 0)
        return base::fail(ErrorCode::Storage,
                          std::string("the folder for temporary files can't take a bill: ") + std::strerror(errno),
                          base::Remedy::CheckTemporaryFolder);
    for (std::uint64_t from = 0; from < object.bytes; from += kPieceBytes) {
        const auto body = piece(object, from, std::min(kPieceBytes, object.bytes - from), stop);
        GPULEDGER_TRY(body);
        GPULEDGER_TRY(writeAll(file.fd(), *body));
    }
    // S3 shows an object only when it is whole; as old as can be, the copy does not look as if it were being written.
    const std::array<timespec, 2> epoch{};
    futimens(file.fd(), epoch.data());
    return {};
}

} // namespace gpuledger::aws
