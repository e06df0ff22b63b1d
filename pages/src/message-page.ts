// A page with a message and a link that leads on.
import { type Frame, heading, page } from './frame.ts'
import { type Html, html } from './html.ts'

export interface MessageView {
  readonly title: string
  readonly lead?: Html | string | undefined
  /** A small text below the lead. */
  readonly detail?: string | undefined
  readonly actions?: readonly {
    /** A whole address, or a path below the root. */
    readonly href: string
    /** Whether a path begins at the top of the host instead of below the root. */
    readonly isWhole?: boolean
    readonly label: string
    readonly kind?: 'primary' | 'secondary'
  }[]
}

export function messagePage(frame: Frame, { title, lead, detail, actions = [] }: MessageView): string {
  const buttons = actions.map(({ href, label, kind = 'primary', isWhole = false }) => {
    const address = isWhole || !href.startsWith('/') ? href : frame.root + href
    return html`<a class="button ${kind}" href="${address}">${label}</a>`
  })
  return page(
    frame,
    { title },
    html`${heading(title, lead)}${detail !== undefined && html`<p class="hint">${detail}</p>`}${buttons.length > 0 && html`<div class="stack">${buttons}</div>`}`,
  )
}
