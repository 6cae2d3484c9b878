// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/rulemachine.h"

#include "app/base/crypto/sha256.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gpuledger::alerts {

using base::Result;

namespace {

constexpr std::string_view kStateHead = "alert-states 1\n";
constexpr std::string_view kNoNumber = "-";
constexpr char kFieldEnd = '\t', kLineEnd = '\n', kEscape = '\\';
enum StateField {
    FieldState,
    FieldAt,
    FieldSince,
    FieldHeld,
    FieldHeldLast,
    FieldNewest,
    FieldPeak,
    FieldScope,
    Fields
};

std::string escaped(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        if (c == kEscape)
            out += "\\\\";
        else if (c == kLineEnd)
            out += "\\n";
        else if (c == kFieldEnd)
            out += "\\t";
        else
            out += c;
    }
    return out;
}

std::optional<std::string> unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != kEscape) {
            out += text[i];
            continue;
        }
        const char next = ++i < text.size() ? text[i] : '\0';
        if (next != kEscape && next != 'n' && next != 't')
            return std::nullopt;
        out += next == 'n' ? kLineEnd : next == 't' ? kFieldEnd : kEscape;
    }
    return out;
}

std::string numberText(const std::optional<std::int64_t> &number)
{
    return number ? std::to_string(*number) : std::string(kNoNumber);
}

// False if it is neither a number nor none.
bool readNumber(std::string_view text, std::optional<std::int64_t> &number)
{
    number = base::parseInt(text);
    return number || text == kNoNumber;
}

std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(kFieldEnd, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return fields;
}

std::optional<AlertState> stateNamed(std::string_view name)
{
    for (const AlertState state :
         {AlertState::Inactive, AlertState::Pending, AlertState::Firing, AlertState::Resolved}) {
        if (toString(state) == name)
            return state;
    }
    return std::nullopt;
}

std::optional<std::pair<std::string, ScopeState>> readState(std::string_view line)
{
    const auto fields = fieldsOf(line);
    if (fields.size() != Fields)
        return std::nullopt;
    ScopeState state;
    std::optional<std::int64_t> at;
    const auto named = stateNamed(fields[FieldState]);
    const auto since = base::parseInt(fields[FieldSince]), held = base::parseInt(fields[FieldHeld]);
    const auto heldLast = base::parseInt(fields[FieldHeldLast]);
    auto scope = unescaped(fields[FieldScope]);
    if (!named || !since || !held || *held < 0 || !heldLast || !scope || !readNumber(fields[FieldAt], at)
        || !readNumber(fields[FieldNewest], state.newest) || !readNumber(fields[FieldPeak], state.peak))
        return std::nullopt;
    state.state = *named;
    if (at)
        state.at = base::fromUnix(*at);
    state.since = base::fromUnix(*since);
    state.held = base::Seconds{*held};
    state.heldLast = *heldLast != 0;
    return std::pair(std::move(*scope), state);
}

} // namespace

std::string alertKey(const std::string &rule, const std::string &scope, base::UtcTime fired)
{
    return base::sha256Hex(rule + kLineEnd + scope + kLineEnd + base::toRfc3339(fired));
}

std::optional<Transition> RuleMachine::add(const std::string &scope, const Reading &reading)
{
    return step(m_rule, m_scopes[scope], reading);
}

void RuleMachine::goBackTo(base::UtcTime now)
{
    for (auto &[scope, state] : m_scopes) {
        if (!state.at || *state.at <= now + kClockSlack)
            continue;
        state.at = now;
        state.heldLast = false; // what was between is not known
    }
}

void RuleMachine::beginAgain(const std::string &scope, base::UtcTime at)
{
    const auto found = m_scopes.find(scope);
    if (found != m_scopes.end() && found->second.state == AlertState::Firing)
        found->second.since = at;
}

std::string RuleMachine::exported() const
{
    std::string out(kStateHead);
    for (const auto &[scope, state] : m_scopes) {
        const auto at = state.at ? std::optional(base::toUnix(*state.at)) : std::nullopt;
        out += std::string(toString(state.state)) + kFieldEnd + numberText(at) + kFieldEnd
            + std::to_string(base::toUnix(state.since)) + kFieldEnd + std::to_string(state.held.count()) + kFieldEnd
            + (state.heldLast ? "1" : "0") + kFieldEnd + numberText(state.newest) + kFieldEnd + numberText(state.peak)
            + kFieldEnd + escaped(scope) + kLineEnd;
    }
    return out;
}

Result<void> RuleMachine::import(std::string_view text)
{
    const auto refused = [] { return base::fail(base::ErrorCode::Parse, "these are not states of alerts"); };
    if (!text.starts_with(kStateHead) || text.back() != kLineEnd)
        return refused();
    text.remove_prefix(kStateHead.size());
    std::map<std::string, ScopeState> scopes;
    while (!text.empty()) {
        const std::size_t end = text.find(kLineEnd);
        auto state = readState(text.substr(0, end));
        if (!state || !scopes.insert(std::move(*state)).second)
            return refused();
        text.remove_prefix(end + 1);
    }
    m_scopes = std::move(scopes);
    return {};
}

} // namespace gpuledger::alerts
