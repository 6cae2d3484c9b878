// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/crypto/secret.h"
#include "app/base/result.h"
#include "app/ports/commandconsent.h"
#include "app/ports/kubecontexts.h"
#include "connectors/http/url.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::auth {

// A program that prints a credential (ExecCredential in client-go).
struct KubeExec {
    std::string apiVersion; // of the ExecCredential
    ports::CredentialCommand command; // its variables include KUBERNETES_EXEC_INFO
    std::string installHint;
};

// The address of one API server and the credentials for it. Move-only, because it holds credentials.
struct KubeAccess {
    std::string context; // its name; empty when running in the cluster
    std::string server; // https://host:port/path
    std::string nameSpace = "default";
    std::string caPem; // only these authorities are trusted; empty: the system's
    std::string serverName; // to verify instead of the server's host
    std::string proxy; // empty: as set in the environment
    http::Parameters headers; // for impersonation
    base::Secret token;
    std::filesystem::path tokenFile; // read repeatedly; takes precedence over `token` once it is readable
    std::string user; // basic authentication
    base::Secret password;
    base::Secret certificatePem, keyPem;
    std::optional<KubeExec> exec;
};

// The files to read: `setting` if it is given (several are separated by ":"), otherwise KUBECONFIG, otherwise
// ~/.kube/config.
std::vector<std::filesystem::path> kubeconfigFiles(const std::string &setting);

// Reads them by the rules of client-go: missing files are skipped, the first file with a cluster, user or context
// defines all of it, and relative paths are relative to the file that contains them. If `context` is empty, the current
// one is used. Writes nothing, runs nothing and asks no one; any thread. Fails with NotFound (no file or no such
// context), InvalidConfig (what is wrong, and where), Forbidden (a file cannot be read) or Unsupported (a kind of login
// that no longer exists).
[[nodiscard]] base::Result<KubeAccess> loadKubeconfig(const std::vector<std::filesystem::path> &files,
                                                      const std::string &context);

// The names of the contexts in the files; otherwise as loadKubeconfig().
[[nodiscard]] base::Result<ports::KubeContextNames> listKubeContexts(const std::vector<std::filesystem::path> &files);

// The access that a pod finds in its own container. `folder` holds token, ca.crt and namespace. Fails with NotFound if
// not in a pod.
inline constexpr const char *kServiceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
[[nodiscard]] base::Result<KubeAccess> inClusterAccess(const std::filesystem::path &folder = kServiceAccountFolder);

// Uses a kubeconfig if there is one, otherwise the cluster that this program runs in.
[[nodiscard]] base::Result<KubeAccess> kubeAccess(const std::string &setting, const std::string &context);

} // namespace gpuledger::auth
