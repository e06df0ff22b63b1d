import { setInterval } from 'node:timers'
import { Bailiwick, isBailiwickError } from '@bailiwick/sdk'

const everyMs = 500

/**
 * Follows the clock of the tenant that `BAILIWICK_API_URL`, `BAILIWICK_TENANT_ID` and `BAILIWICK_SECRET_KEY` name, for an app that runs in
 * another process than its tests.
 * @returns a function for `bailiwickAuth({ now })`: the tenant's time in milliseconds since 1970, at most half a second late.
 * @throws BailiwickError test_mode_unavailable, so that no app in production follows such a clock.
 * @example
 * ```ts
 * import { bailiwickAuth } from '@bailiwick/sdk/express'
 * import { followClock } from '@bailiwick/testing'
 *
 * app.use(bailiwickAuth(process.env.FOLLOW_CLOCK === 'yes' ? { now: await followClock() } : {}))
 * ```
 */
export async function followClock(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<() => number> {
  const { BAILIWICK_API_URL: baseUrl = '', BAILIWICK_TENANT_ID: id = '', BAILIWICK_SECRET_KEY: secretKey = '' } = env
  const bailiwick = new Bailiwick({ baseUrl, secretKey })
  let aheadMs = 0
  const read = async () => {
    aheadMs = (await bailiwick.getTenantClock({ params: { id } })).aheadSeconds * 1000
  }
  await read()
  const timer = setInterval(() => {
    read().catch((error: unknown) => {
      if (isBailiwickError(error, 'not_found') || isBailiwickError(error, 'unauthenticated')) clearInterval(timer)
    })
  }, everyMs)
  timer.unref()
  return () => Date.now() + aheadMs
}
