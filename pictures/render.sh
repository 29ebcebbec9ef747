#!/bin/sh
# Renders the passes of every product (or of those named) that are older than their scripts, one after the other:
# Blender uses all cores already. `npm run pictures` then keeps what a picture can show of them in passes/.
# Needs Blender 3.4 with numpy for its Python; two to three minutes a view on two quiet cores.
set -eu
cd "$(dirname "$0")"
mkdir -p rendered
[ $# -gt 0 ] || set -- $(cd products && ls ./*.py | sed 's|^\./||; s|\.py$||')
for product in "$@"; do
  for script in "products/$product.py" "lifestyle/$product.py" "worn/$product.py" "held/$product.py"; do
    [ -e "$script" ] || continue
    log="rendered/$(echo "$script" | tr / .).log"
    nice -n 15 blender -b -P "$script" -- ${SAMPLES:+samples="$SAMPLES"} size="${SIZE:-960}" folder=rendered >"$log" 2>&1
    grep -E '^VIEW' "$log" || { grep -A 9 Traceback "$log" >&2; exit 1; }
  done
done
