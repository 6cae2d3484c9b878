// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/access/tokenwire.h"
#include "connectors/http/url.h"

#include <nlohmann/json_fwd.hpp>

#include <stop_token>
#include <string>

namespace gpuledger::gcp {

// Where the token of another provider is found: in a file or at an address, as it is or as a member of a JSON object.
struct SubjectTokenSource {
    std::string file; // absolute; empty: at the address
    std::string url;
    http::Parameters headers; // that the address wants to see
    std::string member; // of the JSON object; empty: all of the text is the token
};

// The `credential_source` of a credential file. Fails with InvalidConfig or Unsupported.
[[nodiscard]] base::Result<SubjectTokenSource> subjectTokenSourceIn(const nlohmann::json &source);

// Read each time, because whoever puts it there renews it. Masked in the log from then on. Fails with NotFound or
// TooMuch (the file), Unauthorized (it can't be read, there is no token in it, or the address gives out none), and the
// errors of http::statusError and HttpClient::perform.
[[nodiscard]] base::Result<base::Secret> readSubjectToken(const SubjectTokenSource &source, const TokenWire &wire,
                                                          const std::stop_token &stop);

} // namespace gpuledger::gcp
