#!/bin/sh
# Makes sure that the tests find what they run beside Python: nginx, node and curl.
set -eu
missing=""
for tool in nginx node curl; do
	PATH="$PATH:/usr/sbin" command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -z "$missing" ]; then exit 0; fi
packages=$(echo "$missing" | sed 's/\bnode\b/nodejs/; s/\bnginx\b/nginx-light/')
echo "Not found, installing for the tests:$missing"
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	# shellcheck disable=SC2086 # a list of packages
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages && exit 0
fi
echo "Install$missing, then run this again." >&2
exit 1
