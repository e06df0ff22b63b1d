// What there is to do, in its order, and how far it is.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { link } from '../parts/form.ts'
import { ago } from '../parts/times.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { type SetupSection, type SetupView, labelOfSection, setupPage, setupPath, stateBadge } from './shell.ts'

export type SetupStepSection = Exclude<SetupSection, 'home' | 'done'>

export interface SetupHomeView extends SetupView {
  readonly steps: readonly { readonly section: SetupStepSection; readonly isDone: boolean }[]
  /** The applications that act for members because the provider allows it. */
  readonly agents: readonly { readonly name: string; readonly members: number; readonly lastUsedAt: string }[]
  readonly now: string
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
      </ul>
      ${agentList(frame, view)}`,
  )
}

function agentList(frame: Frame, { agents, now }: SetupHomeView): Html | false {
  const { text } = frame
  if (agents.length === 0) return false
  const items = agents.map(({ name, members, lastUsedAt }) => {
    const facts = [
      text('setup.agentMembers', { count: members }),
      text('account.lastUsedAt', { time: ago(frame, lastUsedAt, now) }),
    ]
    return html`<li>
      <div>
        <p>
          <b><bdi>${name}</bdi></b>
        </p>
        <p class="hint">${facts.join(' · ')}</p>
      </div>
    </li> `
  })
  return html`<h2>${text('setup.agents')}</h2>
    <p class="hint">${text('setup.agentsAbout')}</p>
    <ul class="list plain">
      ${items}
    </ul>`
}
