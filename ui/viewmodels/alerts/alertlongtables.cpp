// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the Alerts page that can have thousands of rows. A cell is made when it is shown, sorted or searched,
// so that a storm of alerts costs the window little more than the rows in view.
#include "ui/format/local/celltext.h"
#include "ui/viewmodels/alerts/alertcells.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "ui/viewmodels/idle/idletext.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace gpuledger::ui {

using alertcells::countCell;
using alertcells::scopesText;
using alertcells::stateCell;
using alertcells::timeCell;
using alertcells::valueCell;
using services::FiringScope;
using services::OutboxEntry;
using services::RuleResult;
using widgets::Tone;

namespace {

using SharedAlerts = std::shared_ptr<const AlertsSnapshot>;

constexpr base::Seconds kYearUnsaid = 300 * base::kDay;
constexpr QChar kBetween(0x1f); // the parts of an id

TableValue timeKey(base::UtcTime at)
{
    return TableValue(qint64{base::toUnix(at)});
}

class MadeRows : public TableSnapshot {
public:
    int rowCount() const override { return static_cast<int>(m_ids.size()); }
    QString id(int row) const override { return m_ids[unsignedIndex(row)]; }
    TableValue value(int row, int column) const override
    {
        TableValue known = key(row, column);
        return known.index() != 0 ? known : alertcells::textValue(text(row, column));
    }
    QString text(int row, int column) const override { return cell(row, column).text; }
    QVariant extra(int row, int column, int role) const override
    {
        const auto tone = role == widgets::kToneRole ? cell(row, column).tone : std::nullopt;
        return tone ? QVariant::fromValue(*tone) : QVariant();
    }

protected:
    explicit MadeRows(SharedAlerts now)
        : m_now(std::move(now))
    {
    }
    virtual AlertCell cell(int row, int column) const = 0;
    // What a number or a time is sorted by; not set: the text.
    virtual TableValue key(int row, int column) const = 0;

    const SharedAlerts m_now;
    std::vector<QString> m_ids;
};

class FiringRows final : public MadeRows {
public:
    explicit FiringRows(SharedAlerts now)
        : MadeRows(std::move(now))
    {
        for (const RuleResult &rule : m_now->evaluation.rules) {
            const QString prefix = textOf(rule.rule.name) + kBetween;
            for (const FiringScope &scope : rule.firing) {
                m_rows.push_back({&rule, &scope});
                m_ids.push_back(prefix + textOf(scope.scope));
            }
        }
        for (const services::Silence &one : m_now->history.silences) {
            if (one.from <= m_now->asked && m_now->asked < one.until)
                m_silenced.insert(silenceKey(one.rule, one.scope));
        }
        for (const services::Acknowledgement &one : m_now->history.acknowledged)
            m_acknowledged.insert(one.key);
    }

private:
    enum Column { ScopeColumn, RuleColumn, SinceColumn, ValueColumn, ThresholdColumn, NoteColumn };
    struct Row {
        const RuleResult *rule; // both are part of the snapshot
        const FiringScope *scope;
    };

    static std::string silenceKey(const std::string &rule, const std::string &scope) { return rule + '\n' + scope; }

    // A silence without a rule or a scope is for all of them.
    bool isSilenced(const std::string &rule, const std::string &scope) const
    {
        return !m_silenced.empty()
            && (m_silenced.contains(silenceKey(rule, scope)) || m_silenced.contains(silenceKey(rule, {}))
                || m_silenced.contains(silenceKey({}, scope)) || m_silenced.contains(silenceKey({}, {})));
    }

    // The card is narrow: without the year where that can't mislead.
    AlertCell sinceCell(base::UtcTime at) const
    {
        const bool isRecent = at <= m_now->asked && m_now->asked - at < kYearUnsaid;
        return isRecent ? AlertCell{IdleText::instant(at, m_now->zone)} : timeCell(at, m_now->zone);
    }

    AlertCell cell(int row, int column) const override
    {
        const auto &[result, scope] = m_rows[unsignedIndex(row)];
        switch (column) {
        case ScopeColumn:
            return {AlertText::scope(std::string(alerts::toString(result->rule.scope)), scope->scope)};
        case RuleColumn:
            return {textOf(result->rule.name)};
        case SinceColumn:
            return sinceCell(scope->since);
        case ValueColumn:
            return valueCell(scope->value, result->rule, m_now->currency);
        case ThresholdColumn:
            return valueCell(result->rule.bound.nanos, result->rule, m_now->currency);
        default:
            return {isSilenced(result->rule.name, scope->scope) ? AlertTables::tr("silenced")
                        : m_acknowledged.contains(scope->key)   ? AlertTables::tr("acknowledged")
                                                                : QString()};
        }
    }

