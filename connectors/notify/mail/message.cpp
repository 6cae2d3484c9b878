// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/mail/message.h"

#include "app/base/crypto/sha256.h"
#include "connectors/notify/mail/mailtext.h"
#include "connectors/notify/mail/mimetext.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace gpuledger::notify {

namespace {

constexpr std::size_t kMostReferences = 20;
constexpr std::size_t kLongestIdKey = 100;

std::string twoDigits(unsigned value)
{
    return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
}

// RFC 5322, 3.3: "Wed, 26 Mar 2025 12:00:00 +0000".
std::string mailDate(base::UtcTime at)
{
    constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss<base::Seconds> time{at - day};
    std::string text(kDays[std::chrono::weekday{day}.c_encoding()]);
    text += ", " + twoDigits(static_cast<unsigned>(date.day())) + ' ';
    text.append(kMonths[static_cast<unsigned>(date.month()) - 1]).append(" ");
    text += std::to_string(static_cast<int>(date.year())) + ' ';
    text += twoDigits(static_cast<unsigned>(time.hours().count())) + ':';
    text += twoDigits(static_cast<unsigned>(time.minutes().count())) + ':';
    return text + twoDigits(static_cast<unsigned>(time.seconds().count())) + " +0000";
}

// `key` as the left part of a message id: letters, digits and dashes.
std::string idPart(const std::string &key)
{
    const bool isSafe = !key.empty() && key.size() <= kLongestIdKey && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    });
    return isSafe ? key : base::sha256Hex(key);
}

std::string messageId(const std::string &key, model::NoticeState state, std::string_view domain)
{
    std::string id = '<' + idPart(key) + '.';
    return id.append(model::toString(state)).append("@").append(domain) + '>';
}

// The ids of the messages that began these alerts.
std::string firingIds(const model::NoticeGroup &group, std::string_view domain)
{
    std::string ids;
    for (std::size_t i = 0; i < std::min(kMostReferences, group.notices.size()); ++i)
        ids += (i == 0 ? "" : "\r\n ") + messageId(group.notices[i].key, model::NoticeState::Firing, domain);
    return ids;
}

std::string mailHeader(std::string_view name, const std::string &value)
{
    return std::string(name) + ": " + value + "\r\n";
}

// References let mail programs show the messages about an alert together, also if it began in a message of several.
std::string threadHeaders(const model::NoticeGroup &group, const std::string &id, std::string_view domain)
{
    const model::NoticeState state = group.notices.front().state;
    const std::string ids = firingIds(group, domain);
    if (state == model::NoticeState::Resolved)
        return mailHeader("In-Reply-To", ids) + mailHeader("References", ids);
    return state == model::NoticeState::Firing && ids != id ? mailHeader("References", ids) : std::string();
}

std::string mailPart(const std::string &boundary, std::string_view type, const std::string &body)
{
    std::string part = "--" + boundary + "\r\nContent-Type: ";
    part.append(type).append("; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n");
    return part + quotedPrintable(body) + "\r\n";
}

} // namespace

std::string mailMessage(const model::NoticeGroup &group, const std::string &from, const std::vector<std::string> &to)
{
    const model::Notice &first = group.notices.front();
    const std::string domain = from.substr(from.find('@') + 1);
    const std::string id = messageId(group.notices.size() == 1 ? first.key : group.id, first.state, domain);
    // "=_" never occurs in quoted-printable text.
    const std::string boundary = "=_" + base::sha256Hex(id).substr(0, 40);
    std::string recipients;
    for (const std::string &one : to)
        recipients += (recipients.empty() ? "" : ",\r\n ") + one;
    return mailHeader("Date", mailDate(group.at)) + mailHeader("From", "GPU Ledger <" + from + '>')
        + mailHeader("To", recipients) + mailHeader("Subject", mailHeaderText(mailSubject(group)))
        + mailHeader("Message-ID", id) + threadHeaders(group, id, domain)
        + mailHeader("Auto-Submitted", "auto-generated") + mailHeader("MIME-Version", "1.0")
        + mailHeader("Content-Type", "multipart/alternative;\r\n boundary=\"" + boundary + '"') + "\r\n"
        + mailPart(boundary, "text/plain", mailPlainBody(group)) + mailPart(boundary, "text/html", mailHtmlBody(group))
        + "--" + boundary + "--\r\n";
}

} // namespace gpuledger::notify
