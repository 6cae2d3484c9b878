// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::auth {

inline constexpr std::size_t kMostKubeconfigBytes = 4u << 20;

// The content of one kubeconfig file.
struct KubeconfigFile {
    std::filesystem::path path;
    YAML::Node root;
};

// An entry of clusters, users or contexts, and the folder that its relative paths are based on.
struct KubeEntry {
    YAML::Node fields;
    std::filesystem::path folder;
};

// The bytes of a file; std::nullopt if it does not exist. Fails with Forbidden or TooMuch.
[[nodiscard]] base::Result<std::optional<std::string>> readSmallFile(const std::filesystem::path &path);
// Rejects aliases and more than 100,000 values, so that a small file cannot become a large tree.
[[nodiscard]] base::Result<YAML::Node> parseKubeconfig(const std::string &text, const std::filesystem::path &path);
// The first entry with that name in `list` ("clusters"), of which it returns the part `kind` ("cluster").
std::optional<KubeEntry> findEntry(const std::vector<KubeconfigFile> &files, const char *list, const char *kind,
                                   const std::string &name);
// The text of the scalar, or "".
std::string textOf(const YAML::Node &map, const char *key);

} // namespace gpuledger::auth
