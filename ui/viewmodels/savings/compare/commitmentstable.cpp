// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/commitmentstable.h"

#include "app/base/text/text.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QDate>
#include <QHash>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace gpuledger::ui {

using model::CloudCommitment;
using model::CloudCommitmentKind;
using services::CommitmentRow;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr int kCommitmentDecimals = 2, kCommitmentHourDecimals = 4;
constexpr int kCommitmentNameWidth = 160; // pixels
constexpr int kLeastOfMachine = 100, kLeastOfAccount = 110; // pixels: "any machine", an account of AWS
constexpr int kEndsSoonDays = 90; // a commitment that ends within them is marked
constexpr double kLeastShownShare = 0.001; // of a commitment: 0.1 %
constexpr qsizetype kLongestShownId = 36; // characters: a UUID
constexpr std::size_t kLongestCommitmentText = 512; // bytes

QDate commitmentDate(std::int32_t days)
{
    return QDate(1970, 1, 1).addDays(days);
}

QString commitmentDay(base::Day day)
{
    return QLocale().toString(commitmentDate(day.number), QLocale::ShortFormat);
}

QString commitmentWords(const std::string &text)
{
    return QString::fromStdString(base::printable(text, kLongestCommitmentText));
}

// Without the start, which tells least: "…/5f0c" of "arn:aws:savingsplans::123456789012:savingsplan/5f0c".
QString shortId(const QString &id)
{
    const qsizetype slash = id.lastIndexOf(QLatin1Char('/'));
    const QString last = slash >= 0 && slash + 1 < id.size() ? id.mid(slash + 1) : id;
    if (last.size() > kLongestShownId)
        return QChar(0x2026) + last.right(kLongestShownId - 1);
    return last.size() < id.size() ? QStringLiteral("…/") + last : last;
}

std::optional<double> knownShare(const std::optional<double> &share)
{
    return share && std::isfinite(*share) ? share : std::nullopt;
}

// That of all amounts; empty: there are several, or none.
QString onlyCommitmentCurrency(const std::vector<CommitmentRow> &rows)
{
    std::set<std::string> codes;
    for (const CommitmentRow &row : rows) {
        for (const auto &amount : {row.perHour, row.unused}) {
            if (amount)
                codes.insert(std::string(amount->currency().code()));
        }
    }
    return codes.size() == 1 ? textOf(*codes.begin()) : QString();
}

class CommitmentWords {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::CommitmentsTable)
public:
    static QString kind(CloudCommitmentKind kind)
    {
        switch (kind) {
        case CloudCommitmentKind::SavingsPlan:
            return tr("Savings Plan");
        case CloudCommitmentKind::Reservation:
            return tr("Reservation");
        case CloudCommitmentKind::CommittedUse:
            break;
        }
        return tr("Committed use");
    }

    // The kind, unless the cloud's own words have it.
    static QString terms(const CloudCommitment &commitment)
    {
        const QString name = kind(commitment.kind), told = commitmentWords(commitment.terms);
        if (told.isEmpty() || told.contains(name, Qt::CaseInsensitive))
            return told.isEmpty() ? name : told;
        return tr("%1: %2", "kind of a commitment, its terms").arg(name, told);
    }

    static QString machine(const CloudCommitment &commitment)
    {
        const QString name = commitment.machine.empty() ? tr("any machine") : commitmentWords(commitment.machine);
        return commitment.count ? tr("%1× %2", "a number, a machine or GPU")
                                      .arg(LocalText::number(static_cast<double>(*commitment.count), 0), name)
                                : name;
    }

    static QString name(const CloudCommitment &commitment)
    {
        if (!commitment.name.empty())
            return commitmentWords(commitment.name);
        return commitment.id.empty() ? kind(commitment.kind) : shortId(commitmentWords(commitment.id));
    }
};

} // namespace

