// An invitation to an organization, or to administer a tenant. Opening the page changes nothing.
import { type Frame, heading, page } from './frame.ts'
import { type Html, html } from './html.ts'
import { button, form } from './parts/form.ts'
import { isolated } from './parts/isolated.ts'

/** Whether the reader may answer, and if not, what must be done first. */
export type InvitationReader = 'signed-out' | 'invited' | 'unverified' | 'somebody-else' | 'member'

export interface InvitationView {
  readonly token: string
  /** The name of the organization, or of the tenant to administer. */
  readonly to: { readonly kind: 'organization' | 'tenant'; readonly name: string }
  /** The invited address. */
  readonly email: string
  readonly reader: InvitationReader
  /** The identity that the reader is signed in with. */
  readonly name?: string | undefined
  readonly canDecline: boolean
  /** Paths below the root. */
  readonly signInAt: string
  readonly signUpAt: string
}

export function invitationPage(frame: Frame, view: InvitationView): string {
  const { text } = frame
  const { to, reader } = view
  const [name, email] = [isolated(frame, to.name), isolated(frame, view.email)]
  const isOrganization = to.kind === 'organization'
  const title = text('invitation.title')
  const lead = isOrganization
    ? text('invitation.organizationLead', { organization: name, email })
    : text('invitation.administerLead', { tenant: name, email })
  return page(
    frame,
    { title },
    html`${heading(title, lead)}${explained(frame, view)}${ways(frame, view)}${(reader === 'invited' || view.canDecline) && answers(frame, view)}`,
  )
}

/** What the reader has to know or do before answering. */
function explained(frame: Frame, view: InvitationView): Html {
  const { text, tenant } = frame
  const { reader } = view
  const [name, email] = [isolated(frame, view.name ?? ''), isolated(frame, view.email)]
  if (reader === 'signed-out') return html`<p>${text('invitation.signInLead', { tenant: tenant?.name ?? '' })}</p> `
  if (reader === 'invited') return html`<p>${text('invitation.asName', { name })} ${text('invitation.acceptLead')}</p> `
  if (reader === 'unverified') return html`<p>${text('invitation.unverified', { email })}</p> `
  if (reader === 'member') return html`<p>${text('invitation.memberAlready')}</p> `
  return html`<p>${text('invitation.otherAddress', { name, email })}</p> `
}

function ways({ text, root }: Frame, { reader, signInAt, signUpAt }: InvitationView): Html | false {
  const way = (path: string, label: string, kind: 'primary' | 'secondary') =>
    html`<a class="button ${kind}" href="${root}${path}">${label}</a>`
  if (reader === 'signed-out')
    return html`<div class="stack">
      ${way(signUpAt, text('invitation.signUp'), 'primary')}${way(signInAt, text('invitation.signIn'), 'secondary')}
    </div> `
  if (reader === 'somebody-else')
    return html`<div class="stack">${way(signInAt, text('invitation.otherAccount'), 'primary')}</div> `
  if (reader === 'unverified')
    return html`<div class="stack">${way('/account', text('orgs.account'), 'primary')}</div> `
  return false
}

function answers(frame: Frame, { token, reader, canDecline }: InvitationView): Html {
  const { text } = frame
  const canAccept = reader === 'invited'
  return form(
    frame,
    { to: '/invitation', hidden: { token } },
    html`${canAccept && button(text('invitation.accept'), { name: 'answer', value: 'accept' })}${canDecline && button(text('invitation.decline'), { name: 'answer', value: 'decline', kind: canAccept ? 'secondary' : 'quiet' })}`,
  )
}
