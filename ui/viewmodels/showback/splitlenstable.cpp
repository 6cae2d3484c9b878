// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/splitlenstable.h"

#include "ui/format/local/celltext.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QCoreApplication>

#include <algorithm>

namespace gpuledger::ui {

using base::Money;
using reports::BySplitPolicy;
using reports::CurrencyLens;
using reports::kSplitPolicies;

namespace {

constexpr int kFigureWidth = 116; // pixels: seven digits with two decimals and a sign

class LensTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SplitLens)
public:
    LensTable(std::shared_ptr<const reports::SplitLens> lens, LensFigures figures)
        : m_lens(std::move(lens))
        , m_figures(figures)
    {
        const bool many = m_lens->currencies.size() > 1;
        for (const CurrencyLens &currency : m_lens->currencies) {
            const QString code = codeOf(currency.currency);
            const auto add = [&](const QString &id, const QString &name, const BySplitPolicy &cost) {
                m_rows.push_back(
                    {code + QLatin1Char(':') + id, many ? tr("%1, %2", "team, currency").arg(name, code) : name, cost});
            };
            for (const reports::LensTeam &team : currency.teams)
                add(QStringLiteral("team:") + QString::fromStdString(team.team),
                    statementTeamName(team.team), // no-tr: key
                    team.cost);
            add(QStringLiteral("cpu"), tr("CPU of these machines"), currency.cpu);
            add(QStringLiteral("memory"), tr("Memory of these machines"), currency.memory);
            BySplitPolicy total;
            total.fill(currency.total);
            add(QStringLiteral("total"), tr("Total"), total);
        }
    }

    static std::vector<TableColumn> columns()
    {
        TableColumn team;
        team.key = QStringLiteral("team");
        team.title = tr("Team");
        team.isEmphasized = team.isSearched = true;
        team.stretch = 1;
        std::vector<TableColumn> all{team};
        const QStringList rules = splitPolicyRules();
        for (std::size_t i = 0; i < kSplitPolicies.size(); ++i) {
            TableColumn column =
                tablecolumns::figure(QString::fromUtf8(model::toString(kSplitPolicies[i]).data()),
                                     splitPolicyName(kSplitPolicies[i]), rules.at(static_cast<qsizetype>(i)));
            column.width = kFigureWidth;
            all.push_back(column);
        }
        return all;
    }

    static QString name(model::SplitPolicy policy)
    {
        switch (policy) {
        case model::SplitPolicy::GpuFirst:
            return tr("GPU first");
        case model::SplitPolicy::Aws:
            return tr("AWS");
        case model::SplitPolicy::OpenCost:
            return tr("OpenCost");
        case model::SplitPolicy::Fixed:
            break;
        }
        return tr("95 / 3 / 2");
    }

    static QStringList rules()
    {
        return {
            tr("GPU first: the whole price of a machine goes to its GPUs, because no one else can use its CPU and "
               "memory. Statements use this split."),
            tr("AWS: weights of 9 for a GPU, 0.9 for a vCPU and 0.1 for a GiB of memory (AWS split cost allocation)."),
            tr("OpenCost: the ratio of its default prices, 0.95 for a GPU, 0.031611 for a vCPU and 0.004237 for a "
               "GiB."),
            tr("95 / 3 / 2: percent for GPUs, CPU and memory, whatever the machine (Datadog).")};
    }

    static QStringList notes(const reports::SplitLens &lens)
    {
        QStringList out{tr("Who used CPU and memory is not observed, so their part belongs to no team. The parts of a "
                           "machine always add up to its price.")};
        for (const CurrencyLens &currency : lens.currencies) {
            const auto most = std::max_element(currency.unsplit.begin(), currency.unsplit.end(),
                                               [](const Money &a, const Money &b) { return a.nanos() < b.nanos(); });
            if (most->nanos() > 0)
                out << tr("%1 %2 of machines whose vCPUs or memory are not known stay with their holders under AWS and "
                          "OpenCost.",
                          "amount, currency")
                           .arg(statementAmount(*most), codeOf(currency.currency));
        }
        return out;
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return rowAt(row).id; }

    TableValue value(int row, int column) const override
    {
        if (column == 0)
            return rowAt(row).name;
        return static_cast<double>(amount(row, column).nanos()) / Money::kNanosPerUnit;
    }

    QString text(int row, int column) const override
    {
        if (column == 0)
            return rowAt(row).name;
        return m_figures == LensFigures::Differences && column > 1 ? statementChange(amount(row, column))
                                                                   : statementAmount(amount(row, column));
    }

private:
    struct Row {
        QString id, name;
        BySplitPolicy cost;
    };

    const Row &rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    Money amount(int row, int column) const
    {
        const BySplitPolicy &cost = rowAt(row).cost;
        const Money &own = cost[static_cast<std::size_t>(column) - 1];
        if (m_figures == LensFigures::Amounts || column == 1)
            return own;
        return {own.nanos() - cost[0].nanos(), own.currency()};
    }

    std::shared_ptr<const reports::SplitLens> m_lens;
    LensFigures m_figures;
    std::vector<Row> m_rows;
};

} // namespace

std::vector<TableColumn> lensColumns()
{
    return LensTable::columns();
}

std::shared_ptr<const TableSnapshot> lensTable(std::shared_ptr<const reports::SplitLens> lens, LensFigures figures)
{
    return std::make_shared<LensTable>(std::move(lens), figures);
}

QString splitPolicyName(model::SplitPolicy policy)
{
    return LensTable::name(policy);
}

QStringList splitPolicyRules()
{
    return LensTable::rules();
}

QStringList lensNotes(const reports::SplitLens &lens)
{
    return LensTable::notes(lens);
}

} // namespace gpuledger::ui
