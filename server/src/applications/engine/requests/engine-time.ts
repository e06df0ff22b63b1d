// The engine goes by the time of the machine. What it stores is kept in the time of the tenant, so that it expires by the tenant's clock,
// and what it signs says the tenant's time.
import { msAhead } from '../../../platform/clock.ts'

/** The members of a payload that are times, in seconds since 1970. */
const times = ['exp', 'iat', 'iiat', 'loginTs', 'authTime', 'auth_time'] as const

export const secondsAhead = (): number => msAhead() / 1000

function moved<Payload extends object>(payload: Payload, seconds: number): Payload {
  if (seconds === 0) return payload
  const changed = { ...payload } as Record<string, unknown>
  for (const name of times) {
    const time = changed[name]
    if (typeof time === 'number') changed[name] = time + seconds
  }
  return changed as Payload
}

/** Returns a payload of the engine with its times as the tenant's clock shows them. */
export const inTenantTime = <Payload extends object>(payload: Payload): Payload => moved(payload, secondsAhead())

/** Returns a stored payload as the engine reads it. */
export const inEngineTime = <Payload extends object>(payload: Payload): Payload => moved(payload, -secondsAhead())
