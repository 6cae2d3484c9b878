// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/proofdialog.h"

#include "app/services/engine/configservice.h"
#include "app/services/proof/proofservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/prooftable.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr QSize kSize(1160, 720);

} // namespace

ProofDialog::ProofDialog(const widgets::Theme &theme, const services::ConfigService &config,
                         services::ProofService &proof, TaskRunner &tasks, insight::Figure figure, const QString &title,
                         QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_config(config)
    , m_proof(proof)
    , m_figure(std::move(figure))
    , m_rows(proofColumns({}))
    , m_asker(tasks, this, [this] { showAnswer(); })
{
    setWindowTitle(tr("Explained: %1").arg(title));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kSize);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    layout->addWidget(
        plainLabel(theme, widgets::plainLine(title), TextSize::Section, Color::Text, QFont::DemiBold, this));
    m_panel = new StatePanel(theme, content(), this);
    layout->addWidget(m_panel, 1);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(theme.space(Space::Small));
    auto *copy = new QPushButton(tr("Copy"), this);
    copy->setAutoDefault(false);
    auto *close = new QPushButton(tr("Close", "a dialog"), this);
    close->setDefault(true);
    buttons->addStretch();
    buttons->addWidget(copy);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(copy, &QPushButton::clicked, this, &ProofDialog::copyText);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_panel, &StatePanel::actionTriggered, this, &ProofDialog::ask);
    m_panel->showLoading();
    ask();
}

QWidget *ProofDialog::content()
{
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    m_facts = new QWidget;
    auto *facts = new QGridLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setHorizontalSpacing(m_theme.space(Space::Medium));
    facts->setVerticalSpacing(m_theme.space(Space::Tiny));
    facts->setColumnStretch(1, 1);
    auto *scroll = new QScrollArea(content); // there may be many prices and inputs
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Proof"));
    scroll->setWidget(m_facts);
    layout->addWidget(scroll, 1);
    m_table = new widgets::DataTable(m_theme, tr("Source rows"), m_rows, content);
    layout->addWidget(m_table, 1);
    m_leftOut = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, content);
    layout->addWidget(m_leftOut);
    return content;
}

void ProofDialog::ask()
{
    m_asker.ask(
        [service = &m_proof, figure = m_figure](const std::stop_token &stop) -> LatestQuery<insight::Proof>::Answer {
            auto proof = service->explain(figure, stop);
            GPULEDGER_TRY(proof);
            return std::make_shared<const insight::Proof>(std::move(*proof));
        });
}

void ProofDialog::showAnswer()
{
    if (m_asker.error()) {
        m_panel->showError(
            {tr("The figure can't be explained"), LocalText::sentence(*m_asker.error()), {}, tr("Try again"), {}}, {});
        return;
    }
    const auto proof = m_asker.snapshot();
    auto *facts = static_cast<QGridLayout *>(m_facts->layout());
    while (QLayoutItem *item = facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const auto &[name, text] : proofFacts(*proof, m_config.timeZone())) {
        const bool isOff = row == 1 && !proof->agrees;
        QLabel *value = plainLabel(m_theme, text, TextSize::Body, isOff ? Color::Critical : Color::Text,
                                   row < 2 ? QFont::DemiBold : QFont::Normal, m_facts);
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        facts->addWidget(plainLabel(m_theme, name, TextSize::Body, Color::Muted, QFont::Normal, m_facts), row, 0,
                         Qt::AlignTop);
        facts->addWidget(value, row++, 1);
    }
    m_rows.setColumns(proofColumns(*proof));
    m_rows.setSnapshot(proofRows(proof, m_config.timeZone()));
    const QString leftOut = proofLeftOut(*proof);
    m_leftOut->setText(leftOut);
    m_leftOut->setVisible(!leftOut.isEmpty());
    m_panel->showData();
}

void ProofDialog::copyText() const
{
    const auto proof = m_asker.snapshot();
    if (!proof)
        return;
    QStringList lines;
    for (const auto &[name, text] : proofFacts(*proof, m_config.timeZone()))
        lines << name + QLatin1Char('\t') + text;
    lines << QString() << QString::fromUtf8(m_table->csv());
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace gpuledger::ui
