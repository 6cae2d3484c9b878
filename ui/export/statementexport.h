// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/statementdocument.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <QDate>
#include <QObject>
#include <QPageSize>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QWidget;

namespace gpuledger::ui {

enum class StatementFormat { PdfA4, PdfLetter, Workbook, Csv, Html };

// Saves and prints statements: asks where to, writes on a worker, says what came of it. One file at a time or one for
// each team of a month. Owned by its page; GUI thread.
class StatementExport : public QObject {
    Q_OBJECT
public:
    // What is exported: the page's figures, and whose.
    struct What {
        std::shared_ptr<const ShowbackSnapshot> snapshot;
        std::optional<std::string> team; // nothing: all teams, in one document
    };

    // `tasks` outlives it.
    StatementExport(TaskRunner &tasks, QWidget &page);

    void save(const What &what, StatementFormat format);
    // Every team's own file in a folder that is asked for. One run at a time; stop() ends it between two files.
    void saveAll(const What &what, StatementFormat format);
    void stop() { m_stop.request_stop(); }
    void print(const What &what);

    static QString suffixOf(StatementFormat format);
    static QString fileName(const What &what, StatementFormat format);
    // The document's bytes. `sheets` are those of the same statement, for formats that show texts. Any thread.
    static base::Result<QByteArray> bytesOf(const reports::Statement &statement,
                                            const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                            StatementFormat format, const std::stop_token &stop);
    // All teams: a summary, then each of them.
    static std::vector<StatementSheet> sheetsOf(const What &what);

Q_SIGNALS:
    void advanced(int done, int all); // files of saveAll()
    void saved(const QString &where, int files);
    void failed(const base::Error &error, int done);

private:
    void write(const What &what, StatementFormat format, const QString &file);
    void writeAll(const What &what, StatementFormat format, const QString &folder);

    TaskRunner &m_tasks;
    QWidget &m_page;
    std::stop_source m_stop;
};

} // namespace gpuledger::ui
