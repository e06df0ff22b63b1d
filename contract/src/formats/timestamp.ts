// Times are sent as UTC text with microseconds, `2026-11-20T22:49:43.018032Z`; they are stored and sorted in the same form.
const dateTime = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/
const microsecondDigits = 6
const minuteMilliseconds = 60_000
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59Z')

export const timestampRule = 'must be an ISO 8601 date and time, such as 2026-11-20T22:49:43.018032Z'

/** The first and the last microsecond that a cursor can mean, in the stored form. */
export interface CursorRange {
  readonly from: string
  readonly to: string
}

/**
 * Reads a cursor in any ISO 8601 form in which a client's date library may return it. One that was cut to milliseconds means the whole of
 * that millisecond, so that rows may repeat but are never skipped; digits after the microsecond are dropped.
 */
export function parseCursor(text: string): CursorRange | undefined {
  const [, date = '', time = '', fraction = '', sign, hours, minutes] = dateTime.exec(text) ?? []
  const local = Date.parse(`${date}T${time}Z`)
  // Date.parse takes 30 February for 1 or 2 March, and 24:00 for the next day; only real dates come back unchanged.
  if (Number.isNaN(local) || wholeSeconds(local) !== `${date}T${time}`) return undefined
  const ahead = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const utc = local - ahead * minuteMilliseconds
  if (utc < earliest || utc > latest) return undefined
  const seconds = wholeSeconds(utc)
  const known = fraction.slice(0, microsecondDigits)
  return {
    from: `${seconds}.${known.padEnd(microsecondDigits, '0')}Z`,
    to: `${seconds}.${known.padEnd(microsecondDigits, '9')}Z`,
  }
}

const wholeSeconds = (milliseconds: number) =>
  new Date(milliseconds).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)

export const isTimestamp = (text: string): boolean => parseCursor(text) !== undefined
