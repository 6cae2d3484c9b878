// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/idleruledialog.h"

#include "app/model/settingsequal.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/dialogs/idle/idleruleform.h"
#include "ui/dialogs/idle/rulecurveview.h"
#include "ui/format/local/localtext.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::StatePanel;
using widgets::TextSize;

namespace {

constexpr QSize kRuleSize(1040, 760);
constexpr int kFormWidth = 320; // pixels
constexpr int kFigureWidth = 92;
constexpr int kRestMs = 400; // without another key press
constexpr std::array<int, 3> kSpans{7, 30, 90}; // days
constexpr int kUsualSpan = 90;
constexpr std::array<int, 5> kWithin{15, 30, 60, 240, 1440}; // minutes
constexpr int kUsualWithin = 2; // index of the default in it
constexpr std::size_t kCompared = 5; // rows of IdleRuleText::rows()
constexpr QLatin1String kParts("parts"), kFalseStops("false");

} // namespace

IdleRuleDialog::IdleRuleDialog(Context context, QWidget *parent)
    : QDialog(parent)
    , m_context(std::move(context))
    , m_configured(m_context.config.settings().idle)
    , m_before(m_context.rule->settings)
    , m_parts(idleRulePartColumns(m_context.config.settings().currency))
    , m_falseStops(falseStopColumns())
    , m_asker(m_context.tasks, this, [this] { showAnswer(); })
    , m_curveAsker(m_context.tasks, this, [this] { showCurve(); })
    , m_saver(m_context.config, m_context.sources, m_context.tasks, m_context.sync, m_context.configFile)
{
    setWindowTitle(tr("Idle rule"));
    m_parts.sort(m_parts.columnOf(QStringLiteral("money")), Qt::DescendingOrder); // no-tr: key
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kRuleSize);
    m_later.setSingleShot(true);
    m_later.setInterval(kRestMs);
    QVBoxLayout *layout = dialogLayout(*this, m_context.theme);
    const int side = m_context.theme.space(Space::Large);
    auto *both = new QHBoxLayout;
    both->setSpacing(side);
    both->addWidget(formSide());
    both->addWidget(trialSide(), 1);
    layout->addLayout(both, 1);
    m_hint = plainLabel(m_context.theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    layout->addWidget(buttons());
    bind();
    m_panel->showLoading();
    ask();
}

base::Seconds IdleRuleDialog::span() const
{
    return std::chrono::hours(24 * m_span->currentKey().toInt());
}

base::Seconds IdleRuleDialog::resumeWithin() const
{
    return std::chrono::minutes(m_within->currentData().toInt());
}

QWidget *IdleRuleDialog::formSide()
{
    auto *side = new QWidget(this);
    side->setFixedWidth(kFormWidth);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    m_form = new IdleRuleForm(m_context.theme, m_before, side);
    std::map<model::WorkloadKind, QString> sources;
    for (const auto &[kind, choice] : m_context.rule->grace)
        sources[kind] = IdleRuleCurveText::grace(choice);
    m_form->explainWindows(sources);
    layout->addWidget(m_form);
    auto *windows = plainLabel(m_context.theme, IdleRuleCurveText::graces(m_context.rule->grace), TextSize::Caption,
                               Color::Muted, QFont::Normal, side);
    windows->setWordWrap(true);
    layout->addWidget(windows);
    layout->addStretch();
    return side;
}

QWidget *IdleRuleDialog::trialSide()
{
    auto *side = new QWidget(this);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_context.theme.space(Space::Medium));
    layout->addWidget(choices());
    m_curve = new RuleCurveView(m_context.theme, side);
    layout->addWidget(m_curve);
    auto *answer = new QWidget;
    auto *below = new QVBoxLayout(answer);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(m_context.theme.space(Space::Medium));
    below->addWidget(comparison());
    below->addWidget(tables(), 1);
    m_notes = plainLabel(m_context.theme, {}, TextSize::Body, Color::Muted, QFont::Normal, answer);
    m_notes->setWordWrap(true);
    below->addWidget(m_notes);
    m_panel = new StatePanel(m_context.theme, answer, side);
    layout->addWidget(m_panel, 1);
    return side;
}

