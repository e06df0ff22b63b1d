// A connection as its page shows it, with the result of its last test.
import type { Connection, ConnectionTestReport } from '@bailiwick/contract'
import { type AnyConnectionView, type ShownReport, oidcConnectionPage, samlConnectionPage } from '@bailiwick/pages'
import { getTest } from '../../enterprise/connections/tests.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import type { Setup } from './area.ts'
import { findProvider, readConnections } from './current-connection.ts'

const doneTexts = { saved: 'setup.saved', off: 'setup.switchedOff', removed: 'setup.removed' } as const
const refusalTexts = {
  domain_not_verified: 'setup.refusedDomain',
  address_missing: 'setup.refusedNoAddress',
  address_not_verified: 'setup.refusedUnverified',
} as const

const claimsMax = 40
const valueMax = 400

/** What a token says of itself rather than of the person. */
const technical: ReadonlySet<string> = new Set(['iss', 'aud', 'iat', 'exp', 'nbf', 'nonce', 'sub', 'email', 'name'])

/** What rules can compare, as lines of a list. */
function shownClaims(claims: unknown): (readonly [string, string])[] {
  const entries = typeof claims === 'object' && claims !== null ? Object.entries(claims) : []
  return entries
    .filter(([name]) => !technical.has(name))
    .slice(0, claimsMax)
    .map(([name, value]) => [name, [value].flat().map(String).join(', ').slice(0, valueMax)])
}

const shownReport = ({ subject, email, name, claims, attributes }: ConnectionTestReport): ShownReport => ({
  subject,
  email,
  name,
  claims: [
    ...shownClaims(claims),
    ...attributes.map(({ attribute, value, problem }) => [`→ ${attribute}`, problem ?? String(value)] as const),
  ],
})

type TestResult = Pick<AnyConnectionView, 'report' | 'done' | 'errors'>

function describeResult({ text }: PageCall, { problem, refusal }: ConnectionTestReport): TestResult {
  if (problem !== null) return { errors: { form: text('setup.testFailed', { reason: problem }) } }
  if (refusal === null) return { done: text('setup.tested') }
  const known = Object.entries(refusalTexts).find(([code]) => code === refusal)?.[1]
  const reason = known === undefined ? text('setup.refusedOther', { code: refusal }) : text(known)
  return { done: `${text('setup.tested')} ${text('setup.testRefused', { reason })}` }
}

async function lastTest(page: PageCall, { tenantId }: Setup, { id }: Connection): Promise<TestResult> {
  try {
    const { report } = await getTest(page.deps, tenantId, id)
    if (report === null) return {}
    const result = page.query('tested') === undefined ? {} : describeResult(page, report)
    return report.problem === null ? { ...result, report: shownReport(report) } : result
  } catch (error) {
    // It was never tested, or the report was removed meanwhile.
    if (apiErrorOf(error).code === 'not_found') return {}
    throw error
  }
}

const doneText = ({ query, text }: { query: PageCall['query']; text: PageCall['text'] }) => {
  const key = Object.entries(doneTexts).find(([name]) => name === query('done'))?.[1]
  return key === undefined ? undefined : text(key)
}

/** Shows a connection; with problems, as the answer to a form. */
export async function showConnection(page: PageCall, setup: Setup, connection: Connection, problems?: Problems) {
  const { id, state, oidc, saml } = connection
  const all = await readConnections(page, setup)
  const shared = {
    ...setup.view,
    id,
    provider: findProvider(page, connection),
    state,
    others: all.map((each) => ({ id: each.id, name: `${each.name} (${each.type})`, state: each.state })),
    done: doneText({ query: (name) => page.query(name), text: page.text }),
    ...(await lastTest(page, setup, connection)),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  if (saml === null) {
    const { issuer = '', callbackUri = '', clientId = '', hasClientSecret: hasSecret = false } = oidc ?? {}
    const view = { ...shared, issuer, callbackUri, clientId, hasSecret, canTest: clientId !== '' }
    return page.show(oidcConnectionPage(page.frame(), view), problems?.status)
  }
  const view = {
    ...shared,
    acsUrl: saml.acsUrl,
    entityId: saml.ownEntityId,
    certificate: saml.ownCertificate,
    sloUrl: saml.ownSloUrl,
    singleLogout: saml.sloUrl === null ? null : saml.singleLogout,
    idpInitiated: saml.idpInitiated,
    providerEntityId: saml.entityId,
    certificateEnds: saml.certificates.map(({ expiresAt }) => expiresAt.slice(0, 10)),
    nameIdFormat: page.field('nameIdFormat') ?? saml.nameIdFormat ?? '',
    metadataUri: page.field('metadataUri') ?? saml.metadataUri ?? '',
    metadataXml: page.field('metadataXml') ?? '',
    canTest: saml.entityId !== null,
  }
  return page.show(samlConnectionPage(page.frame(), view), problems?.status)
}
