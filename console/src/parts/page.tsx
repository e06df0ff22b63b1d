// The frame of a screen: its title and actions, and the sections below.
import { useParams } from '@tanstack/react-router'
import { type ReactNode, createContext, useEffect, useRef } from 'react'

export interface Crumb {
  readonly title: string
  readonly to: string
}

interface PageProps {
  readonly title: string
  /** One sentence below the title. */
  readonly about?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  /** What stands before the title, such as the picture of a user. */
  readonly picture?: ReactNode
  readonly children: ReactNode
}

let hasShownScreen = false

/** A screen. Its heading takes the focus when the user comes from another screen, so that screen readers say where they are. */
export function Page({ title, about, actions, picture, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Bailiwick console`
  }, [title])
  useEffect(() => {
    const isArrival = hasShownScreen
    hasShownScreen = true
    if (!isArrival) return undefined
    heading.current?.focus()
    // A dialog that led here returns the focus to its previous place as it closes.
    const frame = requestAnimationFrame(() => heading.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <article className="page">
      <header className="page-head">
        <div className="page-subject">
          {picture}
          <div className="page-name">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {about === undefined ? null : <div className="quiet">{about}</div>}
          </div>
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </article>
  )
}

interface SectionProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly isDangerous?: boolean
}

export function Section({ title, about, actions, children, isDangerous = false }: SectionProps) {
  return (
    <section className={isDangerous ? 'section danger' : 'section'}>
      <header className="section-head">
        <div>
          <h2>{title}</h2>
          {about === undefined ? null : <p className="quiet">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** The name of the value that is shown, for the label of the button that copies it. */
export const FactName = createContext<string | undefined>(undefined)

/** Names and values, one below the other. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <FactName value={name}>{value ?? <span className="quiet">none</span>}</FactName>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A parameter of the open screen's path: `id` of `users/$id`. */
export function usePathParam(name = 'id'): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>
  return params[name] ?? ''
}
