// Forms: one POST to the state's own address, with a token that proves that it comes from one of our pages.
import type { Frame } from '../frame.ts'
import { type Html, type Shown, flag, html } from '../html.ts'

export interface FormOptions {
  /** The path to which it is sent, below the root. */
  readonly to: string
  /** Hidden values that are sent too; undefined ones are left out. */
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** Tells the script which of its parts handles this form. */
  readonly data?: Readonly<Record<string, string>>
  readonly className?: string
  /** Whether the form sends a file. */
  readonly hasFile?: boolean
}

export function form(
  { root, formToken }: Frame,
  { to, hidden = {}, data = {}, className, hasFile = false }: FormOptions,
  content: Shown,
): Html {
  const inputs = Object.entries({ formToken, ...hidden }).map(([name, value]) =>
    value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return html`<form
    method="post"
    action="${root}${to}"
    ${hasFile && html` enctype="multipart/form-data"`}${className !== undefined && html` class="${className}"`}${attributes}
  >
    ${inputs} ${content}
  </form> `
}

export interface ButtonOptions {
  /** The value that the form sends if this button was pressed. */
  readonly name?: string
  readonly value?: string
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** A label for screen readers, which do not see what the button is beside. */
  readonly spoken?: string
  /** An element before the label. */
  readonly mark?: Html | false
  /** Whether it works only with the script. */
  readonly awaitsScript?: boolean
}

/** A button that sends its form. */
export const button = (
  label: string,
  { name, value, kind = 'primary', spoken, mark, awaitsScript = false }: ButtonOptions = {},
): Html =>
  html`<button
    type="submit"
    class="${kind}"
    ${spoken !== undefined && html` aria-label="${spoken}"`}${name !== undefined && html` name="${name}" value="${value ?? ''}"`}${flag('disabled', awaitsScript)}
  >
    ${mark}${label}
  </button> `

export const link = ({ root }: Frame, path: string, label: string): Html => html`<a href="${root}${path}">${label}</a>`

/** A line between two alternatives. */
export const divider = ({ text }: Frame): Html => html`<p class="divider"><span>${text('common.or')}</span></p> `
