#!/bin/sh
# enter-root.sh <root> <command>…: runs a command as root of the system in a folder, with processes, devices and mounts of its
# own. Its folder is the real root (pivot_root): in a plain chroot the kernel refuses user namespaces, and with them
# Chromium's sandbox.
set -e
root=$1
shift
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /sys sys
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do
  : > "dev/$node"
  mount --bind "/dev/$node" "dev/$node"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
pivot_root . .
umount -l .
exec chroot . "$@"
