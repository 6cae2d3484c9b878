// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::http {

// One message to hand to a mail server. The views and pointers must live until sendMail() returns.
struct MailRequest {
    std::string url; // smtp://HOST[:PORT] or smtps://HOST[:PORT], without a user
    std::string from; // addresses without brackets, free of control characters and blanks
    std::vector<std::string> to;
    std::string user; // empty: no login
    const base::Secret *password = nullptr;
    std::string_view message; // RFC 5322, lines end with CRLF; dots at their begin are doubled here
    // smtp:// only. False: nothing is encrypted; refused with a user. True: STARTTLS, or no message.
    bool mustEncrypt = true;
    std::string caFile; // PEM; empty: the system's authorities
    std::chrono::milliseconds connect{10'000}, answer{30'000}, total{60'000}; // time limits
};

enum class MailFailure {
    None,
    Cancelled,
    Network, // no connection, or it ended too early
    Timeout,
    NoEncryption, // the server doesn't offer STARTTLS
    Certificate,
    Login,
    Request, // it can't be sent to this address
};

// What a mail server made of one message. RFC 5321, 4.2: replies of 400 and above are failures, from 500 on permanent.
struct MailAnswer {
    bool isAccepted = false; // the server has taken the message for at least one recipient
    MailFailure failure = MailFailure::None; // None if isAccepted
    std::vector<int> recipients; // the reply to each of MailRequest::to; empty if the server wasn't told all of them
    int code = 0; // of the reply that ended it; 0: there was none. A temporary one if there are several
    std::string text; // that reply, or what libcurl says; untrusted, and may repeat what was sent
};

// Sends one message over a connection of its own. Ends within 1 s of a stop request. No proxy is used. Blocks; any
// thread.
[[nodiscard]] MailAnswer sendMail(const MailRequest &request, const std::stop_token &stop);

} // namespace gpuledger::http
