// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcedraft.h"

#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/format/local/localtext.h"

#include <QUrl>

#include <algorithm>
#include <tuple>

namespace gpuledger::ui {

using Access = SourceFields::Access;
using Type = ports::SourceField::Type;

namespace {

QString firstTyped(const ports::SourceKinds &kinds)
{
    const auto at = std::find_if(kinds.begin(), kinds.end(), isTypedKind);
    return at == kinds.end() ? QString() : QString::fromStdString(at->kind);
}

bool isWholePath(const QString &path)
{
    return path.startsWith(QLatin1Char('/')) || path.startsWith(QLatin1String("~/"));
}

QString exampleOf(const ports::SourceField &field)
{
    return QString::fromUtf8(field.example.data(), static_cast<qsizetype>(field.example.size()));
}

// Sets a value as typed; empty: removes the key.
services::SourceChange::Value valueAt(std::vector<std::string> way, const QString &now)
{
    std::string value = typedText(now);
    return {std::move(way), value.empty() ? std::nullopt : std::optional(std::move(value)), {}, {}};
}

// What stands for the access while it is not asked for yet, or stays as it is stored.
services::NewSource::Parts laterAccess(const ports::SourceKind &kind)
{
    const ports::SourceField *const access = typedField(kind, Type::Access);
    if (!access || !access->isRequired)
        return {};
    return {{"type", "bearer"}, {"token", "env:TOKEN"}}; // no-tr: of a configuration
}

} // namespace

SourceDraft::SourceDraft(services::ConfigService &config, services::SourceService &sources, TaskRunner &tasks,
                         SyncController &sync, const std::filesystem::path &configFile, const LoginPorts &logins,
                         QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_kinds(sources.kinds())
    , m_contexts(tasks, logins.contexts)
    , m_test(config.clock(), sources, tasks, logins)
    , m_saver(config, sources, tasks, sync, configFile)
{
    m_fields.kind = m_initial.kind = firstTyped(m_kinds);
}

const ports::SourceKind &SourceDraft::kindOf(const SourceFields &fields) const
{
    static const ports::SourceKind kNone;
    const ports::SourceKind *const kind = ports::findKind(m_kinds, typedText(fields.kind));
    return kind ? *kind : kNone;
}

std::vector<SourceDraft::Step> SourceDraft::steps() const
{
    const auto &rights = kind().rights;
    const bool hasPolicy = std::any_of(rights.begin(), rights.end(),
                                       [](const ports::SourceRight &right) { return !right.policy.empty(); });
    if (asksRights() || asksAccess() || hasPolicy)
        return {Step::Address, Step::Access, Step::Test};
    return {Step::Address, Step::Test};
}

void SourceDraft::lookForContexts()
{
    if (asks(Type::Kubeconfig))
        m_contexts.look(m_fields.kubeconfig);
}

void SourceDraft::edit(const model::SourceSettings &source)
{
    m_edited = source;
    m_fields.kind = QString::fromStdString(source.kind);
    m_fields = m_initial = fieldsOf(source, kind());
    lookForContexts();
    Q_EMIT changed();
}

void SourceDraft::setFields(const SourceFields &fields)
{
    if (m_fields == fields)
        return;
    m_fields = fields;
    if (m_fields.kind.isEmpty())
        m_fields.kind = firstTyped(m_kinds);
    m_fields.access = takenAccess(kind(), m_fields.access);
    m_test.reset();
    lookForContexts();
    Q_EMIT changed();
}

bool SourceDraft::isTaken(const QString &name) const
{
    const auto &sources = m_config.settings().sources;
    return std::any_of(sources.begin(), sources.end(),
                       [&](const auto &source) { return source.name == typedText(name); });
}

QString SourceDraft::nameFor(const SourceFields &fields) const
{
    QString base;
    if (typedField(kindOf(fields), Type::KubeContext)) { // cloud tools use a whole path as context name
        base = fields.context.trimmed().section(QLatin1Char('/'), -1);
    } else if (typedField(kindOf(fields), Type::Url)) {
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
    source.auth = authOf(m_fields, kind());
    if (namesCluster(kind()))
        source.cluster = typedText(m_fields.cluster);
    if (asks(Type::Url))
        source.url = typedText(m_fields.url);
    if (asks(Type::Path))
        source.path = typedText(m_fields.path);
    if (asks(Type::Authority))
        source.ca = fileReference(m_fields.authority);
    if (asksRights() && m_fields.mayStop)
        source.rights = {"read", "stop"};
    for (const auto &[key, text] : optionsOf(m_fields, kind())) {
        if (std::string value = typedText(text); !value.empty())
            source.options.emplace_back(key, std::move(value));
    }
    for (const ports::SourceField &field : changedRare()) // an unchanged one is in the file, in whatever form
        addRare(m_fields, field, source);
    return source;
}

std::vector<ports::SourceField> SourceDraft::changedRare() const
{
    std::vector<ports::SourceField> all = rareFields(kind());
    std::erase_if(all, [this](const ports::SourceField &field) {
        return rareText(m_fields, field) == rareText(m_initial, field);
    });
    return all;
}

QString SourceDraft::problemAt(Field field) const
{
    const QString file = m_fields.kubeconfig.trimmed(), context = m_fields.context.trimmed();
    switch (field) {
    case Field::Name:
        return !isEdit() && isTaken(m_fields.name) ? tr("A source with this name already exists") : QString();
    case Field::Path:
        if (const ports::SourceField *const path = typedField(kind(), Type::Path);
            path && !m_fields.path.trimmed().isEmpty() && !isWholePath(m_fields.path.trimmed()))
            return tr("Write the whole path, for example %1").arg(exampleOf(*path));
        return {};
    case Field::Kubeconfig:
        if (!file.isEmpty() && !isWholePath(file))
            return tr("Write the whole path, for example %1").arg(QStringLiteral("~/.kube/config")); // no-tr: a path
        return m_contexts.problem();
    case Field::Context:
        return context.isEmpty() || m_contexts.names().isEmpty() || m_contexts.names().contains(context)
            ? QString()
            : tr("The file has no context with this name");
    case Field::Region:
        return m_fields.region.trimmed().isEmpty() || isRegion(m_fields.region.trimmed())
            ? QString()
            : tr("A region looks like %1").arg(QStringLiteral("eu-central-1")); // no-tr: an example
    }
    return {};
}

QString SourceDraft::settingProblem() const
{
    if (const ports::SourceField *const missing = missingField(m_fields, kind()))
        return tr("Missing: %1, for example %2", "a setting, a value")
            .arg(LocalText::connectorText(missing->title), exampleOf(*missing));
    if (QString text = problemAt(Field::Path); !text.isEmpty())
        return text;
    if (const ports::SourceField *const access = typedField(kind(), Type::Signed)) {
        if (m_fields.region.trimmed().isEmpty())
            return tr("The region is missing, for example %1").arg(exampleIn(*access, QStringLiteral("region")));
        if (QString text = problemAt(Field::Region); !text.isEmpty())
            return text;
    }
    if (!asks(Type::Kubeconfig))
        return {};
    // The file or context may be created later; the test reports it if it is missing.
    const QString file = m_fields.kubeconfig.trimmed();
    return file.isEmpty() || isWholePath(file) ? QString() : problemAt(Field::Kubeconfig);
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
    if (asks(Type::Url) && isEmpty(m_fields.url))
        return tr("The address is missing, for example https://prometheus.example.org");
    if (QString text = settingProblem(); !text.isEmpty())
        return text;
    if (isEmpty(m_fields.name))
        return isPlatform() && asksRights()
            ? tr("The name is missing: it is shown wherever something is stopped there")
            : tr("The name is missing: it is shown on every figure that comes from this source");
    if (QString text = problemAt(Field::Name); !text.isEmpty())
        return text;
    services::NewSource source = toSource();
    if (asksAccess() && step == Step::Address) { // the next step asks for access
        source.auth = laterAccess(kind());
        source.ca.clear();
    } else if (asksAccess()) {
        if (QString text = accessProblem(); !text.isEmpty())
            return text;
    }
    if (isEdit() && asks(Type::Access) && !hasOtherAccess()) // the stored form is already in use
        source.auth = laterAccess(kind());
    const auto checked = services::checkNewSource(source, m_saver.file().parent_path(), m_kinds);
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
    if (isEdit() && asks(Type::Access) && !hasOtherAccess())
        source.auth = laterAccess(kind());
    auto typed = services::checkNewSource(source, m_saver.file().parent_path(), m_kinds);
    if (!typed || !isEdit())
        return typed;
    model::SourceSettings out = *m_edited;
    changeOptions(out);
    if (asks(Type::Url))
        out.url = typed->url;
    if (asks(Type::Path))
        out.path = typed->path;
    if (m_fields.cluster != m_initial.cluster) {
        out.cluster = typed->cluster;
        out.clusterLabel.clear();
    }
    if (hasOtherAccess())
        out.auth = typed->auth;
    if (hasOtherAuthority())
        out.caFile = typed->caFile;
    changeRare(out, *typed);
    return out;
}

void SourceDraft::changeRare(model::SourceSettings &settings, const model::SourceSettings &typed) const
{
    for (const ports::SourceField &field : changedRare()) {
        const std::string key(field.key);
        if (field.type == Type::Url)
            settings.url = typed.url;
        else if (field.type == Type::Path)
            settings.path = typed.path;
        else if (field.type == Type::Authority)
            settings.caFile = typed.caFile;
        else if (field.type == Type::Headers)
            settings.headers = typed.headers;
        else if (const auto at = typed.options.find(key); at != typed.options.end())
            settings.options[key] = at->second;
        else
            settings.options.erase(key);
    }
}

void SourceDraft::changeOptions(model::SourceSettings &settings) const
{
    if (asksRights())
        settings.mayStop = m_fields.mayStop;
    const auto now = optionsOf(m_fields, kind()), before = optionsOf(m_initial, kind());
    for (std::size_t i = 0; i < now.size(); ++i) { // both have the same keys in the same order
        if (now[i].second == before[i].second)
            continue;
        settings.options.erase(now[i].first);
        if (const std::string value = typedText(now[i].second); !value.empty())
            settings.options.emplace(now[i].first, value);
    }
}

void SourceDraft::addChangedOptions(std::vector<services::SourceChange::Value> &values) const
{
    const auto now = optionsOf(m_fields, kind()), before = optionsOf(m_initial, kind());
    for (std::size_t i = 0; i < now.size(); ++i) { // both have the same keys in the same order
        if (now[i].second != before[i].second)
            values.push_back(valueAt({now[i].first}, now[i].second));
    }
}

void SourceDraft::addChangedSigning(std::vector<services::SourceChange::Value> &values) const
{
    if (m_edited->auth.kind != model::AuthSettings::Kind::SigV4) {
        values.push_back({{"auth"}, {}, authOf(m_fields, kind()), {}});
        return;
    }
    if (m_fields.region != m_initial.region)
        values.push_back(valueAt({"auth", "region"}, m_fields.region));
    if (m_fields.profile != m_initial.profile)
        values.push_back(valueAt({"auth", "profile"}, m_fields.profile));
}

void SourceDraft::addChangedRights(std::vector<services::SourceChange::Value> &values) const
{
    if (m_fields.mayStop != m_initial.mayStop)
        values.push_back(
            {{"rights"},
             {},
             {},
             m_fields.mayStop ? std::vector<std::string>{"read", "stop"} : std::vector<std::string>{"read"}});
}

void SourceDraft::addChangedAccess(std::vector<services::SourceChange::Value> &values) const
{
    const services::NewSource::Parts now = authOf(m_fields, kind()), before = authOf(m_initial, kind());
    if (now.empty()) {
        values.push_back({{"auth"}, {}, {}});
        return;
    }
    if (before.empty() || m_fields.access != m_initial.access) {
        values.push_back({{"auth"}, {}, now});
        return;
    }
    for (std::size_t i = 0; i < now.size(); ++i) { // both have the same keys in the same order
        if (now[i].second != before[i].second)
            values.push_back({{"auth", now[i].first}, now[i].second, {}});
    }
}

void SourceDraft::addChangedAuthority(std::vector<services::SourceChange::Value> &values, const std::string &now) const
{
    if (now.empty())
        values.push_back({{"tls"}, {}, {}});
    else if (m_edited->caFile.empty())
        values.push_back({{"tls"}, {}, {{"ca", now}}});
    else
        values.push_back({{"tls", "ca"}, now, {}});
}

void SourceDraft::addChangedRare(std::vector<services::SourceChange::Value> &values,
                                 const services::NewSource &now) const
{
    for (const ports::SourceField &field : changedRare()) {
        if (field.type == Type::Authority)
            addChangedAuthority(values, now.ca);
        else if (field.type == Type::Headers)
            values.push_back({{std::string(field.key)}, {}, now.headers});
        else
            values.push_back(valueAt({std::string(field.key)}, rareText(m_fields, field)));
    }
}

std::vector<services::SourceChange::Value> SourceDraft::changedValues() const
{
    std::vector<services::SourceChange::Value> values;
    const services::NewSource now = toSource();
    if (asks(Type::Url) && m_fields.url != m_initial.url)
        values.push_back({{"url"}, now.url, {}});
    if (const ports::SourceField *const path = typedField(kind(), Type::Path); path && m_fields.path != m_initial.path)
        values.push_back(valueAt({std::string(path->key)}, m_fields.path));
    if (m_fields.cluster != m_initial.cluster)
        values.push_back({{"cluster"}, now.cluster.empty() ? std::nullopt : std::optional(now.cluster), {}});
    addChangedOptions(values);
    if (asks(Type::Signed) && hasOtherAccess())
        addChangedSigning(values);
    if (asksRights())
        addChangedRights(values);
    if (asks(Type::Access) && hasOtherAccess())
        addChangedAccess(values);
    if (asks(Type::Authority) && hasOtherAuthority())
        addChangedAuthority(values, now.ca);
    addChangedRare(values, now);
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
        m_saver.save([source = toSource(), file = m_saver.file(), kinds = m_kinds](std::string_view text) {
            return services::withSource(text, source, file, kinds);
        });
        return;
    }
    const auto after = settings();
    if (!after)
        return; // problem() says why
    m_saver.save(
        [change = services::SourceChange{*m_edited, *after, changedValues()}, file = m_saver.file(),
         kinds = m_kinds](std::string_view text) { return services::withChangedSource(text, change, file, kinds); });
}

} // namespace gpuledger::ui
