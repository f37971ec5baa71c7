package nightly

import "syscall"

// smallDisk makes a folder a disk of its own that has so much room.
func smallDisk(dir, room string) (unmount func(), err error) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+room); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }, nil
}
