// The page for somebody who opens the sign-in page and is signed in already. It redirects nobody automatically: two pages that redirect to
// each other would never end.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface SignedInView {
  readonly name: string
  readonly continueAt: string
  /** The sign-in page that asks again. */
  readonly signInAt: string
}

export function signedInPage(frame: Frame, { name, continueAt, signInAt }: SignedInView): string {
  const { text } = frame
  const title = text('signedIn.title')
  return page(
    frame,
    { title },
    html`${heading(
        title,
        withAddress((address) => text('signedIn.lead', { name: address }), name),
      )}
      <div class="stack"><a class="button primary" href="${continueAt}">${text('common.continue')}</a></div>
      <p class="row">
        ${link(frame, signInAt, text('signedIn.other'))}${link(frame, '/sign-out', text('signedIn.signOut'))}
      </p>`,
  )
}
