import { type Frame, heading, page } from './frame.ts'
import { html } from './html.ts'
import { button, form } from './parts/form.ts'
import { withAddress } from './parts/who.ts'

/** Asks for confirmation, so that a link on another site cannot sign anybody out. */
export function signOutPage(
  frame: Frame,
  { name, redirectTo }: { readonly name: string; readonly redirectTo: string | undefined },
): string {
  const { text } = frame
  const title = text('signOut.title')
  const lead = withAddress((shown) => text('signOut.lead', { name: shown }), name)
  return page(
    frame,
    { title },
    html`${heading(title, lead)}${form(frame, { to: '/sign-out', hidden: { redirectTo } }, button(text('signOut.submit')))}`,
  )
}
