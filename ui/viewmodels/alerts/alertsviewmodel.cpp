// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alertsviewmodel.h"

#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/alerts/alerttext.h"

#include <QUrl>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

using base::Result;
using model::AlertRule;

namespace {

constexpr QLatin1String kRuleKey("rule"), kScopeKey("scope"); // in the place of the page

void addText(QUrlQuery &query, const QString &key, const QString &value)
{
    query.addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(value)));
}

std::shared_ptr<const services::AlertReplay> sharedReplay(services::AlertReplay replay)
{
    return std::make_shared<const services::AlertReplay>(std::move(replay));
}

} // namespace

AlertsViewModel::AlertsViewModel(AlertsDesk desk, services::ConfigService &config, services::SourceService &sources,
                                 TaskRunner &tasks, SyncController &sync, const std::filesystem::path &configFile,
                                 QObject *parent)
    : QObject(parent)
    , m_desk(std::move(desk))
    , m_sources(sources)
    , m_config(config)
    , m_tasks(tasks)
    , m_saver(config, sources, tasks, sync, configFile)
    , m_rules(AlertTables::ruleColumns())
    , m_firing(AlertTables::firingColumns())
    , m_messages(AlertTables::messageColumns())
    , m_targets(AlertTables::targetColumns())
    , m_changes(AlertTables::changeColumns())
    , m_silences(AlertTables::silenceColumns())
    , m_trialRows(AlertTables::trialColumns({}))
    , m_asker(tasks, this, [this] { take(); })
    , m_trial(tasks, this, [this] { takeTrial(); })
{
    m_later.setSingleShot(true);
    m_later.setInterval(kTrialDelay);
    connect(&m_later, &QTimer::timeout, this, &AlertsViewModel::askTrial);
    connect(&m_saver, &ConfigurationSaver::saved, this, [this] {
        if (m_savedAs) {
            m_drafts.erase(m_current);
            m_wanted = *m_savedAs;
        }
        refresh();
    });
}

void AlertsViewModel::refresh()
{
    if (!snapshot() && m_state != PageState::Loading) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    m_asker.ask([now = m_desk.now](const std::stop_token &stop) -> LatestQuery<AlertsSnapshot>::Answer {
        auto answer = now(stop);
        GPULEDGER_TRY(answer);
        return std::make_shared<const AlertsSnapshot>(std::move(*answer));
    });
}

void AlertsViewModel::setActive(bool active)
{
    m_asker.setActive(active);
    m_trial.setActive(active);
}

void AlertsViewModel::take()
{
    if (error()) {
        m_state = PageState::Error;
        Q_EMIT changed();
        return;
    }
    const AlertsSnapshot &now = *snapshot();
    std::erase_if(m_drafts, [&](const auto &one) { // edited here, and gone from the file
        return one.first != AlertTables::newRule() && !configured(one.first);
    });
    m_firing.setSnapshot(AlertTables::firing(snapshot()));
    m_messages.setSnapshot(AlertTables::messages(snapshot()));
    m_targets.setSnapshot(AlertTables::targets(now));
    m_changes.setSnapshot(AlertTables::changes(snapshot()));
    m_silences.setSnapshot(AlertTables::silences(now));
    showRules();
    const QString wanted = m_wanted.isEmpty() ? m_current : m_wanted; // a table that had no row chooses its first one
    Q_EMIT changed(); // first, so that the rows are visible when one of them becomes current
    chooseCurrent(wanted);
    askTrialSoon();
}

void AlertsViewModel::showRules()
{
    const AlertsSnapshot &now = *snapshot();
    m_rules.setSnapshot(AlertTables::rules(now, m_drafts));
    const bool isNone = now.configured.empty() && m_drafts.empty();
    m_state = now.covered.empty() ? PageState::FirstRun : now.isReport || isNone ? PageState::Empty : PageState::Data;
}

const AlertRule *AlertsViewModel::configured(const QString &id) const
{
    if (!snapshot())
        return nullptr;
    const auto &all = snapshot()->configured;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const AlertRule &one) { return textOf(one.name) == id; });
    return found == all.end() ? nullptr : &*found;
}

const AlertRule *AlertsViewModel::draft() const
{
    const auto draft = m_drafts.find(m_current);
    return draft == m_drafts.end() ? configured(m_current) : &draft->second;
}

