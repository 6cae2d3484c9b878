// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sourcedraft.h"

#include <QUrl>

#include <algorithm>

namespace gpuledger::ui {

namespace {

using Access = SourceFields::Access;
using Keeper = SourceFields::Keeper;

std::string typed(const QString &text)
{
    return text.trimmed().toStdString();
}

std::string fileReference(const QString &path)
{
    const std::string text = typed(path);
    return text.empty() || text.starts_with("file:") ? text : "file:" + text;
}

std::string reference(const SourceFields &fields)
{
    const std::string kept = typed(fields.kept);
    if (kept.empty())
        return {};
    switch (fields.keeper) {
    case Keeper::Keychain:
        return "keychain:" + kept;
    case Keeper::Environment:
        return "env:" + kept;
    case Keeper::File:
        return fileReference(fields.kept);
    }
    return {};
}

services::NewSource::Parts authOf(const SourceFields &fields)
{
    switch (fields.access) {
    case Access::None:
        return {};
    case Access::Bearer:
        return {{"type", "bearer"}, {"token", reference(fields)}};
    case Access::Basic:
        return {{"type", "basic"}, {"user", typed(fields.user)}, {"password", reference(fields)}};
    case Access::Certificate:
        return {
            {"type", "mtls"}, {"certificate", fileReference(fields.certificate)}, {"key", fileReference(fields.key)}};
    }
    return {};
}

} // namespace

SourceDraft::SourceDraft(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                         const std::filesystem::path &configFile, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_test(workspace, tasks)
    , m_saver(workspace, tasks, sync, configFile)
{
}

void SourceDraft::setFields(const SourceFields &fields)
{
    if (m_fields == fields)
        return;
    m_fields = fields;
    m_test.reset();
    Q_EMIT changed();
}

QString SourceDraft::nameFor(const QString &url) const
{
    const QString host = QUrl(url.trimmed()).host();
    QString base = host.section(QLatin1Char('.'), 0, 0);
    bool isNumber = false;
    base.toInt(&isNumber);
    if (base.isEmpty() || isNumber || host.contains(QLatin1Char(':')))
        base = m_fields.kind;
    const auto isTaken = [this](const QString &name) {
        const auto &sources = m_workspace.settings().sources;
        return std::any_of(sources.begin(), sources.end(),
                           [&](const auto &source) { return source.name == name.toStdString(); });
    };
    QString name = base;
    for (int i = 2; isTaken(name); ++i)
        name = QStringLiteral("%1-%2").arg(base).arg(i);
    return name;
}

services::NewSource SourceDraft::toSource() const
{
    services::NewSource source;
    source.name = typed(m_fields.name);
    source.kind = typed(m_fields.kind);
    source.url = typed(m_fields.url);
    source.cluster = typed(m_fields.cluster);
    source.auth = authOf(m_fields);
    source.ca = fileReference(m_fields.authority);
    return source;
}

QString SourceDraft::problem(Step step) const
{
    const auto isEmpty = [](const QString &text) { return text.trimmed().isEmpty(); };
    if (isEmpty(m_fields.url))
        return tr("The address is missing, for example https://prometheus.example.org");
    if (isEmpty(m_fields.name))
        return tr("The name is missing: it is shown on every figure that comes from this source");
    for (const model::SourceSettings &source : m_workspace.settings().sources) {
        if (source.name == typed(m_fields.name))
            return tr("There is a source of this name already");
    }
    services::NewSource source = toSource();
    if (step == Step::Address) { // access is asked for next
        source.auth.clear();
        source.ca.clear();
    } else if (m_fields.access == Access::Certificate && (isEmpty(m_fields.certificate) || isEmpty(m_fields.key))) {
        return tr("Both files are needed, the certificate and its key");
    } else if (m_fields.access == Access::Basic && isEmpty(m_fields.user)) {
        return tr("The user is missing");
    } else if ((m_fields.access == Access::Basic || m_fields.access == Access::Bearer) && isEmpty(m_fields.kept)) {
        return tr("Say where the credential is kept");
    }
    const auto checked = services::checkNewSource(source, m_saver.file().parent_path());
    return checked ? QString() : QString::fromStdString(checked.error().text);
}

void SourceDraft::test()
{
    const auto settings = services::checkNewSource(toSource(), m_saver.file().parent_path());
    if (settings)
        m_test.start(*settings);
}

void SourceDraft::save()
{
    m_saver.save(
        [source = toSource()](const std::filesystem::path &file) { return services::addSourceToFile(file, source); });
}

} // namespace gpuledger::ui
