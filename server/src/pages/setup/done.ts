// The end of the set-up: what is on, and requiring it of everybody with an address of the verified domains.
import type { Connection } from '@bailiwick/contract'
import { setupDonePage } from '@bailiwick/pages'
import { previewConnection } from '../../enterprise/connections/check.ts'
import { updateConnection } from '../../enterprise/connections/connections.ts'
import { provenDomains } from '../../enterprise/connections/find-connection.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { type Setup, inSection } from './area.ts'
import { currentConnection, goTo, readConnections } from './current-connection.ts'

const doneTexts = { on: 'setup.switchedOn', required: 'setup.required', optional: 'setup.notRequired' } as const

async function shownConnection({ deps }: PageCall, { tenantId }: Setup, { id, required }: Connection) {
  const { bound, neverConnected } = await previewConnection(deps, tenantId, id)
  return { id, isRequired: required, bound, neverConnected }
}

async function showDone(page: PageCall, setup: Setup, error?: string) {
  const connections = await readConnections(page, setup)
  const live = connections.find(({ state }) => state === 'live')
  const domains = await provenDomains(page.deps.db, setup.tenantId, setup.organizationId)
  const done = Object.entries(doneTexts).find(([name]) => name === page.query('done'))?.[1]
  const isOn = live !== undefined && domains.length > 0
  const view = {
    ...setup.view,
    signInUri: page.addressOf('/sign-in'),
    domains: domains.join(', '),
    connection: isOn ? await shownConnection(page, setup, live) : undefined,
    done: done === undefined ? undefined : page.text(done),
    ...(error === undefined ? {} : { errors: { form: error } }),
  }
  return page.show(setupDonePage(page.frame(), view), error === undefined ? 200 : 422)
}

/** GET …/done?done */
export const openDone = inSection('done', (page, setup) => showDone(page, setup))

/** POST …/done requires single sign-on, or no longer does. */
export const changeDone = inSection('done', async (page, setup) => {
  const connection = await currentConnection(page, setup)
  if (connection?.state !== 'live') return goTo(page, setup, 'done', {})
  const required = page.field('action') === 'require'
  try {
    await updateConnection(page.deps, setup.tenantId, connection.id, { required }, setup.caller)
  } catch (error) {
    if (apiErrorOf(error).code !== 'connection_not_tested') throw error
    return showDone(page, setup, page.text('setup.needsTest'))
  }
  return goTo(page, setup, 'done', { done: required ? 'required' : 'optional' })
})
