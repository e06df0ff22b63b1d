// The template language: Liquid without files, without the prototype, under limits. Templates are their tenant's own, and
// as untrusted as anything that comes in.
import type * as liquidModule from 'liquidjs'
import type { Liquid } from 'liquidjs'
import { loadLater } from '../load-later.ts'

const liquidLibrary = loadLater<typeof liquidModule>('liquidjs')

const options = {
  // No file system: partials would be looked up here, and nothing is here.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  cache: false,
  parseLimit: 100_000,
  renderLimit: 200,
  memoryLimit: 1_000_000,
} as const

/** Made when first used: it asks for the system's time zone, which loads 8 MB of Unicode's data. */
let engines: { readonly escaping: Liquid; readonly plain: Liquid } | undefined
function enginesOf() {
  if (engines === undefined) {
    const { Liquid } = liquidLibrary()
    engines = { escaping: new Liquid({ ...options, outputEscape: 'escape' }), plain: new Liquid(options) }
  }
  return engines
}

/** A template that cannot be read or does too much; the message says where. */
export class TemplateError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'cannot be rendered', { cause })
    this.name = 'TemplateError'
  }
}

/** @throws TemplateError where the template is no Liquid. */
export function checkLiquid(template: string) {
  try {
    enginesOf().plain.parse(template)
  } catch (error) {
    throw new TemplateError(error)
  }
}

/**
 * @param escape whether values are written into HTML.
 * @throws TemplateError where the template is no Liquid or goes over a limit.
 */
export function renderLiquid(template: string, variables: object, { escape }: { readonly escape: boolean }): string {
  const { escaping, plain } = enginesOf()
  const engine = escape ? escaping : plain
  try {
    return String(engine.parseAndRenderSync(template, variables))
  } catch (error) {
    if (error instanceof Error) throw new TemplateError(error)
    throw error
  }
}