std::vector<TableColumn> CommitmentsTable::columns(const QString &currency)
{
    const auto priced = [&](const QString &title) {
        return currency.isEmpty() ? title : tr("%1, %2", "title of a column, currency").arg(title, currency);
    };
    std::vector<TableColumn> all{
        words(QStringLiteral("commitment"), tr("Commitment"), tr("Its name at the cloud, or else its id"),
              1), // no-tr: key
        words(QStringLiteral("machine"), tr("For"), // no-tr: key
              tr("The machines or GPUs that it is for, and how many of them"), 1),
        words(QStringLiteral("terms"), tr("Terms"), tr("What was bought, in the cloud's words"), 2), // no-tr: key
        words(QStringLiteral("account"), tr("Account"), // no-tr: key
              tr("The account, subscription or project that bought it")),
        words(QStringLiteral("region"), tr("Region")), // no-tr: key
        figure(QStringLiteral("per-hour"), priced(tr("Per hour")), tr("The spend that is committed to")), // no-tr: key
        tablecolumns::column("ends", tr("Ends"), TableValueType::Time,
                             tr("The day on which it ends, in the time zone of the window")),
        figure(QStringLiteral("used"), tr("Used (cloud)"), // no-tr: key
               tr("The share of it that was used, as the cloud says")),
        figure(QStringLiteral("billed"), tr("Used (bill)"), // no-tr: key
               tr("The share of its amortized cost that was used, by your bills")),
        figure(QStringLiteral("unused"), priced(tr("Unused")), // no-tr: key
               tr("What the unused part cost in the days of the cloud's figures")),
        words(QStringLiteral("days"), tr("Days"), // no-tr: key
              tr("The days of the cloud's figures, or else those of the bill, in UTC, both included"))};
    const auto of = [&](CommitmentsColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(CommitmentsColumn::Name).isEmphasized = true;
    of(CommitmentsColumn::Name).width = kCommitmentNameWidth;
    of(CommitmentsColumn::Ends).isWhole = of(CommitmentsColumn::Days).isWhole = true;
    of(CommitmentsColumn::Machine).least = kLeastOfMachine;
    of(CommitmentsColumn::Account).least = kLeastOfAccount;
    of(CommitmentsColumn::Days).isSearched = false;
    of(CommitmentsColumn::Days).priority = 1;
    of(CommitmentsColumn::Account).priority = 2;
    of(CommitmentsColumn::Terms).priority = 3;
    of(CommitmentsColumn::Region).priority = 4;
    of(CommitmentsColumn::PerHour).priority = 5;
    return all;
}

QString CommitmentsTable::daysText(base::Day first, base::Day last)
{
    return first == last ? commitmentDay(first)
                         : tr("%1 – %2", "the first and the last day").arg(commitmentDay(first), commitmentDay(last));
}

QString CommitmentsTable::shareText(double share)
{
    const bool isPart = share > 0 && share < 1;
    return LocalText::percent(isPart ? std::clamp(share, kLeastShownShare, 1 - kLeastShownShare) : share);
}

CommitmentsTable::CommitmentsTable(std::shared_ptr<const services::CommitmentsAnswer> answer, base::TimeZone zone)
    : m_answer(std::move(answer))
    , m_zone(std::move(zone))
    , m_currency(onlyCommitmentCurrency(m_answer->rows))
{
    addGroups();
    addIds();
}

// The rows of a source come by their ends, so those of two clouds may be mixed.
void CommitmentsTable::addGroups()
{
    QHash<QString, int> known;
    for (const CommitmentRow &row : m_answer->rows) {
        const QString source = commitmentWords(row.source), cloud = commitmentWords(row.commitment.cloud);
        const QString key = source + QChar(0x1f) + cloud;
        auto group = known.constFind(key);
        if (group == known.constEnd()) {
            group = known.insert(key, static_cast<int>(m_groups.size()));
            const QString title =
                cloud.isEmpty() ? source : tr("%1, source %2", "a cloud, a source").arg(cloud, source);
            m_groups.push_back({key, title, false, false});
        }
        m_groupOf.push_back(*group);
    }
}

// The same commitment may be told twice.
void CommitmentsTable::addIds()
{
    QHash<QString, int> seen;
    for (const CommitmentRow &row : m_answer->rows) {
        const CloudCommitment &one = row.commitment;
        QStringList parts;
        for (const std::string &part : {row.source, one.cloud, one.account, one.id, one.name})
            parts.append(QString::fromStdString(part));
        const QString id = parts.join(QChar(0x1f));
        m_ids.push_back(id + QChar(0x1f) + QString::number(seen[id]++));
    }
}

int CommitmentsTable::daysLeft(base::UtcTime end) const
{
    return m_zone.localDay(end) - m_zone.localDay(m_answer->now);
}

CommitmentsTable::Ending CommitmentsTable::ending(base::UtcTime end) const
{
    if (end <= m_answer->now)
        return Ending::Past;
    return daysLeft(end) <= kEndsSoonDays ? Ending::Soon : Ending::Later;
}

QString CommitmentsTable::leftText(base::UtcTime end) const
{
    if (ending(end) == Ending::Past)
        return tr("over", "a commitment");
    const int days = daysLeft(end);
    return days == 0 ? tr("today") : tr("in %n day(s)", nullptr, days);
}

QString CommitmentsTable::amountText(const base::Money &amount, int decimals) const
{
    return m_currency.isEmpty() ? LocalText::money(amount.toDouble(), codeOf(amount.currency()), decimals)
                                : LocalText::number(amount.toDouble(), decimals);
}

std::optional<CommitmentsTable::Days> CommitmentsTable::daysOf(const CommitmentRow &row)
{
    if (row.commitment.first && row.commitment.last)
        return Days{*row.commitment.first, *row.commitment.last, true};
    if (row.billedFirst && row.billedLast)
        return Days{*row.billedFirst, *row.billedLast, false};
    return std::nullopt;
}

TableValue CommitmentsTable::value(int row, int column) const
{
    const CommitmentRow &one = rowAt(row);
    const auto c = static_cast<CommitmentsColumn>(column);
    if (!unknown(one, c).isEmpty())
        return TableValue();
    switch (c) {
    case CommitmentsColumn::PerHour:
        return TableValue(one.perHour->toDouble());
    case CommitmentsColumn::Ends:
        return TableValue(qint64{base::toUnix(*one.commitment.end)});
    case CommitmentsColumn::Used:
        return TableValue(*one.commitment.utilization);
    case CommitmentsColumn::Billed:
        return TableValue(*one.billed);
    case CommitmentsColumn::Unused:
        return TableValue(one.unused->toDouble());
    case CommitmentsColumn::Machine: // the machine before the number
        return TableValue(QString::fromStdString(one.commitment.machine) + QLatin1Char(' ')
                          + QString::number(one.commitment.count.value_or(0)));
    case CommitmentsColumn::Days: {
        const auto days = daysOf(one);
        return TableValue(commitmentDate(days->first.number).toString(Qt::ISODate) + QLatin1Char('/')
                          + commitmentDate(days->last.number).toString(Qt::ISODate));
    }
    case CommitmentsColumn::Name:
    case CommitmentsColumn::Terms:
    case CommitmentsColumn::Account:
    case CommitmentsColumn::Region:
        break;
    }
    return TableValue(text(row, column));
}

QString CommitmentsTable::text(int row, int column) const
{
    const CommitmentRow &one = rowAt(row);
    const auto c = static_cast<CommitmentsColumn>(column);
    if (!unknown(one, c).isEmpty())
        return dash();
    switch (c) {
    case CommitmentsColumn::Name:
        return CommitmentWords::name(one.commitment);
    case CommitmentsColumn::Machine:
        return CommitmentWords::machine(one.commitment);
    case CommitmentsColumn::Terms:
        return CommitmentWords::terms(one.commitment);
    case CommitmentsColumn::Account:
        return commitmentWords(one.commitment.account);
    case CommitmentsColumn::Region:
        return commitmentWords(one.commitment.region);
    case CommitmentsColumn::PerHour:
        return amountText(*one.perHour, kCommitmentHourDecimals);
    case CommitmentsColumn::Ends: {
        const base::UtcTime end = *one.commitment.end;
        const QString day = QLocale().toString(commitmentDate(m_zone.localDay(end)), QLocale::ShortFormat);
        return ending(end) == Ending::Later ? day : tr("%1, %2", "a day, how far it is").arg(day, leftText(end));
    }
    case CommitmentsColumn::Used:
        return shareText(*one.commitment.utilization);
    case CommitmentsColumn::Billed:
        return shareText(*one.billed);
    case CommitmentsColumn::Unused:
        return amountText(*one.unused, kCommitmentDecimals);
    case CommitmentsColumn::Days:
        break;
    }
    const auto days = daysOf(one);
    return daysText(days->first, days->last);
}

QString CommitmentsTable::noBill(const CommitmentRow &row) const
{
    return row.commitment.first && row.commitment.last ? tr("No bill has anything of it in the days %1.", "days")
                                                             .arg(daysText(*row.commitment.first, *row.commitment.last))
                                                       : tr("No bill has anything of it.");
}

// Why there is a dash.
QString CommitmentsTable::unknown(const CommitmentRow &row, CommitmentsColumn column) const
{
    const CloudCommitment &one = row.commitment;
    const QString cloud = commitmentWords(one.cloud.empty() ? row.source : one.cloud);
    const auto unless = [&](bool isKnown, const QString &why) { return isKnown ? QString() : why.arg(cloud); };
    switch (column) {
    case CommitmentsColumn::Name:
    case CommitmentsColumn::Machine:
    case CommitmentsColumn::Terms:
        break;
    case CommitmentsColumn::Account:
        return unless(!one.account.empty(), tr("%1 does not say who bought it.", "a cloud"));
    case CommitmentsColumn::Region:
        return unless(!one.region.empty(),
                      tr("It is for all regions, or %1 does not say for which one it is.", "a cloud"));
    case CommitmentsColumn::PerHour:
        return unless(row.perHour.has_value(), tr("%1 does not say what is paid per hour.", "a cloud"));
    case CommitmentsColumn::Ends:
        return unless(one.end.has_value(), tr("%1 does not say when it ends.", "a cloud"));
    case CommitmentsColumn::Used:
        return unless(knownShare(one.utilization).has_value(), tr("%1 does not say how much was used.", "a cloud"));
    case CommitmentsColumn::Billed:
        return knownShare(row.billed) ? QString() : noBill(row);
    case CommitmentsColumn::Unused:
        return unless(row.unused.has_value(), tr("%1 does not say what the unused part cost.", "a cloud"));
    case CommitmentsColumn::Days:
        return daysOf(row) ? QString() : tr("Neither the cloud nor a bill has figures of its use.");
    }
    return {};
}

QString CommitmentsTable::endLine(const CommitmentRow &row) const
{
    const CloudCommitment &one = row.commitment;
    const QString at = LocalText::dateTime(*one.end, m_zone);
    if (ending(*one.end) == Ending::Past)
        return tr("It ended on %1.", "a date and time").arg(at);
    return tr("It ends on %1, %2.", "a date and time, how far it is").arg(at, leftText(*one.end));
}

// What is said of a known value, and who says it.
QString CommitmentsTable::told(const CommitmentRow &row, CommitmentsColumn column) const
{
    const CloudCommitment &one = row.commitment;
    const QString source = commitmentWords(row.source);
    const auto days = daysOf(row);
    if (column == CommitmentsColumn::Billed || (column == CommitmentsColumn::Days && days && !days->isCloud))
        return row.billedFirst && row.billedLast
            ? tr("By the bills, %1", "days").arg(daysText(*row.billedFirst, *row.billedLast))
            : tr("By the bills");
    QStringList lines;
    if (column == CommitmentsColumn::Name && !one.id.empty())
        lines << commitmentWords(one.id);
    if (column == CommitmentsColumn::Terms)
        lines << CommitmentWords::kind(one.kind);
    if (column == CommitmentsColumn::Ends) {
        lines << endLine(row);
        if (one.start)
            lines << (*one.start > m_answer->now ? tr("It starts on %1.", "a date and time")
                                                 : tr("It started on %1.", "a date and time"))
                         .arg(LocalText::dateTime(*one.start, m_zone));
    }
    if (column == CommitmentsColumn::Used || column == CommitmentsColumn::Unused) {
        if (one.first && one.last)
            lines << daysText(*one.first, *one.last);
    }
    lines << tr("As %1 says, read by %2", "a cloud, a source")
                 .arg(commitmentWords(one.cloud.empty() ? row.source : one.cloud), source);
    return lines.join(QLatin1Char('\n'));
}

QString CommitmentsTable::sourceLine(int row, int column) const
{
    const auto c = static_cast<CommitmentsColumn>(column);
    const QString why = unknown(rowAt(row), c);
    return why.isEmpty() ? told(rowAt(row), c) : why;
}

QVariant CommitmentsTable::extra(int row, int column, int role) const
{
    const auto &end = rowAt(row).commitment.end;
    if (role != widgets::kToneRole || static_cast<CommitmentsColumn>(column) != CommitmentsColumn::Ends || !end)
        return {};
    switch (ending(*end)) {
    case Ending::Soon:
        return QVariant::fromValue(widgets::Tone::Warning);
    case Ending::Past:
        return QVariant::fromValue(widgets::Tone::Muted);
    case Ending::Later:
        break;
    }
    return {};
}

} // namespace gpuledger::ui
