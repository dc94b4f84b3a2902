package judge

import (
	"os"
	"syscall"
)

const (
	insider  = 1000  // whoever runs answers, inside
	nobody   = 65534 // and outside, if root grades: no limit of processes holds for root
	sysAdmin = 21    // CAP_SYS_ADMIN, for what confine does before it gives it up
)

// namespaces are new ones, in which the process is nobody special.
func namespaces() *syscall.SysProcAttr {
	user, group := os.Getuid(), os.Getgid()
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		AmbientCaps: []uintptr{sysAdmin},
	}
	if user == 0 {
		user, group = nobody, nobody
		attr.Credential = &syscall.Credential{Uid: insider, Gid: insider, NoSetGroups: true}
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insider, HostID: user, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insider, HostID: group, Size: 1}}
	return attr
}
