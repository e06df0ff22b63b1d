// Creates records through the management interface, outside of what is measured.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from './dataset.ts'

const retryAfterMs = 100
const triesMax = 20

/** Sends a POST as the operator and returns the body of the answer. */
export async function createAsOperator<Created>(
  { store }: Pick<Dataset, 'store'>,
  port: number,
  path: string,
  body: object,
): Promise<Created> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v0${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === 200) return JSON.parse(text) as Created
    // Concurrent requests may conflict in the database; they are tried again, as the SDK does.
    if (response.status !== 503 || tries === triesMax) {
      throw new Error(`POST ${path} answered ${response.status} ${text}`)
    }
    await sleep(retryAfterMs)
  }
}

/** How many tenants are prepared at the same time. */
const atOnce = 16

/** Returns what `prepare` makes for each of so many tenants. */
export async function prepareTenants<Prepared>(count: number, prepare: () => Promise<Prepared>): Promise<Prepared[]> {
  const made: Prepared[] = []
  while (made.length < count) {
    const lacking = Math.min(atOnce, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: lacking }, prepare))))
  }
  return made
}
