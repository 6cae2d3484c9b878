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

namespace gpuledger::ui {

// A source on its way into the configuration, new or changed: its fields, what is still wrong with them, its live test
// and saving. Of a changed one only what is other than before is written.
// Owned by the dialog; GUI thread.
class SourceDraft : public QObject {
    Q_OBJECT
public:
    enum class Step {
        Address,
        Access, // of a platform: the rights
        Test
    };
    enum class Field { Name, Kubeconfig, Context, Region };

    // All must outlive it.
    SourceDraft(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                const std::filesystem::path &configFile, const LoginPorts &logins = {}, QObject *parent = nullptr);
    // Changes that source from now on; its name stays, because figures are kept under it.
    void edit(const model::SourceSettings &source);
    bool isEdit() const { return m_edited.has_value(); }
    bool isChanged() const { return !(m_fields == m_initial); }

    const SourceFields &fields() const { return m_fields; }
    // A test of other fields is forgotten.
    void setFields(const SourceFields &fields);
    // The kinds that there are; one that is not among them takes no settings.
    const ports::SourceKinds &kinds() const { return m_kinds; }
    const ports::SourceKind &kindOf(const SourceFields &fields) const;
    const ports::SourceKind &kind() const { return kindOf(m_fields); }
    bool isPlatform() const { return kind().onlyStops(); }
    // A name for what these fields lead to, other than those that are taken: "prometheus" of
    // https://prometheus.example.org. Empty where nothing leads anywhere yet.
    QString nameFor(const SourceFields &fields) const;
    // Why one can't go on from this step; empty: nothing is wrong.
    QString problem(Step step) const;
    // What is wrong with what is typed in this field, told at once; what is empty is not wrong yet.
    QString problemAt(Field field) const;
    // Of the kubeconfig that is typed.
    ContextFinder &contexts() { return m_contexts; }
    // Tests what is typed.
    void test();
    SourceTest &tester() { return m_test; }
    // Writes the source into the configuration; answered by saved() or failed() of the saver.
    void save();
    ConfigurationSaver &saver() { return m_saver; }

Q_SIGNALS:
    void changed(); // fields

private:
    services::NewSource toSource() const;
    QString platformProblem() const;
    QString accessProblem() const;
    bool isTaken(const QString &name) const;
    bool asks(ports::SourceField::Type type) const { return typedField(kind(), type) != nullptr; }
    void lookForContexts();
    void changeOptions(model::SourceSettings &settings) const;
    void addChangedOptions(std::vector<services::SourceChange::Value> &values) const;
    void addChangedRights(std::vector<services::SourceChange::Value> &values) const;
    void addChangedSigning(std::vector<services::SourceChange::Value> &values) const;
    bool hasOtherAccess() const;
    bool hasOtherAuthority() const;
    base::Result<model::SourceSettings> settings() const;
    std::vector<services::SourceChange::Value> changedValues() const;
    void addChangedAccess(std::vector<services::SourceChange::Value> &values) const;

    services::Workspace &m_workspace;
    const ports::SourceKinds m_kinds;
    SourceFields m_fields, m_initial;
    std::optional<model::SourceSettings> m_edited;
    ContextFinder m_contexts;
    SourceTest m_test;
    ConfigurationSaver m_saver;
};

} // namespace gpuledger::ui
