#!/bin/sh
# Renders the passes of every product (or of those named) that are older than their scripts, one after the other:
# Blender uses all cores already.
# Needs Blender 3.4 with numpy for its Python; about a minute a view on two cores.
set -eu
cd "$(dirname "$0")"
mkdir -p passes
[ $# -gt 0 ] || set -- $(cd products && ls ./*.py | sed 's|^\./||; s|\.py$||')
for product in "$@"; do
  nice -n 15 blender -b -P "products/$product.py" -- samples="${SAMPLES:-96}" size="${SIZE:-960}" >"passes/$product.log" 2>&1
  grep -E '^VIEW' "passes/$product.log" || { grep -A 9 Traceback "passes/$product.log" >&2; exit 1; }
done
