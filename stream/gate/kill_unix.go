//go:build unix

package gate

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of the context kill the command with all processes that
// it started: killing go alone would leave the test binary running.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