void AlertsViewModel::setCurrent(const QString &id)
{
    if (id == m_current || (!configured(id) && !m_drafts.contains(id)))
        return;
    chooseCurrent(id);
    askTrialSoon();
}

void AlertsViewModel::chooseCurrent(const QString &wanted)
{
    m_wanted.clear();
    const auto isKnown = [this](const QString &id) { return configured(id) || m_drafts.contains(id); };
    const QString old = std::exchange(m_current, wanted);
    if (!isKnown(m_current)) {
        const auto &all = snapshot()->configured;
        m_current = !all.empty()              ? textOf(all.front().name)
            : isKnown(AlertTables::newRule()) ? AlertTables::newRule()
                                              : QString();
    }
    if (old != m_current) {
        m_trial.forget();
        m_trialRows.setSnapshot(nullptr);
    }
    Q_EMIT currentChanged();
}

void AlertsViewModel::addRule()
{
    if (!snapshot() || snapshot()->isReport)
        return;
    bool isProposed = false;
    if (!m_drafts.contains(AlertTables::newRule())) {
        AlertRule rule;
        rule.metric = "idle-cost";
        rule.per = "team";
        rule.bound = AlertText::example(rule.metric, snapshot()->currency).toStdString();
        rule.length = base::Seconds{7200};
        rule.name = rule.metric;
        for (int i = 2; configured(textOf(rule.name)); ++i)
            rule.name = rule.metric + '-' + std::to_string(i);
        m_drafts[AlertTables::newRule()] = rule;
        isProposed = true;
    }
    showRules();
    Q_EMIT changed();
    chooseCurrent(AlertTables::newRule());
    if (isProposed)
        proposeBound();
    askTrialSoon();
}

void AlertsViewModel::proposeBound()
{
    using Answer = Result<std::optional<std::string>>;
    if (!draft() || !m_desk.bound)
        return;
    ++m_working;
    m_tasks.run<Answer>(
        this, [rule = *draft(), call = m_desk.bound](const std::stop_token &) { return call(rule); },
        [this, id = m_current, asked = *draft()](const Answer &answer) {
            --m_working;
            const bool isSame = m_current == id && draft() && services::sameAlert(*draft(), asked);
            if (answer && *answer && isSame) {
                AlertRule rule = asked;
                rule.bound = **answer;
                edit(rule);
            }
            Q_EMIT changed();
        });
}

void AlertsViewModel::edit(const AlertRule &rule)
{
    const AlertRule *now = draft();
    if (!now || services::sameAlert(*now, rule))
        return;
    const AlertRule *before = configured(m_current);
    if (before && services::sameAlert(*before, rule))
        m_drafts.erase(m_current);
    else
        m_drafts[m_current] = rule;
    showRules();
    Q_EMIT draftChanged();
    askTrialSoon();
}

void AlertsViewModel::discard()
{
    if (m_drafts.erase(m_current) == 0)
        return;
    showRules();
    Q_EMIT changed();
    chooseCurrent(m_current);
    askTrialSoon();
}

AlertProblems AlertsViewModel::problems() const
{
    constexpr std::size_t kLongestName = 64;
    AlertProblems out;
    const AlertRule *rule = draft();
    if (!rule)
        return out;
    const bool isPlain =
        rule->name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        == std::string::npos;
    if (rule->name.empty() || rule->name.size() > kLongestName || !isPlain)
        out.name = tr("Use up to 64 letters, digits, dots, dashes and underscores.");
    else if (textOf(rule->name) != m_current && configured(textOf(rule->name)))
        out.name = tr("Another rule has this name.");
    if (const auto metric = alerts::ruleMetricFromString(rule->metric)) {
        const auto bound = alerts::boundOf(*metric, rule->bound, snapshot()->currency);
        if (!bound)
            out.bound =
                tr("Write, for example, %1.", "a bound").arg(AlertText::example(rule->metric, snapshot()->currency));
    }
    if (!rule->workingHours.empty() && !alerts::workingHoursOf(rule->workingHours))
        out.hours =
            tr("Write, for example, %1.", "hours").arg(QStringLiteral("mon-fri 8-18, sat 9-12")); // no-tr: syntax
    return out;
}

