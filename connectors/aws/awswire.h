// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/actiontarget.h"
#include "connectors/auth/sigv4.h"
#include "connectors/http/httpclient.h"

#include <memory>
#include <optional>
#include <string>

namespace gpuledger::aws {

// A request to a service, before it is signed.
struct Call {
    std::string service; // the name to sign for: "ec2", "sagemaker", "sts", "monitoring"
    std::string action; // for messages: "ec2:StopInstances"
    std::string contentType, body;
    std::string target; // X-Amz-Target of JSON services
    std::string url{}; // whole address of a GET (S3); empty: a POST to the address of the service
    http::Parameters headers{}; // more, which are signed
};
// A call of a query service (EC2, STS) with its parameters in addition to Action and Version.
Call queryCall(const std::string &service, const std::string &action, http::Parameters parameters);
// A SageMaker call; `body` is JSON.
Call sageMakerCall(const std::string &action, std::string body);
// A CloudWatch call; `body` is JSON.
Call cloudWatchCall(const std::string &action, std::string body);
// A call of AWS Budgets, whose rights do not have the names of its actions; `body` is JSON.
Call budgetsCall(const std::string &action, const std::string &right, std::string body);
// A call of AWS Organizations; `body` is JSON.
Call organizationsCall(const std::string &action, std::string body);
// A Cost Explorer call, which costs money; `body` is JSON.
Call costExplorerCall(const std::string &action, std::string body);

// A service's answer. An error of the service is an answer too; its code counts, not the status.
struct Answer {
    int status = 0;
    std::string body;
    std::optional<base::Seconds> retryAfter;
    std::string errorCode, errorText, requestId; // errorCode is empty on success
    std::string clockRemark; // of an error: how this computer's clock differs (http::clockRemark); empty: it does not
    std::string bucketRegion; // of S3, if it says that the bucket is in this region; else empty

    bool isError() const { return status < 200 || status >= 300; }
};

// The meaning of a service error.
enum class Fault {
    None,
    DryRun, // accepted; it was a dry run
    Throttled, // nothing was done
    NoCapacity, // nothing was done; may succeed later
    BadKeys, // expired, unknown or wrongly signed keys; nothing was done
    Denied, // permission missing; nothing was done
    Missing, // no such object
    WrongState, // not in the state that the call requires
    Refused, // any other refusal
    Failed, // 5xx: unknown what was done
};
Fault faultOf(const Answer &answer);

// The failure as an Error, with `action` in its text. For answers with a fault.
base::Error errorOf(const Answer &answer, const std::string &action);
// The outcome of a failed call that changes something. `where` names the object for a missing permission.
ports::WriteOutcome outcomeOf(const Answer &answer, const std::string &action, const std::string &where);
// The same for a call that got no answer.
ports::WriteOutcome outcomeOf(const base::Error &error);

// The region to call, and how its services are reached.
struct Place {
    std::string region; // "us-east-1"; checked
    std::string url; // replaces the address of every service; empty: AWS itself
    std::string caFile;
    http::Parameters headers;
    http::Timeouts timeouts{std::chrono::milliseconds{10'000}, std::chrono::milliseconds{20'000},
                            std::chrono::milliseconds{30'000}};
};

// "aws", "aws-cn" or "aws-us-gov".
std::string partitionOf(const std::string &region);
// Letters, digits and hyphens, as in all regions: it becomes part of a host name.
bool isRegion(std::string_view text);

// Signs and sends each request once. Immutable; any thread. Redirects to another origin are never followed.
class Wire {
public:
    Wire(std::shared_ptr<http::HttpClient> client, const base::Clock &clock, Place place);

    const Place &place() const { return m_place; }
    const base::Clock &clock() const { return m_clock; }
    http::HttpClient &client() const { return *m_client; }
    // Without keys, the call is sent unsigned (web identity). Fails with the errors of HttpClient::submit.
    [[nodiscard]] base::Result<Answer> send(const Call &call, const auth::AwsKeys *keys,
                                            const std::stop_token &stop) const;
    std::string addressOf(const std::string &service) const;

private:
    std::shared_ptr<http::HttpClient> m_client;
    const base::Clock &m_clock;
    Place m_place;
};

} // namespace gpuledger::aws
