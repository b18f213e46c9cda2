package engine

import "syscall"

// dieWithUs has the program killed when the thread that starts it ends: with
// our process, as no thread of ours ends before it. (Only a goroutine that
// keeps its thread to itself, by runtime.LockOSThread, can end one.)
func dieWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
