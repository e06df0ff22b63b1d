// Whether the figures of a long run have levelled off: compares the last part of the run with the part before.
import type { EngineName } from '../data/store.ts'
import { median } from '../load/rounds.ts'

/** The figures at one time; latencies are those of the time since the sample before. */
export interface SoakSample {
  readonly seconds: number
  readonly perSecond: number
  readonly medianMs: number
  readonly p99Ms: number
  /**
   * The resident set of the service, with the parts of files that are mapped: it includes a growing database, up to the size that is
   * mapped.
   */
  readonly residentMb: number
  /** The part of it that is not mapped from files. */
  readonly ownMb: number
  /** The open files and connections of the service. */
  readonly handles: number
  readonly walMb: number
}

interface Rule {
  readonly of: 'medianMs' | 'p99Ms' | 'ownMb' | 'handles' | 'walMb'
  readonly name: string
  /** The last part may reach this multiple of the part before, plus this addition, for noise. */
  readonly times: number
  readonly more: number
}

const rules: readonly Rule[] = [
  { of: 'ownMb', name: 'own memory in MB', times: 1.15, more: 10 },
  { of: 'handles', name: 'handles', times: 1, more: 10 },
  { of: 'medianMs', name: 'median latency in ms', times: 1.5, more: 2 },
  { of: 'p99Ms', name: 'p99 of latency in ms', times: 2, more: 20 },
]
/** The limit on the size of the WAL: on SQLite the service empties it; PostgreSQL keeps its default of max_wal_size and a little more. */
const walMbMax: Readonly<Record<EngineName, number>> = { sqlite: 128, postgresql: 1200 }
/** With fewer samples in each of the two parts, the comparison says nothing. */
const samplesMin = 3

const rounded = (value: number) => Math.round(value * 10) / 10

/**
 * Returns the figures that have not levelled off, as sentences.
 * @param samples the samples of one process without a restart, in order; the first third of them is its warm-up.
 */
export function findProblems(samples: readonly SoakSample[], engine: EngineName): string[] {
  const third = Math.floor(samples.length / 3)
  if (third < samplesMin) return [`There are ${samples.length} samples, too few to compare; give it more minutes.`]
  const before = samples.slice(-2 * third, -third)
  const last = samples.slice(-third)
  const grown = rules.flatMap(({ of, name, times, more }) => {
    const [one, other] = [before, last].map((part) => median(part.map((sample) => sample[of])))
    if (one === undefined || other === undefined || other <= one * times + more) return []
    return [`${name}: ${rounded(one)} in the part before, then ${rounded(other)}`]
  })
  const wal = Math.max(...samples.map(({ walMb }) => walMb))
  return wal <= walMbMax[engine] ? grown : [...grown, `WAL: ${rounded(wal)} MB, of ${walMbMax[engine]} at most`]
}