QWidget *IdleRuleDialog::choices()
{
    const widgets::Theme &theme = m_context.theme;
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    std::vector<widgets::SegmentedSwitch::Choice> spans;
    for (const int days : kSpans)
        spans.push_back({QString::number(days), tr("%n days", nullptr, days)});
    m_span = new widgets::SegmentedSwitch(theme, tr("Tried over the last"), spans, bar);
    m_span->setCurrentKey(QString::number(kUsualSpan));
    m_within = new QComboBox(bar);
    for (const int minutes : kWithin)
        m_within->addItem(LocalText::hours(std::chrono::minutes(minutes)), minutes);
    m_within->setCurrentIndex(kUsualWithin);
    m_within->setAccessibleName(tr("A stop is false if work resumes within"));
    layout->addWidget(plainLabel(theme, tr("Tried over the last"), TextSize::Body, Color::Text, QFont::Normal, bar));
    layout->addWidget(m_span);
    layout->addStretch();
    layout->addWidget(
        plainLabel(theme, tr("False if work resumed within"), TextSize::Body, Color::Text, QFont::Normal, bar));
    layout->addWidget(m_within);
    return bar;
}

QWidget *IdleRuleDialog::comparison()
{
    const widgets::Theme &theme = m_context.theme;
    auto *box = new QWidget;
    auto *grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme.space(Space::Large));
    grid->setVerticalSpacing(theme.space(Space::Small));
    const QString heads[] = {QString(), tr("Current rule"), tr("This rule"), tr("Change")};
    constexpr int kColumns = 4;
    for (int column = 1; column < kColumns; ++column)
        grid->addWidget(plainLabel(theme, heads[column], TextSize::Body, Color::Muted, QFont::Normal, box), 0, column,
                        Qt::AlignRight);
    m_range = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, box);
    grid->addWidget(m_range, 0, 0);
    for (int column = 1; column < kColumns; ++column)
        grid->setColumnMinimumWidth(column, kFigureWidth);
    grid->setColumnStretch(kColumns, 1);
    for (std::size_t row = 0; row < kCompared; ++row) {
        std::vector<QLabel *> cells;
        for (int column = 0; column < kColumns; ++column) {
            const bool isTried = column == 2;
            auto *cell =
                plainLabel(theme, {}, TextSize::Body, Color::Text, isTried ? QFont::DemiBold : QFont::Normal, box);
            grid->addWidget(cell, static_cast<int>(row) + 1, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
            cells.push_back(cell);
        }
        m_cells.push_back(std::move(cells));
    }
    return box;
}

QWidget *IdleRuleDialog::tables()
{
    const widgets::Theme &theme = m_context.theme;
    auto *box = new QWidget;
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_shown = new widgets::SegmentedSwitch(theme, tr("Shown"),
                                           {{kParts, tr("By owner")}, {kFalseStops, tr("False stops")}}, box);
    m_shown->setCurrentKey(kParts);
    auto *bar = new QHBoxLayout;
    bar->addWidget(m_shown);
    bar->addStretch();
    layout->addLayout(bar);
    m_tables = new QStackedWidget(box);
    m_tables->addWidget(new widgets::DataTable(theme, tr("What the rule would have stopped, by owner"), m_parts));
    m_tables->addWidget(new widgets::DataTable(theme, tr("Stops after which work resumed soon"), m_falseStops));
    layout->addWidget(m_tables, 1);
    return box;
}

QWidget *IdleRuleDialog::buttons()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_context.theme.space(Space::Small));
    m_reset = new QPushButton(tr("Reset to current rule"), bar);
    m_reset->setToolTip(widgets::plainToolTip(tr("Fill in the current rule")));
    auto *close = new QPushButton(tr("Close", "a dialog"), bar);
    m_save = new QPushButton(tr("Save rule"), bar);
    for (QPushButton *button : {m_reset, close, m_save})
        button->setAutoDefault(false);
    widgets::setPrimary(m_save);
    layout->addWidget(m_reset);
    layout->addStretch();
    layout->addWidget(close);
    layout->addWidget(m_save);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return bar;
}

void IdleRuleDialog::bind()
{
    connect(m_form, &IdleRuleForm::changed, this, &IdleRuleDialog::askLater);
    connect(m_span, &widgets::SegmentedSwitch::chosen, this, &IdleRuleDialog::ask);
    connect(m_within, &QComboBox::currentIndexChanged, this, &IdleRuleDialog::ask);
    connect(&m_later, &QTimer::timeout, this, &IdleRuleDialog::ask);
    connect(m_shown, &widgets::SegmentedSwitch::chosen, this,
            [this](const QString &key) { m_tables->setCurrentIndex(key == kFalseStops ? 1 : 0); });
    connect(m_panel, &StatePanel::actionTriggered, this, &IdleRuleDialog::ask);
    connect(m_reset, &QPushButton::clicked, this, [this] { m_form->setRule(m_before); });
    connect(m_curve, &RuleCurveView::picked, m_form, &IdleRuleForm::setWindows);
    connect(m_curve, &RuleCurveView::pickedInUse, this, [this] { m_form->setRule(m_before); });
    connect(m_save, &QPushButton::clicked, this, &IdleRuleDialog::save);
    connect(&m_saver, &ConfigurationSaver::changed, this, &IdleRuleDialog::showButtons);
    connect(&m_saver, &ConfigurationSaver::saved, this, [this] {
        Q_EMIT saved();
        accept();
    });
    connect(&m_saver, &ConfigurationSaver::failed, m_hint,
            [this](const QString &sentence) { m_hint->setText(sentence); });
}

