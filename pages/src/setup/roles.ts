// Which roles members get: by what the provider sends at each sign-in, and by the groups of the directory.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { select } from '../parts/select.ts'
import { type MappingsView, mappingSection } from './mappings.ts'
import { type SetupView, setupPage, setupPath } from './shell.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export interface ShownRule {
  /** Tells it from the others. */
  readonly key: string
  readonly role: string | null
  readonly canRemove: boolean
}

export interface ShownClaimRule extends ShownRule {
  readonly claim: string | null
  readonly value: string | null
}

export interface ShownGroupRule extends ShownRule {
  readonly group: string | null
}

export interface TriedRule {
  readonly groupId: string
  readonly roleId: string
  /** How many members were looked at, and whether these were all. */
  readonly examined: number
  readonly isComplete: boolean
  /** How many of them would have another role. */
  readonly changed: number
}

export interface SetupRolesView extends SetupView {
  readonly connectionId: string
  /** What the rules were when the page was shown: whoever changes others meanwhile is not overwritten. */
  readonly basis: string
  /** The roles that rules may give. */
  readonly roles: readonly Named[]
  /** Undefined where the reader may not change the rules of this kind. */
  readonly claimRules?: readonly ShownClaimRule[] | undefined
  readonly groupRules?: readonly ShownGroupRule[] | undefined
  readonly groups: readonly Named[]
  /** What a group rule would change that was tried without being saved. */
  readonly tried?: TriedRule | undefined
  /** Undefined if the tenant has no attributes for it. */
  readonly mappings?: MappingsView | undefined
  /** What the reader entered. */
  readonly entered?: { readonly claim: string; readonly value: string; readonly roleId: string } | undefined
}

type Kind = 'claim' | 'group'
const section = 'roles'

const target = (view: SetupRolesView, action: string) => ({
  to: setupPath(view, section),
  hidden: { action, id: view.connectionId, basis: view.basis },
})

function ruleItem(frame: Frame, view: SetupRolesView, kind: Kind, rule: ShownRule, condition: string): Html {
  const { text } = frame
  const { key, canRemove } = rule
  const role = rule.role ?? text('setup.ruleUnknown')
  const { to, hidden } = target(view, `remove-${kind}`)
  return html`<li>
    <div>
      <p><bdi>${condition}</bdi></p>
      <p class="hint">${text('setup.role')}: <bdi>${role}</bdi></p>
    </div>
    ${
      canRemove &&
      form(
        frame,
        { to, hidden: { ...hidden, rule: key } },
        button(text('setup.removeRule'), { kind: 'quiet', spoken: text('setup.removeRuleLabel', { role }) }),
      )
    }
  </li> `
}

const ruleList = ({ text }: Frame, items: readonly Html[]): Html =>
  items.length === 0
    ? html`<p class="hint">${text('setup.noRules')}</p> `
    : html`<ul class="list plain">
        ${items}
      </ul> `

function claimCondition({ text }: Frame, { claim, value }: ShownClaimRule): string {
  if (claim === null) return text('setup.ruleAll')
  return value === null ? text('setup.ruleAny', { claim }) : text('setup.ruleClaim', { claim, value })
}

const roleChoice = (frame: Frame, { roles }: SetupRolesView, value = '') =>
  select({
    name: 'roleId',
    label: frame.text('setup.role'),
    none: frame.text('setup.choose'),
    options: roles.map(({ id, name }) => ({ value: id, label: name })),
    value,
  })

function claimSection(frame: Frame, view: SetupRolesView, rules: readonly ShownClaimRule[]): Html {
  const { text } = frame
  const { entered = { claim: 'groups', value: '', roleId: '' }, errors = {} } = view
  const shared = { autocomplete: 'off', isOptional: true } as const
  return html`<section>
    <h2>${text('setup.claimRules')}</h2>
    ${ruleList(
      frame,
      rules.map((rule) => ruleItem(frame, view, 'claim', rule, claimCondition(frame, rule))),
    )}${form(
      frame,
      target(view, 'add-claim'),
      html`${field(frame, errors, { ...shared, name: 'claim', label: text('setup.claim'), hint: text('setup.claimHint'), value: entered.claim, maxlength: 256 })}${field(frame, errors, { ...shared, name: 'value', label: text('setup.value'), hint: text('setup.valueHint'), value: entered.value, maxlength: 1024 })}${roleChoice(frame, view, entered.roleId)}${button(text('setup.addRule'), { kind: 'secondary' })}`,
    )}
  </section> `
}

/** A choice of the form for groups. The other form has a role, too, so ids differ from the names. */
const groupChoice = ({ text }: Frame, id: string, name: string, label: string, options: readonly Named[], value = '') =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}" autocomplete="off" dir="auto">
      <option value="">${text('setup.choose')}</option>
      ${options.map((each) => html`<option value="${each.id}" ${each.id === value && html`selected`}>${each.name}</option>`)}
    </select>
  </div> `

const triedResult = ({ text, language }: Frame, { changed, isComplete, ...tried }: TriedRule): Html => {
  const examined = tried.examined.toLocaleString(language.tag)
  return html`<p class="notice done" role="status">
    ${text('setup.ruleTried', { count: changed, examined })}
    ${!isComplete && text('setup.ruleTriedPartly', { examined })}
  </p> `
}

function groupSection(frame: Frame, view: SetupRolesView, rules: readonly ShownGroupRule[]): Html {
  const { text } = frame
  const { groups, tried } = view
  const choices = html`${groupChoice(frame, 'f-groupId', 'groupId', text('setup.group'), groups, tried?.groupId)}${groupChoice(frame, 'f-groupRoleId', 'roleId', text('setup.role'), view.roles, tried?.roleId)}`
  return html`<section>
    <h2>${text('setup.groupRules')}</h2>
    ${ruleList(
      frame,
      rules.map((rule) => ruleItem(frame, view, 'group', rule, rule.group ?? text('setup.ruleUnknown'))),
    )}${
      groups.length === 0
        ? html`<p class="hint">${text('setup.noGroups')}</p> `
        : form(
            frame,
            target(view, 'add-group'),
            html`${choices}${tried !== undefined && triedResult(frame, tried)}${button(text('setup.addRule'), { kind: 'secondary' })}${button(text('setup.tryRule'), { kind: 'quiet', name: 'try', value: 'yes' })}`,
          )
    }
  </section> `
}

export function setupRolesPage(frame: Frame, view: SetupRolesView): string {
  const { text } = frame
  const { claimRules, groupRules, mappings } = view
  return setupPage(
    frame,
    view,
    { title: text('setup.roles'), lead: text('setup.rolesLead'), section },
    html`${claimRules !== undefined && claimSection(frame, view, claimRules)}${groupRules !== undefined && groupSection(frame, view, groupRules)}${mappings !== undefined && mappingSection(frame, view, mappings)}`,
  )
}

/** For as long as there is no connection whose people could get roles. */
export const setupRolesWaitingPage = (frame: Frame, view: SetupView): string =>
  setupPage(
    frame,
    view,
    { title: frame.text('setup.roles'), lead: frame.text('setup.rolesLead'), section },
    html`<p class="hint">${frame.text('setup.scimNeedsConnection')}</p>`,
  )