void AlertsViewModel::askTrialSoon()
{
    if (!draft() || !problems().isEmpty() || m_state != PageState::Data) {
        m_later.stop();
        m_trial.forget();
        m_trialRows.setSnapshot(nullptr);
    } else {
        m_later.start();
    }
    Q_EMIT trialChanged();
}

void AlertsViewModel::askTrial()
{
    const AlertRule *rule = draft();
    if (!rule || !snapshot())
        return;
    m_tried = m_current;
    const base::TimeRange range{snapshot()->asked - AlertsSnapshot::kPast, snapshot()->asked};
    m_trial.ask([replay = m_desk.replay, rule = *rule,
                 range](const std::stop_token &) -> LatestQuery<services::AlertReplay>::Answer {
        auto answer = replay(rule, range);
        GPULEDGER_TRY(answer);
        return sharedReplay(std::move(*answer));
    });
    Q_EMIT trialChanged();
}

std::shared_ptr<const services::AlertReplay> AlertsViewModel::trial() const
{
    const bool isOfDraft = m_tried == m_current && draft() && problems().isEmpty();
    return m_trial.error() || !isOfDraft ? nullptr : m_trial.snapshot();
}

void AlertsViewModel::takeTrial()
{
    if (const auto replay = trial()) {
        m_trialRows.setColumns(AlertTables::trialColumns(LocalText::timeRange(replay->range, snapshot()->zone)));
        m_trialRows.setSnapshot(AlertTables::trial(*replay));
    } else {
        m_trialRows.setSnapshot(nullptr);
    }
    Q_EMIT trialChanged();
}

bool AlertsViewModel::canSave() const
{
    return !m_saver.file().empty() && snapshot() && !snapshot()->isReport;
}

void AlertsViewModel::write(std::vector<services::AlertsChange::Rule> after)
{
    services::AlertsChange change{snapshot()->configured, std::move(after)};
    m_saver.save([change = std::move(change), file = m_saver.file(), kinds = m_sources.kinds()](std::string_view text) {
        return services::withAlerts(text, change, file, kinds);
    });
}

void AlertsViewModel::save()
{
    if (!canSave() || !isChanged() || !problems().isEmpty())
        return;
    const AlertRule wanted = *draft();
    std::vector<services::AlertsChange::Rule> after;
    const auto &all = snapshot()->configured;
    for (std::size_t i = 0; i < all.size(); ++i)
        after.push_back({i, textOf(all[i].name) == m_current ? wanted : all[i]});
    if (isNew())
        after.push_back({std::nullopt, wanted});
    m_savedAs = textOf(wanted.name);
    write(std::move(after));
}

void AlertsViewModel::remove()
{
    if (!canSave() || !configured(m_current))
        return;
    std::vector<services::AlertsChange::Rule> after;
    const auto &all = snapshot()->configured;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (textOf(all[i].name) != m_current)
            after.push_back({i, all[i]});
    }
    m_savedAs = QString();
    write(std::move(after));
}

void AlertsViewModel::saveYearStart(int month)
{
    if (!canSave() || m_saver.isSaving() || month == snapshot()->yearStarts)
        return;
    m_savedAs.reset();
    m_saver.save([before = snapshot()->yearStarts, month, file = m_saver.file(), kinds = m_sources.kinds()](
                     std::string_view text) { return services::withFiscalYear(text, before, month, file, kinds); });
}

QUrlQuery AlertsViewModel::place(const QString &firing) const
{
    QUrlQuery place;
    if (!m_current.isEmpty() && !isNew())
        addText(place, kRuleKey, m_current);
    const QString row = m_wantedFiring.isEmpty() ? firing : m_wantedFiring;
    if (const QString prefix = m_current + QChar(0x1f); row.startsWith(prefix))
        addText(place, kScopeKey, row.mid(prefix.size()));
    return place;
}

void AlertsViewModel::restore(const QUrlQuery &place)
{
    const QString rule = place.queryItemValue(kRuleKey, QUrl::FullyDecoded);
    const QString scope = place.queryItemValue(kScopeKey, QUrl::FullyDecoded);
    m_wantedFiring = rule.isEmpty() || scope.isEmpty() ? QString() : QString(rule + QChar(0x1f) + scope);
    if (rule.isEmpty() || rule == m_current)
        return;
    if (snapshot())
        setCurrent(rule);
    else
        m_wanted = rule;
}

} // namespace gpuledger::ui
