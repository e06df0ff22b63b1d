import { type Frame, heading, page } from './frame.ts'
import { html } from './html.ts'
import { button, form } from './parts/form.ts'

export interface InvitationView {
  readonly token: string
  readonly isSignedIn: boolean
  readonly canAnswer: boolean
  /** Paths below the root. */
  readonly signInAt: string
  readonly signUpAt: string
}

export function invitationPage(frame: Frame, view: InvitationView): string {
  const { text, tenant, root } = frame
  const { token, isSignedIn, canAnswer, signInAt, signUpAt } = view
  const title = text('invitation.title')
  const answer = form(
    frame,
    { to: '/invitation', hidden: { token } },
    html`${isSignedIn && button(text('invitation.accept'), { name: 'answer', value: 'accept' })}${button(text('invitation.decline'), { name: 'answer', value: 'decline', kind: isSignedIn ? 'secondary' : 'quiet' })}`,
  )
  return page(
    frame,
    { title },
    html`${heading(title, text(isSignedIn ? 'invitation.acceptLead' : 'invitation.signInLead', { tenant: tenant?.name ?? '' }))}${!isSignedIn && html`<div class="stack"><a class="button primary" href="${root}${signUpAt}">${text('invitation.signUp')}</a><a class="button secondary" href="${root}${signInAt}">${text('invitation.signIn')}</a></div>`}${canAnswer && answer}`,
  )
}
