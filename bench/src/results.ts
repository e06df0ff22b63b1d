// The rows of the result, and the budgets that they are compared with.
import type { EngineName } from './data/store.ts'
import type { Comparison } from './load/rounds.ts'

/** A bound on a ratio or on a value, and the text that is written if it is met. */
export interface Budget {
  readonly text: string
  isMet(value: number): boolean
}

export const atLeast = (bound: number): Budget => ({ text: `≥ ${bound}x`, isMet: (ratio) => ratio >= bound })
/** @param unit the unit of a bound on a value; a ratio has none. */
export const atMost = (bound: number, unit?: string): Budget => ({
  text: unit === undefined ? `≤ ${bound}x` : `≤ ${bound} ${unit}`,
  isMet: (value) => value <= bound,
})
export const below = (bound: number, unit: string): Budget => ({
  text: `< ${bound} ${unit}`,
  isMet: (value) => value < bound,
})

export interface ResultRow {
  readonly engine: EngineName
  readonly measure: string
  readonly ours: string
  /** The values that ours is compared with, by name. */
  readonly reference: string
  readonly ratio: string
  readonly budget: string
  readonly isMet: boolean | undefined
}

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const grouped = (value: number) => digits(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')

export const perSecond = (value: number) => `${grouped(value)}/s`
export const milliseconds = (value: number) => `${digits(value)} ms`
export const kilobytes = (value: number) => `${digits(value)} kB`
export const megabytes = (value: number) => `${digits(value)} MB`

interface RatioOptions {
  readonly engine: EngineName
  readonly measure: string
  /** The name of the reference. */
  readonly against: string
  readonly unit?: (value: number) => string
  readonly budget?: Budget
}

/** Returns a row whose budget limits the ratio. */
export function ratioRow(
  comparison: Comparison,
  { engine, measure, against, unit = perSecond, budget }: RatioOptions,
): ResultRow {
  const { ours, reference, ratio, range } = comparison
  return {
    engine,
    measure,
    ours: unit(ours),
    reference: `${against}: ${unit(reference)}`,
    ratio: `${ratio.toPrecision(3)}x (${range.map((bound) => bound.toPrecision(2)).join('–')})`,
    budget: budget?.text ?? '',
    isMet: budget?.isMet(ratio),
  }
}

interface ValueOptions {
  readonly engine: EngineName
  readonly measure: string
  readonly unit: (value: number) => string
  readonly note?: string
  readonly budget?: Budget
}

/** Returns a row whose budget limits the value itself. */
export function valueRow(value: number, { engine, measure, unit, note, budget }: ValueOptions): ResultRow {
  return {
    engine,
    measure,
    ours: unit(value),
    reference: note ?? '',
    ratio: '',
    budget: budget?.text ?? '',
    isMet: budget?.isMet(value),
  }
}
