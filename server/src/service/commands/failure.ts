// How a command fails.
import { ConfigError } from '../../platform/config.ts'
import { CommandRefused, exitStatus } from '../outcome.ts'

export interface Common {
  readonly json?: true
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const wantsDetails = () => /^(?:debug|trace)$/.test(process.env['BAILIWICK_LOG_LEVEL'] ?? '')

/** Exits with the status that the error means. It prints one line for people or one of JSON for programs, and the stack only on request. */
export function fail(error: unknown, { json }: Common): never {
  if (error instanceof ConfigError) {
    if (json === true) console.error(JSON.stringify({ error: 'configuration', problems: error.problems }))
    else console.error(['The configuration has these problems:', ...error.problems].join('\n  - '))
    process.exit(exitStatus.configuration)
  }
  const status = error instanceof CommandRefused ? error.status : exitStatus.failure
  if (json === true) console.error(JSON.stringify({ error: messageOf(error) }))
  else console.error(wantsDetails() ? error : messageOf(error))
  process.exit(status)
}
