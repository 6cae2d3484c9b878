// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/comparepanel.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/savings/comparedpanel.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/inputrow.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>
#include <utility>

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
constexpr int kOfferDecimals = 4, kMostOwned = 6;
constexpr int kLongestModel = 60, kLongestFileName = 60; // characters
constexpr QLatin1String kOffers("offers"), kPlanned("planned"), kClaims("claimed"), kBudgets("budgets"),
    kCommitments("commitments"); // keys of the switch
constexpr std::array kOfferedCounts{1, 2, 4, 8, 16};

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
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(offers());
    addCompared();
    outer->addWidget(m_stack, 1);
    connect(&m_model, &CompareViewModel::changed, this, &ComparePanel::showState);
    connect(m_panel, &StatePanel::actionTriggered, this, [this] { m_model.refresh(); });
    showFiles();
    showHalves();
    m_panel->showLoading();
}

void ComparePanel::addCompared()
{
    m_planned =
        new ComparedPanel(m_theme, m_model.planned(),
                          {tr("Planned machines"), tr("The plans can't be shown"),
                           tr("No machine with GPUs is planned"), tr("The plans that are connected have none.")},
                          m_stack);
    m_claims = new ComparedPanel(m_theme, m_model.claims(),
                                 {tr("Claimed savings"), tr("The claims can't be shown"), tr("Nothing is claimed"),
                                  tr("The files of claims that are connected have none.")},
                                 m_stack);
    m_budgets =
        new ComparedPanel(m_theme, m_model.budgets(),
                          {tr("Budgets of clouds"), tr("The budgets can't be shown"), tr("No budget limits money"),
                           tr("The accounts of the sources see none at AWS, Azure and Google Cloud.")},
                          m_stack);
    m_budgets->table()->setDelegate(QStringLiteral("share"), // no-tr: key
                                    new widgets::BarDelegate(m_theme, m_budgets->table()));
    m_commitments = new ComparedPanel(m_theme, m_model.commitments(),
                                      {tr("Commitments at clouds"), tr("The commitments can't be shown"),
                                       tr("No commitment was found"),
                                       tr("The accounts of the sources see none for machines with GPUs.")},
                                      m_stack);
    for (ComparedPanel *panel : {m_planned, m_claims, m_budgets, m_commitments}) {
        m_stack->addWidget(panel);
        connect(&panel->model(), &ComparedViewModel::changed, this, &ComparePanel::showHalves);
    }
}

QWidget *ComparePanel::offers()
{
    const widgets::Theme &theme = m_theme;
    auto *all = new QWidget;
    auto *outer = new QVBoxLayout(all);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme.space(Space::Small));
    auto *content = new QWidget;
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    m_table = new widgets::DataTable(theme, tr("Offers"), m_model.table(), content);
    m_chart = new widgets::StackedBarChart(theme, content);
    m_chart->setMinimumWidth(kOfferChartAtLeast);
    layout->addWidget(m_table, kOfferTableShare);
    layout->addWidget(m_chart, kOfferChartShare);
    m_panel = new StatePanel(theme, content);
    outer->addWidget(m_panel, 1);
    m_owned = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, all);
    m_owned->setWordWrap(true);
    m_owned->setTextInteractionFlags(Qt::TextSelectableByMouse); // it may have a command
    m_owned->hide();
    outer->addWidget(m_owned);
    m_note = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, all);
    m_note->setWordWrap(true);
    outer->addWidget(m_note);
    return all;
}

// With offers alone there is nothing to choose between.
void ComparePanel::showHalves()
{
    const auto isThere = [](const ComparedPanel *panel) {
        const PageState state = panel->model().state();
        return state != PageState::FirstRun && state != PageState::Loading;
    };
    QWidget *shown = m_stack->widget(0);
    bool isAny = false;
    for (const auto &[key, panel] : {std::pair(kPlanned, m_planned), std::pair(kClaims, m_claims),
                                     std::pair(kBudgets, m_budgets), std::pair(kCommitments, m_commitments)}) {
        m_halves->setChoiceVisible(key, isThere(panel));
        isAny = isAny || isThere(panel);
        if (m_halves->currentKey() == key && isThere(panel))
            shown = panel;
    }
    m_halves->setVisible(isAny);
    if (shown == m_stack->widget(0))
        m_halves->setCurrentKey(kOffers);
    m_filters->setVisible(shown == m_stack->widget(0));
    m_stack->setCurrentWidget(shown);
}

QWidget *ComparePanel::choices()
{
    m_halves = new widgets::SegmentedSwitch(m_theme, tr("What is compared"),
                                            {{kOffers, tr("Offers")},
                                             {kPlanned, tr("Planned machines")},
                                             {kClaims, tr("Claimed savings")},
                                             {kBudgets, tr("Budgets")},
                                             {kCommitments, tr("Commitments")}},
                                            this);
    m_halves->setCurrentKey(kOffers);
    connect(m_halves, &widgets::SegmentedSwitch::chosen, this, &ComparePanel::showHalves);
    m_filters = filters();
    return new widgets::InputRow(m_theme, m_halves, m_filters, this);
}

