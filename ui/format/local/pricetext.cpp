// SPDX-License-Identifier: GPL-3.0-or-later
// Translates the origin of a price, which the ledger stores as one line of English with a fixed format.
#include "ui/format/local/localtext.h"

#include <QRegularExpression>

namespace gpuledger::ui {

namespace {

// Of a price: "2026-07-20", or "as read 2026-11-21" where the list does not state a date.
QString priceDate(const QString &date)
{
    static const QString kRead = QStringLiteral("as read ");
    return date.startsWith(kRead) ? LocalText::tr("as read %1", "a price list, date").arg(date.mid(kRead.size()))
                                  : date;
}

} // namespace

QString LocalText::priceSource(const std::string &source)
{
    const QString text = QString::fromStdString(source);
    static const QRegularExpression kBook(QStringLiteral("^price book ((?:as read )?\\S+): (.+)$"));
    static const QRegularExpression kEstimate(QStringLiteral(
        "^list price estimate \\(median of (\\d+) instance types?(?: of (\\w+))?, ((?:as read )?\\S+)\\)(.*)$"));
    static const QString kOverride = QStringLiteral("override: "), kAllocator = QStringLiteral("allocator: ");
    static const QString kMachine = QStringLiteral("price of the machine in the list of ");
    if (const auto book = kBook.match(text); book.hasMatch()) {
        QString what = book.captured(2);
        what.replace(QStringLiteral("(the node's region is unknown)"), tr("(the node's region is unknown)"));
        static const QRegularExpression kElsewhere(QStringLiteral("\\(the node is in ([^)]*)\\)"));
        if (const auto elsewhere = kElsewhere.match(what); elsewhere.hasMatch())
            what.replace(elsewhere.captured(0), tr("(the node is in %1)", "a region").arg(elsewhere.captured(1)));
        return tr("price book %1: %2", "date, what it lists").arg(priceDate(book.captured(1)), what);
    }
    if (const auto estimate = kEstimate.match(text); estimate.hasMatch()) {
        const QString types = tr("%n instance types", nullptr, estimate.captured(1).toInt());
        const QString of = estimate.captured(2).isEmpty()
            ? types
            : tr("%1 of %2", "instance types, a cloud").arg(types, estimate.captured(2));
        return tr("list price estimate (median of %1, %2)", "instance types, date")
                   .arg(of, priceDate(estimate.captured(3)))
            + estimate.captured(4);
    }
    static const QRegularExpression kOwnBills(QStringLiteral("^expected: as its bills until (\\S+)$"));
    static const QRegularExpression kTypeBills(
        QStringLiteral("^expected: as bills of its instance type until (\\S+)$"));
    if (const auto own = kOwnBills.match(text); own.hasMatch())
        return tr("expected: as billed until %1", "a date").arg(own.captured(1));
    if (const auto like = kTypeBills.match(text); like.hasMatch())
        return tr("expected: as its instance type was billed until %1", "a date").arg(like.captured(1));
    if (text == QLatin1String("bill, effective cost"))
        return tr("bill, effective cost");
    if (text == QLatin1String("bill, billed cost"))
        return tr("bill, billed cost");
    if (text.startsWith(kAllocator))
        return tr("allocator: %1", "name of a source").arg(text.mid(kAllocator.size()));
    if (text.startsWith(kMachine))
        return tr("price of the machine in the list of %1", "a cloud").arg(text.mid(kMachine.size()));
    return text.startsWith(kOverride) ? tr("override: %1", "of a price, what it is for").arg(text.mid(kOverride.size()))
                                      : text;
}

} // namespace gpuledger::ui
