// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/model/settings.h"
#include "app/ports/noticetarget.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::notify {

// Which recipients still wait for a message that the others have. It outlives the targets, which are made anew for each
// delivery. Any thread.
class MailWaiting {
public:
    std::optional<std::vector<std::string>> of(const std::string &message) const; // std::nullopt: all of them
    void put(const std::string &message, const std::vector<std::string> &recipients); // none: nobody waits

private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::vector<std::string>> m_recipients;
};

// Sends notices as mail over SMTP. smtp:// needs STARTTLS, except to this machine without a login, where nothing is
// encrypted; a password is never sent in clear text. A temporary refusal of some recipients is Retry, and the next
// attempt with the same `waiting` goes to these only; those who are refused for good are named in Delivery::detail.
// `caFile`: PEM; empty: the system's authorities.
std::unique_ptr<ports::NoticeTarget> mailTarget(const model::AlertTarget &target, base::Secret password,
                                                std::shared_ptr<MailWaiting> waiting, std::string caFile = {});

} // namespace gpuledger::notify
