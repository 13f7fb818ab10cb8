# Completion of orca in bash. Generated from the help of orca by tools/orca/doc/generate.
# Put it into ~/.local/share/bash-completion/completions/orca, or load it: . orca.bash

# _orca_options COMMAND: sets `options` and `arguments`.
_orca_options() {
  options='' arguments=none
  case $1 in
@OPTION_CASES@
    help) arguments=topic ;;
  esac
}

# _orca_value COMMAND OPTION: prints what the value of an option is; nothing if it has no value.
_orca_value() {
  case "$1 $2" in
@VALUE_CASES@
  esac
}

# _orca_agent_values KEY: prints the values of an option of the agent.
_orca_agent_values() {
  case $1 in
@AGENT_CASES@
  esac
}

# _orca_words WORD...: takes those that start with the current word.
_orca_words() {
  local word
  for word; do
    if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}

# Takes files and folders, and the folders with a slash.
_orca_files() {
  local name
  while IFS= read -r name; do
    if [[ -d $name ]]; then COMPREPLY+=("$name/"); else COMPREPLY+=("$name"); fi
  done < <(compgen -f -- "$cur")
  compopt -o nospace -o filenames 2>/dev/null
}

# Takes the prefixes of recordings, packs, digests, and folders.
_orca_prefixes() {
  local name prefix
  local -A seen=()
  while IFS= read -r name; do
    case $name in
      *.next.orca) if [[ -s $name ]]; then prefix=${name%.orca}; else continue; fi ;;
      *.orca) prefix=${name%.orca} ;;
      *.tar.gz | *.tgz | *.digest) prefix=$name ;;
      *) if [[ -d $name ]]; then prefix=$name/; else continue; fi ;;
    esac
    if [[ $name == *.orca && $prefix =~ ^(.*)\.[0-9]{4,}$ ]]; then prefix=${BASH_REMATCH[1]}; fi
    if [[ -z ${seen[$prefix]:-} ]]; then COMPREPLY+=("$prefix"); fi
    seen[$prefix]=1
  done < <(compgen -f -- "$cur")
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
  compopt -o filenames 2>/dev/null
}

# Takes the pids of programs that are called java.
_orca_pids() {
  local file name
  for file in /proc/[0-9]*/comm; do
    if { read -r name <"$file"; } 2>/dev/null && [[ $name == java ]]; then
      file=${file#/proc/}
      _orca_words "${file%/comm}"
    fi
  done
}

# Completes PREFIX[,key=value...].
_orca_recording() {
  if [[ $cur != *,* ]]; then
    _orca_files
    return
  fi
  _orca_settings @AGENT_KEYS@
}

# _orca_settings KEY...: completes the last of key=value[,key=value...].
_orca_settings() {
  local last=${cur##*,} start key value
  start=${cur%"$last"}
  compopt -o nospace 2>/dev/null
  if [[ $last != *=* ]]; then
    for key; do _orca_words "$start$key="; done
    return
  fi
  key=${last%%=*}
  value=${last#*=}
  if [[ $key == events ]]; then # joined by + and -
    start+=events=${value%"${value##*[+-]}"}
  else
    start+=$key=
  fi
  # shellcheck disable=SC2046 # one word for each value
  for value in $(_orca_agent_values "$key"); do _orca_words "$start$value"; done
}

# _orca_kind KIND [WORD...]: completes one word.
_orca_kind() {
  case $1 in
    words) _orca_words "${@:2}" ;;
    file) _orca_files ;;
    prefix) _orca_prefixes ;;
    pid) _orca_pids ;;
    recording) _orca_recording ;;
    settings) _orca_settings "${@:2}" ;;
    topic) _orca_words @COMMANDS@ options ;;
    command)
      while IFS= read -r; do COMPREPLY+=("$REPLY"); done < <(compgen -c -- "$cur")
      ;;
  esac
}

_orca() {
  # The words as the shell passes them to orca: bash also breaks them at "=".
  local line=${COMP_LINE:0:COMP_POINT} cur words command options arguments kind at given=0 before=''
  read -ra words <<<"$line"
  if [[ $line == *[[:space:]] ]]; then words+=(""); fi
  COMPREPLY=()
  cur=${words[-1]}
  if [[ ${#words[@]} -le 2 ]]; then
    _orca_words @COMMANDS@ --help --version
    return
  fi
  command=${words[1]}
  _orca_options "$command"
  for ((at = 2; at < ${#words[@]} - 1; at++)); do
    if [[ ${words[at]} == -- ]]; then
      given=$((${#words[@]} - 2 - at))
      break
    elif [[ ${words[at]} == -* ]]; then
      if [[ ${words[at]} != *=* && -n $(_orca_value "$command" "${words[at]}") ]]; then
        at=$((at + 1))
      fi
    else
      given=$((given + 1))
    fi
  done
  kind=$arguments
  if [[ $cur == -*=* ]]; then
    local option=${cur%%=*}
    kind=$(_orca_value "$command" "$option")
    before=$option=
    cur=${cur#*=}
  elif [[ ${words[-2]} == -* ]] && kind=$(_orca_value "$command" "${words[-2]}") && [[ -n $kind ]]; then
    :
  elif [[ $arguments == command && $given -gt 0 ]]; then # the command's own arguments
    _orca_files
    return
  elif [[ $cur == -* ]]; then
    # shellcheck disable=SC2086 # one word for each option
    _orca_words $options
    return
  else
    kind=$arguments
    if [[ $command == attach && $given == 1 ]]; then kind=recording; fi
    if [[ $command == set && $given -gt 0 ]]; then kind='settings @CHANGES@'; fi
    if [[ $command == snapshot && $given == 0 ]]; then # PID or PREFIX
      _orca_pids
      kind=prefix
    elif [[ $command == snapshot ]]; then
      kind=file
    fi
  fi
  # shellcheck disable=SC2086 # the kind and its words
  _orca_kind $kind
  # Readline replaces only what follows the last "=", unless "=" breaks no words.
  if [[ $COMP_WORDBREAKS != *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
  elif [[ $cur == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
  fi
}

complete -F _orca orca
