// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/bucket.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/aws/exports/objectlist.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using format::ObjectPage;
using format::StoredObject;

namespace {

constexpr std::size_t kShownKey = 512;

} // namespace

bool isBucketName(std::string_view text)
{
    constexpr std::size_t kShortest = 3, kLongest = 63;
    return text.size() >= kShortest && text.size() <= kLongest && text.front() != '-' && text.front() != '.'
        && text.back() != '-' && text.back() != '.' && text.find("..") == std::string_view::npos
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string_view::npos;
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
