// Adds variables to a .env file. Lines that are there stay as they are.
import { CommandRefused } from '../../outcome.ts'

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/
const unquoted = (value: string) => value.trim().replace(/^(['"])(.*)\1$/, '$2')
/** Values that no reader of .env files interprets. */
const isPlain = (value: string) => /^[\w:/.?=%@+~,-]*$/.test(value)

export function readEnv(text: string): Map<string, string> {
  const entries = text.split('\n').flatMap((line): [string, string][] => {
    const [, name, value = ''] = assignment.exec(line) ?? []
    return name === undefined ? [] : [[name, unquoted(value)]]
  })
  return new Map(entries)
}

/**
 * Returns the text with the variables that it does not have yet.
 * @throws CommandRefused if it has one of them with another value.
 */
export function addVariables(text: string, variables: Readonly<Record<string, string>>, file: string): string {
  const present = readEnv(text)
  const entries = Object.entries(variables)
  const other = entries.find(([name, value]) => (present.get(name) ?? value) !== value)
  if (other !== undefined) {
    throw new CommandRefused(
      `${file} already has another ${other[0]}. Remove that line first, or name the tenant that it belongs to.`,
    )
  }
  const lines = entries
    .filter(([name]) => !present.has(name))
    .map(([name, value]) => `${name}=${isPlain(value) ? value : `'${value.replaceAll("'", '%27')}'`}\n`)
  if (lines.length === 0) return text
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('')}`
}
