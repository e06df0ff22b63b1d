// What there is to do, in its order, and how far it is.
import type { Frame } from '../frame.ts'
import { html } from '../html.ts'
import { link } from '../parts/form.ts'
import { type SetupSection, type SetupView, labelOfSection, setupPage, setupPath, stateBadge } from './shell.ts'

export interface SetupHomeView extends SetupView {
  readonly steps: readonly { readonly section: SetupSection; readonly isDone: boolean }[]
}

export function setupHomePage(frame: Frame, view: SetupHomeView): string {
  const { text, tenant } = frame
  const items = view.steps.map(
    ({ section, isDone }) =>
      html`<li>
        <div>
          <p>${link(frame, setupPath(section), labelOfSection(frame, section))}</p>
          <p class="hint">${text(section === 'domains' ? 'setup.domainsAbout' : 'setup.connectionAbout')}</p>
        </div>
        ${stateBadge(text(isDone ? 'setup.stepDone' : 'setup.stepOpen'), isDone)}
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
