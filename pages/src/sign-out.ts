import { type Frame, heading, page } from './frame.ts'
import { html } from './html.ts'
import { button, form } from './parts/form.ts'
import { withAddress } from './parts/who.ts'

export interface SignOutView {
  /** The active account; undefined if there are only others. */
  readonly name: string | undefined
  readonly redirectTo: string | undefined
  /** Whether the browser keeps other accounts signed in. */
  readonly hasOthers?: boolean
}

/** Asks for confirmation, so that a link on another site cannot sign anybody out. */
export function signOutPage(frame: Frame, { name, redirectTo, hasOthers = false }: SignOutView): string {
  const { text } = frame
  const title = text('signOut.title')
  const lead = name === undefined ? undefined : withAddress((shown) => text('signOut.lead', { name: shown }), name)
  return page(
    frame,
    { title },
    html`${heading(title, lead)}${
      name !== undefined && form(frame, { to: '/sign-out', hidden: { redirectTo } }, button(text('signOut.submit')))
    }${
      hasOthers &&
      form(
        frame,
        { to: '/sign-out', hidden: { redirectTo, all: 'yes' } },
        button(text('signOut.all'), { kind: name === undefined ? 'primary' : 'secondary' }),
      )
    }`,
  )
}
