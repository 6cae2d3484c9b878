// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// Asks for the name under which the assumptions in use are saved. It stores nothing itself: once confirmed, it waits
// for accept() or showFailure(). Opened without blocking; deletes itself when closed. GUI thread.
class ScenarioDialog : public QDialog {
    Q_OBJECT
public:
    // `name` is offered; `taken` are the names that exist.
    ScenarioDialog(const widgets::Theme &theme, const QString &name, const QStringList &taken,
                   QWidget *parent = nullptr);

    // It could not be saved: the name stays, to be changed or confirmed again.
    void showFailure(const QString &problem);

Q_SIGNALS:
    void confirmed(const QString &name); // without surrounding spaces

private:
    QString name() const;
    void showConsequence();
    void setSaving(bool saving);

    const QStringList m_taken;
    QLineEdit *m_name;
    QLabel *m_note;
    QPushButton *m_confirm;
    bool m_isSaving = false;
};

} // namespace gpuledger::ui
