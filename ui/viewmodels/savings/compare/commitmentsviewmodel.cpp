// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/commitmentsviewmodel.h"

#include "app/base/text/text.h"
#include "app/services/engine/configservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using model::CloudCommitmentKind;
using services::CommitmentReading;
using services::CommitmentsAnswer;
using services::CoverageRow;

namespace {

// Sentences of each sort, so that the table keeps its room.
constexpr std::size_t kMostCoverage = 5, kMostReadings = 4, kMostWithheld = 4;
constexpr std::size_t kLongestNote = 240; // bytes of a sentence of a source
constexpr int kCoverageDecimals = 0; // whole units of money

int countInNote(std::uint64_t count)
{
    return static_cast<int>(std::min<std::uint64_t>(count, 1'000'000'000));
}

QString noteWords(const std::string &text)
{
    return QString::fromStdString(base::printable(text, kLongestNote));
}

// The largest cost on demand first; those of different currencies have no order, those without a cost are last.
std::vector<const CoverageRow *> byCost(const std::vector<CoverageRow> &rows)
{
    std::vector<const CoverageRow *> out;
    for (const CoverageRow &row : rows)
        out.push_back(&row);
    std::stable_sort(out.begin(), out.end(), [](const CoverageRow *a, const CoverageRow *b) {
        if (!a->onDemand || !b->onDemand)
            return a->onDemand.has_value() && !b->onDemand;
        const base::Currency left = a->onDemand->currency(), right = b->onDemand->currency();
        return left != right ? left < right : a->onDemand->nanos() > b->onDemand->nanos();
    });
    return out;
}

// "p5 in us-east-1".
QString coveredUse(const model::CommitmentCoverage &one, bool hasAccounts)
{
    const QString machine = noteWords(one.machine), region = noteWords(one.region);
    const QString use =
        region.isEmpty() ? machine : CommitmentsViewModel::tr("%1 in %2", "machines, a region").arg(machine, region);
    return hasAccounts && !one.account.empty()
        ? CommitmentsViewModel::tr("%1 of account %2", "machines, an account").arg(use, noteWords(one.account))
        : use;
}

QString coveredShare(const model::CommitmentCoverage &one, bool hasAccounts)
{
    const QString share = std::isfinite(one.covered) ? CommitmentsTable::shareText(one.covered) : dash();
    const QString use = coveredUse(one, hasAccounts);
    switch (one.by) {
    case CloudCommitmentKind::SavingsPlan:
        return CommitmentsViewModel::tr("Savings Plans cover %1 of %2", "a share, machines").arg(share, use);
    case CloudCommitmentKind::Reservation:
        return CommitmentsViewModel::tr("Reservations cover %1 of %2", "a share, machines").arg(share, use);
    case CloudCommitmentKind::CommittedUse:
        break;
    }
    return CommitmentsViewModel::tr("Committed use covers %1 of %2", "a share, machines").arg(share, use);
}

// `days`: empty, if they were said before.
QString coverageSentence(const CoverageRow &row, const QString &days, bool hasAccounts)
{
    QString text = coveredShare(row.coverage, hasAccounts);
    if (!days.isEmpty())
        text = CommitmentsViewModel::tr("%1 (%2)", "what is covered, days").arg(text, days);
    if (row.onDemand)
        text =
            CommitmentsViewModel::tr("%1; the rest cost %2", "what is covered, money")
                .arg(text,
                     LocalText::money(row.onDemand->toDouble(), codeOf(row.onDemand->currency()), kCoverageDecimals));
    return text + QLatin1Char('.');
}

QStringList coverageSentences(const CommitmentsAnswer &answer)
{
    const auto rows = byCost(answer.coverage);
    const auto differ = [&](auto &&what) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](const CoverageRow *row) { return what(*row) != what(*rows.front()); });
    };
    const auto daysOf = [](const CoverageRow &row) {
        return CommitmentsTable::daysText(row.coverage.first, row.coverage.last);
    };
    const bool hasAccounts = differ([](const CoverageRow &row) { return row.coverage.account; });
    const bool hasDays = differ(daysOf);
    QStringList all;
    if (!rows.empty() && !hasDays)
        all.append(
            CommitmentsViewModel::tr("In the days %1:", "followed by what was covered").arg(daysOf(*rows.front())));
    for (std::size_t i = 0; i < std::min(rows.size(), kMostCoverage); ++i)
        all.append(coverageSentence(*rows[i], hasDays ? daysOf(*rows[i]) : QString(), hasAccounts));
    if (rows.size() > kMostCoverage)
        all.append(CommitmentsViewModel::tr("And %n more figure(s) of coverage.", nullptr,
                                            countInNote(rows.size() - kMostCoverage)));
    return all;
}

