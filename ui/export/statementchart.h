// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/statementsheet.h"

#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>

#include <memory>
#include <vector>

namespace gpuledger::ui {

struct DocumentLook;

// Draws them; owned by its document.
class StatementObjects : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    StatementObjects(const StatementSheet &sheet, const DocumentLook &look, QTextDocument &document);
    ~StatementObjects() override;

    QSizeF intrinsicSize(QTextDocument *document, int position, const QTextFormat &format) override;
    void drawObject(QPainter *painter, const QRectF &rect, QTextDocument *document, int position,
                    const QTextFormat &format) override;

private:
    const std::vector<StatementSheet::Section> m_sections;
    const std::unique_ptr<const DocumentLook> m_look;
};

// The drawings in a statement's document: the swatch before a line and the chart of its months. They are vector shapes,
// so they print at any size. Reentrant.
void registerStatementObjects(QTextDocument &document, const StatementSheet &sheet, const DocumentLook &look);
// Inserts into a document that has registered them. `section` is an index into the sheet's sections.
void insertSwatch(QTextCursor &cursor, StatementSheet::Swatch swatch);
void insertChart(QTextCursor &cursor, int section);

} // namespace gpuledger::ui
