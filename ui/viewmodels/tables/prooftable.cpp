// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tables/prooftable.h"

#include "ui/format/local/localtext.h"
#include "ui/format/savings/proofformula.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QCoreApplication>
#include <QLocale>

namespace gpuledger::ui {

using insight::FigureValue;
using insight::MoneyRow;
using insight::Proof;
using insight::UsageRow;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr int kAllDigits = 9;
constexpr int kReadingDigits = 4;

QString text(const std::string &from)
{
    return from.empty() ? QStringLiteral("–") : QString::fromStdString(from);
}

QString moneyText(const std::optional<base::Money> &amount)
{
    return amount ? QString::fromStdString(amount->toDecimal()) : QStringLiteral("–");
}

class UsageRows : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ProofRows)
public:
    enum Column { Device, From, To, State, Holder, Team, Reading, Hours, Rate, Cost };

    UsageRows(std::shared_ptr<const Proof> proof, base::TimeZone zone)
        : m_proof(std::move(proof))
        , m_zone(std::move(zone))
    {
    }

    static std::vector<TableColumn> columns()
    {
        TableColumn device = words(QStringLiteral("device"), tr("Device"));
        device.isEmphasized = true;
        device.stretch = 1;
        TableColumn from = words(QStringLiteral("from"), tr("From"));
        TableColumn to = words(QStringLiteral("to"), tr("To", "end of a time range"));
        from.isFigure = to.isFigure = true; // never squeezed: a time without its hour is meaningless
        return {device,
                from,
                to,
                words(QStringLiteral("state"), tr("State")),
                words(QStringLiteral("holder"), tr("Held by")),
                words(QStringLiteral("team"), tr("Team")),
                figure(QStringLiteral("reading"), tr("Value")),
                figure(QStringLiteral("hours"), tr("GPU-h")),
                figure(QStringLiteral("rate"), tr("Per hour")),
                figure(QStringLiteral("cost"), tr("Cost"))};
    }

    int rowCount() const override { return static_cast<int>(m_proof->usage.size()); }
    QString id(int row) const override { return QString::number(row); }
    TableValue value(int row, int column) const override
    {
        const UsageRow &one = at(row);
        const auto money = [](const std::optional<base::Money> &m) {
            return m ? TableValue(m->toDouble()) : TableValue(std::monostate());
        };
        switch (column) {
        case Reading:
            return one.reading ? TableValue(*one.reading) : TableValue(std::monostate());
        case Hours:
            return one.time.hours();
        case Rate:
            return money(one.rate);
        case Cost:
            return money(one.cost);
        default:
            return text(row, column);
        }
    }
    QString text(int row, int column) const override
    {
        const UsageRow &one = at(row);
        switch (column) {
        case Device:
            return ui::text(one.device);
        case From:
            return LocalText::dateTime(one.range.start, m_zone);
        case To:
            return LocalText::dateTime(one.range.end, m_zone);
        case State:
            return ui::text(one.state);
        case Holder:
            return ui::text(one.holder);
        case Team:
            return ui::text(one.team);
        case Reading:
            return one.reading ? LocalText::number(*one.reading, kReadingDigits) : QStringLiteral("–");
        case Hours:
            return LocalText::number(one.time.hours(), 3);
        case Rate:
            return moneyText(one.rate);
        default:
            return moneyText(one.cost);
        }
    }
    QString sourceLine(int row, int) const override { return QString::fromStdString(at(row).priceSource); }

private:
    const UsageRow &at(int row) const { return m_proof->usage[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const Proof> m_proof;
    base::TimeZone m_zone;
};

class MoneyRows : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ProofRows)
public:
    enum Column { Day, Place, What, Resource, Team, Category, State, Charge, Amount };

    explicit MoneyRows(std::shared_ptr<const Proof> proof)
        : m_proof(std::move(proof))
    {
    }

    static std::vector<TableColumn> columns()
    {
        TableColumn place = words(QStringLiteral("place"), tr("From"));
        place.isEmphasized = true;
        TableColumn what = words(QStringLiteral("what"), tr("What"));
        what.stretch = 1;
        return {words(QStringLiteral("day"), tr("Day (UTC)")),
                place,
                what,
                words(QStringLiteral("resource"), tr("Resource")),
                words(QStringLiteral("team"), tr("Team")),
                words(QStringLiteral("category"), tr("Category")),
                words(QStringLiteral("state"), tr("State")),
                figure(QStringLiteral("charge"), tr("Charged")),
                figure(QStringLiteral("amount"), tr("Counted here"))};
    }

    int rowCount() const override { return static_cast<int>(m_proof->money.size()); }
    QString id(int row) const override { return QString::number(row); }
    TableValue value(int row, int column) const override
    {
        const MoneyRow &one = at(row);
        if (column == Charge)
            return one.charge ? TableValue(one.charge->toDouble()) : TableValue(std::monostate());
        if (column == Amount)
            return one.amount ? TableValue(one.amount->toDouble())
                : one.time    ? TableValue(one.time->hours())
                              : TableValue(std::monostate());
        return text(row, column);
    }
    QString text(int row, int column) const override
    {
        const MoneyRow &one = at(row);
        switch (column) {
        case Day:
            return QString::fromStdString(insight::dayText(one.day));
        case Place:
            return place(one);
        case What:
            return ui::text(!one.description.empty()   ? one.description
                                : !one.service.empty() ? one.service
                                                       : one.priceSource);
        case Resource:
            return ui::text(one.resource);
        case Team:
            return ui::text(one.team);
        case Category:
            return ui::text(one.category);
        case State:
            return ui::text(one.state);
        case Charge:
            return moneyText(one.charge);
        default:
            return one.amount ? moneyText(one.amount)
                : one.time    ? LocalText::number(one.time->hours(), kAllDigits)
                              : QStringLiteral("–");
        }
    }

