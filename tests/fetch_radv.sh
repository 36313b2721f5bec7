#!/bin/bash
# Unpacks a newer RADV than that of Debian 12, from its backports, for tests/compilers/radv.sh.  Nothing is installed.
#
#   tests/fetch_radv.sh DIRECTORY      writes DIRECTORY/radeon_icd.json; does nothing elsewhere, or if it exists
set -euo pipefail
directory=$1
if [ -e "$directory/radeon_icd.json" ] || ! grep -qx 'VERSION_CODENAME=bookworm' /etc/os-release; then exit 0; fi
rm -rf "$directory"
mkdir -p "$directory/lists/partial" "$directory/cache/archives/partial"
directory=$(cd "$directory" && pwd)
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm-backports main' \
  > "$directory/sources.list"
options=(-qq -o "Dir::Etc::SourceList=$directory/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$directory/lists" -o "Dir::Cache=$directory/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$directory" && apt-get "${options[@]}" download mesa-vulkan-drivers)
dpkg -x "$directory"/mesa-vulkan-drivers_*.deb "$directory/unpacked"
library=$(echo "$directory"/unpacked/usr/lib/*/libvulkan_radeon.so)
[ -e "$library" ]
printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$library" > "$directory/radeon_icd.json"
rm -rf "$directory"/lists "$directory"/cache "$directory"/*.deb