QString readingSentence(const CommitmentReading &reading, const base::TimeZone &zone)
{
    const QString source = noteWords(reading.source);
    const auto at = [&](base::UtcTime time) { return LocalText::dateTime(time, zone); };
    if (!reading.failedAt)
        return reading.readAt ? CommitmentsViewModel::tr("%1 was read on %2.", "a source, a date and time")
                                    .arg(source, at(*reading.readAt))
                              : CommitmentsViewModel::tr("%1 was not read yet.", "a source").arg(source);
    const QString why = noteWords(reading.failure);
    return reading.readAt ? CommitmentsViewModel::tr("%1 was read on %2; the last try, on %3, failed: %4.",
                                                     "a source, dates and times, a reason")
                                .arg(source, at(*reading.readAt), at(*reading.failedAt), why)
                          : CommitmentsViewModel::tr("%1 was not read yet; the last try, on %2, failed: %3.",
                                                     "a source, a date and time, a reason")
                                .arg(source, at(*reading.failedAt), why);
}

// Those that failed first.
QStringList readingSentences(const CommitmentsAnswer &answer, const base::TimeZone &zone)
{
    std::vector<const CommitmentReading *> order;
    for (const CommitmentReading &reading : answer.readings)
        order.push_back(&reading);
    std::stable_sort(order.begin(), order.end(), [](const CommitmentReading *a, const CommitmentReading *b) {
        return a->failedAt.has_value() && !b->failedAt;
    });
    QStringList all;
    for (std::size_t i = 0; i < std::min(order.size(), kMostReadings); ++i)
        all.append(readingSentence(*order[i], zone));
    if (order.size() > kMostReadings)
        all.append(CommitmentsViewModel::tr("Commitments are read from %n more source(s).", nullptr,
                                            countInNote(order.size() - kMostReadings)));
    return all;
}

QStringList withheldSentences(const CommitmentsAnswer &answer)
{
    QStringList all;
    for (const CommitmentReading &reading : answer.readings) {
        for (const std::string &why : reading.withheld)
            all.append(CommitmentsViewModel::tr("%1: %2.", "a source, a sentence")
                           .arg(noteWords(reading.source), noteWords(why)));
    }
    if (const auto more = static_cast<int>(all.size()) - static_cast<int>(kMostWithheld); more > 0) {
        all = all.mid(0, static_cast<qsizetype>(kMostWithheld));
        all.append(CommitmentsViewModel::tr("And %n more thing(s) can't be read.", nullptr, more));
    }
    return all;
}

QStringList leftOutSentences(const CommitmentsAnswer &answer)
{
    QStringList all;
    if (answer.withoutGpus > 0)
        all.append(CommitmentsViewModel::tr("Left out: %n row(s) for machines without GPUs.", nullptr,
                                            countInNote(answer.withoutGpus)));
    if (answer.rejected > 0)
        all.append(
            CommitmentsViewModel::tr("Left out: %n row(s) that can't be read.", nullptr, countInNote(answer.rejected)));
    return all;
}

} // namespace

CommitmentsViewModel::CommitmentsViewModel(const services::ConfigService &config, services::SpendService &spend,
                                           TaskRunner &tasks, QObject *parent)
    : ComparedViewModel(CommitmentsTable::columns(), tr("Cloud and source"), parent)
    , m_config(config)
    , m_spend(spend)
    , m_answer(tasks, this, [this] { take(); })
{
    m_answer.setActive(false);
}

void CommitmentsViewModel::refresh()
{
    m_answer.ask([spend = &m_spend](const std::stop_token &stop) -> LatestQuery<CommitmentsAnswer>::Answer {
        auto answer = spend->commitments(stop);
        GPULEDGER_TRY(answer);
        return std::make_shared<const CommitmentsAnswer>(std::move(*answer));
    });
}

void CommitmentsViewModel::take()
{
    if (m_answer.error())
        return show(nullptr);
    const auto rows = std::make_shared<const CommitmentsTable>(m_answer.snapshot(), m_config.timeZone());
    table().setColumns(CommitmentsTable::columns(rows->currency()));
    show(rows);
}

bool CommitmentsViewModel::isUnread(const CommitmentsAnswer &answer)
{
    return !answer.readings.empty()
        && std::none_of(answer.readings.begin(), answer.readings.end(),
                        [](const CommitmentReading &reading) { return reading.readAt.has_value(); });
}

QString CommitmentsViewModel::emptyTitle() const
{
    return answer() && isUnread(*answer()) ? tr("No commitments were read yet") : QString();
}

QString CommitmentsViewModel::emptyText() const
{
    return answer() && isUnread(*answer()) ? tr("A sync reads them once a day.") : QString();
}

QString CommitmentsViewModel::noteText() const
{
    return answer() ? notesOf(*answer(), m_config.timeZone()) : QString();
}

QString CommitmentsViewModel::notesOf(const CommitmentsAnswer &answer, const base::TimeZone &zone)
{
    QStringList lines;
    for (const QStringList &sentences : {coverageSentences(answer), readingSentences(answer, zone),
                                         withheldSentences(answer) + leftOutSentences(answer)}) {
        if (!sentences.isEmpty())
            lines.append(sentences.join(QLatin1Char(' ')));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gpuledger::ui
