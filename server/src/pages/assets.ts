// What pages load. The style sheet, the script and the icon are the same for every tenant; browsers keep them for ever, because their
// addresses are derived from their content. Each tenant's brand is a further style sheet.
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { matchLanguage } from '@bailiwick/contract'
import {
  brandCss,
  challengeSolver,
  icon,
  panelTexts,
  passkeyUpkeep,
  script,
  staysLight,
  styleSheet,
} from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/http/api-error.ts'
import { presentBrand } from '../tenancy/tenants/present.ts'
import type { TenantEntry } from '../tenancy/tenants/tenant-entry.ts'

const immutable = 'public, max-age=31536000, immutable'
const nameLength = 16

const nameOf = (text: string) => hash('sha256', text, 'hex').slice(0, nameLength)

class Asset {
  readonly path: string
  readonly #text: string
  readonly #type: string
  #compressed: Buffer | undefined

  constructor(text: string, extension: string, type: string) {
    this.path = `/pages/${nameOf(text)}.${extension}`
    this.#text = text
    this.#type = `${type}; charset=utf-8`
  }

  send({ headers }: FastifyRequest, reply: FastifyReply) {
    reply.headers({ 'content-type': this.#type, 'cache-control': immutable, vary: 'accept-encoding' })
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(this.#text)
    this.#compressed ??= gzipSync(this.#text, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(this.#compressed)
  }
}

let loaded: { readonly style: Asset; readonly script: Asset; readonly icon: Asset } | undefined

/** Read when the first page is asked for. */
export const assets = () =>
  (loaded ??= {
    style: new Asset(styleSheet(), 'css', 'text/css'),
    script: new Asset(script(), 'js', 'text/javascript'),
    icon: new Asset(icon, 'svg', 'image/svg+xml'),
  })

let solver: Asset | undefined
let upkeep: Asset | undefined

/** Returns the script that solves puzzles, of which most tenants have none. */
export const solverAsset = () => (solver ??= new Asset(challengeSolver(), 'js', 'text/javascript'))

/** Returns the script that offers passkeys and tells password managers about them. */
export const upkeepAsset = () => (upkeep ??= new Asset(passkeyUpkeep(), 'js', 'text/javascript'))

/** Pages of apps read it, from wherever they are, and texts change only with the version of the service. */
async function sendPanelTexts(tag: string, reply: FastifyReply) {
  const language = matchLanguage(tag)
  if (language === undefined) throw new ApiError('not_found')
  reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=86400' })
  return reply.send(await panelTexts(language))
}

/** Sends what pages load, on every host: a page on a tenant's domain may load only from there. */
export function sendAsset(name: string, request: FastifyRequest, reply: FastifyReply) {
  const [, tag] = /^panels\.([\w-]{2,35})\.json$/.exec(name) ?? []
  if (tag !== undefined) return sendPanelTexts(tag, reply)
  const asset = [...Object.values(assets()), solverAsset(), upkeepAsset()].find(({ path }) => path === `/pages/${name}`)
  if (asset === undefined) throw new ApiError('not_found')
  return asset.send(request, reply)
}

const brands = new WeakMap<TenantEntry, { readonly css: string; readonly name: string; readonly isLight: boolean }>()

function brandOf(tenant: TenantEntry) {
  let brand = brands.get(tenant)
  if (brand === undefined) {
    const properties = presentBrand(tenant.row)
    const css = brandCss(properties)
    brand = { css, name: `${nameOf(css)}.css`, isLight: staysLight(properties) }
    brands.set(tenant, brand)
  }
  return brand
}

/** Returns the path of a tenant's brand below the root of its pages; undefined for a tenant that sets nothing. */
export function brandPath(tenant: TenantEntry): string | undefined {
  const { css, name } = brandOf(tenant)
  return css === '' ? undefined : `/brand/${name}`
}

/** Returns whether a tenant's pages are light even if a browser asks for dark ones. */
export const isAlwaysLight = (tenant: TenantEntry): boolean => brandOf(tenant).isLight

/** A page that is older than the brand gets the new one, which must not be cached under the old name. */
export function sendBrand(tenant: TenantEntry, name: string, reply: FastifyReply) {
  const brand = brandOf(tenant)
  return reply
    .headers({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': name === brand.name ? immutable : 'no-store',
    })
    .send(brand.css)
}
