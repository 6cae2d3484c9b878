// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/comparepanel.h"

#include "ui/format/localtext.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <array>

namespace gpuledger::ui {

using widgets::ChoiceButton;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr int kOfferTableShare = 62, kOfferChartShare = 38;
constexpr int kOfferChartAtLeast = 300; // pixels
constexpr std::size_t kMostOfferBars = 12;
constexpr int kOfferDecimals = 4;
constexpr std::array kOfferedCounts{1, 2, 4, 8, 16};

QString codeOf(const base::Money &amount)
{
    const auto code = amount.currency().code();
    return QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
}

} // namespace

ComparePanel::ComparePanel(const widgets::Theme &theme, CompareViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme.space(Space::Small));
    outer->addWidget(choices());
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    m_table = new widgets::DataTable(theme, tr("Offers"), model.table(), content);
    m_chart = new widgets::StackedBarChart(theme, content);
    m_chart->setMinimumWidth(kOfferChartAtLeast);
    layout->addWidget(m_table, kOfferTableShare);
    layout->addWidget(m_chart, kOfferChartShare);
    m_panel = new StatePanel(theme, content);
    outer->addWidget(m_panel, 1);
    m_note = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_note->setWordWrap(true);
    outer->addWidget(m_note);
    connect(&m_model, &CompareViewModel::changed, this, &ComparePanel::showState);
    connect(m_panel, &StatePanel::actionTriggered, this, [this] { m_model.refresh(); });
    m_panel->showLoading();
}

QWidget *ComparePanel::choices()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Small));
    m_models = new ChoiceButton(tr("GPU model"), bar);
    m_models->setChoices({{QString(), tr("All GPU models"), false}});
    m_gpus = new ChoiceButton(tr("GPUs of a machine"), bar);
    std::vector<ChoiceButton::Choice> counts{{QString(), tr("Any number of GPUs"), false}};
    for (const int count : kOfferedCounts)
        counts.push_back({QString::number(count), count == 1 ? tr("1 GPU") : tr("%n GPUs", nullptr, count), false});
    m_gpus->setChoices(counts);
    m_terms = new ChoiceButton(tr("Terms"), bar);
    m_terms->setChoices({{QStringLiteral("any"), tr("All terms"), false}, // no-tr: key
                         {QStringLiteral("on-demand"), tr("On demand"), false}, // no-tr: key
                         {QStringLiteral("spot"), tr("Spot"), false}, // no-tr: key
                         {QStringLiteral("committed"), tr("Committed"), false}}); // no-tr: key
    m_files = new ChoiceButton(tr("Price lists"), bar);
    m_files->setChoices({{QStringLiteral("none"), tr("Add prices…"), false}, // no-tr: key
                         {QStringLiteral("catalogue"), tr("SkyPilot catalogue…"), true}, // no-tr: key
                         {QStringLiteral("offers"), tr("Own offers (CSV)…"), true}}); // no-tr: key
    for (ChoiceButton *button : {m_models, m_gpus, m_terms, m_files})
        layout->addWidget(button);
    layout->addStretch();
    connect(m_models, &ChoiceButton::chosen, this, [this](const QString &key) { m_model.setModel(key); });
    connect(m_gpus, &ChoiceButton::chosen, this,
            [this](const QString &key) { m_model.setGpus(key.isEmpty() ? std::nullopt : std::optional(key.toInt())); });
    connect(m_terms, &ChoiceButton::chosen, this, [this](const QString &key) {
        m_model.setTerms(key == QLatin1String("on-demand")       ? CompareTerms::OnDemand
                             : key == QLatin1String("spot")      ? CompareTerms::Spot
                             : key == QLatin1String("committed") ? CompareTerms::Committed
                                                                 : CompareTerms::Any);
    });
    connect(m_files, &ChoiceButton::chosen, this, [this](const QString &key) {
        if (key != QLatin1String("none"))
            chooseFile(key == QLatin1String("catalogue"));
    });
    return bar;
}

void ComparePanel::chooseFile(bool catalogue)
{
    auto *dialog = new QFileDialog(this, catalogue ? tr("Open a SkyPilot catalogue") : tr("Open own offers"), {},
                                   tr("Price lists (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, catalogue](const QString &path) {
        catalogue ? m_model.addCatalogue(path) : m_model.addOffers(path);
    });
    dialog->open();
}

void ComparePanel::addModels()
{
    if (!m_model.prices() || m_model.prices()->models == m_listed)
        return;
    m_listed = m_model.prices()->models;
    std::vector<ChoiceButton::Choice> all{{QString(), tr("All GPU models"), false}};
    for (const QString &model : m_listed)
        all.push_back({model, widgets::plainLine(model, 60), false});
    m_models->setChoices(all);
    const QSignalBlocker quiet(m_models);
    m_models->setCurrentKey(m_model.model());
}

void ComparePanel::showState()
{
    addModels();
    QStringList notes;
    if (const auto &error = m_model.error(); error && m_model.state() != PageState::Error)
        notes.append(LocalText::sentence(*error));
    if (m_model.prices() && m_model.prices()->paidModel.isEmpty())
        notes.append(tr("Own bills have no GPU machine time in the last 28 days."));
    if (const QString leftOut = m_model.leftOutText(); !leftOut.isEmpty())
        notes.append(leftOut + QLatin1Char('.'));
    notes.append(tr("Compared are the prices of machines alone, without moving data and storing it there."));
    m_note->setText(notes.join(QLatin1Char(' ')));
    if (m_model.state() == PageState::Error) {
        m_panel->showError(
            {tr("Prices can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}}, {});
        return;
    }
    if (m_model.state() == PageState::Empty) {
        widgets::StateMessage message;
        message.title = tr("No offer matches");
        message.text = tr("No price list has such a machine on these terms.");
        m_panel->showEmpty(message);
        return;
    }
    showChart();
    m_panel->showData();
}

void ComparePanel::showChart()
{
    widgets::StackedBars bars;
    bars.title = tr("Cheapest GPU-hour by provider");
    bars.series.push_back({tr("Per GPU-hour"), widgets::Color::Accent, false});
    const CompareTable *rows = m_model.rows();
    std::vector<int> cheapest = m_model.cheapestRows();
    if (cheapest.size() > kMostOfferBars)
        cheapest.resize(kMostOfferBars);
    for (const int row : cheapest) {
        const savings::PriceQuote &quote = rows->quote(row);
        const bool isPaid = quote.source == savings::kOwnBills;
        const auto price = perGpuHour(quote);
        const QString provider = QString::fromStdString(quote.provider);
        const QString name = isPaid ? tr("%1, paid", "provider").arg(provider) : provider;
        widgets::StackedBars::Bar bar;
        bar.label = widgets::plainLine(name, 40);
        bar.title = widgets::plainLine(tr("%1: %2, %3", "provider, machine, terms")
                                           .arg(name, rows->text(row, static_cast<int>(CompareColumn::Machine)),
                                                CompareTable::termsName(quote.purchase)),
                                       200);
        bar.values = {price->toDouble()};
        bar.key = rows->id(row);
        bars.bars.push_back(bar);
        bars.unit = codeOf(*price);
    }
    bars.note = bars.unit;
    bars.valueText = [unit = bars.unit](double value) { return LocalText::money(value, unit, kOfferDecimals); };
    m_chart->setData(std::move(bars));
}

} // namespace gpuledger::ui
