// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcedraft.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace gpuledger::services {
class ConfigService;
class SourceService;
} // namespace gpuledger::services
namespace gpuledger::widgets {
class ChoiceButton;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class AccessStep;
class AdvancedRows;
class PlatformRows;
class PolicyPanel;

// Adds or changes a source in at most three steps: its address; how to authenticate (by reference: no credential is
// typed here) or, for a platform, what may be done there, with the rights that its account needs; and a live test.
// Opened without blocking; deletes itself when closed. GUI thread.
class SourceDialog : public QDialog {
    Q_OBJECT
public:
    SourceDialog(const widgets::Theme &theme, services::ConfigService &config, services::SourceService &sources,
                 TaskRunner &tasks, SyncController &sync, const std::filesystem::path &configFile,
                 const LoginPorts &logins = {}, QWidget *parent = nullptr);

    // Edits this source instead: its fields are filled in, and its name is fixed.
    void edit(const model::SourceSettings &source);
    SourceDraft &draft() { return m_draft; }

private:
    QWidget *makeAddressStep(const ports::SourceKinds &kinds);
    QWidget *makeAccessStep();
    QWidget *makeRights();
    QWidget *makeTestStep();
    QLayout *makeButtons();
    QLineEdit *field(QFormLayout &form, const QString &label, const QString &example, const QString &help = {});
    void fill();
    void read();
    QString finishText();
    QString stepTitle(SourceDraft::Step step) const;
    SourceDraft::Step step() const;
    // `by` steps from the current one.
    SourceDraft::Step stepAway(int by) const;
    void focusIn(SourceDraft::Step step);
    void showKind();
    QString noteOf(const ports::SourceKind &kind) const;
    void showStep(SourceDraft::Step step);
    void showProblem();
    void advance();

    const widgets::Theme &m_theme;
    SourceDraft m_draft;
    QStackedWidget *m_steps;
    QLabel *m_progress;
    QLabel *m_problem;
    QFormLayout *m_addressForm = nullptr;
    PlatformRows *m_platform = nullptr;
    AdvancedRows *m_advanced = nullptr;
    QLabel *m_nameProblem = nullptr, *m_note = nullptr;
    QString m_nameHelp;
    QWidget *m_rights = nullptr;
    QLabel *m_alwaysRead = nullptr; // of a platform
    QCheckBox *m_mayStop = nullptr;
    PolicyPanel *m_policy = nullptr;
    widgets::ChoiceButton *m_kind = nullptr;
    QLineEdit *m_url = nullptr, *m_name = nullptr, *m_cluster = nullptr;
    AccessStep *m_access = nullptr;
    QPushButton *m_back = nullptr, *m_next = nullptr, *m_again = nullptr;
    bool m_tried = false; // problems are shown only after a first attempt to continue
};

} // namespace gpuledger::ui
