# SPDX-License-Identifier: Apache-2.0
# Completion of nettoll's command lines in bash. Commands, options and their values are read from what --help prints, so that
# nothing here has to follow a change of them.

# The words before the explanation in the lines of --help's section $1, one line each: "-o,--output FILE".
__nettoll_help() {
  local section=$1
  shift
  "$@" --help 2>/dev/null | sed -n "/^$section:/,/^\$/ s/^  \\([^ ].*\\)/\\1/p" | sed 's/   *.*//'
}

# The values in "--set core|wide", "--by WHAT:{cpu,module}" and "-g{caller},--call-graph{caller} :{caller,callee}".
__nettoll_values() {
  case $1 in
  *:{*}) echo "$1" | sed 's/.*:{\(.*\)}$/\1/; s/,/ /g' ;;
  *' '*'|'*) echo "${1#* }" | tr '|' ' ' ;;
  esac
}

_nettoll() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # bash takes "--set=core" as three words.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]] && ((COMP_CWORD > 2)); then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi

  local command= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -- ]]; then # record -- COMMAND
      mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return
    fi
    [[ -n $command || $word == -* ]] || command=$word
  done
  if [[ -z $command && $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(__nettoll_help Subcommands "$program")" -- "$current")
    return
  fi

  local line names option
  local -a options=()
  while read -r line; do
    names=$(sed 's/{[^}]*}//g' <<<"${line%% *}")
    for option in ${names//,/ }; do
      options+=("$option")
      [[ $option == "$previous" ]] || continue
      case $line in
      *:{*} | *' '*'|'*)
        mapfile -t COMPREPLY < <(compgen -W "$(__nettoll_values "$line")" -- "$current")
        return
        ;;
      *' FILE' | *' DIR')
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
      *' '*) return ;; # a value of which nothing is known
      esac
    done
  done < <(__nettoll_help Options "$program" ${command:+"$command"})
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${options[*]}" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -F _nettoll nettoll
