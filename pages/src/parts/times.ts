// Times as people say them. Dates are those of the time zone that the reader has chosen, if any.
import type { Frame } from '../frame.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const daysMax = 30

/** Returns "5 minutes ago", "yesterday" and the like, or the date of a time further in the past. */
export function ago(
  { language: { tag }, timezone = 'UTC' }: Pick<Frame, 'language' | 'timezone'>,
  at: string,
  now: string,
): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))
  if (seconds >= daysMax * day)
    return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timezone }).format(new Date(at))
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  if (seconds < minute) return relative.format(0, 'second')
  if (seconds < hour) return relative.format(-Math.floor(seconds / minute), 'minute')
  if (seconds < day) return relative.format(-Math.floor(seconds / hour), 'hour')
  return relative.format(-Math.floor(seconds / day), 'day')
}
