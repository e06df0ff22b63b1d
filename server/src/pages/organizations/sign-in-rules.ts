// What an organization requires of sessions that act for it. Rules that would lock members out are saved only once that is confirmed.
import {
  type OrganizationSecurity,
  type SignInStrategy,
  type TenantAuthSettings,
  frontendEndpoints,
} from '@bailiwick/contract'
import { organizationRulesPage, type SignInRuleValues } from '@bailiwick/pages'
import { previewOrganizationSecurity } from '../../identity/organizations/organization-security.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { firstFactorStrategies, strategySettings } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { hasSecondFactors } from '../../tenancy/tenants/second-factor-settings.ts'
import type { PageCall } from '../call/page-call.ts'
import { doneText, goDone, typed } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { waysToSignIn } from './sign-in-ways.ts'

const longestMinutes = 525_600

/** The strategies of a way that the tenant allows. Whether a connection is live is checked as the rules are saved. */
const allowedOf = ({ auth }: { readonly auth: TenantAuthSettings }, strategies: readonly SignInStrategy[]) =>
  strategies.filter(
    (strategy) =>
      strategy === 'enterprise' ||
      firstFactorStrategies.some(
        (name) => name === strategy && strategySettings[name].every((setting) => auth[setting] === true),
      ),
  )

const offeredWays = ({ tenant }: PageCall) =>
  waysToSignIn
    .map(({ name, key, strategies }) => ({ name, key, strategies: allowedOf(tenant, strategies) }))
    .filter(({ strategies }) => strategies.length > 0)

function mostMinutes({ tenant: { auth } }: PageCall): number {
  const seconds = auth.sessionMaximumLifetimeEnabled ? auth.sessionMaximumLifetime : Infinity
  return Math.min(longestMinutes, Math.max(1, Math.floor(seconds / 60)))
}

function valuesOf(page: PageCall, rules: OrganizationSecurity): SignInRuleValues {
  const { secondFactorRequired, allowedStrategies, sessionMaximumLifetime: lifetime } = rules
  return {
    isSecondRequired: secondFactorRequired,
    ways: offeredWays(page)
      .filter(({ strategies }) => strategies.some((strategy) => allowedStrategies.includes(strategy)))
      .map(({ name }) => name),
    minutes: lifetime === null ? '' : String(Math.max(1, Math.floor(lifetime / 60))),
  }
}

const enteredValues = (page: PageCall): SignInRuleValues => ({
  isSecondRequired: page.field('second') === '1',
  ways: offeredWays(page)
    .filter(({ name }) => page.field(`way:${name}`) === '1')
    .map(({ name }) => name),
  minutes: typed(page, 'minutes'),
})

const canChooseSecond = ({ tenant: { auth } }: PageCall) => !auth.secondFactorRequired && hasSecondFactors(auth)

/** Returns undefined for a number of minutes that is not one. */
function readRules(page: PageCall, { isSecondRequired, ways, minutes }: SignInRuleValues) {
  const isNumber = /^[0-9]{1,6}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= mostMinutes(page)
  if (minutes !== '' && !isNumber) return undefined
  return {
    ...(canChooseSecond(page) ? { secondFactorRequired: isSecondRequired } : {}),
    allowedStrategies: offeredWays(page)
      .filter(({ name }) => ways.includes(name))
      .flatMap(({ strategies }) => strategies),
    sessionMaximumLifetime: minutes === '' ? null : Number(minutes) * 60,
  }
}

interface Answer {
  readonly errors?: Readonly<Record<string, string>>
  readonly status?: number
  readonly lockedOut?: number
}

async function showRules(page: PageCall, values: SignInRuleValues, { errors, status, lockedOut }: Answer = {}) {
  const { auth } = page.tenant
  const { shown: organization } = await openOrganization(page)
  const view = {
    organization,
    secondStep: auth.secondFactorRequired ? 'always' : hasSecondFactors(auth) ? 'chosen' : 'unavailable',
    ways: offeredWays(page).map(({ name, key }) => ({ name, label: page.text(key) })),
    values,
    done: doneText(page),
    ...(errors === undefined ? {} : { errors }),
    ...(lockedOut === undefined ? {} : { lockedOut }),
  } as const
  return page.show(organizationRulesPage(page.frame(), view), status)
}

/** GET /organizations/{id}/security/rules */
export async function openRules(page: PageCall) {
  const { security } = await page.run(frontendEndpoints.getOwnOrganizationSecurity, { params: { id: page.id } })
  return showRules(page, valuesOf(page, security))
}

function problemOf(page: PageCall, error: unknown): Answer | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'last_manager') return { errors: { form: page.text('orgs.rulesNobody') }, status: 409 }
  const isWays = error.issues.some(({ path }) => path.startsWith('/allowedStrategies'))
  return isWays ? { errors: { form: page.text('orgs.rulesNobody') }, status: 422 } : undefined
}

/** POST /organizations/{id}/security/rules */
export async function saveRules(page: PageCall) {
  const { deps, tenant, id } = page
  const params = { id }
  // Refused before anything is counted for somebody who may not change the rules.
  await page.run(frontendEndpoints.getOwnOrganizationSecurity, { params })
  const values = enteredValues(page)
  const body = readRules(page, values)
  if (body === undefined) {
    const errors = { minutes: page.text('orgs.rulesAgeProblem', { most: String(mostMinutes(page)) }) }
    return showRules(page, values, { errors, status: 422 })
  }
  try {
    const { lockedOut } = await previewOrganizationSecurity(deps, tenant.row.id, id, body)
    const isConfirmed = Number(page.field('confirmed') ?? '0') >= lockedOut
    if (lockedOut > 0 && !isConfirmed) return await showRules(page, values, { lockedOut, status: 409 })
    await page.run(frontendEndpoints.updateOwnOrganizationSecurity, { params, body })
  } catch (error) {
    const problem = problemOf(page, error)
    if (problem === undefined) throw error
    return showRules(page, values, problem)
  }
  return goDone(page, `/organizations/${encodeURIComponent(id)}/security/rules`, 'saved')
}
