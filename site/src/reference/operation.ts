// Draws one operation: what it does, what it takes, what it answers, and its examples.
import { codeBlock } from '../documents/highlight.ts'
import { inlineMarkdown } from '../documents/markdown.ts'
import { linkBetween } from '../markup/addresses.ts'
import { type Markup, html } from '../markup/html.ts'
import { type Shapes, drawFields, drawParameters, readFields, resolve, typeText } from './fields.ts'
import { isEnvelope } from './homes.ts'
import type { ErrorOfOperation, Interface, Operation, Parameter } from './openapi.ts'
import { curlSample, typeScriptSample } from './samples.ts'

/** What the pages of one interface need to draw an operation. */
export interface OperationPlace {
  readonly all: Interface
  readonly shapes: Shapes
  /** The address of the page. */
  readonly address: string
}

const exampleText = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example, null, 2))

function drawAnswer({ answer }: Operation, { shapes }: OperationPlace): Markup {
  if (answer === undefined) return html``
  const { mediaType, schema } = answer
  const envelope = resolve(schema, shapes)
  const isWrapped = isEnvelope(envelope)
  const { data = {}, meta } = envelope.properties ?? {}
  const content = isWrapped ? data : schema
  const fields = readFields(content, shapes)
  const isInline =
    content.$ref === undefined || shapes.linkTo(content.$ref.slice(content.$ref.lastIndexOf('/') + 1)) === undefined
  const wrapping = !isWrapped
    ? ''
    : meta === undefined
      ? html`, as <code>data</code> of the answer`
      : html`, as <code>data</code> of a page; <code>meta</code> says where the next page begins`
  const what = isInline && Object.keys(fields).length > 0 ? html`An object` : typeText(content, shapes)
  const type = mediaType === 'application/json' ? '' : html` (<code>${mediaType}</code>)`
  return html`<h3>Answer</h3>
    <p>${what}${type}${wrapping}.</p>
    ${
      isInline &&
      Object.keys(fields).length > 0 &&
      html`<details>
        <summary>Fields of the answer</summary>
        ${drawFields(content, shapes, 'optional')}
      </details>`
    }`
}

export const drawError = ({ status, code, message }: ErrorOfOperation, address: string): Markup =>
  html`<li>
    <a href="${linkBetween(address, `errors/#${code}`)}"><code>${code}</code></a>
    <span class="note">${status}</span> ${inlineMarkdown(message)}
  </li>`

function drawErrors({ errors }: Operation, { all, address }: OperationPlace): Markup {
  const link = (text: string, to: string) => html`<a href="${linkBetween(address, to)}">${text}</a>`
  const common = html`${link('errors of every operation', `${all.address}#errors-of-every-operation`)}`
  if (errors.length === 0)
    return html`<h3>Errors</h3>
      <p>The ${common}.</p>`
  return html`<h3>Errors</h3>
    <ul class="errors">
      ${errors.map((each) => drawError(each, address))}
    </ul>
    <p class="quiet">Beside the ${common}.</p>`
}

/** Whether the page can send it: files and streams are left to a shell. */
const isSendable = ({ body, answer }: Operation) =>
  [body, answer].every((content) => content === undefined || content.mediaType === 'application/json')

function drawSamples(operation: Operation, { all }: OperationPlace): Markup {
  const script = typeScriptSample(operation, all)
  const { answer } = operation
  const example = answer?.example
  const choice = html`<div class="segments" role="group" aria-label="Language of the example">
    <button type="button" data-choose="curl">curl</button><button type="button" data-choose="ts">TypeScript</button>
  </div>`
  return html`<div class="samples${script === undefined && ' only-curl'}">
    ${script !== undefined && choice}
    <div class="sample" data-language="curl">
      <p class="sample-head">curl</p>
      ${codeBlock(curlSample(operation, all), 'sh')}
    </div>
    ${
      script !== undefined &&
      html`<div class="sample" data-language="ts">
        <p class="sample-head">TypeScript</p>
        ${codeBlock(script, 'typescript')}
      </div>`
    }
    ${isSendable(operation) && html`<button type="button" class="button try">Try it</button>`}
    ${
      example !== undefined &&
      html`<div class="sample answer">
        <p class="sample-head">Answer</p>
        ${codeBlock(exampleText(example), typeof example === 'string' ? '' : 'json')}
      </div>`
    }
  </div>`
}

const titles = { path: 'Path', query: 'Query', header: 'Headers' }

export function drawOperation(operation: Operation, place: OperationPlace): Markup {
  const { id, method, path, summary, description, parameters, body } = operation
  const { all, shapes } = place
  const within = (kind: Parameter['in']) =>
    drawParameters(
      titles[kind],
      parameters.filter((each) => each.in === kind).map((each) => ({ ...each, description: each.description })),
      shapes,
    )
  const bodyType =
    body === undefined || body.mediaType === 'application/json'
      ? ''
      : html` <span class="note">${body.mediaType}</span>`
  return html`<section class="operation" id="${id}">
    <div class="about">
      <h2>${summary} <a class="self" href="#${id}" aria-label="Link to “${summary}”">#</a></h2>
      <p class="route">
        <span class="method ${method.toLowerCase()}">${method}</span> <code>${all.baseUrl}${path}</code>
      </p>
      <p>${inlineMarkdown(description)}</p>
      ${within('path')}${within('query')}${within('header')}
      ${
        body !== undefined &&
        html`<h3>Body${bodyType}${!body.isRequired && html` <span class="note">optional</span>`}</h3>
          ${drawFields(body.schema, shapes, 'required')}`
      }
      ${drawAnswer(operation, place)} ${drawErrors(operation, place)}
    </div>
    ${drawSamples(operation, place)}
  </section>`
}
