// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingsticket.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr qsizetype kLeastFence = 3; // of CommonMark

// Overrides and isolates of the writing direction (Unicode UAX 9), which could show a text as another one.
bool isDirectionMark(QChar c)
{
    const ushort code = c.unicode();
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F;
}

struct Ticket {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SavingsTicket)
public:
    static QString heading(const QString &text) { return QStringLiteral("\n## %1\n\n").arg(text); }
    static QString item(const QString &text) { return QStringLiteral("- %1\n").arg(text); }
    static QString cell(const QString &name, const QString &value)
    {
        return QLatin1String("| ") + markdownText(name) + QLatin1String(" | ") + markdownText(value)
            + QLatin1String(" |\n");
    }
    static QString facts(const savings::Proposal &one, const SavingsSnapshot &from);
    static QString evidence(const savings::Proposal &one, const base::TimeZone &zone);
};

QString Ticket::facts(const savings::Proposal &one, const SavingsSnapshot &from)
{
    QString out = QLatin1String("| ") + tr("Fact", "head of a table") + QLatin1String(" | ")
        + tr("Value", "head of a table") + QLatin1String(" |\n| --- | --- |\n");
    out += cell(tr("Team"), one.owner.empty() ? tr("none, or several") : QString::fromStdString(one.owner));
    if (one.avoidable)
        out += cell(tr("Cost now, a month"), SavingsText::money(*one.avoidable));
    if (one.perMonth) {
        out += cell(tr("Saves a month (p50)"), SavingsText::money(one.perMonth->p50));
        out += cell(tr("80 % band (p10–p90)"), SavingsText::range(*one.perMonth));
    }
    if (one.counted && !one.excludedBy)
        out += cell(tr("In the sum, a month (p50)"), SavingsText::money(one.counted->p50));
    out += cell(tr("Replayed past"), LocalText::timeRange(from.list.range, from.frame.zone));
    if (one.excludedBy && !isPutAside(one)) // else the state says it
        out += cell(tr("Not counted"), SavingsText::whyNot(one, from.frame.zone));
    if (const savings::Choice *choice = from.choiceOf(one.id))
        out += cell(tr("State"), SavingsText::state(*choice));
    out += cell(tr("Id"), QString::fromStdString(one.id));
    return out;
}

QString Ticket::evidence(const savings::Proposal &one, const base::TimeZone &zone)
{
    QString out = heading(tr("Evidence"));
    for (const savings::Evidence &e : one.evidence)
        out += item(tr("%1: %2", "label, value")
                        .arg(markdownText(SavingsText::sentence(e.label, zone)),
                             markdownText(SavingsText::value(e.value, zone))));
    return out;
}

} // namespace

QString markdownText(const QString &text)
{
    static const QString always = QStringLiteral("\\`*_[]#!|~$"); // no-tr: characters
    static const QString atStart = QStringLiteral("-+:"); // no-tr: characters; at the start of a word
    QString out;
    bool isNumber = true; // so far: "1." and "1)" at the start would begin a list
    for (const QChar c : text) {
        const bool isSpace = c.isSpace() || c.category() == QChar::Other_Control;
        const bool isStart = out.isEmpty() || out.back() == QLatin1Char(' ');
        if (isDirectionMark(c) || (isSpace && isStart))
            continue;
        const bool endsNumber = isNumber && !out.isEmpty() && (c == QLatin1Char('.') || c == QLatin1Char(')'));
        isNumber = isNumber && c.isDigit();
        if (isSpace) {
            out += QLatin1Char(' ');
        } else if (c == QLatin1Char('<')) {
            out += QLatin1String("&lt;");
        } else if (c == QLatin1Char('>')) {
            out += QLatin1String("&gt;");
        } else if (c == QLatin1Char('&')) {
            out += QLatin1String("&amp;");
        } else if (c == QLatin1Char('@')) {
            out += QLatin1String("&#64;"); // mentions nobody
        } else {
            if (always.contains(c) || endsNumber || (isStart && atStart.contains(c)))
                out += QLatin1Char('\\');
            out += c;
        }
    }
    return out.trimmed();
}

QString markdownCode(const QString &text)
{
    QString lines = text;
    lines.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'));
    lines.removeIf([](QChar c) {
        return isDirectionMark(c)
            || (c.category() == QChar::Other_Control && c != QLatin1Char('\n') && c != QLatin1Char('\t'));
    });
    qsizetype longest = 0, run = 0;
    for (const QChar c : std::as_const(lines)) {
        run = c == QLatin1Char('`') ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(std::max(kLeastFence, longest + 1), QLatin1Char('`'));
    return fence + QLatin1Char('\n') + lines + (lines.endsWith(QLatin1Char('\n')) ? QString() : QStringLiteral("\n"))
        + fence + QLatin1Char('\n');
}

QString savingsTicket(const savings::Proposal &proposal, const SavingsSnapshot &snapshot)
{
    const base::TimeZone &zone = snapshot.frame.zone;
    QString out = QLatin1String("# ") + markdownText(SavingsText::what(proposal)) + QLatin1String("\n\n");
    out += markdownText(SavingsText::saves(proposal, snapshot.list.range)) + QLatin1String("\n\n");
    out += Ticket::facts(proposal, snapshot);
    if (!proposal.evidence.empty())
        out += Ticket::evidence(proposal, zone);
    if (!proposal.risks.empty()) {
        out += Ticket::heading(Ticket::tr("Risks"));
        for (const savings::Remark &risk : proposal.risks)
            out += Ticket::item(markdownText(SavingsText::sentence(risk, zone)));
    }
    if (!proposal.assumptions.empty()) {
        out += Ticket::heading(Ticket::tr("Assumptions"));
        for (const savings::Assumption &one : proposal.assumptions)
            out += Ticket::item(markdownText(SavingsText::assumption(one)));
    }
    if (!proposal.how.empty())
        out += Ticket::heading(Ticket::tr("How to do it")) + markdownCode(QString::fromStdString(proposal.how));
    return out;
}

} // namespace gpuledger::ui
