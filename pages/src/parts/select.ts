// A choice of one among many, with an entry for none.
import { type Html, html } from '../html.ts'

export interface SelectOptions {
  readonly name: string
  readonly label: string
  /** What a browser may fill in: WHATWG HTML, "autofill". */
  readonly autocomplete?: string
  /** The label of the entry that chooses none. */
  readonly none: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** Empty for none. One that is not among the options is added to them. */
  readonly value: string
}

export function select({ name, label, autocomplete = 'off', none, options, value }: SelectOptions): Html {
  const id = `f-${name}`
  const isKnown = value === '' || options.some((each) => each.value === value)
  const all = [{ value: '', label: none }, ...options, ...(isKnown ? [] : [{ value, label: value }])]
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}" autocomplete="${autocomplete}" dir="auto">
      ${all.map((each) => html`<option value="${each.value}" ${each.value === value && html`selected`}>${each.label}</option>`)}
    </select>
  </div> `
}
