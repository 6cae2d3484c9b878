// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/formrows.h"
#include "ui/viewmodels/sources/sourcedraft.h"

#include <QObject>

#include <string>
#include <vector>

class QFormLayout;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// The part of a form with the rarely needed settings of a source kind, built from its fields: a button that shows and
// hides one row for each of them. The draft and the form must outlive it; GUI thread.
class AdvancedRows : public QObject {
    Q_OBJECT
public:
    AdvancedRows(const SourceDraft &draft, QFormLayout &form, QObject *parent = nullptr);

    // Which of these rows are shown for this kind, to be passed on to showRows().
    std::vector<FormRow> rowsFor(const ports::SourceKind &kind) const;
    // Shows the rows if the source has such a setting.
    void fill(const SourceFields &fields);
    void read(SourceFields &fields) const;
    bool isOpen() const { return m_isOpen; }

Q_SIGNALS:
    void edited();
    void toggled(); // rows are to be shown or hidden

private:
    struct Row {
        std::string kind, key;
        QLineEdit *edit;
    };
    void addRow(QFormLayout &form, const ports::SourceKind &kind, const ports::SourceField &field);
    void setOpen(bool isOpen);

    QPushButton *m_toggle;
    std::vector<Row> m_rows; // from top to bottom
    bool m_isOpen = false;
};

} // namespace gpuledger::ui
