// A choice of one among many, with an entry for none.
import { type Html, html } from '../html.ts'
import { describe, fieldId } from './field.ts'

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
  readonly isRequired?: boolean
  readonly hint?: string
  readonly error?: string | undefined
}

export function select({
  name,
  label,
  autocomplete = 'off',
  none,
  options,
  value,
  isRequired = false,
  hint,
  error,
}: SelectOptions): Html {
  const id = fieldId(name)
  const described = describe(id, hint, error)
  const isKnown = value === '' || options.some((each) => each.value === value)
  const all = [{ value: '', label: none }, ...options, ...(isKnown ? [] : [{ value, label: value }])]
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select
      id="${id}"
      name="${name}"
      autocomplete="${autocomplete}"
      dir="auto"
      ${isRequired && html` required`}${described !== '' && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}
    >
      ${all.map((each) => html`<option value="${each.value}" ${each.value === value && html`selected`}>${each.label}</option>`)}
    </select>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p> `}${error !== undefined && html`<p class="error" id="${id}-error">${error}</p> `}
  </div> `
}
