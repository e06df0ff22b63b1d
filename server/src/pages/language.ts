// The language of a page: what its reader has chosen on a page, else what the browser prefers, else the tenant's.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PagesDocument, matchLanguage } from '@bailiwick/contract'
import { type Language, type TextOverrides, findLanguage, languages } from '@bailiwick/pages'
import { readCookie } from '../flows/frontend/cookies.ts'
import type { TenantEntry } from '../tenancy/tenants/tenant-directory.ts'

const keptSeconds = 365 * 24 * 60 * 60
const headerLengthMax = 1000
const rangesMax = 30

export interface LanguagePlace {
  readonly tenant: TenantEntry
  readonly isOwnDomain: boolean
  readonly settings: PagesDocument
}

/** The tags of Accept-Language, the most wanted first (RFC 9110 §12.5.4). */
function preferred(header: string | undefined): string[] {
  if (header === undefined || header.length > headerLengthMax) return []
  const ranges = header.split(',', rangesMax).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    return { tag, weight: weight === undefined ? 1 : Number(weight) }
  })
  return ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

export interface PageLanguages {
  readonly language: Language
  readonly offered: readonly Language[]
}

/** The languages that a tenant offers of those that the pages speak; all of them where it has chosen none. */
function offeredBy(settings: PagesDocument | undefined): readonly Language[] {
  const chosen: readonly string[] = settings?.languages ?? []
  const offered = chosen.length === 0 ? languages : languages.filter(({ tag }) => chosen.includes(tag))
  return offered.length === 0 ? languages : offered
}

const cookieOf = ({ tenant, isOwnDomain }: LanguagePlace) =>
  isOwnDomain ? '__Host-lang' : `__Host-lang-${tenant.row.id}`

/** What the reader has chosen with `?lang=`, which the browser then keeps. */
function chosenBy(request: FastifyRequest, reply: FastifyReply, place: LanguagePlace, tags: readonly string[]) {
  const name = cookieOf(place)
  const { lang } = request.query as { readonly lang?: unknown }
  const chosen = tags.find((tag) => tag === lang)
  if (chosen === undefined) return readCookie(request.headers.cookie, name)
  reply.header('set-cookie', `${name}=${chosen}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${keptSeconds}`)
  return chosen
}

/** @param place undefined on a page that belongs to no tenant. */
export function languageOf(request: FastifyRequest, reply: FastifyReply, place?: LanguagePlace): PageLanguages {
  const offered = offeredBy(place?.settings)
  const tags = offered.map(({ tag }) => tag)
  const chosen = place === undefined ? undefined : chosenBy(request, reply, place, tags)
  const wanted = [
    chosen ?? [],
    preferred(request.headers['accept-language']),
    place?.settings.defaultLanguage ?? [],
  ].flat()
  const tag = wanted.map((each) => matchLanguage(each, tags as never)).find((each) => each !== undefined)
  return { language: findLanguage(tag ?? 'en') ?? languages[0], offered }
}

/** The tenant's own wording. */
export const overridesOf = ({ texts }: PagesDocument, { tag }: Language): TextOverrides =>
  (texts as Readonly<Record<string, TextOverrides>>)[tag] ?? {}
