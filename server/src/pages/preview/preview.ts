// A hosted page as its readers see it, for the console to show beside the settings. The pages themselves can be framed by nobody; a preview
// can be framed by the service's own pages, because nothing in it can be used: its policy is a sandbox without scripts and forms, its data
// are samples, and it takes nothing from its address but names from lists. See docs/decisions/0020.
import { type PagesDocument, brandProperties, pageLayouts, tenantAuthSettings } from '@bailiwick/contract'
import { catalogueOf, languageOf, languages, textOf } from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicProviders } from '../../flows/sign-up/public-tenant.ts'
import type { Deps } from '../../identity/deps.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { pagesOf } from '../../tenancy/pages/pages.ts'
import { hostedPath } from '../../tenancy/tenants/hosted-pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { assets, brandPath } from '../assets.ts'
import { overridesOf } from '../call/language.ts'
import type { PageRouter } from '../call/page-call.ts'
import { pictureDirective } from '../call/page-headers.ts'
import { darkLogoUri, pictureOrigins } from '../logos.ts'
import { asShown } from '../sign-in/shown-providers.ts'
import { previewStates } from './states.ts'

/** The names of the colours and of the radius in the pages' style sheet. */
const tokens = brandProperties
  .filter((name) => !name.startsWith('dark'))
  .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

const isOneOf = <Value extends string>(values: readonly Value[], value: unknown): value is Value =>
  (values as readonly unknown[]).includes(value)

/** Sends the style sheet that shows a page in light or in dark, whatever the reader's browser asks for. */
export function sendScheme(name: string, reply: FastifyReply) {
  const scheme = schemes.find((each) => name === `${each}.css`)
  if (scheme === undefined) throw notFound()
  const declarations = tokens.map((token) => `--${token}:var(--${scheme}-${token})`).join(';')
  return reply
    .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-store' })
    .send(`:root:root{color-scheme:${scheme};${declarations}}`)
}

/** The tenant's rules with the switches that the query names turned on or off. */
function rulesOf({ auth }: TenantEntry, { on, off }: Readonly<Record<string, unknown>>): TenantEntry['auth'] {
  const named = (names: unknown) => (typeof names === 'string' ? names.split(',') : [])
  const isSwitch = (name: string) =>
    Object.hasOwn(tenantAuthSettings, name) &&
    tenantAuthSettings[name as keyof typeof tenantAuthSettings].kind === 'boolean'
  const turned = [
    ...named(on).map((name) => [name, true] as const),
    ...named(off).map((name) => [name, false] as const),
  ].filter(([name]) => isSwitch(name))
  return { ...auth, ...Object.fromEntries(turned) }
}

function setHeaders({ config }: Deps, reply: FastifyReply, tenant: TenantEntry) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    pictureDirective(pictureOrigins(config, tenant)),
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    // The console sets the colours of a brand that is not saved yet in the frame, which takes its own origin and no script.
    'sandbox allow-same-origin',
  ]
  reply.headers({
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
}

async function frameOf(deps: Deps, tenant: TenantEntry, query: Readonly<Record<string, unknown>>) {
  const { config } = deps
  const settings: PagesDocument = await pagesOf(deps, tenant)
  const tag = languages.find((each) => each.tag === query['language'])?.tag ?? settings.defaultLanguage
  const language = languageOf(tag)
  const scheme: Scheme = isOneOf(schemes, query['scheme']) ? query['scheme'] : 'light'
  const { style, script, icon } = assets()
  const brand = brandPath(tenant)
  const root = hostedPath(tenant)
  const { logo_uri: logo } = tenant.row
  return {
    text: textOf(language.tag, await catalogueOf(language), overridesOf(settings, language)),
    language,
    languages: languages.filter((each) => settings.languages.length === 0 || settings.languages.includes(each.tag)),
    tenant: {
      name: tenant.row.name,
      logoUri: scheme === 'dark' ? (darkLogoUri(config, tenant) ?? logo) : logo,
      darkLogoUri: null,
      layout: isOneOf(pageLayouts, query['layout']) ? query['layout'] : settings.layout,
    },
    icon: tenant.row.icon_uri ?? icon.path,
    root,
    address: '/sign-in',
    formToken: '',
    styles: [style.path, ...(brand === undefined ? [] : [root + brand]), `/console/preview/schemes/${scheme}.css`],
    script: script.path,
    links: settings,
  }
}

/** GET /console/preview/{tenantId}/{state}?language&scheme&layout&on&off */
export async function sendPreview(
  { deps, limits }: PageRouter,
  request: FastifyRequest<{ Params: { tenantId: string; state: string } }>,
  reply: FastifyReply,
) {
  const { params, query } = request
  limits.take('page', request, reply)
  const show = Object.hasOwn(previewStates, params.state) ? previewStates[params.state] : undefined
  if (show === undefined) throw notFound()
  const tenant = await getTenant(deps, params.tenantId as TenantId)
  const asked = query as Readonly<Record<string, unknown>>
  const auth = rulesOf(tenant, asked)
  const [frame, providers] = await Promise.all([frameOf(deps, tenant, asked), publicProviders(deps, tenant)])
  setHeaders(deps, reply, tenant)
  const page = show(frame, { auth, facts: strategyFactsOf(deps, { ...tenant, auth }), providers: asShown(providers) })
  // Neither would work in the sandbox, and browsers complain of both.
  return reply.send(page.replace(/<script[^<>]*><\/script>/, '').replaceAll(' autofocus', ''))
}
