#!/bin/sh
# Prints a C header with the bytes of files:  embed.sh NAME=FILE...
# Each file becomes an array `static const unsigned char NAME[]`.
set -eu
echo "#pragma once"
for pair; do
  printf 'static const unsigned char %s[] = {\n' "${pair%%=*}"
  od -An -v -tu1 "${pair#*=}" | sed 's/  */,/g; s/^,//; s/$/,/'
  echo '};'
done
