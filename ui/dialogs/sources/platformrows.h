// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/formrows.h"
#include "ui/viewmodels/sources/sourcedraft.h"
#include "widgets/theme/theme.h"

#include <QObject>

#include <map>
#include <optional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// The rows of a form that say where a platform is: kubeconfig and context, or region and profile. What is typed wrongly
// is told below its field, at once. Owned by its parent; the draft and the form outlive it; GUI thread.
class PlatformRows : public QObject {
    Q_OBJECT
public:
    PlatformRows(const widgets::Theme &theme, SourceDraft &draft, QFormLayout &form, QObject *parent = nullptr);

    // The rows of this kind only, none for a kind that is no platform; and what happens to other rows of the form.
    void showFor(const QString &kind, std::vector<FormRow> others);
    void fill(const SourceFields &fields);
    void read(SourceFields &fields) const;
    // What is told at the fields now.
    QStringList showProblems();
    void focusFirst();

Q_SIGNALS:
    void edited();

private:
    using Field = SourceDraft::Field;
    QLineEdit *line(const QString &name, const QString &example, const QString &help);
    // The field with what stands beside it and, where `field` can be wrong, the place that tells so.
    QWidget *addRow(QLineEdit *edit, QPushButton *beside, std::optional<Field> field);
    QPushButton *besideButton(const QString &text, const QString &name);
    void browse();
    void chooseContext();
    void showContexts();

    const widgets::Theme &m_theme;
    SourceDraft &m_draft;
    QFormLayout &m_form;
    QLineEdit *m_kubeconfig, *m_context, *m_region, *m_profile;
    QPushButton *m_browse, *m_choose;
    struct Problem {
        QLineEdit *at;
        QLabel *label;
        QString help;
    };
    std::map<Field, Problem> m_problems;
    std::map<QString, std::vector<QWidget *>> m_rows; // of a kind
    QString m_kind;
};

} // namespace gpuledger::ui
