// The places where the user is signed in.
import { frontendEndpoints } from '@bailiwick/contract'
import { sessionsPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Account } from './account.ts'

const path = '/account/sessions'

/** GET /account/sessions */
export async function openSessions(account: Account) {
  const { page } = account
  const [view, { sessions }, { trustedDevices }] = await Promise.all([
    account.view(),
    page.run(frontendEndpoints.listOwnSessions, { query: { perPage: '100' } }),
    page.run(frontendEndpoints.listTrustedDevices, { query: { perPage: '100' } }),
  ])
  const shown = sessions.map(({ id, browser, os, ip, current, lastActiveAt, createdAt }) => ({
    id,
    browser,
    os,
    ip,
    isCurrent: current,
    lastActiveAt,
    createdAt,
  }))
  const trusted = trustedDevices.map(({ current, ...device }) => ({ ...device, isCurrent: current }))
  const inOrder = shown.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
  return account.show(
    sessionsPage(page.frame(), { ...view, sessions: inOrder, trustedDevices: trusted, now: page.deps.clock.now() }),
  )
}

/** POST /account/sessions/{id}/end */
export async function endSession(account: Account) {
  const { page } = account
  try {
    await page.run(frontendEndpoints.deleteOwnSession, { params: { id: page.id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    return account.finish(path, 'gone')
  }
  return account.finish(path, 'session-ended')
}

/** POST /account/sessions/trusted/{id}: asks for the second factor on a device again. */
export async function endTrust(account: Account) {
  const { page } = account
  try {
    await page.run(frontendEndpoints.deleteTrustedDevice, { params: { id: page.id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    return account.finish(path, 'gone')
  }
  return account.finish(path, 'trust-ended')
}

/** POST /account/sessions/end-others */
export async function endOtherSessions(account: Account) {
  await account.page.run(frontendEndpoints.endOtherOwnSessions)
  return account.finish(path, 'others-ended')
}
