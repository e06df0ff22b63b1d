// What all pages about organizations share: their reader is signed in, and refusals are explained in words.
import type { Frame, TextKey } from '@bailiwick/pages'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { PageHandler } from '../call/page-route.ts'
import { lacksSecondFactor, proveSecondFirst } from '../call/second-factor-first.ts'
import { pathOfState } from '../call/sign-in-first.ts'
import { explainSignIn } from './sign-in-ways.ts'

/** The path and query of a request below the root of the tenant's pages. */
const pathBelowRoot = ({ request, isOwnDomain }: PageCall) =>
  isOwnDomain ? request.url : request.url.replace(/^\/t\/[^/?]*/, '')

/** Sends the reader to sign in, and then back to the page; after a form, to the list. */
function askToSignIn(page: PageCall) {
  const back = page.request.method === 'GET' ? pathBelowRoot(page) : '/organizations'
  return page.go(`/sign-in?${new URLSearchParams({ redirect_to: page.addressOf(back) }).toString()}`)
}

/** Says what the organization requires of a sign-in, and leads to one. A signed-in reader would be sent back without it. */
async function signInAgain(page: PageCall) {
  const { deps, tenant, text, session } = page
  const { id = '' } = page.request.params as { readonly id?: string }
  const userId = session?.row.user_id
  const member = userId === undefined ? undefined : await findMembershipOf(deps, tenant.row.id, id, userId)
  const query = { prompt: 'login', redirect_to: page.addressOf(pathOfState(page)) }
  const href = `/sign-in?${new URLSearchParams(query).toString()}`
  const lead = explainSignIn(page, member?.rules.allowedStrategies ?? [])
  return page.message(
    { title: text('orgs.freshTitle'), lead, actions: [{ href, label: text('orgs.freshSubmit') }] },
    401,
  )
}

function showRefused(page: PageCall) {
  const { text, tenant } = page
  if (!tenant.auth.organizationsEnabled) {
    const lead = text('orgs.offLead', { tenant: tenant.row.name })
    return page.message({ title: text('orgs.offTitle'), lead }, 403)
  }
  const actions = [{ href: '/organizations', label: text('orgs.title'), kind: 'secondary' as const }]
  return page.message({ title: text('orgs.forbiddenTitle'), lead: text('orgs.forbiddenLead'), actions }, 403)
}

/** Wraps a page that requires a signed-in user. */
export const inArea =
  (handler: (page: PageCall) => Promise<unknown>): PageHandler =>
  async (page) => {
    if (page.session === undefined) return askToSignIn(page)
    try {
      return await handler(page)
    } catch (error) {
      const { code } = apiErrorOf(error)
      if (code === 'unauthenticated') return askToSignIn(page)
      if (lacksSecondFactor(page, code)) return proveSecondFirst(page)
      if (code === 'reauthentication_required') return signInAgain(page)
      if (code === 'forbidden') return showRefused(page)
      // The answer to an id, a cursor or a form that none of these pages has made.
      if (code === 'validation_failed') throw notFound()
      throw error
    }
  }

/** What has been done, by its name in the address of the page. */
const doneTexts = {
  switched: 'orgs.switched',
  left: 'orgs.left',
  deleted: 'orgs.deleted',
  created: 'orgs.created',
  saved: 'orgs.saved',
  joined: 'orgs.joined',
  answered: 'invitation.declinedTitle',
  asked: 'orgs.asked',
  role: 'orgs.roleChanged',
  removed: 'orgs.removed',
  invited: 'orgs.invited',
  resent: 'orgs.resent',
  revoked: 'orgs.revoked',
  forgotten: 'orgs.forgotten',
  'group-created': 'orgs.groupCreated',
  'group-added': 'orgs.groupAdded',
  'group-removed': 'orgs.groupRemoved',
  'group-deleted': 'orgs.groupDeleted',
  'role-created': 'orgs.roleCreated',
  'role-deleted': 'orgs.roleDeleted',
  'domain-added': 'orgs.domainAdded',
  'domain-verified': 'orgs.domainChecked',
  'domain-removed': 'orgs.domainRemoved',
  'key-ended': 'keys.ended',
} as const satisfies Readonly<Record<string, TextKey>>

export type Done = keyof typeof doneTexts

/** Redirects the browser to a page that says what has been done. */
export function goDone(page: PageCall, path: string, done: Done, cursor?: string) {
  const query = new URLSearchParams({ ...(cursor === undefined ? {} : { cursor }), done })
  return page.go(`${path}?${query.toString()}`)
}

export function doneText(page: PageCall): string | undefined {
  const done = page.query('done') ?? ''
  return Object.hasOwn(doneTexts, done) ? page.text(doneTexts[done as Done]) : undefined
}

/** Returns a field of the form without surrounding spaces; empty if nothing was typed. */
export const typed = (page: PageCall, name: string): string => page.field(name)?.trim() ?? ''

export const cursorQuery = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

/** How many days memberships last that these pages can give. */
export const lifetimes: readonly number[] = [1, 7, 30, 90, 365]

/** Returns the choices of how long a membership lasts, in the language of the page. */
export function lifetimeChoices(tag: string) {
  const inDays = new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return lifetimes.map((days) => ({ days, label: inDays.format(days) }))
}

/** Returns the day of the earliest end in the words and the time zone of the page; undefined without an end. */
export function untilDay({ language, timezone }: Frame, ends: readonly (string | null)[]): string | undefined {
  const [first] = ends.filter((end) => end !== null).toSorted()
  const days = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium', timeZone: timezone ?? 'UTC' })
  return first === undefined ? undefined : days.format(new Date(first))
}
