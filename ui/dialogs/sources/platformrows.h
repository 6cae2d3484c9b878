// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/formrows.h"
#include "ui/viewmodels/sources/sourcedraft.h"
#include "widgets/theme/theme.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QFileDialog;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// The form rows for the settings of a source kind, built from its fields: path, kubeconfig and context, one row for
// each other setting, region and profile. Invalid input is reported below its field at once. Owned by its parent; the
// draft and the form must outlive it; GUI thread.
class PlatformRows : public QObject {
    Q_OBJECT
public:
    PlatformRows(const widgets::Theme &theme, SourceDraft &draft, QFormLayout &form, QObject *parent = nullptr);

    // Shows only the rows of this kind, and shows or hides the other rows of the form as given.
    void showFor(const QString &kind, std::vector<FormRow> others);
    void fill(const SourceFields &fields);
    void read(SourceFields &fields) const;
    // Shows the current problems at their fields and returns their texts.
    QStringList showProblems();
    void focusFirst();

Q_SIGNALS:
    void edited();

private:
    using Field = SourceDraft::Field;
    QLineEdit *line(const QString &name, const QString &example, const QString &help);
    // Adds the field with the button beside it and, if `field` can be invalid, a place for its problem.
    QWidget *addRow(QLineEdit *edit, QPushButton *beside, std::optional<Field> field);
    QPushButton *besideButton(const QString &text, const QString &name);
    void describe();
    void browse();
    void browsePath();
    void openFiles(QLineEdit *edit, QFileDialog *dialog);
    void chooseContext();
    void showContexts();

    const widgets::Theme &m_theme;
    SourceDraft &m_draft;
    QFormLayout &m_form;
    QLineEdit *m_path, *m_kubeconfig, *m_context, *m_region, *m_profile;
    QPushButton *m_browsePath, *m_browse, *m_choose;
    struct Problem {
        QLineEdit *at;
        QLabel *label;
        QString help;
    };
    std::map<Field, Problem> m_problems;
    // A row, and which kinds have it.
    struct Row {
        QWidget *whole;
        QLineEdit *edit;
        std::function<bool(const ports::SourceKind &)> belongsTo;
    };
    struct Option {
        std::string kind, key;
        QLineEdit *edit;
    };
    void addShared(QLineEdit *edit, QPushButton *beside, std::optional<Field> field, ports::SourceField::Type type);
    void addOptions();

    std::vector<Row> m_rows; // from top to bottom
    std::vector<Option> m_options;
    ports::SourceKind m_kind; // the kind that is shown
};

} // namespace gpuledger::ui
