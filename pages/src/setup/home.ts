// What there is to do, in its order, and how far it is.
import type { Frame } from '../frame.ts'
import { html } from '../html.ts'
import { link } from '../parts/form.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { type SetupSection, type SetupView, labelOfSection, setupPage, setupPath, stateBadge } from './shell.ts'

export type SetupStepSection = Exclude<SetupSection, 'home' | 'done'>

export interface SetupHomeView extends SetupView {
  readonly steps: readonly { readonly section: SetupStepSection; readonly isDone: boolean }[]
}

const abouts = {
  domains: 'setup.domainsAbout',
  connection: 'setup.connectionAbout',
  scim: 'setup.provisioningAbout',
  roles: 'setup.rolesAbout',
} as const satisfies Readonly<Record<SetupStepSection, TextKey>>

const isOptional = (section: SetupStepSection) => section === 'scim' || section === 'roles'

export function setupHomePage(frame: Frame, view: SetupHomeView): string {
  const { text, tenant } = frame
  const items = view.steps.map(
    ({ section, isDone }) =>
      html`<li>
        <div>
          <p>${link(frame, setupPath(view, section), labelOfSection(frame, section))}</p>
          <p class="hint">${text(abouts[section])}</p>
        </div>
        ${stateBadge(text(isDone ? 'setup.stepDone' : isOptional(section) ? 'setup.stepOptional' : 'setup.stepOpen'), isDone)}
      </li> `,
  )
  const lead = text('setup.homeLead', { tenant: tenant?.name ?? '' })
  return setupPage(
    frame,
    view,
    { title: text('setup.title'), lead, section: 'home' },
    html`<ul class="list plain">
      ${items}
    </ul>`,
  )
}
