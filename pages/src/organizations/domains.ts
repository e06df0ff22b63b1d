// The domains of an organization, and the DNS record that proves each of them.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type OrganizationView, type PagerView, organizationPage, organizationPath, pager } from './shell.ts'

export interface ListedDomain {
  readonly id: string
  readonly name: string
  readonly isVerified: boolean
}

/** The effect on people with an address at a verified domain; the tenant decides it for all its organizations. */
export type DomainEffect = 'invited' | 'suggested' | 'shown'

export interface OrganizationDomainsView extends OrganizationView, PagerView {
  readonly domains: readonly ListedDomain[]
  readonly effects: readonly DomainEffect[]
  /** The text that the user entered. */
  readonly name?: string | undefined
}

function effectText({ text }: Frame, effect: DomainEffect): string {
  if (effect === 'invited') return text('orgs.domainsInvite')
  return effect === 'suggested' ? text('orgs.domainsSuggest') : text('orgs.domainsShow')
}

const badge = ({ text }: Frame, { isVerified }: Pick<ListedDomain, 'isVerified'>): Html =>
  html`<span class="badge ${!isVerified && 'waiting'}"
    >${text(isVerified ? 'orgs.domainVerified' : 'orgs.domainUnverified')}</span
  >`

export function organizationDomainsPage(frame: Frame, view: OrganizationDomainsView): string {
  const { text, root } = frame
  const { organization, domains, effects, name, errors = {} } = view
  const to = organizationPath(organization, 'domains')
  const items = domains.map(
    (domain) =>
      html`<li>
        <div>
          <p>
            <a href="${root}${organizationPath(organization, 'domains', domain.id)}"><bdi>${domain.name}</bdi></a>
          </p>
        </div>
        ${badge(frame, domain)}
      </li> `,
  )
  return organizationPage(
    frame,
    view,
    { title: text('orgs.domainsTitle'), section: 'domains' },
    html`${effects.map((effect) => html`<p>${effectText(frame, effect)}</p> `)}${
      domains.length === 0
        ? html`<p class="hint">${text('orgs.noDomains')}</p> `
        : html`<ul class="list plain">
            ${items}
          </ul> `
    }${pager(frame, to, view)}${form(
      frame,
      { to },
      html`${field(frame, errors, {
        name: 'name',
        label: text('orgs.domainName'),
        type: 'text',
        autocomplete: 'off',
        inputmode: 'url',
        hint: text('orgs.domainHint'),
        maxlength: 253,
        ...(name === undefined ? {} : { value: name }),
      })}${button(text('orgs.domainAdd'), { kind: domains.length === 0 ? 'primary' : 'secondary' })}`,
    )}`,
  )
}

export interface OrganizationDomainView extends OrganizationView {
  readonly domain: ListedDomain
  readonly record: { readonly type: string; readonly name: string; readonly value: string }
}

export function organizationDomainPage(frame: Frame, view: OrganizationDomainView): string {
  const { text } = frame
  const { organization, domain, record } = view
  const to = organizationPath(organization, 'domains', domain.id)
  return organizationPage(
    frame,
    view,
    {
      title: domain.name,
      lead: text(domain.isVerified ? 'orgs.domainVerifiedLead' : 'orgs.domainLead'),
      section: 'domains',
    },
    html`<p>${badge(frame, domain)}</p>
      ${!domain.isVerified && html`${recordList(frame, record)}${form(frame, { to, hidden: { action: 'verify' } }, button(text('orgs.domainCheck')))}`}
      <details>
        <summary>${text('orgs.domainRemove')}</summary>
        ${form(
          frame,
          { to, hidden: { action: 'remove' } },
          html`<p class="hint">${text('orgs.domainRemoveHint')}</p>
            ${button(text('orgs.domainRemove'), { kind: 'danger' })}`,
        )}
      </details>`,
  )
}

export const recordList = ({ text }: Frame, { type, name, value }: OrganizationDomainView['record']): Html =>
  html`<dl class="record">
    <div>
      <dt>${text('orgs.recordType')}</dt>
      <dd><code dir="ltr">${type}</code></dd>
    </div>
    <div>
      <dt>${text('orgs.recordName')}</dt>
      <dd><code dir="ltr">${name}</code></dd>
    </div>
    <div>
      <dt>${text('orgs.recordValue')}</dt>
      <dd><code dir="ltr">${value}</code></dd>
    </div>
  </dl> `
