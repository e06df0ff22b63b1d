// The outcome of a command, for people and for programs.
export const exitStatus = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The check has found problems; the check itself succeeded. */
  problems: 3,
  /** EX_CONFIG of sysexits.h. */
  configuration: 78,
} as const

export interface Outcome {
  /** The text for people. */
  readonly text: string
  /** The data for programs: `--json` prints it as one line. */
  readonly json: unknown
  /** 0 if left out. */
  readonly status?: number
}

/** A failure that the person who started the command can correct; reported in one line. */
export class CommandRefused extends Error {
  readonly status: number
  constructor(message: string, status: number = exitStatus.failure) {
    super(message)
    this.name = 'CommandRefused'
    this.status = status
  }
}
