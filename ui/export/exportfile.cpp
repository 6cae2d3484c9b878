// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/exportfile.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <QSaveFile>

namespace gpuledger::ui {

using base::ErrorCode;

namespace {

constexpr qsizetype kLongestPart = 60;

tl::unexpected<base::Error> failure(const QString &file, const QSaveFile &out, QFileDevice::FileError error)
{
    const std::string what =
        base::printable(file.toStdString()) + " can't be written: " + base::printable(out.errorString().toStdString());
    switch (error) {
    case QFileDevice::ResourceError: // Qt's code for a full disk
        return base::fail(ErrorCode::StorageFull, what, base::Remedy::FreeSpace);
    case QFileDevice::PermissionsError:
    case QFileDevice::OpenError:
    case QFileDevice::WriteError:
        return base::fail(ErrorCode::StorageReadOnly, what, base::Remedy::ChooseOtherFolder);
    default:
        return base::fail(ErrorCode::Storage, what, base::Remedy::ChooseOtherFolder);
    }
}

} // namespace

base::Result<void> writeExportFile(const QString &file, const QByteArray &bytes)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return failure(file, out, out.error());
    if (out.write(bytes) != bytes.size() || !out.commit())
        return failure(file, out, out.error());
    return {};
}

QString statementFileName(const QStringList &parts, const QString &suffix)
{
    QStringList words;
    for (const QString &part : parts) {
        QString word;
        for (const QChar c : part.left(kLongestPart)) {
            const bool kept = c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_');
            word += kept ? c.toLower() : QLatin1Char(' ');
        }
        word = word.simplified().replace(QLatin1Char(' '), QLatin1Char('-'));
        if (!word.isEmpty())
            words << word;
    }
    return words.join(QLatin1Char('-')) + QLatin1Char('.') + suffix;
}

QString exportFileName(const QStringList &parts, QDate day, const QString &suffix)
{
    return statementFileName(parts + QStringList{day.toString(Qt::ISODate)}, suffix);
}

} // namespace gpuledger::ui
