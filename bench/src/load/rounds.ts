// Comparisons: the contestants take turns in short rounds, so that other work of the machine affects all of them alike, and each ratio is
// the median of the ratios of the rounds.
import type { Sample } from './load.ts'

export interface Contestant {
  run(seconds: number): Promise<Sample>
}

export interface Pace {
  readonly rounds: number
  readonly secondsPerRound: number
  /** The number of warm-up rounds before those that count. */
  readonly warmUpRounds: number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) throw new RangeError('there are no values')
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Returns the samples of each contestant, in the order of the rounds, without the warm-up rounds. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, secondsPerRound, warmUpRounds }: Pace,
): Promise<Sample[][]> {
  const samples: Sample[][] = contestants.map(() => [])
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      const sample = await contestant.run(secondsPerRound)
      if (round >= 0) samples[index]?.push(sample)
    }
  }
  return samples
}

export interface Comparison {
  readonly ours: number
  readonly reference: number
  readonly ratio: number
  /** Returns the lowest and the highest ratio of any round. */
  readonly range: readonly [number, number]
}

/** Returns the medians of two contestants' rounds, and the ratio of one to the other. */
export function compare(ours: readonly number[], reference: readonly number[]): Comparison {
  if (ours.length !== reference.length) throw new RangeError('both must have taken part in every round')
  const ratios = ours.map((value, index) => value / (reference[index] ?? Number.NaN))
  return {
    ours: median(ours),
    reference: median(reference),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
  }
}

export const rates = (samples: readonly Sample[]): number[] => samples.map(({ perSecond }) => perSecond)

export const p99s = (samples: readonly Sample[]): number[] =>
  samples.map(({ p99 }) => {
    if (p99 === undefined) throw new TypeError('this contestant answers no requests')
    return p99
  })
