// What a command ends with, for people and for programs.
export const exitStatus = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The check has found something; nothing went wrong with the check itself. */
  problems: 3,
  /** EX_CONFIG of sysexits.h. */
  configuration: 78,
} as const

export interface Outcome {
  /** For people. */
  readonly text: string
  /** For programs: what `--json` prints, as one line. */
  readonly json: unknown
  /** 0 unless said. */
  readonly status?: number
}

/** What the person who started the command can put right; told in one line. */
export class CommandRefused extends Error {
  readonly status: number
  constructor(message: string, status: number = exitStatus.failure) {
    super(message)
    this.name = 'CommandRefused'
    this.status = status
  }
}
