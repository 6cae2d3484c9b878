// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/owners/ownerruletext.h"

#include "app/model/fleet/kindname.h"
#include "app/services/config/configedit.h"

#include <QDateTime>
#include <QLocale>

namespace gpuledger::ui {

using Compare = OwnerRuleFields::Compare;
using Field = OwnerRuleFields::Field;
using model::OwnerRule;
using Match = OwnerRule::Match;

namespace {

constexpr char kAnyName[] = ".+";

// The whole value is the team name, whatever it is.
bool takesAny(const OwnerRule &rule)
{
    return rule.pattern.empty() || (rule.match == Match::Regex && rule.pattern == kAnyName);
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

std::string typed(const QString &text)
{
    return text.trimmed().toStdString();
}

// A day, or a time if it is not midnight.
QString timeText(base::UtcTime time, const QLocale &locale)
{
    const QDateTime at = QDateTime::fromSecsSinceEpoch(base::toUnix(time), Qt::UTC);
    return base::dayOf(time).start() == time ? locale.toString(at.date(), QLocale::ShortFormat)
                                             : locale.toString(at, QLocale::ShortFormat);
}

QString typedTime(const std::optional<base::UtcTime> &time)
{
    if (!time)
        return {};
    const std::string full = base::toRfc3339(*time);
    return text(base::dayOf(*time).start() == *time ? full.substr(0, 10) : full);
}

std::optional<base::UtcTime> timeOf(const QString &typedText)
{
    const auto time = base::parseTime(typed(typedText));
    return typed(typedText).empty() || !time ? std::nullopt : std::optional(*time);
}

} // namespace

QString OwnerRuleText::kindName(Kind kind)
{
    switch (kind) {
    case Kind::Label:
        return tr("Label of the workload");
    case Kind::NamespaceLabel:
        return tr("Label of the namespace");
    case Kind::Namespace:
        return tr("Name of the namespace");
    case Kind::NodePool:
        return tr("Node pool");
    case Kind::CloudTag:
        return tr("Tag of the cloud");
    case Kind::Account:
        return tr("Account or project");
    case Kind::Default:
        return tr("Everything else");
    }
    return {};
}

bool OwnerRuleText::hasKey(Kind kind)
{
    return kind == Kind::Label || kind == Kind::NamespaceLabel || kind == Kind::CloudTag;
}

bool OwnerRuleText::needsTeam(Kind kind)
{
    return kind == Kind::NodePool || kind == Kind::Account || kind == Kind::Default;
}

QString OwnerRuleText::what(const OwnerRule &rule)
{
    QString subject;
    switch (rule.kind) {
    case Kind::Label:
        subject = tr("Label %1", "of a workload").arg(text(rule.key));
        break;
    case Kind::NamespaceLabel:
        subject = tr("Namespace label %1").arg(text(rule.key));
        break;
    case Kind::Namespace:
        subject = tr("Namespace");
        break;
    case Kind::NodePool:
        subject = tr("Node pool");
        break;
    case Kind::CloudTag:
        subject = tr("Cloud tag %1").arg(text(rule.key));
        break;
    case Kind::Account:
        subject = tr("Account");
        break;
    case Kind::Default:
        return tr("Everything else");
    }
    if (takesAny(rule))
        return subject;
    switch (rule.match) {
    case Match::Exact:
        return tr("%1 is %2", "a label, its value").arg(subject, text(rule.pattern));
    case Match::Prefix:
        return tr("%1 begins with %2", "a label, its value").arg(subject, text(rule.pattern));
    case Match::Regex:
        return tr("%1 matches %2", "a label, an expression").arg(subject, text(rule.pattern));
    }
    return subject;
}

QString OwnerRuleText::team(const OwnerRule &rule)
{
    if (!rule.team.empty())
        return text(rule.team);
    if (rule.kind == Kind::Default)
        return tr("unowned");
    if (rule.match == Match::Regex && !takesAny(rule)
        && (rule.pattern.find("(?<team>") != std::string::npos || rule.pattern.find("(?P<team>") != std::string::npos))
        return tr("the group “team”", "of an expression");
    return rule.kind == Kind::Namespace ? tr("namespace name", "of a namespace") : tr("label value", "of a label");
}

QString OwnerRuleText::valid(const OwnerRule &rule)
{
    const QLocale locale;
    if (rule.from && rule.until)
        return tr("from %1, before %2", "two days").arg(timeText(*rule.from, locale), timeText(*rule.until, locale));
    if (rule.from)
        return tr("from %1", "a day").arg(timeText(*rule.from, locale));
    if (rule.until)
        return tr("before %1", "a day").arg(timeText(*rule.until, locale));
    return tr("always");
}

QString OwnerRuleText::day(base::UtcTime time)
{
    return timeText(time, QLocale());
}

QString OwnerRuleText::workload(const ledger::RulePreview::Workload &workload)
{
    QString name = workload.nameSpace.empty() ? QString() : QString(text(workload.nameSpace) + QLatin1Char('/'));
    if (workload.ownerName.empty())
        return name + text(std::string(model::kindName(workload.kind))) + QLatin1Char('/') + text(workload.name);
    return name + text(workload.ownerKind) + QLatin1Char('/') + text(workload.ownerName);
}

QString OwnerRuleText::remark(Kind kind)
{
    if (kind != Kind::CloudTag && kind != Kind::Account)
        return {};
    return tr("Tags and accounts come with bills; telemetry does not carry them.");
}

OwnerRuleFields OwnerRuleText::fieldsOf(const OwnerRule &rule)
{
    OwnerRuleFields fields;
    fields.kind = rule.kind;
    fields.key = text(rule.key);
    fields.team = text(rule.team);
    fields.from = typedTime(rule.from);
    fields.until = typedTime(rule.until);
    if (takesAny(rule)) {
        fields.compare = Compare::Any;
        return fields;
    }
    fields.pattern = text(rule.pattern);
    fields.compare = rule.match == Match::Regex ? Compare::Regex
        : rule.match == Match::Prefix           ? Compare::Prefix
                                                : Compare::Equals;
    return fields;
}

OwnerRule OwnerRuleText::ruleOf(const OwnerRuleFields &fields)
{
    OwnerRule rule;
    rule.kind = fields.kind;
    rule.team = typed(fields.team);
    rule.from = timeOf(fields.from);
    rule.until = timeOf(fields.until);
    if (fields.kind == Kind::Default)
        return services::writable(rule);
    if (hasKey(fields.kind))
        rule.key = typed(fields.key);
    if (fields.compare != Compare::Any) {
        rule.pattern = typed(fields.pattern);
        rule.match = fields.compare == Compare::Regex ? Match::Regex
            : fields.compare == Compare::Prefix       ? Match::Prefix
                                                      : Match::Exact;
    }
    return services::writable(rule);
}

std::optional<OwnerRuleProblem> OwnerRuleText::problem(const OwnerRuleFields &fields)
{
    const auto isEmpty = [](const QString &text) { return text.trimmed().isEmpty(); };
    if (hasKey(fields.kind) && isEmpty(fields.key))
        return OwnerRuleProblem{Field::Key, tr("Name the label, for example team")};
    const bool compares = fields.kind != Kind::Default && fields.compare != Compare::Any;
    if (compares && isEmpty(fields.pattern))
        return OwnerRuleProblem{Field::Pattern, tr("Say what to compare with")};
    if (compares && fields.compare == Compare::Regex) {
        if (const auto bad = ledger::OwnerRules::problemOf(typed(fields.pattern))) {
            const std::size_t bytes = bad->offset.value_or(0);
            const qsizetype place = QString::fromStdString(typed(fields.pattern).substr(0, bytes)).size() + 1;
            const QString why = text(bad->text);
            return OwnerRuleProblem{Field::Pattern,
                                    bad->offset ? tr("Not an expression: %1, at character %2").arg(why).arg(place)
                                                : tr("Not an expression: %1").arg(why)};
        }
    }
    if (needsTeam(fields.kind) && isEmpty(fields.team))
        return OwnerRuleProblem{Field::Team, tr("Name the team that owns it")};
    for (const auto &[field, day] : {std::pair(Field::From, fields.from), std::pair(Field::Until, fields.until)}) {
        if (!isEmpty(day) && !timeOf(day))
            return OwnerRuleProblem{field, tr("Write a day as 2026-01-31")};
    }
    const auto from = timeOf(fields.from), until = timeOf(fields.until);
    if (from && until && *until <= *from)
        return OwnerRuleProblem{Field::Until, tr("It must end after it begins")};
    return std::nullopt;
}

} // namespace gpuledger::ui
