#!/bin/sh
# Turns files into a C header of byte arrays:  embed.sh NAME=FILE …
set -eu
echo "#pragma once"
for pair; do
  printf 'static const unsigned char %s[] = {\n' "${pair%%=*}"
  od -An -v -tu1 "${pair#*=}" | sed 's/  */,/g; s/^,//; s/$/,/'
  echo '};'
done