    TableValue key(int row, int column) const override
    {
        const auto &[result, scope] = m_rows[unsignedIndex(row)];
        if (column == SinceColumn)
            return timeKey(scope->since);
        if (column == ValueColumn && scope->value)
            return TableValue(units(*scope->value));
        return column == ThresholdColumn ? TableValue(units(result->rule.bound.nanos)) : TableValue();
    }

    std::vector<Row> m_rows;
    std::unordered_set<std::string> m_silenced, m_acknowledged;
};

class MessageRows final : public MadeRows {
public:
    explicit MessageRows(SharedAlerts now)
        : MadeRows(std::move(now))
    {
        for (const OutboxEntry &one : m_now->history.outbox)
            m_ids.push_back(QString::number(one.id));
    }

private:
    enum Column { TargetColumn, StateColumn, AboutColumn, NoticeColumn, AttemptsColumn, CreatedColumn, DetailColumn };

    const OutboxEntry &entry(int row) const { return m_now->history.outbox[unsignedIndex(row)]; }

    static QString about(const OutboxEntry &one)
    {
        if (one.rule.empty())
            return dash();
        const QString listed = scopesText(one.scopes);
        const QString all = one.unlisted == 0
            ? listed
            : AlertTables::tr("%1, and %n more", "teams that one message is about", static_cast<int>(one.unlisted))
                  .arg(listed);
        return AlertTables::tr("%1: %2", "rule, teams").arg(textOf(one.rule), all);
    }

    AlertCell cell(int row, int column) const override
    {
        const OutboxEntry &one = entry(row);
        switch (column) {
        case TargetColumn:
            return {textOf(one.target)};
        case StateColumn:
            return {AlertText::delivery(one.state),
                    {},
                    one.state == services::OutboxState::Dead            ? Tone::Critical
                        : one.state == services::OutboxState::Waiting   ? Tone::Warning
                        : one.state == services::OutboxState::Delivered ? Tone::Good
                                                                        : Tone::Muted};
        case AboutColumn:
            return {about(one)};
        case NoticeColumn:
            return {AlertText::notice(one.notice)};
        case AttemptsColumn:
            return countCell(static_cast<std::size_t>(std::max(0, one.attempts)));
        case CreatedColumn:
            return timeCell(one.createdAt, m_now->zone);
        default:
            return {one.detail.empty() ? dash() : textOf(one.detail)};
        }
    }

    TableValue key(int row, int column) const override
    {
        if (column == AttemptsColumn)
            return TableValue(qint64{std::max(0, entry(row).attempts)});
        return column == CreatedColumn ? timeKey(entry(row).createdAt) : TableValue();
    }
};

class ChangeRows final : public MadeRows {
public:
    explicit ChangeRows(SharedAlerts now)
        : MadeRows(std::move(now))
    {
        for (const services::AlertChange &one : m_now->history.changes)
            m_ids.push_back(textOf(one.key) + kBetween + QString::number(base::toUnix(one.at)) + kBetween
                            + textOf(alerts::toString(one.to)));
    }

private:
    enum Column { TimeColumn, RuleColumn, ScopeColumn, FromColumn, ToColumn, ValueColumn };

    AlertCell cell(int row, int column) const override
    {
        const services::AlertChange &one = m_now->history.changes[unsignedIndex(row)];
        switch (column) {
        case TimeColumn:
            return timeCell(one.at, m_now->zone);
        case RuleColumn:
            return {textOf(one.rule)};
        case ScopeColumn:
            return {textOf(one.scope)};
        case FromColumn:
            return stateCell(one.from);
        case ToColumn:
            return stateCell(one.to);
        default:
            return {one.value.empty() ? dash() : textOf(one.value)};
        }
    }

    TableValue key(int row, int column) const override
    {
        return column == TimeColumn ? timeKey(m_now->history.changes[unsignedIndex(row)].at) : TableValue();
    }
};

} // namespace

QString AlertTables::firingId(const std::string &rule, const std::string &scope)
{
    return textOf(rule) + kBetween + textOf(scope);
}

AlertTables::Snapshot AlertTables::firing(const SharedAlerts &now)
{
    return std::make_shared<const FiringRows>(now);
}

AlertTables::Snapshot AlertTables::messages(const SharedAlerts &now)
{
    return std::make_shared<const MessageRows>(now);
}

AlertTables::Snapshot AlertTables::changes(const SharedAlerts &now)
{
    return std::make_shared<const ChangeRows>(now);
}

} // namespace gpuledger::ui
