// Completion of commands and options by the tab key, generated from the commands themselves.
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

interface Completed {
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly flag: string; readonly description: string }[]
  /** The words that may follow: subcommands, and values of an argument with a fixed choice. */
  readonly words: readonly string[]
}

function completed(command: Command): Completed {
  const options = command.options.map(({ long, description }) => ({ flag: long ?? '', description }))
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const below = command.commands.flatMap((each) => completed(each).options)
  const all = [...options, ...below, { flag: '--help', description: 'print how it is used' }]
  return {
    name: command.name(),
    description: command.description(),
    options: all.filter(({ flag }, index) => all.findIndex((other) => other.flag === flag) === index),
    words: [...command.commands.map((each) => each.name()), ...choices],
  }
}

/** Descriptions stand in single quotes, and a colon would end them in zsh. */
const plain = (text: string) => text.replaceAll("'", '’').replaceAll(':', ' –').replaceAll(/[[\]]/g, '')

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, words }) => `    ${name}) words='${[...words, ...options.map(({ flag }) => flag)].join(' ')}' ;;`,
  )
  return `# bailiwick completion bash
_bailiwick() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$current")
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _bailiwick bailiwick
`
}

function zsh(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, words }) => {
    const flags = options.map(({ flag, description }) => `'${flag}[${plain(description)}]'`)
    const rest = words.length === 0 ? "'*:file:_files'" : `'*:word:(${words.join(' ')})'`
    return `    ${name}) _arguments ${[...flags, rest].join(' ')} ;;`
  })
  return `#compdef bailiwick
# bailiwick completion zsh
_bailiwick() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    '${name}:${plain(description)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _bailiwick bailiwick
`
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => {
    const here = `complete -c bailiwick -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c bailiwick -n __fish_use_subcommand -f -a ${name} -d '${plain(description)}'`,
      ...options.map(({ flag, description: text }) => `${here} -l ${flag.slice(2)} -d '${plain(text)}'`),
      ...words.map((word) => `${here} -f -a ${word}`),
    ]
  })
  return `# bailiwick completion fish\n${lines.join('\n')}\n`
}

const scripts = { bash, zsh, fish } satisfies Readonly<Record<Shell, unknown>>

/** Returns a script that makes a shell complete the commands and options of the program. */
export const completionScript = (shell: Shell, program: Command): string =>
  scripts[shell](program.commands.map(completed))
