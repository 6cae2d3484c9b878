// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/bucket.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/xmltree.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using format::ObjectPage;
using format::StoredObject;

namespace {

constexpr std::size_t kShownKey = 512;

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
    const auto root = format::parseXml(body);
    if (!root || root->name != "ListBucketResult")
        return base::fail(ErrorCode::Parse, "s3:ListBucket was not answered with a list");
    const bool isEncoded = root->textAt("EncodingType") == "url";
    ObjectPage page;
    for (const format::XmlNode &node : root->children) {
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

Bucket::Bucket(std::unique_ptr<AwsApi> api, std::string bucket)
    : m_api(std::move(api))
    , m_bucket(std::move(bucket))
{
}

std::string Bucket::nameOf(const std::string &key) const
{
    return "s3://" + m_bucket + '/' + key;
}

// A certificate of S3 covers one label before its name, and another endpoint need not know buckets as hosts.
std::string Bucket::address(const std::string &key) const
{
    std::string base = m_api->wire().addressOf("s3");
    const bool isPath = !m_api->wire().place().url.empty() || m_bucket.find('.') != std::string::npos;
    if (isPath)
        base += m_bucket + '/';
    else
        base.insert(base.find("://") + 3, m_bucket + '.');
    return base + http::percentEncoded(key, http::Slashes::Keep);
}

Result<std::string> Bucket::get(Call call, const std::string &right, const std::string &what,
                                const std::stop_token &stop)
{
    call.service = "s3";
    call.action = right;
    m_missingRight.clear();
    auto answer = m_api->ask(call, stop);
    GPULEDGER_TRY(answer);
    if (!answer->isError())
        return std::move(answer->body);
    const std::string shown = base::printable(what, kShownKey);
    if (!answer->bucketRegion.empty() && answer->bucketRegion != m_api->region())
        return base::fail(ErrorCode::InvalidConfig,
                          "the bucket " + m_bucket + " is in the region " + base::printable(answer->bucketRegion, 64)
                              + ", not in " + m_api->region(),
                          "set auth.region to " + base::printable(answer->bucketRegion, 64));
    if (answer->status == 412 || answer->errorCode == "NoSuchKey")
        return base::fail(format::changedObject(shown));
    base::Error error = errorOf(*answer, right + " on " + shown);
    if (error.code == ErrorCode::Forbidden) {
        m_missingRight = right;
        error.text += "; nothing of this bill is shown until it is allowed";
    }
    if (error.code == ErrorCode::NotFound)
        error.text += "; check bucket, url and region";
    return base::fail(std::move(error));
}

Result<ObjectPage> Bucket::page(const std::string &prefix, const std::string &token, const std::stop_token &stop)
{
    Call call;
    call.url =
        address({}) + "?list-type=2&encoding-type=url&prefix=" + http::percentEncoded(prefix, http::Slashes::Encode);
    if (!token.empty())
        call.url += "&continuation-token=" + http::percentEncoded(token, http::Slashes::Encode);
    const auto body = get(std::move(call), "s3:ListBucket", "arn:aws:s3:::" + m_bucket, stop);
    GPULEDGER_TRY(body);
    return objectPageOf(*body);
}

Result<std::string> Bucket::piece(const StoredObject &object, std::uint64_t from, std::uint64_t bytes,
                                  const std::stop_token &stop)
{
    Call call;
    call.url = address(object.key);
    call.headers.emplace_back("If-Match", object.etag);
    if (bytes < object.bytes)
        call.headers.emplace_back("Range", "bytes=" + std::to_string(from) + '-' + std::to_string(from + bytes - 1));
    return get(std::move(call), "s3:GetObject", "arn:aws:s3:::" + m_bucket + '/' + object.key, stop);
}

} // namespace gpuledger::aws
