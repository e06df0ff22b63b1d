// The end of the set-up: what colleagues do now, and requiring it of them, with whom that would lock out.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { type SetupView, setupPage, setupPath, values } from './shell.ts'

export interface SetupDoneView extends SetupView {
  /** The address at which colleagues sign in. */
  readonly signInUri: string
  /** The verified domains, as text. */
  readonly domains: string
  /** Undefined unless single sign-on is on. */
  readonly connection?:
    | {
        readonly id: string
        readonly isRequired: boolean
        readonly bound: number
        readonly neverConnected: number
      }
    | undefined
}

function requirement(frame: Frame, view: SetupDoneView): Html | false {
  const { text } = frame
  const { connection } = view
  if (connection === undefined) return false
  const { id, isRequired, bound, neverConnected } = connection
  const action = isRequired ? 'optional' : 'require'
  return html`<section>
    <h2>${text('setup.requireTitle')}</h2>
    <p>${text('setup.requireLead')}</p>
    <p>
      ${text('setup.requireBound', { count: bound })}
      ${neverConnected > 0 && html`<b>${text('setup.requireNever', { count: neverConnected })}</b>`}
    </p>
    ${form(
      frame,
      { to: setupPath(view, 'done'), hidden: { action, id } },
      button(text(isRequired ? 'setup.requireOff' : 'setup.requireOn'), { kind: 'secondary' }),
    )}
  </section> `
}

export function setupDonePage(frame: Frame, view: SetupDoneView): string {
  const { text } = frame
  const { connection, domains, signInUri } = view
  const isOn = connection !== undefined
  return setupPage(
    frame,
    view,
    {
      title: text(isOn ? 'setup.doneTitle' : 'setup.notDoneTitle'),
      lead: isOn ? text('setup.doneLead', { domains }) : text('setup.notDoneLead'),
      section: 'done',
    },
    html`${isOn && values([[text('setup.signInAddress'), signInUri]])}${requirement(frame, view)}`,
  )
}
