// The frame of the pages on which an administrator of an organization sets up its connection, by a link or as a member.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, type Shown, html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { isolated } from '../parts/isolated.ts'
import type { TextKey } from '../texts/catalogue.ts'

export const setupSections = ['home', 'domains', 'connection', 'scim', 'roles', 'done'] as const
export type SetupSection = (typeof setupSections)[number]

export interface SetupView {
  /** The path below which the pages are: `/setup`, or one of the organization for its members. */
  readonly base: string
  readonly organization: string
  /** The parts that the reader may use. */
  readonly sections: readonly SetupSection[]
  /** The path to which members go back. */
  readonly back?: string | undefined
  readonly errors?: FieldErrors
  /** The result of the last action, as a sentence. */
  readonly done?: string | undefined
}

type Place = Pick<SetupView, 'base'>

/** Only by a link the overview has a name of its own, because `/setup` is where the link is opened. */
export const setupPath = ({ base }: Place, section: SetupSection): string =>
  section === 'home' ? (base === '/setup' ? '/setup/home' : base) : `${base}/${section}`

const labels = {
  home: 'setup.home',
  domains: 'setup.domains',
  connection: 'setup.connection',
  scim: 'setup.provisioning',
  roles: 'setup.roles',
  done: 'setup.finish',
} as const satisfies Readonly<Record<SetupSection, TextKey>>

export const labelOfSection = ({ text }: Pick<Frame, 'text'>, section: SetupSection): string => text(labels[section])

export interface SetupPageOptions {
  readonly title: string
  readonly lead?: Html | string
  readonly section: SetupSection
}

export function setupPage(frame: Frame, view: SetupView, options: SetupPageOptions, content: Shown): string {
  const { text, root } = frame
  const { organization, sections, back, errors = {}, done } = view
  const items = sections.map(
    (section) =>
      html`<li>
        <a href="${root}${setupPath(view, section)}" ${section === options.section && html`aria-current="page"`}
          >${labelOfSection(frame, section)}</a
        >
      </li> `,
  )
  const up =
    back !== undefined &&
    html`<li class="up">
      <a href="${root}${back}"><bdi>${organization}</bdi></a>
    </li> `
  const navigation = html`<nav class="tabs" aria-label="${text('setup.steps')}">
    ${back !== undefined && html`<a class="back" href="${root}${back}"><bdi>${organization}</bdi></a>`}
    <ul>
      ${up}${items}
    </ul>
  </nav>`
  const { tenant } = frame
  // Whoever has come by a link is not a user of the tenant's app.
  const own = back === undefined && tenant !== null ? { ...frame, tenant: { ...tenant, homeUri: null } } : frame
  return page(
    own,
    {
      title: `${options.title} · ${isolated(frame, organization)}`,
      isRefused: Object.keys(errors).length > 0,
      navigation,
    },
    html`<p class="of"><bdi>${organization}</bdi></p>
      ${heading(options.title, options.lead)}${notice(errors['form'])}${notice(done, 'done')}${content}`,
  )
}

/** A step's state as a badge. */
export const stateBadge = (label: string, isDone: boolean): Html =>
  html`<span class="badge ${!isDone && 'waiting'}">${label}</span>`

/** Values to copy, by their names at the provider. */
export const values = (rows: readonly (readonly [label: string, value: string])[]): Html =>
  html`<dl class="record">
    ${rows.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd><code dir="ltr">${value}</code></dd>
        </div> `,
    )}
  </dl> `
