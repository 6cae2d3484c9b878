// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/sharingdialog.h"

#include "app/reports/statement/statement.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/sharingtable.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace gpuledger::ui {

using reports::SharingRule;
using reports::SharingRules;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr QSize kSharingSize(720, 640);
constexpr std::array kShared{SharingRule::OwnLine, SharingRule::Proportional, SharingRule::GpuHours, SharingRule::Even,
                             SharingRule::Fixed};
constexpr std::array kIdle{SharingRule::Holder, SharingRule::Proportional, SharingRule::GpuHours, SharingRule::Even,
                           SharingRule::OwnLine};

template <typename Rules> void fill(QComboBox &box, const Rules &rules, SharingRule current)
{
    for (const SharingRule rule : rules)
        box.addItem(sharingRuleName(rule));
    const auto it = std::find(rules.begin(), rules.end(), current);
    box.setCurrentIndex(it == rules.end() ? 0 : static_cast<int>(it - rules.begin()));
}

} // namespace

SharingDialog::SharingDialog(Context context, const insight::Month &month, reports::CostView view, QWidget *parent)
    : QDialog(parent)
    , m_context(std::move(context))
    , m_month(month)
    , m_view(view)
    , m_before(m_context.config.settings())
    , m_rows(sharingColumns())
    , m_asker(m_context.tasks, this, [this] { showAnswer(); })
    , m_saver(m_context.config, m_context.sources, m_context.tasks, m_context.sync, m_context.configFile)
    , m_shared(new QComboBox(this))
    , m_idle(new QComboBox(this))
    , m_weights(new QLineEdit(this))
    , m_hint(plainLabel(m_context.theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_apply(new QPushButton(tr("Apply rules"), this))
    , m_table(new widgets::DataTable(m_context.theme, tr("What teams are charged"), m_rows))
    , m_panel(new StatePanel(m_context.theme, m_table, this))
{
    setWindowTitle(tr("Shared and idle cost: %1").arg(monthName(month)));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kSharingSize);
    QVBoxLayout *layout = dialogLayout(*this, m_context.theme);
    layout->addLayout(fields());
    layout->addWidget(m_panel, 1);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(m_context.theme.space(Space::Small));
    auto *close = new QPushButton(tr("Close", "a dialog"), this);
    close->setAutoDefault(false);
    m_apply->setAutoDefault(false);
    widgets::setPrimary(m_apply);
    buttons->addStretch();
    buttons->addWidget(close);
    buttons->addWidget(m_apply);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, &SharingDialog::apply);
    connect(m_panel, &StatePanel::actionTriggered, this, &SharingDialog::ask);
    connect(&m_saver, &ConfigurationSaver::changed, this, &SharingDialog::showButtons);
    connect(&m_saver, &ConfigurationSaver::saved, this, [this] {
        Q_EMIT applied();
        accept();
    });
    connect(&m_saver, &ConfigurationSaver::failed, m_hint,
            [this](const QString &sentence) { m_hint->setText(sentence); });
    m_panel->showLoading();
    ask();
}

QFormLayout *SharingDialog::fields()
{
    const SharingRules now = reports::sharingRules(m_before);
    fill(*m_shared, kShared, now.shared);
    fill(*m_idle, kIdle, now.idle);
    m_weights->setText(sharingWeightsText(now.weights));
    m_weights->setPlaceholderText(tr("vision 2, speech 1"));
    QFormLayout *form = dialogForm(m_context.theme);
    addField(*form, tr("Shared cost is paid"), m_shared);
    addField(*form, tr("Weights"), m_weights);
    addField(*form, tr("Idle cost is paid"), m_idle);
    connect(m_shared, &QComboBox::currentIndexChanged, this, &SharingDialog::ask);
    connect(m_idle, &QComboBox::currentIndexChanged, this, &SharingDialog::ask);
    connect(m_weights, &QLineEdit::textChanged, this, &SharingDialog::ask);
    return form;
}

std::optional<SharingRules> SharingDialog::rules() const
{
    SharingRules rules;
    rules.shared = kShared[static_cast<std::size_t>(std::max(0, m_shared->currentIndex()))];
    rules.idle = kIdle[static_cast<std::size_t>(std::max(0, m_idle->currentIndex()))];
    if (rules.shared != SharingRule::Fixed)
        return rules;
    const auto weights = sharingWeights(m_weights->text());
    if (!weights || weights->empty())
        return std::nullopt;
    rules.weights = *weights;
    return rules;
}

void SharingDialog::ask()
{
    showButtons();
    const auto wanted = rules();
    if (!wanted)
        return;
    m_asker.ask([billing = &m_context.billing, month = m_month, view = m_view,
                 rules = *wanted](const std::stop_token &) -> LatestQuery<reports::Statement>::Answer {
        auto statement = billing->previewSharing(month, view, rules);
        GPULEDGER_TRY(statement);
        return std::make_shared<const reports::Statement>(std::move(*statement));
    });
}

void SharingDialog::showAnswer()
{
    showButtons();
    if (m_asker.error()) {
        m_panel->showError({tr("It can't be shown"), LocalText::sentence(*m_asker.error()), {}, tr("Try again"), {}},
                           {});
        return;
    }
    m_rows.setSnapshot(sharingTable(m_asker.snapshot()));
    m_panel->showData();
}

void SharingDialog::showButtons()
{
    const auto wanted = rules();
    m_weights->setEnabled(kShared[static_cast<std::size_t>(std::max(0, m_shared->currentIndex()))]
                          == SharingRule::Fixed);
    SharingRules now = reports::sharingRules(m_before);
    if (now.shared != SharingRule::Fixed)
        now.weights.clear();
    m_apply->setVisible(!m_context.configFile.empty());
    m_apply->setEnabled(wanted && !(*wanted == now) && !m_saver.isSaving() && !m_asker.isAsking());
    m_hint->setText(!wanted ? tr("Enter teams with their weights: vision 2, speech 1.")
                        : m_context.configFile.empty()
                        ? tr("There is no configuration file: you can see what rules would do, but not apply them.")
                        : tr("Applied rules count for every open month and are written to your configuration. Closed "
                             "months stay as they are."));
}

void SharingDialog::apply()
{
    const auto wanted = rules();
    if (!wanted)
        return;
    model::Settings after = m_before;
    after.idleSharing = std::string(reports::toString(wanted->idle));
    after.sharedCosts = std::string(reports::toString(wanted->shared));
    after.sharedWeights = wanted->weights;
    m_saver.save(services::TextChange(
        [before = m_before, after, file = m_saver.file(), kinds = m_context.sources.kinds()](std::string_view text) {
            return services::withSharing(text, before, after, file, kinds);
        }));
}

} // namespace gpuledger::ui
