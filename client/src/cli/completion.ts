import { UsageError } from './io.ts';

/** Returns the completion script of a shell. */
export function completionOf(shell: string, commands: readonly string[]): string {
  const words = commands.join(' ');
  switch (shell) {
    case 'bash':
      return `complete -W '${words}' trading-strategy\n`;
    case 'zsh':
      return `#compdef trading-strategy\n_arguments '1:command:(${words})' '*:file:_files'\n`;
    case 'fish':
      return `complete -c trading-strategy -n __fish_use_subcommand -a '${words}'\n`;
    default:
      throw new UsageError(`There is a completion for bash, zsh and fish, not for ${shell}.`);
  }
}
