// An application asks for access to the user's account: who it is, what it may then do, and for which organization.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { avatar } from '../organizations/shell.ts'
import { type FieldErrors, firstError, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface AskingApplication {
  readonly name: string
  /** Only where it comes from a place that pages may load from. */
  readonly pictureUri: string | null
  readonly termsUri: string | null
  readonly policyUri: string | null
  /** The host of the document in which the application describes itself. */
  readonly documentHost?: string | null
  /** Where the browser goes next. */
  readonly host: string | null
  /** Whether the tenant has registered it. */
  readonly isTrusted: boolean
}

export interface ShownScope {
  readonly name: string
  readonly description: string | null
  /** The name of the resource; null for a scope of OpenID Connect. */
  readonly resource: string | null
  readonly isGranted: boolean
}

export interface ConsentView {
  readonly uid: string
  /** Names the application if its request is over by the time of the answer. */
  readonly clientId?: string | undefined
  readonly application: AskingApplication
  /** Of the user. */
  readonly name: string
  readonly scopes: readonly ShownScope[]
  /** The resources that are allowed as a whole. */
  readonly resources?: readonly { readonly name: string; readonly isGranted: boolean }[]
  /** Whether the application asks for the one organization that is listed. */
  readonly isOrganizationRequested?: boolean
  /** Where the user signs in with another account; undefined if that cannot be done. */
  readonly signInAt?: string | undefined
  /** Those that the application may act for. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  /** The one that is chosen at first; null is the user's own person. */
  readonly organizationId: string | null
  /** Whether a device waits for the answer, to which the browser does not go back. */
  readonly isDevice: boolean
  readonly errors?: FieldErrors
}

const plainScopes = {
  openid: 'consent.openid',
  profile: 'consent.profile',
  email: 'consent.email',
  phone: 'consent.phone',
  org_name: 'consent.orgName',
  org_slug: 'consent.orgSlug',
  offline_access: 'consent.offline',
} as const

/** What a scope lets the application do, in plain words; its name where nobody has described it. */
function sentenceOf({ text }: Frame, { name, description, resource }: ShownScope): Html | string {
  const key = resource === null ? plainScopes[name as keyof typeof plainScopes] : undefined
  if (key !== undefined) return text(key)
  return description === null ? html`<code dir="ltr">${name}</code>` : html`<bdi>${description}</bdi>`
}

const scopeItem = (frame: Frame, scope: ShownScope): Html =>
  html`<li>
    ${sentenceOf(frame, scope)}${scope.isGranted && html` <span class="badge">${frame.text('consent.allowedBefore')}</span>`}
  </li> `

function resourceList(frame: Frame, resources: NonNullable<ConsentView['resources']>): Html | false {
  const { text } = frame
  const badge = html` <span class="badge">${text('consent.allowedBefore')}</span>`
  const items = resources.map(
    ({ name, isGranted }) =>
      html`<li>
        ${withAddress((shown) => text('consent.wholeResource', { resource: shown }), name)}${isGranted && badge}
      </li> `,
  )
  return (
    items.length > 0 &&
    html`<ul class="asked">
      ${items}
    </ul> `
  )
}

function scopeLists(frame: Frame, scopes: readonly ShownScope[]): Html[] {
  const resources = [...new Set(scopes.map(({ resource }) => resource))]
  return resources.map((resource) => {
    const items = scopes.filter((scope) => scope.resource === resource).map((scope) => scopeItem(frame, scope))
    const title =
      resource !== null &&
      html`<p>${withAddress((name) => frame.text('consent.atResource', { resource: name }), resource)}</p> `
    return html`${title}
      <ul class="asked">
        ${items}
      </ul> `
  })
}

function organizationChoice(
  frame: Frame,
  { organizations, organizationId, isOrganizationRequested = false }: ConsentView,
): Html | false {
  const { text } = frame
  const option = (id: string, name: string) =>
    html`<option value="${id}" ${id === (organizationId ?? '') && html`selected`}>${name}</option> `
  return (
    organizations.length > 0 &&
    html`<div class="field">
      <label for="f-organizationId">${text('consent.actFor')}</label>
      <select id="f-organizationId" name="organizationId" dir="auto">
        ${!isOrganizationRequested && option('', text('orgs.personal'))}${organizations.map(({ id, name }) => option(id, name))}
      </select>
    </div> `
  )
}

function documents({ text }: Frame, { name, termsUri, policyUri }: AskingApplication): Html | false {
  const links = [
    termsUri !== null && html`<a href="${termsUri}">${text('consent.terms', { application: name })}</a>`,
    policyUri !== null && html`<a href="${policyUri}">${text('consent.policy', { application: name })}</a>`,
  ].filter((each) => each !== false)
  return links.length > 0 && html`<p class="row">${links}</p>`
}

export function consentPage(frame: Frame, view: ConsentView): string {
  const { text, tenant } = frame
  const { uid, clientId, application, name, scopes, resources = [], signInAt, isDevice, errors = {} } = view
  const title = text('consent.title', { application: application.name })
  const warning = isDevice
    ? text('device.check')
    : !application.isTrusted && text('consent.unknown', { tenant: tenant?.name ?? '' })
  const { documentHost = null } = application
  const described = documentHost !== null && html`<p class="hint"><bdi>${documentHost}</bdi></p>`
  const next =
    !isDevice &&
    application.host !== null &&
    html`<p class="hint">${withAddress((host) => text('consent.goesTo', { host }), application.host)}</p>`
  const answers = html`${organizationChoice(frame, view)}
    <div class="stack">
      ${button(text('consent.allow'), { name: 'answer', value: 'allow' })}${button(text('consent.deny'), { name: 'answer', value: 'deny', kind: 'secondary' })}
    </div>`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${avatar(application)}${heading(
        title,
        withAddress((shown) => text('account.lead', { name: shown }), name),
      )}${described}${notice(firstError(errors))}${warning !== false && html`<p class="notice">${warning}</p>`}
      <p>${withAddress((shown) => text('consent.list', { application: shown }), application.name)}</p>
      ${scopeLists(frame, scopes)}${resourceList(frame, resources)}${form(frame, { to: '/consent', hidden: { interaction: uid, clientId } }, answers)}${next}
      <p class="hint">${text('consent.removable')}</p>
      ${signInAt !== undefined && html`<p class="row">${link(frame, signInAt, text('signedIn.other'))}</p>`}${documents(frame, application)}`,
  )
}
