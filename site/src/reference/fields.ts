// Draws the fields of a JSON Schema: name, type, rules and description. Named shapes are drawn once, on the page of the tag that uses them
// most, and linked to from everywhere else.
import { inlineMarkdown } from '../documents/markdown.ts'
import { type Markup, html } from '../markup/html.ts'
import { type Schema, nameInRef } from './openapi.ts'

/** What drawing a schema has to know about the page that it is on. */
export interface Shapes {
  readonly schemas: Readonly<Record<string, Schema>>
  /** Returns where a named shape is drawn, as a link from this page; undefined if it is on no page. */
  readonly linkTo: (name: string) => string | undefined
}

const valuesMax = 12
const depthMax = 4

export const resolve = (schema: Schema, { schemas }: Shapes): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameInRef(schema.$ref)] ?? {})

/** Returns an object's fields, those of all its parts if it is a combination. */
export function readFields(schema: Schema, shapes: Shapes): Readonly<Record<string, Schema>> {
  const { properties = {}, allOf = [] } = resolve(schema, shapes)
  return Object.assign({}, properties, ...allOf.map((part) => readFields(part, shapes))) as Record<string, Schema>
}

const isRequired = (schema: Schema, name: string, shapes: Shapes): boolean => {
  const { required = [], allOf = [] } = resolve(schema, shapes)
  return required.includes(name) || allOf.some((part) => isRequired(part, name, shapes))
}

const code = (text: string) => html`<code>${text}</code>`

function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, at) => html`${at === 0 ? '' : separator}${part}`)}`
}

/** Returns a type as a reader says it: `string or null`, `list of User`, `"active", "inactive" or "suspended"`. */
export function typeText(schema: Schema, shapes: Shapes): Markup {
  if (schema.$ref !== undefined) {
    const name = nameInRef(schema.$ref)
    const address = shapes.linkTo(name)
    return address === undefined ? typeText(resolve(schema, shapes), shapes) : html`<a href="${address}">${name}</a>`
  }
  if (schema.enum !== undefined) {
    const values = schema.enum.slice(0, valuesMax).map((value) => code(JSON.stringify(value)))
    const rest = schema.enum.length - values.length
    return html`${joined(values, ' | ')}${rest > 0 && ` and ${rest} more`}`
  }
  const parts = schema.anyOf
  if (parts !== undefined)
    return joined(
      parts.map((part) => typeText(part, shapes)),
      ' or ',
    )
  const types = [schema.type ?? 'any'].flat()
  const written = types.map((type) =>
    type === 'array'
      ? html`list of ${typeText(schema.items ?? {}, shapes)}`
      : html`${type === 'any' ? 'any JSON' : type}`,
  )
  return joined(written, ' or ')
}

function rangeText(what: string, least: number | undefined, most: number | undefined): string[] {
  if (least === undefined && most === undefined) return []
  if (least === most) return [`${least} ${what}`.trim()]
  if (most === undefined) return [`at least ${least} ${what}`.trim()]
  return [`${least === undefined ? 'at most ' : `${least} to `}${most} ${what}`.trim()]
}

/** Formats that their name does not explain are explained by the description or the error of the field. */
function listRules(schema: Schema): readonly string[] {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  return [
    ...(format === undefined || format === 'text' ? [] : [`format ${format}`]),
    ...rangeText('characters', minLength, maxLength),
    ...rangeText('', minimum, maximum),
    ...rangeText('entries', minItems, maxItems),
  ]
}

/** Returns the object whose fields are drawn below a field, if it is an object without a name or a list of such. */
function innerObject(schema: Schema, shapes: Shapes): Schema | undefined {
  if (schema.$ref !== undefined && shapes.linkTo(nameInRef(schema.$ref)) !== undefined) return undefined
  const whole = resolve(schema, shapes)
  if (Object.keys(readFields(whole, shapes)).length > 0) return whole
  if (whole.items !== undefined) return innerObject(whole.items, shapes)
  return whole.anyOf?.map((part) => innerObject(part, shapes)).find((part) => part !== undefined)
}

interface Field {
  readonly name: string
  readonly schema: Schema
  readonly description: string | undefined
  /** What stands beside the type, such as `required`. */
  readonly note: string | undefined
}

function drawField({ name, schema, description, note }: Field, shapes: Shapes, depth: number): Markup {
  const inner = depth >= depthMax ? undefined : innerObject(schema, shapes)
  const rules = listRules(resolve(schema, shapes))
  return html`<div class="field">
    <dt>
      <code>${name}</code>
      <span class="type">${typeText(schema, shapes)}</span
      >${note !== undefined && html` <span class="note">${note}</span>`}
    </dt>
    <dd>
      ${description !== undefined && html`<p>${inlineMarkdown(description)}</p>`}${rules.length > 0 && html`<p class="rules">${rules.join(', ')}</p>`}${
        inner !== undefined &&
        html`<details>
          <summary>Fields of <code>${name}</code></summary>
          ${drawFields(inner, shapes, 'required', depth + 1)}
        </details>`
      }
    </dd>
  </div>`
}

/**
 * Draws the fields of an object.
 * @param marks which fields get a note: in a request those that are required, in an answer those that may be missing.
 */
export function drawFields(schema: Schema, shapes: Shapes, marks: 'required' | 'optional', depth = 0): Markup {
  const fields = Object.entries(readFields(schema, shapes)).map(([name, each]) => {
    const isMarked = isRequired(schema, name, shapes) === (marks === 'required')
    const description = each.description ?? resolve(each, shapes).description
    return drawField({ name, schema: each, description, note: isMarked ? marks : undefined }, shapes, depth)
  })
  return html`<dl class="fields">${fields}</dl>`
}

export function drawParameters(
  title: string,
  parameters: readonly (Omit<Field, 'note'> & { required: boolean })[],
  shapes: Shapes,
) {
  if (parameters.length === 0) return html``
  const fields = parameters.map((each) =>
    drawField({ ...each, note: each.required ? 'required' : undefined }, shapes, 0),
  )
  return html`<h3>${title}</h3>
    <dl class="fields">${fields}</dl>`
}
