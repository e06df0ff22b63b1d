import { locale } from '../texts/translate.ts'

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function relativeTime(at: string, nowMs: number = Date.now()): string {
  const seconds = (Date.parse(at) - nowMs) / 1000
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  }
  return 'just now'
}

/** Shows how long ago a time was; the exact time appears on hover. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span className="quiet">never</span>
  return (
    <time dateTime={at} title={dateTime.format(new Date(at))}>
      {relativeTime(at)}
    </time>
  )
}

const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' })
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns a time to the second, such as 16:10:40, with its day unless that is today. */
export function exactTime(at: string): string {
  const date = new Date(at)
  return (date.toDateString() === new Date().toDateString() ? clockTime : dayAndTime).format(date)
}

/** Shows a time to the second. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{exactTime(at)}</time>
}
