// How long and how large a run is, as the command line says.
import { parseArgs } from 'node:util'
import type { DatasetSize } from './data/dataset.ts'
import type { EngineName } from './data/store.ts'
import type { LatencyPace } from './load/latency.ts'
import type { Pace } from './load/rounds.ts'

export const measureNames = [
  'start',
  'look-up',
  'list',
  'search',
  'users',
  'tenants',
  'sessions',
  'stored-sessions',
  'processes',
  'citus',
  'claims',
  'pages',
  'applications',
  'images',
  'scale',
  'enterprise',
  'sign-ups',
  'memory',
  'hostile',
  'sealing',
  'templates',
  'hooks',
  'directories',
] as const
export type MeasureName = (typeof measureNames)[number]

const engineNames = ['sqlite', 'postgresql'] as const satisfies readonly EngineName[]

/** How many damaged images, or hostile templates, are sent and requested beside the requests that are timed. */
export interface Barrage extends Pace {
  readonly perSecond: number
}

export interface Settings {
  readonly isQuick: boolean
  /** Whether the results of a partial run are added to RESULTS.md. */
  readonly isAgain: boolean
  readonly only: readonly MeasureName[]
  /** Whether other services are compared, on both engines at once, instead of all that. */
  readonly isOfPeers: boolean
  readonly engines: readonly EngineName[]
  readonly pace: Pace
  /** For measures of which a single request takes a large part of a short round. */
  readonly imagePace: Pace
  readonly latencyPace: LatencyPace
  /** How many starts the median is taken of. */
  readonly starts: number
  readonly idleSeconds: number
  readonly hostile: {
    /** More than a whole deployment accepts: a flood. */
    readonly flood: Barrage
    /** As many as ten tenants may send together in production. */
    readonly allowed: Barrage
  }
  /** For how long events are written before the delay of their seals is measured. */
  readonly sealingSeconds: number
  /** How often a session is ended on one node and checked on another. */
  readonly revocations: number
  /** How many users a directory provisions. */
  readonly provisioned: number
  /** The number of sessions in each of the two compared databases, and of the users who have them. */
  readonly storedSessions: { readonly users: number; readonly few: number; readonly many: number }
  readonly sizes: { readonly small: DatasetSize; readonly large: DatasetSize }
}

/** An argument is unknown or wrong; the message lists what is accepted. */
export class UsageError extends Error {}

const small = { tenants: 10, members: 1000 }

const full = {
  pace: { rounds: 7, secondsPerRound: 1, warmUpRounds: 3 },
  imagePace: { rounds: 7, secondsPerRound: 3, warmUpRounds: 2 },
  latencyPace: { rounds: 7, secondsPerRound: 2, warmUpSeconds: 4 },
  starts: 5,
  idleSeconds: 5,
  revocations: 1000,
  sealingSeconds: 60,
  hostile: {
    flood: { perSecond: 50, rounds: 7, secondsPerRound: 5, warmUpRounds: 1 },
    allowed: { perSecond: 10, rounds: 7, secondsPerRound: 5, warmUpRounds: 1 },
  },
  provisioned: 100_000,
  storedSessions: { users: 200_000, few: 1000, many: 10_000_000 },
  sizes: { small, large: { tenants: 10_000, members: 1_000_000 } },
}

const quick = {
  pace: { rounds: 3, secondsPerRound: 0.4, warmUpRounds: 1 },
  imagePace: { rounds: 3, secondsPerRound: 0.6, warmUpRounds: 1 },
  latencyPace: { rounds: 3, secondsPerRound: 0.6, warmUpSeconds: 1 },
  starts: 3,
  idleSeconds: 2,
  revocations: 50,
  sealingSeconds: 5,
  hostile: {
    flood: { perSecond: 50, rounds: 2, secondsPerRound: 0.4, warmUpRounds: 1 },
    allowed: { perSecond: 10, rounds: 2, secondsPerRound: 2, warmUpRounds: 1 },
  },
  provisioned: 2000,
  storedSessions: { users: 20_000, few: 1000, many: 100_000 },
  sizes: { small, large: { tenants: 1000, members: 100_000 } },
}

function listed<Name extends string>(
  option: string,
  given: readonly string[] | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (given === undefined) return names
  return given
    .flatMap((each) => each.split(','))
    .map((each) => {
      const known = names.find((name) => name === each)
      if (known === undefined) throw new UsageError(`--${option} takes ${names.join(', ')}; not ${each}`)
      return known
    })
}

/** @throws UsageError */
export function readSettings(args: readonly string[]): Settings {
  const options = {
    quick: { type: 'boolean' },
    again: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    engine: { type: 'string', multiple: true },
    provisioned: { type: 'string' },
  } as const
  let values
  try {
    values = parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  const isQuick = values.quick === true
  const isAgain = values.again === true
  if (isAgain && (isQuick || values.only === undefined))
    throw new UsageError('--again goes with --only, not with --quick')
  const { provisioned } = values
  if (provisioned !== undefined && !/^[1-9]\d{2,5}$/.test(provisioned))
    throw new UsageError(`--provisioned takes a number of users from 100 to 999999; not ${provisioned}`)
  const only = values.only?.flatMap((each) => each.split(','))
  const isOfPeers = only?.includes('peers') === true
  if (isOfPeers && (only?.length !== 1 || values.engine !== undefined)) {
    throw new UsageError('--only=peers goes with no other measure, and on both engines at once')
  }
  return {
    isQuick,
    isAgain,
    isOfPeers,
    only: isOfPeers ? [] : listed('only', only, measureNames),
    engines: listed('engine', values.engine, engineNames),
    ...(isQuick ? quick : full),
    ...(provisioned === undefined ? {} : { provisioned: Number(provisioned) }),
  }
}

/** Whether everything is measured at its full size, so that the result may replace the last one. */
export const isFullRun = ({ isQuick, only, engines, provisioned }: Settings): boolean =>
  !isQuick &&
  provisioned === full.provisioned &&
  only.length === measureNames.length &&
  engines.length === engineNames.length
