// Every combination of what an application can ask for in one authorization request, walked on the pages without JavaScript: each ends with
// a code or with the right error, after the pages that it needs and no others.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../../test/harness/browser/page-browser.ts'
import { type Walker, walkAuthorization } from '../../../test/harness/people/authorization-walk.ts'
import {
  VisitingBrowser,
  beginAuthorization,
  createApplication,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { password, signedInPerson } from '../../../test/harness/people/people.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeServiceOnce } from '../../../test/harness/service.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'

const prompts = ['login', 'consent', 'select_account', 'create'] as const
type PromptName = (typeof prompts)[number]

/** `old` is exceeded by the session, `long` is not. */
const maxAges = { any: undefined, now: '0', old: '3600', long: '86400' } as const
const acrs = ['any', 'reachable', 'unreachable'] as const
const sessionAgeMs = 2 * 60 * 60_000

interface Case {
  readonly prompt: readonly (PromptName | 'none')[]
  readonly maxAge: keyof typeof maxAges
  readonly acr: (typeof acrs)[number]
  readonly needsConsent: boolean
  readonly hasSession: boolean
}

const subsets: PromptName[][] = prompts.reduce<PromptName[][]>(
  (before, name) => [...before, ...before.map((each) => [...each, name])],
  [[]],
)

/**
 * The cases of a prompt: each pair and triple of prompt, age, strength, consent and session occurs in one of them at least, with a quarter
 * of all combinations.
 */
const casesOf = (prompt: Case['prompt'], index: number): Case[] =>
  (Object.keys(maxAges) as (keyof typeof maxAges)[]).flatMap((maxAge, age) =>
    acrs.map((acr, strength) => ({
      prompt,
      maxAge,
      acr,
      needsConsent: (index + age + strength) % 2 === 0,
      hasSession: ((index >> 1) + (age >> 1) + strength) % 2 === 0,
    })),
  )

/** The specification: what the user is asked for, in order, and how it ends. */
function expectedOf({ prompt, maxAge, acr, needsConsent, hasSession }: Case) {
  const has = (name: Case['prompt'][number]) => prompt.includes(name)
  const mustSignIn =
    !hasSession || has('login') || has('create') || maxAge === 'now' || maxAge === 'old' || acr === 'reachable'
  if (has('none')) {
    if (prompt.length > 1) return { pages: [], end: 'invalid_request' }
    if (mustSignIn) return { pages: [], end: 'login_required' }
    return { pages: [], end: needsConsent ? 'consent_required' : 'code' }
  }
  const signIn = ['identifier', 'password', ...(acr === 'reachable' ? ['second factor'] : [])]
  const proof = has('create') ? ['sign-up'] : mustSignIn ? signIn : has('select_account') ? ['account'] : []
  return { pages: [...proof, ...(needsConsent || has('consent') ? ['consent'] : [])], end: 'code' }
}

async function worldOf(service: TestService) {
  const tenant = await tenantWith(service)
  const party = async (isTrusted: boolean) =>
    relyingParty(service, tenant.id, await createApplication(service, tenant.id, { isTrusted }))
  return { tenant, trusted: await party(true), asking: await party(false), before: await party(true) }
}
type World = Awaited<ReturnType<typeof worldOf>>

/** A user in a new browser, with a session of two hours ago at both the pages and the authorization server, or with none. */
async function walkerFor(service: TestService, { tenant, before }: World, { acr, hasSession }: Case): Promise<Walker> {
  const browser = new PageBrowser(service, 'localhost')
  const visiting = new VisitingBrowser(service)
  const person = acr === 'reachable' ? await signedInPerson(service, tenant) : undefined
  const app = await person?.addApp()
  const { user, email } = person ?? (await signedInUser(service, tenant, { password, name: 'Ada' }))
  const walker = { service, browser, visiting, email, recoveryCode: app?.recoveryCodes[0] ?? '' }
  if (!hasSession) return walker
  const { row, token } = await openSession(service, tenant.id, user.id)
  const began = addMilliseconds(row.created_at, -sessionAgeMs)
  await service.deps.db.write(() => [
    sql`UPDATE sessions SET created_at = ${began} WHERE tenant_id = ${tenant.id} AND id = ${row.id}`,
  ])
  browser.cookies.set(`__Host-sid-${tenant.id}`, token)
  const { pages, end } = await walkAuthorization(walker, (await beginAuthorization(before)).url)
  assert.deepEqual([pages, end], [[], 'code'])
  return walker
}

async function walkOf(service: TestService, world: World, each: Case) {
  const walker = await walkerFor(service, world, each)
  const maxAge = maxAges[each.maxAge]
  const { url } = await beginAuthorization(each.needsConsent ? world.asking : world.trusted, {
    ...(each.prompt.length === 0 ? {} : { prompt: each.prompt.join(' ') }),
    ...(maxAge === undefined ? {} : { max_age: maxAge }),
    ...(each.acr === 'any' ? {} : { acr_values: 'urn:bailiwick:2fa' }),
  })
  const { pages, end } = await walkAuthorization(walker, url)
  return { pages, end }
}

describeServiceOnce('every combination of what an authorization request asks for', (service) => {
  const all = [...subsets, ['none'] as const, ...prompts.map((name) => ['none', name] as const)]
  for (const [index, prompt] of all.entries()) {
    const title = prompt.length === 0 ? 'no prompt' : `prompt=${prompt.join(' ')}`
    it(`ends after the pages that it needs: ${title}`, async () => {
      const world = await worldOf(service())
      const wrong: object[] = []
      for (const each of casesOf(prompt, index)) {
        const expected = expectedOf(each)
        const walk = await walkOf(service(), world, each)
        if (JSON.stringify(walk) !== JSON.stringify(expected)) wrong.push({ ...each, walk, expected })
      }
      assert.deepEqual(wrong, [])
    })
  }
})
