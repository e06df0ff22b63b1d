// The language of a page: the one that its reader has chosen on a page, else the one that an application has asked for, else the one that
// the browser prefers, else the tenant's.
import { type Language as LanguageTag, type PagesDocument, matchLanguage } from '@bailiwick/contract'
import { type Catalogue, type Language, type TextOverrides, catalogueOf, languageOf, languages } from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from '../../flows/frontend/cookies.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

const keptSeconds = 365 * 24 * 60 * 60
const headerLengthMax = 1000
const rangesMax = 30

export interface LanguagePlace {
  readonly tenant: TenantEntry
  readonly isOwnDomain: boolean
  readonly settings: PagesDocument
  /** The language that the signed-in user has chosen. */
  readonly locale?: string | undefined
}

/** Returns the tags of Accept-Language, most preferred first (RFC 9110 §12.5.4). */
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

/** Returns the first of the preferred languages that is among `tags`. */
function firstMatch(wanted: readonly string[], tags: readonly LanguageTag[]): LanguageTag | undefined {
  for (const each of wanted) {
    const found = matchLanguage(each, tags)
    if (found !== undefined) return found
  }
  return undefined
}

export interface PageLanguages {
  readonly language: Language
  readonly texts: Catalogue
  readonly offered: readonly Language[]
}

/** Returns the languages that a tenant offers: all if it has chosen none. */
function offeredBy(settings: PagesDocument | undefined): readonly Language[] {
  const chosen = settings?.languages ?? []
  return chosen.length === 0 ? languages : languages.filter(({ tag }) => chosen.includes(tag))
}

const cookieOf = ({ tenant, isOwnDomain }: LanguagePlace) =>
  isOwnDomain ? '__Host-lang' : `__Host-lang-${tenant.row.id}`

/** Returns the language that the reader has chosen with `?lang=`, which the browser then keeps. */
function chosenBy(request: FastifyRequest, reply: FastifyReply, place: LanguagePlace, tags: readonly string[]) {
  const name = cookieOf(place)
  const { lang } = request.query as { readonly lang?: unknown }
  const chosen = tags.find((tag) => tag === lang)
  if (chosen === undefined) return readCookie(request.headers.cookie, name)
  reply.header('set-cookie', `${name}=${chosen}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${keptSeconds}`)
  return chosen
}

const localesLengthMax = 200

/** Returns the language that an application has asked for with `ui_locales`. It holds on the pages that follow, until the browser is closed. */
function askedByApplication(
  request: FastifyRequest,
  reply: FastifyReply,
  place: LanguagePlace,
  tags: readonly LanguageTag[],
): string | undefined {
  const name = `${cookieOf(place)}-asked`
  const { ui_locales: given } = request.query as { readonly ui_locales?: unknown }
  const locales = typeof given === 'string' && given.length <= localesLengthMax ? given.split(' ') : []
  const asked = firstMatch(locales, tags)
  if (asked === undefined) return readCookie(request.headers.cookie, name)
  reply.header('set-cookie', `${name}=${asked}; Path=/; Secure; HttpOnly; SameSite=Lax`)
  return asked
}

/**
 * Returns the language of a page with its texts.
 * @param place undefined on a page that belongs to no tenant.
 */
export async function languageOfPage(
  request: FastifyRequest,
  reply: FastifyReply,
  place?: LanguagePlace,
): Promise<PageLanguages> {
  const offered = offeredBy(place?.settings)
  const tags = offered.map(({ tag }) => tag)
  const chosen = place === undefined ? undefined : chosenBy(request, reply, place, tags)
  const asked = place === undefined ? undefined : askedByApplication(request, reply, place, tags)
  const wanted = [
    chosen ?? [],
    asked ?? [],
    place?.locale ?? [],
    preferred(request.headers['accept-language']),
    place?.settings.defaultLanguage ?? [],
  ].flat()
  const language = languageOf(firstMatch(wanted, tags) ?? 'en')
  return { language, texts: await catalogueOf(language), offered }
}

/** The tenant's own wording. */
export const overridesOf = ({ texts }: PagesDocument, { tag }: Language): TextOverrides =>
  (texts as Readonly<Record<string, TextOverrides>>)[tag] ?? {}
