// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/configurationsaver.h"

#include "app/services/config/config.h"
#include "app/services/engine/configservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/format/local/localtext.h"

#include <utility>

namespace gpuledger::ui {

using base::Result;

namespace {

using services::FileChange;

Result<void> take(services::ConfigService &config, services::SourceService &sources, const std::filesystem::path &file)
{
    auto settings = services::readConfigFile(file, sources.kinds());
    GPULEDGER_TRY(settings);
    return config.apply(std::move(*settings));
}

Result<FileChange> change(services::ConfigService &config, services::SourceService &sources,
                          const std::filesystem::path &file, const ConfigurationSaver::Change &change)
{
    auto done = change(file);
    GPULEDGER_TRY(done);
    if (auto taken = take(config, sources, file); !taken) {
        // A configuration that can't be applied does not stay in the file.
        if (done->after != done->before)
            GPULEDGER_TRY(services::undoChange(file, *done));
        return base::fail(std::move(taken).error());
    }
    return done;
}

} // namespace

ConfigurationSaver::ConfigurationSaver(services::ConfigService &config, services::SourceService &sources,
                                       TaskRunner &tasks, SyncController &sync, std::filesystem::path file,
                                       QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_sources(sources)
    , m_tasks(tasks)
    , m_sync(sync)
    , m_file(std::move(file))
{
}

void ConfigurationSaver::save(Change wanted)
{
    if (m_saving)
        return;
    m_saving = true;
    Q_EMIT changed();
    m_sync.cancel(); // apply() waits for a running sync
    m_tasks.run<Result<FileChange>>(
        this,
        [config = &m_config, sources = &m_sources, file = m_file, wanted = std::move(wanted)](std::stop_token) {
            return change(*config, *sources, file, wanted);
        },
        [this](Result<FileChange> answer) { finish(std::move(answer)); });
}

void ConfigurationSaver::save(services::TextChange wanted)
{
    save(
        [wanted = std::move(wanted)](const std::filesystem::path &file) { return services::changeFile(file, wanted); });
}

void ConfigurationSaver::undo(const FileChange &done)
{
    save([done](const std::filesystem::path &file) -> Result<FileChange> {
        GPULEDGER_TRY(services::undoChange(file, done));
        return FileChange{done.after, done.before.value_or(std::string())};
    });
}

void ConfigurationSaver::reload()
{
    save([](std::string_view text) -> Result<std::string> { return std::string(text); });
}

void ConfigurationSaver::finish(Result<FileChange> answer)
{
    m_saving = false;
    Q_EMIT changed();
    if (!answer) {
        m_sync.start();
        Q_EMIT failed(LocalText::sentence(answer.error()), answer.error().code == base::ErrorCode::StorageBusy);
        return;
    }
    m_lastChange = std::move(*answer);
    m_sync.takeConfiguration();
    Q_EMIT saved();
}

} // namespace gpuledger::ui
