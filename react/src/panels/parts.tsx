// The parts of the embedded panels.
import type { ReactNode } from 'react'
import { Card, Field, Form } from '../embedded/form.tsx'
import { findProblems } from '../embedded/problems.ts'
import type { Panel } from './use-panel.ts'

interface PanelCardProps {
  readonly panel: Panel
  readonly title: string
  readonly children: ReactNode
}

/** The panel itself, with what came of the last action. */
export function PanelCard({ children, panel, title }: PanelCardProps) {
  const { direction, language, look, notice, problems, proof, words } = panel
  if (language === undefined) return <div className={look.classes('bw bw-card', 'card')} style={look.style} aria-busy />
  return (
    <div lang={language} dir={direction}>
      <Card look={look} title={title} problems={problems} notice={notice}>
        {proof !== undefined && (
          <a className={look.classes('bw-link', 'link')} href={proof}>
            {words.prove}
          </a>
        )}
        {children}
      </Card>
    </div>
  )
}

interface WaitingProps {
  readonly panel: Panel
  /** Why there is nothing to show. */
  readonly failure: unknown
  readonly onRetry: () => Promise<void>
}

/** Takes the place of what is fetched: says that it takes a while, or why it failed, with a button that tries again. */
export function Waiting({ failure, onRetry, panel }: WaitingProps) {
  const { act, look } = panel
  const { classes, texts } = look
  if (failure === undefined) return <p className={classes('bw-hint', 'hint')}>{texts.loading}</p>
  return (
    <>
      <p className={classes('bw-error', 'error')} role="alert">
        {findProblems(failure, texts, [undefined, 'failed']).form ?? texts.failed}
      </p>
      <button type="button" className={classes('bw-button', 'button')} onClick={() => act(onRetry)}>
        {texts.tryAgain}
      </button>
    </>
  )
}

export function Section({ children, panel, title }: PanelCardProps) {
  return (
    <section
      className={panel.look.classes('bw-form', 'form')}
      style={{ marginBlockStart: '1.5rem' }}
      aria-label={title}
    >
      <h3 className={panel.look.classes('bw-label', 'label')} style={{ margin: 0, fontSize: '1.125em' }}>
        {title}
      </h3>
      {children}
    </section>
  )
}

const list = { listStyle: 'none', margin: 0, padding: 0 } as const

export const Rows = ({ children, panel }: Omit<PanelCardProps, 'title'>) => (
  <ul className={panel.look.classes('bw-form', 'form')} style={list}>
    {children}
  </ul>
)

interface RowProps {
  readonly panel: Panel
  readonly title: string
  /** What else is known about it. */
  readonly hint?: string | undefined
  readonly children?: ReactNode
}

export function Row({ children, hint, panel, title }: RowProps) {
  const { classes } = panel.look
  return (
    <li className={classes('bw-field', 'field')}>
      <span>
        <bdi>{title}</bdi>
        {hint !== undefined && hint !== '' && <small className={classes('bw-hint', 'hint')}> · {hint}</small>}
      </span>
      {children}
    </li>
  )
}

interface ActProps {
  readonly panel: Panel
  readonly label: string
  /** What it is done with, for people who do not see the row. */
  readonly of: string
  readonly onClick: () => void
}

export const Act = ({ label, of, onClick, panel }: ActProps) => (
  <button
    type="button"
    className={panel.look.classes('bw-link', 'link')}
    style={{ justifySelf: 'start' }}
    aria-label={`${label}: ${of}`}
    aria-disabled={panel.isBusy}
    onClick={onClick}
  >
    {label}
  </button>
)

interface NameFormProps {
  readonly panel: Panel
  readonly submit: string
  readonly value?: string
  /** Called with the name; the form is empty afterwards, unless it has a value. */
  readonly onSubmit: (name: string) => void
}

/** A form for one name: of an organization that is created, or of one that is renamed. */
export const NameForm = ({ onSubmit, panel, submit, value }: NameFormProps) => (
  <Form
    look={panel.look}
    isBusy={panel.isBusy}
    submit={submit}
    isSecondary
    onSubmit={({ name = '' }) => onSubmit(name)}
  >
    <Field
      look={panel.look}
      name="name"
      label={panel.words.name}
      problems={panel.problems}
      defaultValue={value}
      maxLength={128}
      autoComplete="off"
    />
  </Form>
)
