import type { Command } from './call.ts';
import { UsageError } from './io.ts';

const PROGRAM = 'trading-strategy';
const OPTIONS = ['--json', '--profile', '--help'];

/** The options of a command: those that its usage names, and those of all. */
const optionsOf = ({ usage }: Command): string[] => [...(usage.match(/--[a-z-]+/g) ?? []), ...OPTIONS];

/** Returns the completion script of a shell: commands, the options of each, and files. */
export function completionOf(shell: string, commands: Readonly<Record<string, Command>>): string {
  const names = Object.keys(commands);
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) options='${optionsOf(command).join(' ')}' ;;`,
  );
  switch (shell) {
    case 'bash':
      return `_trading_strategy() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names.join(' ')} --help --version' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$options" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _trading_strategy ${PROGRAM}
`;
    case 'zsh':
      return `#compdef ${PROGRAM}
_trading_strategy() {
  if ((CURRENT == 2)); then
    local -a commands=(
${Object.entries(commands)
  .map(([name, { does }]) => `      ${quoted(`${name}:${does}`)}`)
  .join('\n')}
    )
    _describe command commands
    return
  fi
  local options=''
  case "$words[2]" in
${cases.join('\n')}
  esac
  compadd -- \${=options}
  _files
}
compdef _trading_strategy ${PROGRAM}
`;
    case 'fish':
      return Object.entries(commands)
        .flatMap(([name, command]) => [
          `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.does)}`,
          ...optionsOf(command).map(
            (option) =>
              `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
          ),
        ])
        .map((line) => `${line}\n`)
        .join('');
    default:
      throw new UsageError(`There is a completion for bash, zsh and fish, not for ${shell}.`);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
