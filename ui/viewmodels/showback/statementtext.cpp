// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/statementtext.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpuledger::ui {

namespace {

class StatementWords {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementText)
public:
    static QString standingOf(const reports::MonthStatus &status)
    {
        switch (status.state) {
        case reports::MonthState::Reviewed:
            return tr("Reviewed");
        case reports::MonthState::Closed:
            return tr("Closed");
        case reports::MonthState::Draft:
            break;
        }
        return tr("Draft");
    }

    static QString monthOf(const insight::Month &month)
    {
        return tr("%1 %2", "month year")
            .arg(QLocale().standaloneMonthName(static_cast<int>(month.number)))
            .arg(month.year);
    }

    static QString categoryOf(const std::string &category)
    {
        const std::array<std::pair<const char *, QString>, 15> names{{
            {"compute", tr("Machines without GPUs")},
            {"storage", tr("Storage")},
            {"network", tr("Network")},
            {"database", tr("Databases")},
            {"ai", tr("AI services")},
            {"other", tr("Other services")},
            {"unused-commitment", tr("Unused commitments")},
            {"purchase", tr("Fees of commitments")},
            {"support", tr("Support")},
            {"tax", tr("Taxes")},
            {"credit", tr("Credits")},
            {"refund", tr("Refunds")},
            {"adjustment", tr("Adjustments by the provider")},
            {"not-billed", tr("GPU time not on the bill")},
            {"unexplained", tr("Unexplained")},
        }};
        const auto it =
            std::find_if(names.begin(), names.end(), [&](const auto &one) { return category == one.first; });
        return it == names.end() ? textOf(category) : it->second;
    }

    static QString ruleOf(reports::SharingRule rule)
    {
        switch (rule) {
        case reports::SharingRule::Holder:
            return tr("to the holder");
        case reports::SharingRule::OwnLine:
            return tr("a line of its own");
        case reports::SharingRule::Proportional:
            return tr("by cost");
        case reports::SharingRule::GpuHours:
            return tr("by GPU-hours");
        case reports::SharingRule::Even:
            return tr("in equal parts");
        case reports::SharingRule::Fixed:
            break;
        }
        return tr("by fixed weights");
    }

    static QString teamOf(const std::string &team) { return team.empty() ? tr("No team") : LocalText::teamName(team); }
};

} // namespace

QString standingWord(const reports::MonthStatus &status)
{
    return StatementWords::standingOf(status);
}

QString monthName(const insight::Month &month)
{
    return StatementWords::monthOf(month);
}

QString statementTeamName(const std::string &team)
{
    return StatementWords::teamOf(team);
}

QString sharingRuleName(reports::SharingRule rule)
{
    return StatementWords::ruleOf(rule);
}

QString statementCategory(const std::string &category)
{
    return StatementWords::categoryOf(category);
}

QString statementDay(base::UtcTime t)
{
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(base::toUnix(t), Qt::UTC).date(), QLocale::ShortFormat);
}

// Exact, because only the displayed text is rounded.
QString statementAmount(std::int64_t nanos)
{
    return LocalText::number(units(nanos), 2);
}

QString statementAmount(const base::Money &amount)
{
    return statementAmount(amount.nanos());
}

QString distantAmount(const base::Money &amount)
{
    constexpr double kSmall = 10; // below it, a whole number would be too coarse
    const double value = units(amount.nanos());
    return LocalText::number(value, value == 0 || std::abs(value) >= kSmall ? 0 : 2);
}

QString distantChange(const base::Money &amount)
{
    return amount.nanos() > 0 ? QLatin1Char('+') + distantAmount(amount) : distantAmount(amount);
}

QString statementChange(std::int64_t nanos)
{
    return LocalText::signedNumber(units(nanos), 2);
}

QString statementChange(const base::Money &amount)
{
    return statementChange(amount.nanos());
}

} // namespace gpuledger::ui
