// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/idlerulecurve.h"
#include "ui/viewmodels/idle/idlerulereplay.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/configurationsaver.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>
#include <QTimer>

#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace gpuledger::services {
class ConfigService;
class FleetService;
class SourceService;
} // namespace gpuledger::services
namespace gpuledger::widgets {
class DataTable;
class SegmentedSwitch;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class IdleRuleForm;
class RuleCurveView;

// The idle rule: what another rule would have done over the past, compared with the current one, and saving it, which
// writes the configuration. Nothing changes before that. Deletes itself when closed. GUI thread.
class IdleRuleDialog : public QDialog {
    Q_OBJECT
public:
    struct Context { // must outlive the dialog
        const widgets::Theme &theme;
        services::ConfigService &config;
        services::FleetService &fleet;
        services::SourceService &sources;
        TaskRunner &tasks;
        SyncController &sync;
        std::filesystem::path configFile; // empty: nothing can be saved
        std::shared_ptr<const insight::IdleRule> rule; // in use; never null
    };
    explicit IdleRuleDialog(Context context, QWidget *parent = nullptr);

    // Nothing is being replayed.
    bool settled() const { return isTried() && !m_curveAsker.isAsking(); }

Q_SIGNALS:
    void saved();

private:
    QWidget *formSide();
    QWidget *trialSide();
    QWidget *choices();
    QWidget *comparison();
    QWidget *tables();
    QWidget *buttons();
    void bind();
    bool isTried() const { return !m_asker.isAsking() && !m_later.isActive(); }
    void askLater();
    void ask();
    void askCurve();
    void showCurve();
    base::Seconds span() const;
    base::Seconds resumeWithin() const;
    void showAnswer();
    void showRows();
    void showButtons();
    void save();

    const Context m_context;
    const model::IdleSettings m_configured; // when it was opened
    const model::IdleSettings m_before; // the rule in use: with measured grace windows where none is configured
    TableModel m_parts, m_falseStops;
    LatestQuery<IdleRuleReplay> m_asker;
    LatestQuery<IdleRuleCurve> m_curveAsker;
    std::pair<base::Seconds, base::Seconds> m_curveAsked; // span, resume within
    ConfigurationSaver m_saver;
    QTimer m_later; // a rule is tried when typing pauses
    IdleRuleForm *m_form = nullptr;
    RuleCurveView *m_curve = nullptr;
    widgets::SegmentedSwitch *m_span = nullptr, *m_shown = nullptr;
    QComboBox *m_within = nullptr;
    std::vector<std::vector<QLabel *>> m_cells; // of the comparison: name, now, tried, change
    QLabel *m_range = nullptr, *m_notes = nullptr, *m_hint = nullptr;
    QStackedWidget *m_tables = nullptr;
    widgets::StatePanel *m_panel = nullptr;
    QPushButton *m_reset = nullptr, *m_save = nullptr;
};

} // namespace gpuledger::ui
