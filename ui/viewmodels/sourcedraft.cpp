// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sourcedraft.h"

#include <QUrl>

#include <algorithm>
#include <tuple>

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
    case Keeper::Command:
        return "command:" + kept;
    }
    return {};
}

void readReference(const model::SecretRef &reference, SourceFields &fields)
{
    using Kind = model::SecretRef::Kind;
    fields.kept = QString::fromStdString(reference.value);
    switch (reference.kind) {
    case Kind::None:
        break;
    case Kind::Keychain:
        fields.keeper = Keeper::Keychain;
        break;
    case Kind::Environment:
        fields.keeper = Keeper::Environment;
        break;
    case Kind::File:
        fields.keeper = Keeper::File;
        break;
    case Kind::Command: {
        QStringList words;
        for (const std::string &word : reference.command)
            words << QString::fromStdString(word);
        fields.keeper = Keeper::Command;
        fields.kept = words.join(QLatin1Char(' '));
        break;
    }
    }
}

SourceFields fieldsOf(const model::SourceSettings &source)
{
    using Kind = model::AuthSettings::Kind;
    SourceFields fields;
    fields.kind = QString::fromStdString(source.kind);
    fields.url = QString::fromStdString(source.url);
    fields.name = QString::fromStdString(source.name);
    fields.cluster = QString::fromStdString(source.cluster);
    fields.authority = QString::fromStdString(source.caFile);
    switch (source.auth.kind) {
    case Kind::None:
        break;
    case Kind::Basic:
        fields.access = Access::Basic;
        fields.user = QString::fromStdString(source.auth.user);
        readReference(source.auth.password, fields);
        break;
    case Kind::Bearer:
        fields.access = Access::Bearer;
        readReference(source.auth.token, fields);
        break;
    case Kind::Mtls:
        fields.access = Access::Certificate;
        fields.certificate = QString::fromStdString(source.auth.certificate);
        fields.key = QString::fromStdString(source.auth.key.value);
        break;
    case Kind::SigV4:
        fields.access = Access::Other;
        break;
    }
    return fields;
}

services::NewSource::Parts authOf(const SourceFields &fields)
{
    switch (fields.access) {
    case Access::None:
    case Access::Other:
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

void SourceDraft::edit(const model::SourceSettings &source)
{
    m_edited = source;
    m_fields = m_initial = fieldsOf(source);
    Q_EMIT changed();
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
        if (!isEdit() && source.name == typed(m_fields.name))
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
    if (isEdit() && !hasOtherAccess()) // it is in use as it is
        source.auth.clear();
    const auto checked = services::checkNewSource(source, m_saver.file().parent_path());
    return checked ? QString() : QString::fromStdString(checked.error().text);
}

bool SourceDraft::hasOtherAccess() const
{
    const SourceFields &a = m_fields, &b = m_initial;
    return std::tie(a.access, a.user, a.keeper, a.kept, a.certificate, a.key)
        != std::tie(b.access, b.user, b.keeper, b.kept, b.certificate, b.key);
}

bool SourceDraft::hasOtherAuthority() const
{
    return m_fields.authority != m_initial.authority;
}

base::Result<model::SourceSettings> SourceDraft::settings() const
{
    services::NewSource source = toSource();
    if (isEdit() && !hasOtherAccess())
        source.auth.clear();
    auto typed = services::checkNewSource(source, m_saver.file().parent_path());
    if (!typed || !isEdit())
        return typed;
    model::SourceSettings out = *m_edited;
    out.url = typed->url;
    if (m_fields.cluster != m_initial.cluster) {
        out.cluster = typed->cluster;
        out.clusterLabel.clear();
    }
    if (hasOtherAccess())
        out.auth = typed->auth;
    if (hasOtherAuthority())
        out.caFile = typed->caFile;
    return out;
}

void SourceDraft::addChangedAccess(std::vector<services::SourceChange::Value> &values) const
{
    const services::NewSource::Parts now = authOf(m_fields), before = authOf(m_initial);
    if (now.empty()) {
        values.push_back({{"auth"}, {}, {}});
        return;
    }
    if (before.empty() || m_fields.access != m_initial.access) {
        values.push_back({{"auth"}, {}, now});
        return;
    }
    for (std::size_t i = 0; i < now.size(); ++i) { // the same keys in the same order
        if (now[i].second != before[i].second)
            values.push_back({{"auth", now[i].first}, now[i].second, {}});
    }
}

std::vector<services::SourceChange::Value> SourceDraft::changedValues() const
{
    std::vector<services::SourceChange::Value> values;
    const services::NewSource now = toSource();
    if (m_fields.url != m_initial.url)
        values.push_back({{"url"}, now.url, {}});
    if (m_fields.cluster != m_initial.cluster)
        values.push_back({{"cluster"}, now.cluster.empty() ? std::nullopt : std::optional(now.cluster), {}});
    if (hasOtherAccess())
        addChangedAccess(values);
    if (hasOtherAuthority()) {
        if (now.ca.empty())
            values.push_back({{"tls"}, {}, {}});
        else if (m_edited->caFile.empty())
            values.push_back({{"tls"}, {}, {{"ca", now.ca}}});
        else
            values.push_back({{"tls", "ca"}, now.ca, {}});
    }
    return values;
}

void SourceDraft::test()
{
    if (const auto source = settings())
        m_test.start(*source);
}

void SourceDraft::save()
{
    if (!isEdit()) {
        m_saver.save([source = toSource(), file = m_saver.file()](std::string_view text) {
            return services::withSource(text, source, file);
        });
        return;
    }
    const auto after = settings();
    if (!after)
        return; // problem() says why
    m_saver.save([change = services::SourceChange{*m_edited, *after, changedValues()}, file = m_saver.file()](
                     std::string_view text) { return services::withChangedSource(text, change, file); });
}

} // namespace gpuledger::ui
