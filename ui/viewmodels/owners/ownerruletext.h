// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/survey/rulesurvey.h"
#include "app/model/settings.h"

#include <QCoreApplication>
#include <QString>

#include <optional>

namespace gpuledger::ui {

// An owner rule as typed by the user. Dates are UTC days (2026-01-31), or times in the form used in the configuration.
struct OwnerRuleFields {
    enum class Compare { Any, Equals, Prefix, Regex }; // Any: every value is a team name
    enum class Field { Key, Pattern, Team, From, Until };

    model::OwnerRule::Kind kind = model::OwnerRule::Kind::Label;
    QString key; // of a label or tag
    Compare compare = Compare::Any;
    QString pattern;
    QString team; // empty: the value, or the regular expression's group "team"
    QString from, until; // until: the first day on which it no longer applies

    friend bool operator==(const OwnerRuleFields &, const OwnerRuleFields &) = default;
};

// An error in a rule, and its field.
struct OwnerRuleProblem {
    OwnerRuleFields::Field field = OwnerRuleFields::Field::Key;
    QString text;
};

// Owner rules as text, and the errors in a rule being typed. Pure; GUI thread.
class OwnerRuleText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OwnerRuleText)
public:
    using Kind = model::OwnerRule::Kind;

    static QString kindName(Kind kind); // "Label of the workload"
    static bool hasKey(Kind kind); // has a label or tag name
    static bool needsTeam(Kind kind); // its value cannot be the team
    static QString what(const model::OwnerRule &rule); // "label team", "namespace begins with ml-"
    static QString team(const model::OwnerRule &rule); // "label value", "research"
    static QString valid(const model::OwnerRule &rule); // "always", "from 1 Jan 2026"
    static QString day(base::UtcTime time); // short, UTC; with the time unless it is midnight
    static QString workload(const ledger::RulePreview::Workload &workload); // "ml/Deployment/chat"
    // A remark for screen and tooltip about tags and accounts, which telemetry does not carry; otherwise empty.
    static QString remark(Kind kind);

    static OwnerRuleFields fieldsOf(const model::OwnerRule &rule);
    // The fields must be free of errors.
    static model::OwnerRule ruleOf(const OwnerRuleFields &fields);
    static std::optional<OwnerRuleProblem> problem(const OwnerRuleFields &fields);
};

} // namespace gpuledger::ui
