// The domains of the organization, each with the DNS record that proves it.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { recordList } from '../organizations/domains.ts'
import { field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type SetupView, setupPage, setupPath, stateBadge } from './shell.ts'

export interface SetupDomain {
  readonly id: string
  readonly name: string
  readonly isVerified: boolean
  readonly record: { readonly type: string; readonly name: string; readonly value: string }
}

export interface SetupDomainsView extends SetupView {
  readonly domains: readonly SetupDomain[]
  /** The text that the reader entered. */
  readonly name?: string | undefined
}

function domainItem(frame: Frame, to: string, { id, name, isVerified, record }: SetupDomain): Html {
  const { text } = frame
  return html`<section aria-label="${name}">
    <h2>
      <bdi>${name}</bdi> ${stateBadge(text(isVerified ? 'orgs.domainVerified' : 'orgs.domainUnverified'), isVerified)}
    </h2>
    ${
      !isVerified &&
      html`<p>${text('setup.domainRecord')}</p>
        ${recordList(frame, record)}${form(frame, { to, hidden: { id } }, button(text('orgs.domainCheck')))}`
    }
  </section> `
}

export function setupDomainsPage(frame: Frame, view: SetupDomainsView): string {
  const { text } = frame
  const { domains, errors = {}, name } = view
  const to = setupPath(view, 'domains')
  return setupPage(
    frame,
    view,
    { title: text('setup.domains'), lead: text('setup.domainsLead'), section: 'domains' },
    html`${domains.map((domain) => domainItem(frame, to, domain))}${form(
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
