// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/mail/mailtarget.h"

#include "app/base/text/redactor.h"
#include "app/base/text/text.h"
#include "connectors/http/mailsend.h"
#include "connectors/http/url.h"
#include "connectors/notify/mail/message.h"
#include "connectors/notify/mail/mimetext.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gpuledger::notify {

namespace {

using ports::DeliveryOutcome;

constexpr std::size_t kMostPartial = 1000; // messages that some recipients still wait for
constexpr std::size_t kReplyBytes = 200;
constexpr std::size_t kMostNamed = 5; // recipients in a sentence
constexpr int kFirstFailure = 400, kFirstPermanent = 500;

// The host of smtp://HOST[:PORT][/NAME]; std::nullopt if it is no such address.
std::optional<std::string> mailHost(std::string_view url)
{
    for (const std::string_view scheme : {"smtp://", "smtps://"}) {
        if (!url.starts_with(scheme))
            continue;
        const std::string_view rest = url.substr(scheme.size());
        const bool isClean = std::all_of(rest.begin(), rest.end(), [](char c) {
            return c > 0x20 && c < 0x7f && std::string_view("@?#%\\\"<>").find(c) == std::string_view::npos;
        });
        const std::string_view authority = rest.substr(0, rest.find('/'));
        const bool isBracketed = authority.starts_with('[');
        const std::string_view host =
            isBracketed ? authority.substr(1, authority.find(']') - 1) : authority.substr(0, authority.find(':'));
        return isClean && !host.empty() ? std::optional(std::string(host)) : std::nullopt;
    }
    return std::nullopt;
}

std::string_view reasonOf(http::MailFailure failure)
{
    switch (failure) {
    case http::MailFailure::Timeout:
        return "the mail server took too long";
    case http::MailFailure::NoEncryption:
        return "the mail server doesn't offer STARTTLS, so nothing was sent";
    case http::MailFailure::Certificate:
        return "the certificate of the mail server can't be verified";
    case http::MailFailure::Login:
        return "the mail server rejected the login";
    case http::MailFailure::Request:
        return "the address of the mail server is wrong";
    default:
        return "the mail server can't be reached";
    }
}

bool isForGood(const http::MailAnswer &answer)
{
    using http::MailFailure;
    if (answer.code >= kFirstFailure)
        return answer.code >= kFirstPermanent;
    return answer.failure != MailFailure::Network && answer.failure != MailFailure::Timeout;
}

class MailNoticeTarget final : public ports::NoticeTarget {
public:
    MailNoticeTarget(const model::AlertTarget &target, base::Secret password, std::string caFile,
                     std::shared_ptr<MailWaiting> waiting)
        : m_target(target)
        , m_password(std::move(password))
        , m_caFile(std::move(caFile))
        , m_waiting(std::move(waiting))
    {
        m_redactor.add(m_password.reveal());
    }

    ports::TargetTraits traits() const override { return {}; }

    ports::Delivery send(const model::NoticeGroup &group, std::stop_token stop) override
    {
        if (const auto wrong = mistake())
            return {DeliveryOutcome::Refused, std::nullopt, *wrong};
        const std::vector<std::string> recipients = m_waiting->of(idOf(group)).value_or(m_target.to);
        const std::string message = mailMessage(group, m_target.from, m_target.to);
        http::MailRequest request;
        request.url = m_target.url;
        request.from = m_target.from;
        request.to = recipients;
        request.user = m_target.user;
        request.password = &m_password;
        request.message = message;
        request.mustEncrypt = !m_target.user.empty() || !http::isLoopbackHost(*mailHost(m_target.url));
        request.caFile = m_caFile;
        const http::MailAnswer answer = http::sendMail(request, stop);
        return answer.isAccepted ? accepted(idOf(group), recipients, answer) : rejected(answer);
    }

private:
    std::optional<std::string> mistake() const
    {
        if (!mailHost(m_target.url))
            return "url is not the address of a mail server";
        if (!isMailAddress(m_target.from))
            return "from is not an address: " + base::printableLine(m_target.from, kReplyBytes);
        if (m_target.to.empty())
            return "to has no address";
        for (const std::string &one : m_target.to) {
            if (!isMailAddress(one))
                return "to has something that is not an address: " + base::printableLine(one, kReplyBytes);
        }
        if (m_target.user.empty() != m_password.empty())
            return m_target.user.empty() ? "there is a password, but no user" : "there is a user, but no password";
        return std::nullopt;
    }

    // Of a message to this target.
    std::string idOf(const model::NoticeGroup &group) const { return m_target.name + '\n' + group.id; }

    ports::Delivery accepted(const std::string &id, const std::vector<std::string> &recipients,
                             const http::MailAnswer &answer)
    {
        std::vector<std::string> later, never;
        for (std::size_t i = 0; i < std::min(recipients.size(), answer.recipients.size()); ++i) {
            if (answer.recipients[i] >= kFirstFailure)
                (answer.recipients[i] >= kFirstPermanent ? never : later).push_back(recipients[i]);
        }
        m_waiting->put(id, later);
        std::string detail = never.empty() ? "" : "the mail server refused " + listed(never);
        if (later.empty())
            return {DeliveryOutcome::Delivered, std::nullopt, detail};
        detail += (detail.empty() ? "" : "; ") + ("the mail server doesn't accept mail now for " + listed(later));
        return {DeliveryOutcome::Retry, std::nullopt, detail};
    }

    ports::Delivery rejected(const http::MailAnswer &answer) const
    {
        if (answer.failure == http::MailFailure::Cancelled)
            return {DeliveryOutcome::Retry, std::nullopt, "cancelled"};
        const std::string said = base::printableLine(m_redactor.redacted(answer.text), kReplyBytes);
        std::string detail = answer.code >= kFirstFailure && answer.failure != http::MailFailure::Login
            ? "the mail server answered"
            : std::string(reasonOf(answer.failure));
        detail += said.empty() ? "" : ": " + said;
        return {isForGood(answer) ? DeliveryOutcome::Refused : DeliveryOutcome::Retry, std::nullopt, detail};
    }

    static std::string listed(const std::vector<std::string> &addresses)
    {
        std::string text;
        for (std::size_t i = 0; i < std::min(kMostNamed, addresses.size()); ++i)
            text += (i == 0 ? "" : ", ") + addresses[i];
        return addresses.size() > kMostNamed ? text + " and " + std::to_string(addresses.size() - kMostNamed) + " more"
                                             : text;
    }

    const model::AlertTarget m_target;
    const base::Secret m_password;
    const std::string m_caFile;
    base::Redactor m_redactor;
    const std::shared_ptr<MailWaiting> m_waiting;
};

} // namespace

std::optional<std::vector<std::string>> MailWaiting::of(const std::string &message) const
{
    const std::lock_guard guard(m_mutex);
    const auto found = m_recipients.find(message);
    return found == m_recipients.end() ? std::nullopt : std::optional(found->second);
}

void MailWaiting::put(const std::string &message, const std::vector<std::string> &recipients)
{
    const std::lock_guard guard(m_mutex);
    m_recipients.erase(message);
    if (recipients.empty())
        return;
    if (m_recipients.size() >= kMostPartial)
        m_recipients.clear(); // the others get a message twice
    m_recipients.emplace(message, recipients);
}

std::unique_ptr<ports::NoticeTarget> mailTarget(const model::AlertTarget &target, base::Secret password,
                                                std::shared_ptr<MailWaiting> waiting, std::string caFile)
{
    return std::make_unique<MailNoticeTarget>(target, std::move(password), std::move(caFile), std::move(waiting));
}

} // namespace gpuledger::notify
