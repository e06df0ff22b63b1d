// The connections of the organization to which the address belongs: people sign in at its own provider. What is offered follows from the
// domain of the address, whether or not an account has it.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, firstError, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { who } from '../parts/who.ts'

export interface ConnectionView {
  readonly attemptId: string
  readonly identifier: string
  readonly connections: readonly { readonly id: string; readonly name: string }[]
  readonly errors?: FieldErrors
  readonly hasOtherWays: boolean
  readonly startAt: string
}

export function connectionPage(frame: Frame, view: ConnectionView): string {
  const { attemptId, identifier, connections, errors = {}, hasOtherWays, startAt } = view
  const { text } = frame
  const title = text('connection.title')
  const to = `/sign-in/${attemptId}`
  const isOnly = connections.length === 1
  const choices = connections.map(({ id, name }) =>
    form(
      frame,
      { to, hidden: { step: 'prepare', strategy: 'enterprise', connectionId: id } },
      button(text('signIn.withProvider', { provider: name }), isOnly ? {} : { kind: 'secondary' }),
    ),
  )
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('connection.lead'))}${notice(firstError(errors))}${who(frame, identifier, startAt)}
      <div class="stack">${choices}</div>
      ${hasOtherWays && html`<p class="row">${link(frame, `${to}?with=choose`, text('common.otherWay'))}</p>`}`,
  )
}