void IdleRuleDialog::askLater()
{
    m_later.start();
    showButtons();
}

void IdleRuleDialog::ask()
{
    m_later.stop();
    if (const auto tried = m_form->rule()) {
        const IdleRuleQuestion question{span(), resumeWithin(), m_before, *tried};
        m_panel->showLoading();
        m_asker.ask([config = &m_context.config, fleet = &m_context.fleet, question,
                     last = m_asker.snapshot()](const std::stop_token &stop) -> LatestQuery<IdleRuleReplay>::Answer {
            return tryIdleRule(*config, *fleet, question, last, stop);
        });
    }
    showButtons();
    showCurve();
}

// After the trial, which the user waits for.
void IdleRuleDialog::askCurve()
{
    const auto &known = m_curveAsker.snapshot();
    if (known && known->span == span() && known->resumeWithin == resumeWithin())
        return;
    const std::pair asked(span(), resumeWithin());
    if (m_curveAsker.isAsking() && m_curveAsked == asked)
        return;
    m_curveAsked = asked;
    m_curveAsker.ask([fleet = &m_context.fleet, rule = m_before, length = span(),
                      within = resumeWithin()](const std::stop_token &stop) -> LatestQuery<IdleRuleCurve>::Answer {
        return askIdleRuleCurve(*fleet, rule, length, within, stop);
    });
}

// As replayed, if that is known for what is asked now; until then estimated from the stored gaps.
void IdleRuleDialog::showCurve()
{
    const auto &known = m_curveAsker.snapshot();
    const base::TimeZone &zone = m_context.config.timeZone();
    if (known && known->span == span() && known->resumeWithin == resumeWithin())
        return m_curve->showCurve(known->curve, zone);
    m_curve->showCurve(insight::ruleCurve(*m_context.rule, resumeWithin()), zone);
    if (m_curveAsker.error() && !m_curveAsker.isAsking())
        m_curve->showProblem(LocalText::sentence(*m_curveAsker.error()));
}

void IdleRuleDialog::showAnswer()
{
    showButtons();
    askCurve();
    if (m_asker.error()) {
        m_panel->showError(
            {tr("The rule can't be tried"), LocalText::sentence(*m_asker.error()), {}, tr("Try again"), {}}, {});
        return;
    }
    const auto trial = m_asker.snapshot();
    m_parts.setSnapshot(idleRulePartTable(trial));
    m_falseStops.setSnapshot(falseStopTable(trial));
    showRows();
    m_panel->showData();
}

void IdleRuleDialog::showRows()
{
    const auto trial = m_asker.snapshot();
    const auto rows = IdleRuleText::rows(*trial);
    for (std::size_t row = 0; row < m_cells.size() && row < rows.size(); ++row) {
        const IdleRuleText::Row &texts = rows[row];
        const QString cells[] = {texts.name, texts.now, texts.tried, texts.change};
        for (std::size_t column = 0; column < m_cells[row].size(); ++column) {
            m_cells[row][column]->setText(cells[column]);
            m_cells[row][column]->setToolTip(widgets::plainToolTip(texts.tip));
        }
    }
    m_range->setText(IdleRuleText::range(*trial));
    m_notes->setText(IdleRuleText::notes(*trial));
}

void IdleRuleDialog::showButtons()
{
    const auto wanted = m_form->rule();
    const bool isOther = !wanted || !(*wanted == m_before);
    m_reset->setEnabled(isOther && !m_saver.isSaving());
    m_save->setVisible(!m_context.configFile.empty());
    m_save->setEnabled(wanted && isOther && !m_saver.isSaving() && isTried());
    m_hint->setText(
        !wanted ? m_form->problem()
            : m_context.configFile.empty()
            ? tr("There is no configuration file: you can see what a rule would have done, but not save it.")
            : tr("A saved rule applies to the idle list and the idle cost of every open month, and is written to your "
                 "configuration. Closed months stay as they are."));
}

void IdleRuleDialog::save()
{
    const auto wanted = m_form->rule();
    if (!wanted)
        return;
    m_saver.save(services::TextChange([before = m_configured, after = *wanted, file = m_saver.file(),
                                       kinds = m_context.sources.kinds()](std::string_view text) {
        return services::withIdleRule(text, before, after, file, kinds);
    }));
}

} // namespace gpuledger::ui
