#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a shell would offer for the last word. usage: complete.sh FOLDER TOOL WORD...
set -u
folder=$1
tool=$(basename "$2") # lit puts a path in place of a tool's name
shift 2
# shellcheck disable=SC1090
source "$folder/bash-completion/completions/$tool"
COMP_WORDS=("$tool" "$@")
COMP_CWORD=$#
"_${tool//-/_}"
echo "${COMPREPLY[@]:-nothing}"
