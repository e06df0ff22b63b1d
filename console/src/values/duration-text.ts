import { locale } from '../texts/translate.ts'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const named = (unit: string) => new Intl.NumberFormat(locale ?? 'en', { style: 'unit', unit, unitDisplay: 'long' })

/** Returns `90000` as "1 day, 1 hour", and `0.1` as "0.1 seconds". */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return named('second').format(seconds)
  let left = Math.max(0, Math.round(seconds))
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [named(unit).format(count)]
  })
  return parts.slice(0, 2).join(', ') || 'no time'
}
