// The API keys of an organization. A new one is shown in the answer to its form, and never again.
import { frontendEndpoints } from '@bailiwick/contract'
import { createOrganizationKeyPage, newOrganizationKeyPage, organizationKeysPage } from '@bailiwick/pages'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { readNewKey } from '../new-api-key.ts'
import type { Problems } from '../problems.ts'
import { doneText, goDone } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

const readKeys = (page: PageCall) =>
  page.run(frontendEndpoints.listOwnOrganizationApiKeys, { params: { id: page.id }, query: { perPage: '100' } })

/** GET /organizations/{id}/keys */
export async function openKeys(page: PageCall) {
  const [{ shown: organization }, { apiKeys: keys }] = await Promise.all([openOrganization(page), readKeys(page)])
  const view = { organization, keys, now: page.deps.clock.now(), done: doneText(page) }
  return page.show(organizationKeysPage(page.frame(), view))
}

async function showCreation(page: PageCall, problems?: Problems, name?: string) {
  const [{ shown: organization }, { offer }] = await Promise.all([openOrganization(page), readKeys(page)])
  const errors = problems === undefined ? {} : { errors: problems.errors }
  return page.show(
    createOrganizationKeyPage(page.frame(), { organization, ...offer, name, ...errors }),
    problems?.status,
  )
}

async function showNew(page: PageCall, key: string) {
  const { shown: organization } = await openOrganization(page)
  return page.show(newOrganizationKeyPage(page.frame(), { organization }, key))
}

/** Checked before a form is shown that would be refused. @throws ApiError reauthentication_required */
function assertConfirmed({ deps, session }: PageCall) {
  if (session !== undefined) assertFresh(deps, session)
}

/** GET /organizations/{id}/keys/new */
export function openCreation(page: PageCall) {
  assertConfirmed(page)
  return showCreation(page)
}

function problemsOfCreation(page: PageCall, thrown: unknown): Problems | undefined {
  const error = apiErrorOf(thrown)
  if (error.code === 'user_api_key_limit_reached')
    return { errors: { form: page.text('keys.limit') }, status: error.statusCode }
  return organizationProblems(error, page.text)
}

/** POST /organizations/{id}/keys/new */
export async function createKey(page: PageCall) {
  const { offer } = await readKeys(page)
  const body = readNewKey(page, offer)
  try {
    const { apiKey } = await page.run(frontendEndpoints.createOwnOrganizationApiKey, { params: { id: page.id }, body })
    return await showNew(page, apiKey.key)
  } catch (error) {
    const problems = problemsOfCreation(page, error)
    if (problems === undefined) throw error
    return showCreation(page, problems, body.name)
  }
}

/** POST /organizations/{id}/keys/{keyId}: replaces or ends it. */
export async function changeKey(page: PageCall) {
  const params = { id: page.id, keyId: page.parameter('keyId') }
  const path = `/organizations/${page.id}/keys`
  try {
    if (page.field('action') === 'replace') {
      const { apiKey } = await page.run(frontendEndpoints.rotateOwnOrganizationApiKey, { params, body: {} })
      return await showNew(page, apiKey.key)
    }
    await page.run(frontendEndpoints.deleteOwnOrganizationApiKey, { params })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  return goDone(page, path, 'key-ended')
}
