// Draws what the authorization server shows to people, as pages of the tenant.
import { hash } from 'node:crypto'
import { applicationSignOutPage, messagePage, submitScript } from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DrawnPage, SignOutQuestion } from '../applications/engine/engine-pages.ts'
import type { PlacedTenant } from '../applications/settings/placed-tenant.ts'
import type { Deps } from '../identity/deps.ts'
import { pagesOf } from '../tenancy/pages/pages.ts'
import { hostedPath } from '../tenancy/tenants/hosted-pages.ts'
import { addressToStartAgain } from './applications/start-again.ts'
import { languageOfPage } from './call/language.ts'
import { setPageHeaders } from './call/page-headers.ts'
import { tenantFrame } from './call/tenant-frame.ts'
import { startAgain } from './failures.ts'
import { pictureOrigins } from './logos.ts'

const submitHash = hash('sha256', submitScript, 'base64')

export interface EngineRequest {
  readonly request: FastifyRequest
  /** The path and query of the request, which the engine has changed meanwhile. */
  readonly address: string
}

/** Takes the headers that a page sets, since the engine has the answer itself. */
class Collected {
  readonly headers: Record<string, string> = {}
  readonly cookies: string[] = []

  header(name: string, value: string) {
    if (name === 'set-cookie') this.cookies.push(value)
    else this.headers[name] = value
    return this
  }
}

async function frameOf(deps: Deps, { tenant, issuer }: PlacedTenant, { request, address }: EngineRequest) {
  const collected = new Collected()
  const isOwnDomain = issuer.domain !== null
  const settings = await pagesOf(deps, tenant)
  const place = { tenant, isOwnDomain, settings }
  // Only headers are set.
  const languages = await languageOfPage(request, collected as unknown as FastifyReply, place)
  // The answer to a form has an address that no link can ask for.
  const offered = request.method === 'GET' ? languages.offered : [languages.language]
  const root = isOwnDomain ? '' : hostedPath(tenant)
  const shown = { config: deps.config, tenant, settings, languages: { ...languages, offered }, root, address }
  return { frame: tenantFrame({ ...shown, formToken: '' }), collected }
}

/** The policy of every page; where a form sends itself, with the one script that does it. */
function headersOf(deps: Deps, { tenant }: PlacedTenant, hasScript: boolean) {
  const set: Record<string, string> = {}
  const reply = { headers: (all: Record<string, string>) => Object.assign(set, all) }
  // Only headers are set.
  setPageHeaders(reply as unknown as FastifyReply, pictureOrigins(deps.config, tenant))
  if (!hasScript) return set
  const policy = (set['content-security-policy'] ?? '').replace("script-src 'self'", `$& 'sha256-${submitHash}'`)
  return { ...set, 'content-security-policy': policy }
}

async function draw(
  deps: Deps,
  placed: PlacedTenant,
  request: EngineRequest,
  document: (frame: Awaited<ReturnType<typeof frameOf>>['frame']) => string,
  hasScript = false,
): Promise<DrawnPage> {
  const { frame, collected } = await frameOf(deps, placed, request)
  return {
    document: document(frame),
    headers: { ...headersOf(deps, placed, hasScript), ...collected.headers },
    cookies: collected.cookies,
  }
}

export const drawError = (
  deps: Deps,
  placed: PlacedTenant,
  request: EngineRequest,
  code: string,
  description: string | undefined,
) =>
  draw(deps, placed, request, (frame) => {
    const { text } = frame
    const detail = description === undefined ? code : `${code}: ${description}`
    return messagePage(frame, { title: text('request.title'), lead: text('request.lead'), detail })
  })

export async function drawExpired(deps: Deps, placed: PlacedTenant, request: EngineRequest) {
  const { searchParams } = new URL(request.address, 'https://tenants.invalid')
  const startAt = await addressToStartAgain(deps, placed.tenant, searchParams.get('client_id') ?? undefined)
  return draw(deps, placed, request, (frame) => {
    const { text } = frame
    const actions = startAgain(text, startAt)
    return messagePage(frame, { title: text('expired.title'), lead: text('request.lead'), actions })
  })
}

export const drawSignOut = (deps: Deps, placed: PlacedTenant, request: EngineRequest, question: SignOutQuestion) =>
  draw(deps, placed, request, (frame) => applicationSignOutPage(frame, question), question.isProven)

export const drawStayedSignedIn = (deps: Deps, placed: PlacedTenant, request: EngineRequest) =>
  draw(deps, placed, request, (frame) => {
    const { text } = frame
    const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
    return messagePage(frame, { title: text('signOut.stayedTitle'), lead: text('signOut.stayedLead'), actions })
  })

export const drawSignedOut = (deps: Deps, placed: PlacedTenant, request: EngineRequest, address: string | null) =>
  draw(deps, placed, request, (frame) => {
    const { text } = frame
    const title = text('signOut.doneTitle')
    if (address === null) {
      const actions = [{ href: '/sign-in', label: text('signOut.again'), kind: 'secondary' as const }]
      return messagePage(frame, { title, lead: text('signOut.doneLead'), actions })
    }
    const { href, host } = new URL(address)
    const actions = [{ href, label: text('common.continue') }]
    return messagePage(frame, { title, lead: text('leaving.lead', { host: host === '' ? href : host }), actions })
  })
