// Millions of imported users may have the same createdAt, but no two users of a list may. The first one keeps it; for the others a free
// microsecond after it is chosen at random, from a stretch that widens until one is free.
import { type Timestamp, addMilliseconds } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { selectTakenTimes } from './import-queries.ts'

const firstStretch = 1000
const widening = 8
const millisecondsLength = '2026-11-20T22:49:43.018'.length

function addMicroseconds(time: Timestamp, microseconds: number): Timestamp {
  const sum = Number(time.slice(millisecondsLength, -1)) + microseconds
  const moved = addMilliseconds(time, Math.floor(sum / 1000))
  return `${moved.slice(0, millisecondsLength)}${String(sum % 1000).padStart(3, '0')}Z` as Timestamp
}

/** Returns a time for each that is wanted, as close after it as possible; no time occurs twice or belongs to a user of the tenant. */
export async function distinctTimes(
  db: Reader,
  tenantId: TenantId,
  wanted: readonly Timestamp[],
): Promise<readonly Timestamp[]> {
  const given = [...wanted]
  const used = new Set<Timestamp>()
  let open = wanted.map((_, index) => index)
  for (let stretch = 0; open.length > 0; stretch = stretch === 0 ? firstStretch : stretch * widening) {
    const tries = open.map((index) => {
      const time = wanted[index] as Timestamp
      return { index, time: stretch === 0 ? time : addMicroseconds(time, 1 + Math.floor(Math.random() * stretch)) }
    })
    const taken = await selectTakenTimes(
      db,
      tenantId,
      tries.map(({ time }) => time),
    )
    open = []
    for (const { index, time } of tries) {
      if (taken.has(time) || used.has(time)) open.push(index)
      else {
        used.add(time)
        given[index] = time
      }
    }
  }
  return given
}
