// The parts of the embedded forms.
import type { PublicTenant } from '@bailiwick/contract'
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import type { FormLook } from './form-look.ts'
import type { Problems } from './problems.ts'
import type { Work } from './use-work.ts'

interface CardProps {
  readonly look: FormLook
  readonly title: string
  readonly lead?: string | undefined
  readonly problems: Problems
  /** The result of the last action, which screen readers announce. */
  readonly notice?: string | undefined
  /** Whether an earlier step has been completed, so that the focus moves here. */
  readonly isNext?: boolean
  readonly children: ReactNode
}

/** A step: its title, its problems and its forms. */
export function Card({ children, isNext = false, lead, look, notice, problems, title }: CardProps) {
  const { classes, style } = look
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isNext) return
    const first = card.current?.querySelector<HTMLElement>('input:not([readonly], [type=hidden])')
    ;(first ?? card.current?.querySelector('h2'))?.focus()
  }, [isNext, title])
  useEffect(() => {
    card.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problems])
  return (
    <div ref={card} className={classes('bw bw-card', 'card')} style={style}>
      <h2 tabIndex={-1} className={classes('bw-title', 'title')}>
        {title}
      </h2>
      {lead !== undefined && <p className={classes('bw-lead', 'lead')}>{lead}</p>}
      <p role="alert" className={classes('bw-error', 'error')}>
        {problems.form}
      </p>
      <p role="status" className={classes('bw-hint', 'hint')}>
        {notice}
      </p>
      {children}
    </div>
  )
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly look: FormLook
  readonly name: string
  readonly label: string
  readonly problems: Problems
}

export function Field({ label, look, name, problems, ...input }: FieldProps) {
  const { classes } = look
  const id = useId()
  const error = problems.fields[name]
  return (
    <div className={classes('bw-field', 'field')}>
      <label htmlFor={id} className={classes('bw-label', 'label')}>
        {label}
      </label>
      <input
        required
        {...input}
        id={id}
        name={name}
        className={classes('bw-input', 'input')}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className={classes('bw-error', 'error')}>
          {error}
        </p>
      )}
    </div>
  )
}

export function PasswordField(props: Omit<FieldProps, 'type'>) {
  const [isShown, setIsShown] = useState(false)
  const { classes, texts } = props.look
  return (
    <>
      <Field {...props} type={isShown ? 'text' : 'password'} />
      <label className={classes('bw-check', 'label')}>
        <input type="checkbox" checked={isShown} onChange={(event) => setIsShown(event.target.checked)} />
        {texts.showPassword}
      </label>
    </>
  )
}

type CodeFieldProps = Omit<FieldProps, 'name' | 'label'> & { readonly label?: string }

/** A field for a code that was sent or that an app shows; recovery codes contain letters. */
export const CodeField = ({ label, ...props }: CodeFieldProps) => (
  <Field
    inputMode="numeric"
    {...props}
    name="code"
    label={label ?? props.look.texts.code}
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    dir="ltr"
  />
)

interface FormProps {
  readonly look: FormLook
  readonly isBusy: boolean
  readonly submit: string
  readonly isSecondary?: boolean
  /** Called with the fields by name, trimmed, except for passwords. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void
  readonly children?: ReactNode
}

export function Form({ children, isBusy, isSecondary = false, look, onSubmit, submit }: FormProps) {
  const { classes } = look
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, /password/i.test(name) ? value : value.trim()]] : [],
    )
    onSubmit(Object.fromEntries(entries) as Record<string, string>)
  }
  const buttonClasses = isSecondary
    ? classes('bw-button bw-secondary', 'button')
    : classes('bw-button bw-primary', 'primaryButton')
  return (
    <form className={classes('bw-form', 'form')} onSubmit={send} aria-busy={isBusy}>
      {children}
      <button type="submit" className={buttonClasses} aria-disabled={isBusy}>
        {submit}
      </button>
    </form>
  )
}

interface ChoiceProps {
  readonly look: FormLook
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button that leads to another way of signing in. */
export const Choice = ({ children, look, onClick }: ChoiceProps) => (
  <button type="button" className={look.classes('bw-link', 'link')} onClick={onClick}>
    {children}
  </button>
)

interface ElsewhereProps {
  readonly look: FormLook
  readonly tenant: PublicTenant
  readonly redirectTo: string | undefined
  readonly work: Work
  readonly onRestart: () => void
}

/** Leads to the hosted pages, where the next step is. */
export function Elsewhere({ look, tenant, redirectTo, work, onRestart }: ElsewhereProps) {
  const { pages } = useBailiwick()
  const { classes, texts } = look
  return (
    <Card
      look={look}
      title={texts.signIn}
      lead={filled(texts.elsewhere, { tenant: tenant.name })}
      problems={work.problems}
      isNext
    >
      <a className={classes('bw-button bw-primary', 'primaryButton')} href={pages.signIn(redirectTo)}>
        {texts.continue}
      </a>
      <Choice look={look} onClick={onRestart}>
        {texts.back}
      </Choice>
    </Card>
  )
}
