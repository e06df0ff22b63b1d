// Notifies an application of the end of a session by which it has signed its user in (OpenID Connect Back-Channel Logout 1.0).
import type { Deps } from '../../identity/deps.ts'
import type { SessionEnded } from '../../identity/sessions/followers.ts'
import { newId } from '../../platform/ids.ts'
import type { Job, JobHandler, JobResult } from '../../platform/jobs/jobs.ts'
import type { ApplicationRow } from '../applications/application-records.ts'
import { applications } from '../applications/tables.ts'
import { oauthSignersOf } from '../engine/oauth-signers.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const timeoutMs = 10_000
const responseBytesMax = 4096
/** The specification recommends at most two minutes (section 4). */
const validSeconds = 120
/** With the pauses between the attempts, an application that answers again within half an hour is notified. */
const failuresMax = 10

async function logoutToken(
  deps: Deps,
  { tenantId }: Job,
  { client_id: clientId, id_token_alg: alg }: ApplicationRow,
  { userId, sid, issuer }: SessionEnded,
) {
  // Section 2.4: it is signed like the ID tokens of the application.
  const { kid, key } = await oauthSignersOf(deps, alg).of(tenantId)
  const now = Math.floor(deps.clock.nowMs() / 1000)
  const { SignJWT } = await import('jose')
  return new SignJWT({ sid, events: { [logoutEvent]: {} } })
    .setProtectedHeader({ alg, kid, typ: 'logout+jwt' })
    .setIssuer(issuer)
    .setSubject(userId)
    .setAudience(clientId)
    .setJti(newId())
    .setIssuedAt(now)
    .setExpirationTime(now + validSeconds)
    .sign(key)
}

async function tell(deps: Deps, job: Job, signal: AbortSignal): Promise<JobResult> {
  const ended = job.payload as SessionEnded
  const application = await applications.byKey(deps.db, job.tenantId, ended.applicationId)
  const address = application?.backchannel_logout_uri ?? null
  if (application === undefined || address === null) return 'done'
  const token = await logoutToken(deps, job, application, ended)
  const { status } = await deps.egress.request(address, {
    tenantId: job.tenantId,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Bailiwick-Logout/1' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    timeoutMs,
    responseBytesMax,
    signal,
  })
  if (status < 200 || status > 299) throw new Error(`The application answered ${status}.`)
  return 'done'
}

/** Each attempt sends a new token, which is short-lived; an application that is notified twice finds no session the second time. */
export const logoutHandler = (deps: Deps): JobHandler => ({
  run: (job, signal) => tell(deps, job, signal),
  failuresMax,
})