private:
    static QString place(const MoneyRow &row)
    {
        const QString where = ui::text(!row.place.empty() ? row.place : !row.source.empty() ? row.source : row.origin);
        if (row.lines <= 1)
            return where;
        return tr("%1 and %n like it", nullptr, static_cast<int>(row.lines - 1)).arg(where);
    }
    const MoneyRow &at(int row) const { return m_proof->money[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const Proof> m_proof;
};

class ProofText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ProofText)
public:
    static QString value(const FigureValue &value)
    {
        if (value.money)
            return moneyText(value.money) + QLatin1Char(' ')
                + QString::fromStdString(std::string(value.money->currency().code()));
        if (value.time)
            return LocalText::number(value.time->hours(), kAllDigits) + QLatin1String(" GPU-h");
        if (value.number)
            return LocalText::number(*value.number, kAllDigits) + QLatin1Char(' ') + QString::fromStdString(value.unit);
        return tr("unknown");
    }

    static std::vector<std::pair<QString, QString>> facts(const Proof &proof, const base::TimeZone &zone)
    {
        std::vector<std::pair<QString, QString>> out{
            {tr("Value"), value(proof.shown)},
            {tr("Recomputed"),
             proof.agrees ? tr("%1, the same", "value").arg(value(proof.recomputed))
                          : tr("%1, which differs: check the data folder", "value").arg(value(proof.recomputed))},
            {tr("Formula"), QString::fromStdString(formulaOf(proof.figure))}};
        if (proof.closed)
            addClosed(out, proof, zone);
        for (const insight::ProofInput &input : proof.inputs)
            out.emplace_back(QString::fromStdString(input.name), value(input.shown));
        for (const insight::ProofPrice &price : proof.prices)
            out.emplace_back(tr("Price"),
                             tr("%1 a GPU-hour, %2, of %3", "money, source, GPU-hours")
                                 .arg(value(FigureValue::of(price.perGpuHour)), LocalText::priceSource(price.source),
                                      LocalText::gpuHours(price.time.hours())));
        out.emplace_back(tr("Split policy"), QString::fromStdString(proof.policy));
        out.emplace_back(
            tr("Query"),
            tr("shown from %1; recomputed from %2", "tables")
                .arg(QString::fromStdString(proof.shownFrom), QString::fromStdString(proof.recomputedFrom)));
        for (const insight::ProofAge &age : proof.ages)
            out.emplace_back(tr("Source"),
                             (age.synced
                                  ? tr("%1, synced %2", "source, time")
                                        .arg(QString::fromStdString(age.source), LocalText::dateTime(*age.synced, zone))
                                  : tr("%1, never synced", "source").arg(QString::fromStdString(age.source))));
        out.emplace_back(tr("Id"), QString::fromStdString(insight::toString(proof.figure)));
        return out;
    }

    // What was closed and by whom, and what the facts say since then.
    static void addClosed(std::vector<std::pair<QString, QString>> &out, const Proof &proof, const base::TimeZone &zone)
    {
        const insight::ProofOfClose &closed = *proof.closed;
        out.emplace_back(tr("By current data"),
                         closed.now == proof.shown
                             ? tr("%1, the same", "value").arg(value(closed.now))
                             : tr("%1: what came later is an adjustment", "value").arg(value(closed.now)));
        const QString when = LocalText::dateTime(closed.at, zone);
        QString who =
            closed.by.empty() ? when : tr("%1 by %2", "time, person").arg(when, QString::fromStdString(closed.by));
        if (!closed.reason.empty())
            who = tr("%1: %2", "time and person, reason").arg(who, QString::fromStdString(closed.reason));
        out.emplace_back(tr("Closed"), who);
        if (!closed.hash.empty())
            out.emplace_back(tr("Record"), tr("SHA-256 %1").arg(QString::fromStdString(closed.hash)));
        if (closed.entry > 0)
            out.emplace_back(tr("Audit log"),
                             (closed.isInLog ? tr("entry %1, which names this record")
                                             : tr("entry %1, which names another record: check the data folder"))
                                 .arg(closed.entry));
    }

    static QString leftOut(const Proof &proof)
    {
        if (proof.leftOut == 0)
            return {};
        QStringList sums;
        if (proof.leftOutTime.ticks != 0)
            sums << value(FigureValue::of(proof.leftOutTime));
        if (proof.leftOutAmount)
            sums << value(FigureValue::of(*proof.leftOutAmount));
        return tr("And %n smaller row(s) with %1.", nullptr, static_cast<int>(proof.leftOut))
            .arg(sums.join(QStringLiteral(", ")));
    }
};

} // namespace

std::vector<TableColumn> proofColumns(const Proof &proof)
{
    return proof.money.empty() ? UsageRows::columns() : MoneyRows::columns();
}

std::shared_ptr<const TableSnapshot> proofRows(std::shared_ptr<const Proof> proof, const base::TimeZone &zone)
{
    if (proof->money.empty())
        return std::make_shared<UsageRows>(std::move(proof), zone);
    return std::make_shared<MoneyRows>(std::move(proof));
}

std::vector<std::pair<QString, QString>> proofFacts(const Proof &proof, const base::TimeZone &zone)
{
    return ProofText::facts(proof, zone);
}

QString proofLeftOut(const Proof &proof)
{
    return ProofText::leftOut(proof);
}

QString proofValue(const FigureValue &value)
{
    return ProofText::value(value);
}

} // namespace gpuledger::ui
