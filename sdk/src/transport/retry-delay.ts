const baseMs = 250
const capMs = 8000
/** Beyond this, an error serves the caller better than waiting. */
const retryAfterSecondsMax = 60

/**
 * Returns how long to wait before the next try after `tries` failed ones; undefined if the service asks for more than a minute. The delay
 * is exponential with full jitter, so that clients that failed together do not come back together; the time that the service asks for is
 * waited completely, with the jitter added.
 */
export function retryDelayMs(tries: number, retryAfterSeconds = 0): number | undefined {
  if (retryAfterSeconds > retryAfterSecondsMax) return undefined
  return retryAfterSeconds * 1000 + Math.random() * Math.min(capMs, baseMs * 2 ** (tries - 1))
}

/** Returns seconds or a date (RFC 9110 §10.2.3) as seconds from now; undefined if the header is missing or neither. */
export function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return /^[A-Z][a-z]{2}, /.test(header) && Number.isFinite(at) ? Math.max(0, (at - Date.now()) / 1000) : undefined
}
