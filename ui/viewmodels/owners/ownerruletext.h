// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/rulesurvey.h"
#include "app/model/settings.h"

#include <QCoreApplication>
#include <QString>

#include <optional>

namespace gpuledger::ui {

// An owner rule as people type it. Dates are UTC days (2026-01-31), or times as the configuration has them.
struct OwnerRuleFields {
    enum class Compare { Any, Equals, Prefix, Regex }; // Any: whatever the value is, it is the team
    enum class Field { Key, Pattern, Team, From, Until };

    model::OwnerRule::Kind kind = model::OwnerRule::Kind::Label;
    QString key; // of a label or tag
    Compare compare = Compare::Any;
    QString pattern;
    QString team; // empty: the value, or the expression's group "team"
    QString from, until; // until: the first day on which it no longer counts

    friend bool operator==(const OwnerRuleFields &, const OwnerRuleFields &) = default;
};

struct OwnerRuleProblem {
    OwnerRuleFields::Field field = OwnerRuleFields::Field::Key;
    QString text;
};

// Owner rules in words, and what is wrong with one that is typed. Pure; GUI thread.
class OwnerRuleText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OwnerRuleText)
public:
    using Kind = model::OwnerRule::Kind;

    static QString kindName(Kind kind); // "Label of the workload"
    static bool hasKey(Kind kind); // names a label or tag
    static bool needsTeam(Kind kind); // its value can't be the team
    static QString what(const model::OwnerRule &rule); // "label team", "namespace begins with ml-"
    static QString team(const model::OwnerRule &rule); // "its value", "research"
    static QString valid(const model::OwnerRule &rule); // "always", "from 1 Jan 2026"
    static QString day(base::UtcTime time); // short, UTC; with the time where it is not midnight
    static QString workload(const ledger::RulePreview::Workload &workload); // "ml/Deployment/chat"
    // What a screen or tool tip says of tags and accounts, which telemetry does not carry; else empty.
    static QString remark(Kind kind);

    static OwnerRuleFields fieldsOf(const model::OwnerRule &rule);
    // Only of fields without a problem.
    static model::OwnerRule ruleOf(const OwnerRuleFields &fields);
    static std::optional<OwnerRuleProblem> problem(const OwnerRuleFields &fields);
};

} // namespace gpuledger::ui
