#!/bin/sh
# Looks for inputs that break a target: fuzz/run.sh <target> [seconds]. Needs `rustup toolchain install nightly` and
# `cargo install cargo-fuzz`. The code under test is safe Rust, so the address sanitizer is left out.
set -e
cd "$(dirname "$0")"
target=${1:?one of: page jsonld rdfa microdata template sanitise call}
mkdir -p "corpus/$target"
dictionary=
[ -f "dictionaries/$target.dict" ] && dictionary="-dict=dictionaries/$target.dict"
exec cargo +nightly fuzz run -s none "$target" "corpus/$target" "seeds/$target" -- \
  -max_total_time="${2:-600}" -max_len=8192 -timeout=20 $dictionary
