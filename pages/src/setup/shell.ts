// The frame of the pages on which an administrator of an organization sets up its connection.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, type Shown, html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { isolated } from '../parts/isolated.ts'

export type SetupSection = 'home' | 'domains' | 'connection'

export interface SetupView {
  readonly organization: string
  /** The parts that the link allows. */
  readonly sections: readonly SetupSection[]
  readonly errors?: FieldErrors
  /** The result of the last action, as a sentence. */
  readonly done?: string | undefined
}

export const setupPath = (section: SetupSection) => (section === 'home' ? '/setup/home' : `/setup/${section}`)

export function labelOfSection({ text }: Pick<Frame, 'text'>, section: SetupSection): string {
  if (section === 'home') return text('setup.home')
  return section === 'domains' ? text('setup.domains') : text('setup.connection')
}

export interface SetupPageOptions {
  readonly title: string
  readonly lead?: Html | string
  readonly section: SetupSection
}

export function setupPage(frame: Frame, view: SetupView, options: SetupPageOptions, content: Shown): string {
  const { text, root } = frame
  const { organization, sections, errors = {}, done } = view
  const items = sections.map(
    (section) =>
      html`<li>
        <a href="${root}${setupPath(section)}" ${section === options.section && html`aria-current="page"`}
          >${labelOfSection(frame, section)}</a
        >
      </li> `,
  )
  const navigation = html`<nav class="tabs" aria-label="${text('setup.steps')}">
    <ul>
      ${items}
    </ul>
  </nav>`
  return page(
    frame,
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
