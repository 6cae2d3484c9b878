// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/time/time.h"
#include "connectors/http/httpclient.h"

#include <string>

// AWS Signature Version 4 (docs.aws.amazon.com, "Create a signed AWS API request"). Any thread.
// Not CURLOPT_AWS_SIGV4: libcurl 7.88 signs with its own clock, does not sort the query, and which headers it signs
// changed from release to release; only connectors/http depends on libcurl, and each attempt needs a new signature.
namespace gpuledger::auth {

// The keys to sign with.
struct AwsKeys {
    std::string accessKeyId; // not a secret by itself, but not shown either
    base::Secret secretKey;
    base::Secret sessionToken; // of temporary keys; otherwise empty
};

// The region and service that a signature is valid for.
struct SigV4Scope {
    std::string region, service;
};

// The steps of a signature, named as in the published test vectors.
struct SigV4Parts {
    std::string canonicalRequest, signedHeaders, stringToSign;
    std::string signature; // 64 lower-case hexadecimal digits
};

// The request must have all headers that are to be signed, except `host` and, for a POST, `content-type`, which are
// derived from the address and Request::contentType as they are sent. The path is taken as it is sent and encoded once
// more, as every service except S3 requires; for the service "s3" it is signed as it is sent. Fails with InvalidConfig
// (an invalid address).
[[nodiscard]] base::Result<SigV4Parts> sigV4Parts(const http::Request &request, const base::Secret &secretKey,
                                                  const SigV4Scope &scope, base::UtcTime at);

// Makes the request ready to be sent once, now: adds X-Amz-Date and Authorization; the session token goes into
// Request::credentials, which must be empty. Errors as above.
[[nodiscard]] base::Result<void> signRequest(http::Request &request, const AwsKeys &keys, const SigV4Scope &scope,
                                             base::UtcTime at);

} // namespace gpuledger::auth
