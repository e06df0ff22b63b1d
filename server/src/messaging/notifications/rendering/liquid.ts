// The template language: Liquid without files and prototypes, with limits. Only the service's own wording is rendered in the service's
// process; tenants' templates are rendered in others, because no limit of the library stops a long expression.
import type * as liquidModule from 'liquidjs'
import type { Emitter, Liquid, Template } from 'liquidjs'
import { loadLater } from '../../../platform/startup/load-later.ts'
import { type OutputLimit, type TemplatePart, documentLimit, tooLong } from './limits.ts'

const liquidLibrary = loadLater<typeof liquidModule>('liquidjs')

const options = {
  // Partials are looked up here, and there are none, so that templates have no access to files.
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  cache: false,
  parseLimit: 100_000,
  memoryLimit: 1_000_000,
} as const

const reasonLengthMax = 200

/** A template that cannot be parsed or that exceeds a limit. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** The part of the template with the problem; null if the problem is in the variables. */
  readonly part: TemplatePart | null
  /** The problem. */
  readonly reason: string

  constructor(part: TemplatePart | null, reason: string) {
    super(part === null ? reason : `the ${part} ${reason}`)
    this.part = part
    this.reason = reason
  }
}

class OutputTooLong extends Error {}

/** Returns the library's message with the place. The message may repeat much of the template. */
function said(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return (error.message.split('\n', 1)[0] ?? '').slice(0, reasonLengthMax)
}

function renderingProblem(error: unknown): string {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error
  return cause instanceof OutputTooLong ? cause.message : `fails: ${said(error)}`
}

/** Collects output. A piece that exceeds the limit is refused before it is added to the rest. */
class BoundedEmitter implements Emitter {
  buffer = ''
  #left: number
  readonly #limit: OutputLimit

  constructor(limit: OutputLimit) {
    this.#left = limit.max
    this.#limit = limit
  }

  write(value: unknown): void {
    const piece = textOf(value)
    // A text has at least as many bytes as characters, so one that is far too long need not be counted.
    if (piece.length <= this.#left) this.#left -= this.#limit.unit === 'bytes' ? Buffer.byteLength(piece) : piece.length
    else this.#left = -1
    if (this.#left < 0) throw new OutputTooLong(tooLong(this.#limit))
    this.buffer += piece
  }
}

/** Converts values as the library does: lists are joined, and missing values are empty. */
function textOf(given: unknown): string {
  const value = liquidLibrary().toValue(given) as string | number | boolean | null | undefined | unknown[]
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  // Objects are converted by JavaScript.
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Creates an engine that also limits texts inside templates, such as captured ones, which no limit of the library counts. */
function createEngine(more: { readonly outputEscape?: 'escape' } = {}): Liquid {
  const engine = new (liquidLibrary().Liquid)({ ...options, ...more })
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter = new BoundedEmitter(documentLimit)) =>
    renderTemplates(templates, context, emitter)
  return engine
}

/** Created on first use, because it asks for the system's time zone, which loads 8 MB of Unicode data. */
let engines: { readonly escaping: Liquid; readonly plain: Liquid } | undefined
const enginesOf = () => (engines ??= { escaping: createEngine({ outputEscape: 'escape' }), plain: createEngine() })

function parse(engine: Liquid, part: TemplatePart, text: string): Template[] {
  try {
    return engine.parse(text)
  } catch (error) {
    throw new TemplateError(part, `is not valid Liquid: ${said(error)}`)
  }
}

/** @throws TemplateError if the text is not valid Liquid. */
export function checkLiquid(part: TemplatePart, text: string): void {
  parse(enginesOf().plain, part, text)
}

export interface LiquidPart {
  readonly part: TemplatePart
  readonly text: string
  /** Whether values are escaped for HTML. */
  readonly escape: boolean
  readonly limit: OutputLimit
}

/** @throws TemplateError if the text is not valid Liquid, or its output exceeds the limit. */
export function renderLiquid({ part, text, escape, limit }: LiquidPart, variables: object): string {
  const { escaping, plain } = enginesOf()
  const engine = escape ? escaping : plain
  const parsed = parse(engine, part, text)
  const { Context, toValueSync } = liquidLibrary()
  const emitter = new BoundedEmitter(limit)
  try {
    const context = new Context(variables, engine.options, { sync: true }, { liquid: engine })
    toValueSync(engine.renderer.renderTemplates(parsed, context, emitter))
  } catch (error) {
    throw new TemplateError(part, renderingProblem(error))
  }
  return emitter.buffer
}
