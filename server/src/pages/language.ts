// The language of a page: what its reader has chosen on a page, else what the browser prefers, else the tenant's.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, findLanguage, languages } from '@bailiwick/pages'
import { readCookie } from '../flows/frontend/cookies.ts'
import type { TenantEntry } from '../tenancy/tenants/tenant-directory.ts'

const keptSeconds = 365 * 24 * 60 * 60
const headerLengthMax = 1000
const rangesMax = 30

const nameOf = ({ row }: TenantEntry, isOwnDomain: boolean) => (isOwnDomain ? '__Host-lang' : `__Host-lang-${row.id}`)

/** The tags of Accept-Language, the most wanted first (RFC 9110 §12.5.4). */
function preferred(header: string | undefined): string[] {
  if (header === undefined || header.length > headerLengthMax) return []
  const ranges = header.split(',', rangesMax).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) }
  })
  return ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** Look-up of RFC 4647 §3.4: what is asked for is cut from its end until it is there; then any variant of the language will do. */
export function lookUp(wanted: readonly string[], offered: readonly string[]): string | undefined {
  for (const range of wanted) {
    for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(tag.lastIndexOf('-'), 0))) {
      const found = offered.find((each) => each.toLowerCase() === tag)
      if (found !== undefined) return found
    }
    const [primary = ''] = range.split('-', 1)
    const variant = offered.find((each) => each.toLowerCase().startsWith(`${primary}-`))
    if (primary !== '' && variant !== undefined) return variant
  }
  return undefined
}

export interface PageLanguages {
  readonly language: Language
  readonly offered: readonly Language[]
}

/** The languages that a tenant offers, its default first. */
export const offeredLanguages = (_tenant: TenantEntry): readonly [Language, ...Language[]] => languages

/** Chosen with `?lang=`, which the browser then keeps. */
export function languageOf(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantEntry | undefined,
  isOwnDomain: boolean,
): PageLanguages {
  const offered = tenant === undefined ? languages : offeredLanguages(tenant)
  const tags = offered.map(({ tag }) => tag)
  const { lang } = request.query as { readonly lang?: unknown }
  const chosen = typeof lang === 'string' ? tags.find((tag) => tag === lang) : undefined
  const name = tenant === undefined ? undefined : nameOf(tenant, isOwnDomain)
  if (chosen !== undefined && name !== undefined) {
    reply.header('set-cookie', `${name}=${chosen}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${keptSeconds}`)
  }
  const kept = name === undefined ? undefined : readCookie(request.headers.cookie, name)
  const wanted = [chosen ?? kept ?? [], preferred(request.headers['accept-language'])].flat()
  const tag = lookUp(
    wanted.map((each) => each.toLowerCase()),
    tags,
  )
  return { language: (tag === undefined ? undefined : findLanguage(tag)) ?? offered[0], offered }
}
