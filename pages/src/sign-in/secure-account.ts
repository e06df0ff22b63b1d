import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { button, form } from '../parts/form.ts'

/** Asks for confirmation, because programs open the links of mails too. */
export function secureAccountPage(frame: Frame, { token }: { readonly token: string }): string {
  const { text } = frame
  const title = text('secure.title')
  const submit = button(text('secure.submit'))
  return page(
    frame,
    { title },
    html`${heading(title, text('secure.lead'))}${form(frame, { to: '/secure-account', hidden: { token } }, submit)}`,
  )
}
