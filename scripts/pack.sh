#!/bin/sh
# Packs the folder FOLDER/NAME into FOLDER/NAME.tar.gz. The same content gives the same archive: names sorted, no owner, the permissions
# alone that all have, and one time: SOURCE_DATE_EPOCH in seconds, else that of the last commit.
#
# usage: scripts/pack.sh FOLDER NAME
set -eu

time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --mtime="@$time" -C "$1" -cf - "$2" | gzip -9n >"$1/$2.tar.gz"