QWidget *ComparePanel::filters()
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
    m_files = filesButton(bar);
    for (QPushButton *button : std::initializer_list<QPushButton *>{m_models, m_gpus, m_terms, m_files})
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
    return bar;
}

QPushButton *ComparePanel::filesButton(QWidget *bar)
{
    auto *button = new QPushButton(tr("Price lists"), bar);
    button->setAutoDefault(false);
    button->setMenu(new QMenu(button));
    return button;
}

void ComparePanel::showFiles()
{
    QMenu &menu = *m_files->menu();
    menu.clear();
    menu.addAction(tr("Add a SkyPilot catalogue…"), this, [this] { chooseFile(true); });
    menu.addAction(tr("Add own offers (CSV)…"), this, [this] { chooseFile(false); });
    const QStringList files = m_model.files();
    if (!files.isEmpty())
        menu.addSeparator();
    for (const QString &path : files) {
        const QString name = widgets::plainLine(QFileInfo(path).fileName(), kLongestFileName);
        menu.addAction(tr("Remove %1", "a file").arg(name).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                       [this, path] { m_model.removeFile(path); });
    }
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
    if (!m_model.prices())
        return;
    const QString current = m_model.model();
    QStringList models = m_model.prices()->models;
    if (!current.isEmpty() && !models.contains(current)) // chosen, and no longer offered
        models.append(current);
    const QSignalBlocker quiet(m_models);
    if (models != m_listed) {
        m_listed = models;
        std::vector<ChoiceButton::Choice> all{{QString(), tr("All GPU models"), false}};
        for (const QString &model : m_listed)
            all.push_back({model, widgets::plainLine(model, kLongestModel), false});
        m_models->setChoices(all);
    }
    m_models->setCurrentKey(current);
}

QStringList ComparePanel::notes() const
{
    QStringList all;
    if (const auto &error = m_model.fileError())
        all.append(LocalText::sentence(*error));
    if (const auto prices = m_model.prices(); prices && !prices->isPaidAsked)
        all.append(tr("At list prices, own bills are not compared."));
    else if (prices && !prices->isAnyPaid)
        all.append(tr("Own bills have no GPU machine time in the last 28 days."));
    if (const QString unread = m_model.unreadText(); !unread.isEmpty())
        all.append(unread + QLatin1Char('.'));
    if (const QString leftOut = m_model.leftOutText(); !leftOut.isEmpty())
        all.append(leftOut + QLatin1Char('.'));
    all.append(tr("Compared are the prices of machines alone, without moving data and storing it there."));
    return all;
}

void ComparePanel::showOwned()
{
    QStringList lines = m_model.ownedLines();
    if (const int more = static_cast<int>(lines.size()) - kMostOwned; more > 0) {
        lines = lines.mid(0, kMostOwned);
        lines.append(tr("and %n more owned machine(s) of the configuration", nullptr, more));
    }
    m_owned->setText(lines.join(QLatin1Char('\n')));
    m_owned->setAccessibleName(tr("Own or rent"));
    m_owned->setAccessibleDescription(m_owned->text());
    m_owned->setVisible(!lines.isEmpty());
}

void ComparePanel::showState()
{
    addModels();
    showFiles();
    showOwned();
    m_note->setText(notes().join(QLatin1Char(' ')));
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
    bars.unit = m_model.chartCurrency();
    bars.title = tr("Cheapest GPU-hour by provider, %1", "a currency").arg(bars.unit);
    bars.areNames = true;
    bars.series.push_back({tr("Per GPU-hour"), widgets::Color::Accent, false});
    const CompareTable *rows = m_model.rows();
    std::vector<int> cheapest = m_model.cheapestRows();
    if (cheapest.size() > kMostOfferBars) {
        bars.note =
            tr("and %n more provider(s) in the table", nullptr, static_cast<int>(cheapest.size() - kMostOfferBars));
        cheapest.resize(kMostOfferBars);
    }
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
        if (quote.interruptions)
            bar.title = tr("%1 (interruptions: %2)", "offer, how often")
                            .arg(bar.title, rows->text(row, static_cast<int>(CompareColumn::Interruptions)));
        bar.values = {price->toDouble()};
        bar.key = rows->id(row);
        bars.bars.push_back(bar);
    }
    bars.valueText = [unit = bars.unit](double value) { return LocalText::money(value, unit, kOfferDecimals); };
    m_chart->setData(std::move(bars));
}

} // namespace gpuledger::ui
