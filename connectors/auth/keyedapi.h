// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcekind.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Services that are asked for JSON with one key of the account.
namespace gpuledger::auth {

// The settings of a source of such a service in its own terms. Value type.
struct KeyedSettings {
    std::string api; // address without a slash at its end
    base::Seconds refresh{6 * 3600}; // what is not final is asked for at most this often

    // `standard` is the address unless one is set; `version` is removed from the end of a set one. Fails with
    // InvalidConfig.
    [[nodiscard]] static base::Result<KeyedSettings> of(const model::SourceSettings &settings,
                                                        const std::string &standard, std::string_view version);
};

// What is different in the settings of such sources, for their descriptors. Of static storage.
struct KeyedFields {
    std::string_view api, exampleApi; // addresses
    std::string_view keyHelp, exampleKey;
    bool hasRefresh = true; // whether it has months that are asked for again
};
std::vector<ports::SourceField> keyedFields(const KeyedFields &texts);

// Parameters that tests reduce or replace.
struct KeyedTuning {
    http::RetryLimits failures{.maxTries = 4,
                               .firstDelay = http::Milliseconds{500},
                               .maxDelay = http::Milliseconds{8'000},
                               .budget = http::Milliseconds{20'000}};
    // While the service asks us to wait.
    http::RetryLimits throttled{.maxTries = 8,
                                .firstDelay = http::Milliseconds{2'000},
                                .maxDelay = http::Milliseconds{60'000},
                                .budget = http::Milliseconds{300'000}};
    http::Milliseconds pace{}; // before each question, once one was refused as too frequent
    http::Timeouts timeouts{};
    std::size_t maxBytes = 128u << 20; // of an answer
    std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>();
};

// One request to such a service; `path` begins with a slash.
struct KeyedCall {
    std::string method = "GET", path;
    http::Parameters parameters{};
    std::string body{}; // JSON; empty: none
};

// Asks such a service. Any thread, but answerDate() only if one thread alone uses it.
class KeyedApi {
public:
    // Why an answer can't be used; std::nullopt: it can. `url` is for its text.
    using Refusal = std::optional<base::Error> (*)(const http::Response &response, const std::string &url);

    // `secrets` must outlive it.
    KeyedApi(const model::SourceSettings &settings, std::string api, ports::SecretStore &secrets,
             std::shared_ptr<http::HttpClient> client, KeyedTuning tuning, Refusal refusal);

    // The body of an answer to GET, with retries and pauses; `path` begins with a slash. Fails with the errors of
    // resolve(), HttpClient::perform() and the refusal, and with Cancelled. The key is read again after it was
    // rejected.
    [[nodiscard]] base::Result<std::string> get(const std::string &path, const http::Parameters &parameters,
                                                const std::stop_token &stop);
    // Sends it once, and once more with the key read again if the key was rejected (then nothing was done). Any status
    // is an answer. Fails with the errors of resolve() and HttpClient::perform().
    [[nodiscard]] base::Result<http::Response> send(const KeyedCall &call, const std::stop_token &stop);
    // Why the answer can't be used; std::nullopt: it can.
    std::optional<base::Error> refusedBy(const http::Response &response) const { return m_refusal(response, m_api); }
    // The "date" header of the last answer, for http::timeOf() and http::clockRemark(); empty: it had none.
    const http::Parameters &answerDate() const { return m_answerDate; }

private:
    using Key = std::shared_ptr<const http::Credentials>;
    // The key, and whether it was read just now.
    base::Result<std::pair<Key, bool>> key();
    void drop(const Key &rejected);

    model::AuthSettings m_auth;
    std::string m_api, m_caFile;
    http::Parameters m_headers;
    ports::SecretStore &m_secrets;
    std::shared_ptr<http::HttpClient> m_client;
    KeyedTuning m_tuning;
    Refusal m_refusal;
    std::mutex m_mutex; // guards the two that follow
    Key m_key; // null: not read
    http::Parameters m_answerDate;
    std::atomic<bool> m_isPaced{false};
};

// The reasons that are the same for every service: the status, or a web page in place of data. `wordsOf` finds the
// server's own words in an error; they are shown printable, short and without the key.
std::optional<base::Error> refusedAnswer(const http::Response &response, const std::string &url,
                                         std::string (*wordsOf)(const nlohmann::json &));

// Why an answer's moment can't be told: this computer's clock and the Date of the answer differ by more than ten
// minutes. std::nullopt: they don't, or it has none. `now` is the real time, `what` the beginning of the sentence.
std::optional<base::Error> wrongClock(const http::Parameters &answerDate, base::UtcTime now, const std::string &what);

} // namespace gpuledger::auth
