const baseMs = 250
const capMs = 8000
/** A caller is better told than held for longer. */
const retryAfterSecondsMax = 60

/**
 * How long to wait before the try after `tries` failed ones; undefined where the service asks for more than a minute.
 * Exponential with full jitter, so that clients which failed together do not come back together; what the service asks
 * for is waited in full, the jitter on top.
 */
export function retryDelayMs(tries: number, retryAfterSeconds = 0): number | undefined {
  if (retryAfterSeconds > retryAfterSecondsMax) return undefined
  return retryAfterSeconds * 1000 + Math.random() * Math.min(capMs, baseMs * 2 ** (tries - 1))
}

/** Seconds or a date (RFC 9110 §10.2.3), as seconds from now; undefined where the header is missing or neither. */
export function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return /^[A-Z][a-z]{2}, /.test(header) && Number.isFinite(at) ? Math.max(0, (at - Date.now()) / 1000) : undefined
}
