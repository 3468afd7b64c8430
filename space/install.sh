#!/bin/sh
# Makes sure that the rehearsal finds what isolates it, where it can be isolated at all: on Linux, as root.
set -eu
if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ]; then exit 0; fi
for tool in ip mount unshare setpriv taskset; do
	command -v "$tool" >/dev/null || missing=1
done
if [ -z "${missing:-}" ]; then exit 0; fi
if command -v apt-get >/dev/null; then
	echo "Installing iproute2, mount and util-linux for the rehearsal of the Space."
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq iproute2 mount util-linux && exit 0
fi
echo "Install iproute2 and util-linux, then run this again." >&2
exit 1
