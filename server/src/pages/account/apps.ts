// The applications with access to the user's account.
import { type Authorization, frontendEndpoints } from '@bailiwick/contract'
import { appsPage, removalPage } from '@bailiwick/pages'
import { notFound } from '../../platform/http/api-error.ts'
import { shownPicture } from '../logos.ts'
import type { Problems } from '../problems.ts'
import type { Account } from './account.ts'

const path = '/account/apps'

const authorizationsOf = async ({ page }: Account): Promise<Authorization[]> =>
  (await page.run(frontendEndpoints.listOwnAuthorizations, { query: { perPage: '100' } })).authorizations

/** The names of the organizations that some application acts for. */
async function organizationNames({ page }: Account, authorizations: readonly Authorization[]) {
  if (authorizations.every(({ organizationId }) => organizationId === null)) return new Map<string, string>()
  if (!page.tenant.auth.organizationsEnabled) return new Map<string, string>()
  const { organizations } = await page.run(frontendEndpoints.listOwnOrganizations, { query: { perPage: '100' } })
  return new Map(organizations.map(({ id, name }) => [id, name]))
}

/** GET /account/apps */
export async function openApps(account: Account) {
  const { page } = account
  const [view, authorizations] = await Promise.all([account.view(), authorizationsOf(account)])
  const names = await organizationNames(account, authorizations)
  const apps = authorizations.map(({ id, application, organizationId, isAgent, createdAt, lastUsedAt }) => ({
    id,
    name: application.name,
    pictureUri: shownPicture(page, application.logoUri),
    isAgent,
    organization: organizationId === null ? null : (names.get(organizationId) ?? null),
    createdAt,
    lastUsedAt,
  }))
  return account.show(appsPage(page.frame(), { ...view, apps, now: page.deps.clock.now() }))
}

/** @throws ApiError not_found, also for one of another user. */
async function authorizationOf(account: Account): Promise<Authorization> {
  const found = (await authorizationsOf(account)).find(({ id }) => id === account.page.id)
  if (found === undefined) throw notFound()
  return found
}

async function showRemoval(account: Account, { id, application }: Authorization, problems?: Problems) {
  const { page } = account
  const { text } = page
  const view = {
    ...(await account.view(problems)),
    section: 'apps' as const,
    title: text('apps.removeTitle', { application: application.name }),
    lead: text('apps.removeLead'),
    submit: text('apps.removeSubmit'),
    to: `${path}/${id}/remove`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** GET /account/apps/{id}/remove */
export const openAppsRemoval = async (account: Account) => showRemoval(account, await authorizationOf(account))

/** POST /account/apps/{id}/remove */
export async function removeAccess(account: Account) {
  const authorization = await authorizationOf(account)
  const input = { params: { id: authorization.id } }
  const problems = await account.attempt(() => account.page.run(frontendEndpoints.deleteOwnAuthorization, input))
  return problems === undefined ? account.finish(path, 'access-removed') : showRemoval(account, authorization, problems)
}
