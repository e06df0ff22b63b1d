// What an organization requires of sessions that act for it: a form for members who may manage it.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type OrganizationView, organizationPage, organizationPath } from './shell.ts'

export interface SignInRuleValues {
  readonly isSecondRequired: boolean
  /** The names of the ways that are chosen. */
  readonly ways: readonly string[]
  /** In minutes; empty for no limit. */
  readonly minutes: string
}

export interface OrganizationRulesView extends OrganizationView {
  /** Whether members choose it: not if the tenant requires a second step of everybody, or offers none. */
  readonly secondStep: 'chosen' | 'always' | 'unavailable'
  readonly ways: readonly { readonly name: string; readonly label: string }[]
  readonly values: SignInRuleValues
  /** How many members the rules that the user entered would lock out, to be confirmed. */
  readonly lockedOut?: number
}

export function organizationRulesPage(frame: Frame, view: OrganizationRulesView): string {
  const { text } = frame
  const { organization, values, lockedOut, errors = {} } = view
  const to = organizationPath(organization, 'security', 'rules')
  const age = field(frame, errors, {
    name: 'minutes',
    label: text('orgs.rulesAge'),
    hint: text('orgs.rulesAgeHint'),
    autocomplete: 'off',
    inputmode: 'numeric',
    maxlength: 6,
    value: values.minutes,
    isOptional: true,
  })
  const isDoubtful = lockedOut !== undefined
  return organizationPage(
    frame,
    view,
    { title: text('orgs.rulesTitle'), lead: text('orgs.rulesLead'), section: 'rules' },
    html`${isDoubtful && notice(text('orgs.rulesLockedOut', { count: lockedOut }))}${form(
      frame,
      { to, hidden: isDoubtful ? { confirmed: String(lockedOut) } : {} },
      html`${secondStep(frame, view)}${wayChoices(frame, view)}${age}${button(
        text(isDoubtful ? 'orgs.rulesAnyway' : 'orgs.save'),
        isDoubtful ? { kind: 'danger' } : {},
      )}`,
    )}`,
  )
}

function secondStep({ text }: Frame, { secondStep: state, values }: OrganizationRulesView): Html | false {
  if (state === 'always') return html`<p>${text('orgs.rulesSecondAll')}</p> `
  return (
    state === 'chosen' &&
    html`<div class="field">
      <label class="choice">
        <input type="checkbox" name="second" value="1" ${values.isSecondRequired && html`checked`} />
        <span>${text('orgs.rulesSecond')}</span>
      </label>
    </div> `
  )
}

function wayChoices({ text }: Frame, { ways, values }: OrganizationRulesView): Html {
  const choices = ways.map(
    ({ name, label }) =>
      html`<label class="choice">
        <input type="checkbox" name="way:${name}" value="1" ${values.ways.includes(name) && html`checked`} />
        <span>${label}</span>
      </label> `,
  )
  return html`<div class="field" role="group" aria-labelledby="ways" aria-describedby="ways-hint">
    <p id="ways"><b>${text('orgs.rulesWays')}</b></p>
    ${choices}
    <p class="hint" id="ways-hint">${text('orgs.rulesWaysHint')}</p>
  </div> `
}
