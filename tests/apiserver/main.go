// SPDX-License-Identifier: GPL-3.0-or-later

// The API server of Kubernetes as published by the project, for tests that need the real one.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
