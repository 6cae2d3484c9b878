// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/notice.h"
#include "app/model/settings.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gpuledger::ports {

// What one attempt to deliver came to.
enum class DeliveryOutcome {
    Delivered, // the receiver has confirmed that it has the message
    Retry, // not now: rate limit, time-out, server error, no network
    Refused, // never: a retry would fail in the same way
};
struct Delivery {
    DeliveryOutcome outcome = DeliveryOutcome::Delivered;
    std::optional<base::Seconds> retryAfter; // Retry: what the receiver asked for
    std::string detail; // one sentence without anything secret; empty if there is nothing to say
};

// How a kind of target wants to be used.
struct TargetTraits {
    bool resolves = true; // has a message that says that an alert is over
    bool groups = true; // one message may hold several notices; false: one notice each
    base::Seconds pause{1}; // at least between two messages
    std::optional<base::Seconds> repeat; // firing alerts must be sent again this often (Alertmanager)
};

// Sends notices to one target of the configuration. One message at a time; any thread. Implemented by
// connectors/notify.
class NoticeTarget {
public:
    virtual ~NoticeTarget() = default;
    virtual TargetTraits traits() const = 0;
    // Blocks until the receiver has answered or the time limits of the target end. Never throws away what it can't
    // send: it says Retry or Refused. Retry with "cancelled" if `stop` is requested.
    [[nodiscard]] virtual Delivery send(const model::NoticeGroup &group, std::stop_token stop) = 0;
};

// Makes the targets of the configuration. Any thread.
class NoticeTargets {
public:
    virtual ~NoticeTargets() = default;
    // Fails with InvalidConfig: an unknown kind, or a secret that can't be read. Desktop notifications fail with
    // Unsupported outside of the window.
    [[nodiscard]] virtual base::Result<std::unique_ptr<NoticeTarget>> create(const model::AlertTarget &target) = 0;
};

} // namespace gpuledger::ports
