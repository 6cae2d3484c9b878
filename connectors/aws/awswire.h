// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ports/actiontarget.h"
#include "connectors/auth/sigv4.h"
#include "connectors/http/httpclient.h"

#include <memory>
#include <optional>
#include <string>

namespace gpuledger::aws {

// One request to a service, before it is signed.
struct Call {
    std::string service; // as it is signed for: "ec2", "sagemaker", "sts"
    std::string action; // for messages: "ec2:StopInstances"
    std::string contentType, body;
    std::string target; // X-Amz-Target of JSON services
};
// A call of a query service (EC2, STS) with its parameters beside Action and Version.
Call queryCall(const std::string &service, const std::string &action, http::Parameters parameters);
// A call of SageMaker; `body` is JSON.
Call sageMakerCall(const std::string &action, std::string body);

// What a service answered. An error of the service is an answer too; its code decides, not the status.
struct Answer {
    int status = 0;
    std::string body;
    std::optional<base::Seconds> retryAfter;
    std::string errorCode, errorText, requestId; // errorCode is empty when it succeeded

    bool isError() const { return status < 200 || status >= 300; }
};

// What an error of a service means.
enum class Fault {
    None,
    DryRun, // accepted; it was a rehearsal
    Throttled, // nothing was done
    NoCapacity, // nothing was done; later perhaps
    BadKeys, // expired, unknown or wrongly signed keys; nothing was done
    Denied, // the right is missing; nothing was done
    Missing, // no such object
    WrongState, // it is not in the state that the call needs
    Refused, // any other no
    Failed, // 5xx: what was done is not known
};
Fault faultOf(const Answer &answer);

// The failure as an Error, `action` in its text. For answers with a fault.
base::Error errorOf(const Answer &answer, const std::string &action);
// The failure of a call that changes something. `where` names the object for a missing right.
ports::WriteOutcome outcomeOf(const Answer &answer, const std::string &action, const std::string &where);
// The same for a call that got no answer.
ports::WriteOutcome outcomeOf(const base::Error &error);

struct Place {
    std::string region; // "us-east-1"; checked
    std::string url; // stands for the address of every service; empty: AWS itself
    std::string caFile;
    http::Parameters headers;
    http::Timeouts timeouts{std::chrono::milliseconds{10'000}, std::chrono::milliseconds{20'000},
                            std::chrono::milliseconds{30'000}};
};

// "aws", "aws-cn" or "aws-us-gov".
std::string partitionOf(const std::string &region);
// Letters, digits and hyphens, as all regions have: it becomes part of a host name.
bool isRegion(std::string_view text);

// Signs and sends, once each. Immutable; any thread. A redirect to another origin is never followed.
class Wire {
public:
    Wire(std::shared_ptr<http::HttpClient> client, const base::Clock &clock, Place place);

    const Place &place() const { return m_place; }
    const base::Clock &clock() const { return m_clock; }
    http::HttpClient &client() const { return *m_client; }
    // Without keys it is sent unsigned (web identity). Fails with the errors of HttpClient::submit.
    [[nodiscard]] base::Result<Answer> send(const Call &call, const auth::AwsKeys *keys,
                                            const std::stop_token &stop) const;
    std::string addressOf(const std::string &service) const;

private:
    std::shared_ptr<http::HttpClient> m_client;
    const base::Clock &m_clock;
    Place m_place;
};

} // namespace gpuledger::aws
