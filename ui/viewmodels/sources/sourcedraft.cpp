// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcedraft.h"

#include <QUrl>

#include <algorithm>
#include <tuple>

namespace gpuledger::ui {

using Access = SourceFields::Access;

SourceDraft::SourceDraft(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                         const std::filesystem::path &configFile, const LoginPorts &logins, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_contexts(tasks, logins.contexts)
    , m_test(workspace, tasks, logins)
    , m_saver(workspace, tasks, sync, configFile)
{
}

void SourceDraft::edit(const model::SourceSettings &source)
{
    m_edited = source;
    m_fields = m_initial = fieldsOf(source);
    if (m_fields.kind == QLatin1String(kKubernetesKind))
        m_contexts.look(m_fields.kubeconfig);
    Q_EMIT changed();
}

void SourceDraft::setFields(const SourceFields &fields)
{
    if (m_fields == fields)
        return;
    m_fields = fields;
    m_test.reset();
    if (m_fields.kind == QLatin1String(kKubernetesKind))
        m_contexts.look(m_fields.kubeconfig);
    Q_EMIT changed();
}

bool SourceDraft::isTaken(const QString &name) const
{
    const auto &sources = m_workspace.settings().sources;
    return std::any_of(sources.begin(), sources.end(),
                       [&](const auto &source) { return source.name == typedText(name); });
}

QString SourceDraft::nameFor(const SourceFields &fields) const
{
    QString base;
    if (fields.kind == QLatin1String(kKubernetesKind)) { // cloud tools name contexts by a whole path
        base = fields.context.trimmed().section(QLatin1Char('/'), -1);
    } else if (!isPlatformKind(fields.kind)) {
        const QString host = QUrl(fields.url.trimmed()).host();
        if (fields.url.trimmed().isEmpty())
            return {};
        base = host.section(QLatin1Char('.'), 0, 0);
        bool isNumber = false;
        base.toInt(&isNumber);
        if (isNumber || host.contains(QLatin1Char(':')))
            base.clear();
    }
    if (base.isEmpty())
        base = fields.kind;
    QString name = base;
    for (int i = 2; isTaken(name); ++i)
        name = QStringLiteral("%1-%2").arg(base).arg(i);
    return name;
}

services::NewSource SourceDraft::toSource() const
{
    services::NewSource source;
    source.name = typedText(m_fields.name);
    source.kind = typedText(m_fields.kind);
    source.cluster = typedText(m_fields.cluster);
    source.auth = authOf(m_fields);
    if (!isPlatform()) {
        source.url = typedText(m_fields.url);
        source.ca = fileReference(m_fields.authority);
        return source;
    }
    if (m_fields.mayStop)
        source.rights = {"read", "stop"};
    if (m_fields.kind == QLatin1String(kAwsKind))
        return source;
    if (const std::string file = typedText(m_fields.kubeconfig); !file.empty())
        source.options.emplace_back(kKubeconfigKey, file);
    if (const std::string context = typedText(m_fields.context); !context.empty())
        source.options.emplace_back(kContextKey, context);
    return source;
}

QString SourceDraft::problemAt(Field field) const
{
    const QString file = m_fields.kubeconfig.trimmed(), context = m_fields.context.trimmed();
    switch (field) {
    case Field::Name:
        return !isEdit() && isTaken(m_fields.name) ? tr("There is a source of this name already") : QString();
    case Field::Kubeconfig:
        if (!file.isEmpty() && !file.startsWith(QLatin1Char('/')) && !file.startsWith(QLatin1String("~/")))
            return tr("Write the whole path, for example %1").arg(QStringLiteral("~/.kube/config")); // no-tr: a path
        return m_contexts.problem();
    case Field::Context:
        return context.isEmpty() || m_contexts.names().isEmpty() || m_contexts.names().contains(context)
            ? QString()
            : tr("The file has no context of this name");
    case Field::Region:
        return m_fields.region.trimmed().isEmpty() || isRegion(m_fields.region.trimmed())
            ? QString()
            : tr("A region looks like %1").arg(QStringLiteral("eu-central-1")); // no-tr: an example
    }
    return {};
}

QString SourceDraft::platformProblem() const
{
    if (m_fields.kind == QLatin1String(kAwsKind)) {
        return m_fields.region.trimmed().isEmpty()
            ? tr("The region is missing, for example %1").arg(QStringLiteral("eu-central-1")) // no-tr: an example
            : problemAt(Field::Region);
    }
    // A file or a context that is not there may come; the test tells of it.
    const QString file = m_fields.kubeconfig.trimmed();
    const bool isWhole = file.isEmpty() || file.startsWith(QLatin1Char('/')) || file.startsWith(QLatin1String("~/"));
    return isWhole ? QString() : problemAt(Field::Kubeconfig);
}

QString SourceDraft::accessProblem() const
{
    const auto isEmpty = [](const QString &text) { return text.trimmed().isEmpty(); };
    if (m_fields.access == Access::Certificate && (isEmpty(m_fields.certificate) || isEmpty(m_fields.key)))
        return tr("Both files are needed, the certificate and its key");
    if (m_fields.access == Access::Basic && isEmpty(m_fields.user))
        return tr("The user is missing");
    if ((m_fields.access == Access::Basic || m_fields.access == Access::Bearer) && isEmpty(m_fields.kept))
        return tr("Say where the credential is kept");
    return {};
}

QString SourceDraft::problem(Step step) const
{
    const auto isEmpty = [](const QString &text) { return text.trimmed().isEmpty(); };
    if (!isPlatform() && isEmpty(m_fields.url))
        return tr("The address is missing, for example https://prometheus.example.org");
    if (QString text = isPlatform() ? platformProblem() : QString(); !text.isEmpty())
        return text;
    if (isEmpty(m_fields.name))
        return isPlatform() ? tr("The name is missing: it is shown wherever something is stopped there")
                            : tr("The name is missing: it is shown on every figure that comes from this source");
    if (QString text = problemAt(Field::Name); !text.isEmpty())
        return text;
    services::NewSource source = toSource();
    if (!isPlatform() && step == Step::Address) { // access is asked for next
        source.auth.clear();
        source.ca.clear();
    } else if (!isPlatform()) {
        if (QString text = accessProblem(); !text.isEmpty())
            return text;
    }
    if (isEdit() && !hasOtherAccess()) // it is in use as it is
        source.auth.clear();
    const auto checked = services::checkNewSource(source, m_saver.file().parent_path());
    return checked ? QString() : QString::fromStdString(checked.error().text);
}

bool SourceDraft::hasOtherAccess() const
{
    const SourceFields &a = m_fields, &b = m_initial;
    return std::tie(a.access, a.user, a.keeper, a.kept, a.certificate, a.key, a.region, a.profile)
        != std::tie(b.access, b.user, b.keeper, b.kept, b.certificate, b.key, b.region, b.profile);
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
    if (isPlatform())
        changeOptions(out);
    else
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

void SourceDraft::changeOptions(model::SourceSettings &settings) const
{
    settings.mayStop = m_fields.mayStop;
    for (const auto &[key, now, before] : {std::tuple(kKubeconfigKey, m_fields.kubeconfig, m_initial.kubeconfig),
                                           std::tuple(kContextKey, m_fields.context, m_initial.context)}) {
        if (now == before)
            continue;
        settings.options.erase(key);
        if (const std::string value = typedText(now); !value.empty())
            settings.options.emplace(key, value);
    }
}

void SourceDraft::addChangedPlatform(std::vector<services::SourceChange::Value> &values) const
{
    const auto add = [&](std::vector<std::string> way, const QString &now, const QString &before) {
        const std::string value = typedText(now);
        if (now != before)
            values.push_back({std::move(way), value.empty() ? std::nullopt : std::optional(value), {}, {}});
    };
    add({kKubeconfigKey}, m_fields.kubeconfig, m_initial.kubeconfig);
    add({kContextKey}, m_fields.context, m_initial.context);
    if (m_fields.kind == QLatin1String(kAwsKind) && hasOtherAccess()) {
        if (m_edited->auth.kind == model::AuthSettings::Kind::SigV4) {
            add({"auth", "region"}, m_fields.region, m_initial.region);
            add({"auth", "profile"}, m_fields.profile, m_initial.profile);
        } else {
            values.push_back({{"auth"}, {}, authOf(m_fields), {}});
        }
    }
    if (m_fields.mayStop != m_initial.mayStop)
        values.push_back(
            {{"rights"},
             {},
             {},
             m_fields.mayStop ? std::vector<std::string>{"read", "stop"} : std::vector<std::string>{"read"}});
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
    if (!isPlatform() && m_fields.url != m_initial.url)
        values.push_back({{"url"}, now.url, {}});
    if (m_fields.cluster != m_initial.cluster)
        values.push_back({{"cluster"}, now.cluster.empty() ? std::nullopt : std::optional(now.cluster), {}});
    if (isPlatform()) {
        addChangedPlatform(values);
        return values;
    }
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
