// The page for a browser that a provider has sent here to sign in, although nobody had asked for that here. Another site could have made it come:
// so it names the account, and waits.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { button, form, link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface ArrivalView {
  readonly state: string
  /** What the connection is called. */
  readonly connection: string
  /** The account at the provider. */
  readonly name: string
  /** Who is signed in here as somebody else; undefined if nobody is. */
  readonly signedInAs: string | undefined
}

export function arrivalPage(frame: Frame, { state, connection, name, signedInAs }: ArrivalView): string {
  const { text } = frame
  const title = text('arrival.title')
  const lead = withAddress((shown) => text('arrival.lead', { connection, name: shown }), name)
  return page(
    frame,
    { title },
    html`${heading(title, lead)}${
        signedInAs !== undefined &&
        html`<p>
          ${withAddress((shown) => text('signOut.lead', { name: shown }), signedInAs)} ${text('arrival.replaces')}
        </p>`
      }
      ${form(frame, { to: '/sign-in/arrival', hidden: { state } }, button(text('common.continue')))}
      <p class="row">${link(frame, '/sign-in', text('signedIn.other'))}</p>`,
  )
}
