// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/splitlensdialog.h"

#include "app/services/spend/spendservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/splitlenstable.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr QSize kLensSize(840, 660);
constexpr QLatin1String kAmounts("amounts"), kDifferences("differences"); // keys of the switch

} // namespace

SplitLensDialog::SplitLensDialog(const widgets::Theme &theme, services::SpendService &spend, TaskRunner &tasks,
                                 const insight::Month &month, reports::CostView view, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_spend(spend)
    , m_month(month)
    , m_view(view)
    , m_rows(lensColumns())
    , m_asker(tasks, this, [this] { showAnswer(); })
{
    setWindowTitle(tr("Split lens: %1").arg(monthName(month)));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kLensSize);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    QLabel *meaning = plainLabel(theme,
                                 tr("What machines with GPUs cost each team, depending on how their price is split "
                                    "between GPUs, CPU and memory. Looking changes nothing."),
                                 TextSize::Body, Color::Muted, QFont::Normal, this);
    meaning->setWordWrap(true);
    layout->addWidget(meaning);
    m_panel = new StatePanel(theme, content(), this);
    layout->addWidget(m_panel, 1);
    auto *buttons = new QHBoxLayout;
    auto *close = new QPushButton(tr("Close", "a dialog"), this);
    close->setDefault(true);
    buttons->addStretch();
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_panel, &StatePanel::actionTriggered, this, &SplitLensDialog::ask);
    connect(m_figures, &widgets::SegmentedSwitch::chosen, this, &SplitLensDialog::showAnswer);
    m_panel->showLoading();
    ask();
}

QWidget *SplitLensDialog::content()
{
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    auto *bar = new QHBoxLayout;
    m_figures = new widgets::SegmentedSwitch(
        m_theme, tr("Figures"), {{kAmounts, tr("Amounts")}, {kDifferences, tr("Difference to GPU first")}}, content);
    bar->addWidget(m_figures);
    bar->addStretch();
    layout->addLayout(bar);
    m_table = new widgets::DataTable(m_theme, tr("Cost by split policy"), m_rows, content);
    layout->addWidget(m_table, 1);
    m_notes = plainLabel(m_theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, content);
    m_notes->setWordWrap(true);
    layout->addWidget(m_notes);
    return content;
}

void SplitLensDialog::ask()
{
    m_asker.ask([spend = &m_spend, month = m_month,
                 view = m_view](const std::stop_token &) -> LatestQuery<reports::SplitLens>::Answer {
        auto lens = spend->splitLens(month, view);
        GPULEDGER_TRY(lens);
        return std::make_shared<const reports::SplitLens>(std::move(*lens));
    });
}

void SplitLensDialog::showAnswer()
{
    if (m_asker.error()) {
        m_panel->showError(
            {tr("The split can't be shown"), LocalText::sentence(*m_asker.error()), {}, tr("Try again"), {}}, {});
        return;
    }
    const auto lens = m_asker.snapshot();
    if (!lens)
        return;
    if (lens->currencies.empty()) {
        m_panel->showEmpty({tr("No machine with GPUs"), tr("None has a cost in this month."), {}, {}, {}});
        return;
    }
    m_rows.setSnapshot(
        lensTable(lens, m_figures->currentKey() == kDifferences ? LensFigures::Differences : LensFigures::Amounts));
    QStringList notes;
    for (const reports::CurrencyLens &currency : lens->currencies)
        notes << tr("In %1, %2.", "currency, cost view")
                     .arg(QString::fromStdString(std::string(currency.currency.code())),
                          m_view == reports::CostView::Billed ? tr("billed cost") : tr("effective cost"));
    m_notes->setText((notes + lensNotes(*lens) + splitPolicyRules()).join(QLatin1Char('\n')));
    m_panel->showData();
}

} // namespace gpuledger::ui
