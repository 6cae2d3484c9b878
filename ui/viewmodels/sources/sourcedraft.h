// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/configurationsaver.h"
#include "ui/viewmodels/sources/contextfinder.h"
#include "ui/viewmodels/sources/sourcefields.h"
#include "ui/viewmodels/sources/sourcetest.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace gpuledger::services {
class ConfigService;
class SourceService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// A new or changed source before it is saved: its fields, their problems, its live test, and saving it. For a changed
// source, only the differences are written. Owned by the dialog; GUI thread.
class SourceDraft : public QObject {
    Q_OBJECT
public:
    enum class Step {
        Address,
        Access, // how to log in, or for a platform what may be done there; and the rights of its account
        Test
    };
    enum class Field { Name, Path, Kubeconfig, Context, Region };

    // All arguments must outlive this object.
    SourceDraft(services::ConfigService &config, services::SourceService &sources, TaskRunner &tasks,
                SyncController &sync, const std::filesystem::path &configFile, const LoginPorts &logins = {},
                QObject *parent = nullptr);
    // Edits that source from now on; its name is fixed, because figures are stored under it.
    void edit(const model::SourceSettings &source);
    bool isEdit() const { return m_edited.has_value(); }
    bool isChanged() const { return !(m_fields == m_initial); }

    const SourceFields &fields() const { return m_fields; }
    // Discards the result of a test with other fields.
    void setFields(const SourceFields &fields);
    // The available kinds; an unknown kind has no settings.
    const ports::SourceKinds &kinds() const { return m_kinds; }
    const ports::SourceKind &kindOf(const SourceFields &fields) const;
    const ports::SourceKind &kind() const { return kindOf(m_fields); }
    bool isPlatform() const { return kind().isPlatform(); }
    // Whether the user says what may be done there.
    bool asksRights() const { return kind().stops(); }
    // What may be stopped there: machines, else workloads on them.
    bool stopsMachines() const { return kind().has(ports::Capability::MachinesOnly); }
    // Whether the user says how to log in; if not, it follows from the other settings.
    bool asksAccess() const { return asks(ports::SourceField::Type::Access); }
    // The steps of this kind, in their order: a file needs no access.
    std::vector<Step> steps() const;
    // A free name that fits these fields: "prometheus" for https://prometheus.example.org. Empty if the fields don't
    // name an address or file yet.
    QString nameFor(const SourceFields &fields) const;
    // Why the user can't leave this step; empty if nothing is wrong.
    QString problem(Step step) const;
    // The problem with the text in this field, shown at once; an empty field has none yet.
    QString problemAt(Field field) const;
    // Contexts of the typed kubeconfig.
    ContextFinder &contexts() { return m_contexts; }
    // Tests the source as typed.
    void test();
    SourceTest &tester() { return m_test; }
    // Writes the source into the configuration; saver() emits saved() or failed().
    void save();
    ConfigurationSaver &saver() { return m_saver; }

Q_SIGNALS:
    void changed(); // fields

private:
    services::NewSource toSource() const;
    QString settingProblem() const;
    QString accessProblem() const;
    bool isTaken(const QString &name) const;
    bool asks(ports::SourceField::Type type) const { return typedField(kind(), type) != nullptr; }
    void lookForContexts();
    void changeOptions(model::SourceSettings &settings) const;
    void addChangedOptions(std::vector<services::SourceChange::Value> &values) const;
    void addChangedRights(std::vector<services::SourceChange::Value> &values) const;
    void addChangedSigning(std::vector<services::SourceChange::Value> &values) const;
    // The rarely needed settings that the user entered or changed.
    std::vector<ports::SourceField> changedRare() const;
    void changeRare(model::SourceSettings &settings, const model::SourceSettings &typed) const;
    void addChangedRare(std::vector<services::SourceChange::Value> &values, const services::NewSource &now) const;
    void addChangedAuthority(std::vector<services::SourceChange::Value> &values, const std::string &now) const;
    bool hasOtherAccess() const;
    bool hasOtherAuthority() const;
    base::Result<model::SourceSettings> settings() const;
    std::vector<services::SourceChange::Value> changedValues() const;
    void addChangedAccess(std::vector<services::SourceChange::Value> &values) const;

    const services::ConfigService &m_config;
    const ports::SourceKinds m_kinds;
    SourceFields m_fields, m_initial;
    std::optional<model::SourceSettings> m_edited;
    ContextFinder m_contexts;
    SourceTest m_test;
    ConfigurationSaver m_saver;
};

} // namespace gpuledger::ui
