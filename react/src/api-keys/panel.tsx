// The list of API keys, the form for a new one, and the new key, which is shown once.
import type { UserApiKey, UserApiKeyWithKey } from '@bailiwick/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { ApiKeysProps } from '../api-keys.tsx'
import { type Look, useLook } from '../look.ts'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import { type Keys, type Offer, type Problem, useKeys } from './keys.ts'
import { type Language, useLanguage } from './words.ts'

interface PartProps {
  readonly look: Look
  readonly language: Language
}

const dayMs = 24 * 60 * 60 * 1000
const lifetimes = [7, 30, 90, 365]

/** Shows a key that was just made. The focus goes to it, because it cannot be shown again. */
function MadeKey({ look: { classes }, language: { words }, made }: PartProps & { readonly made: UserApiKeyWithKey }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [made])
  const copy = async () => {
    field.current?.select()
    await navigator.clipboard.writeText(made.key)
    setCopied(true)
  }
  return (
    <div className={classes('bw-field', 'field')}>
      <label htmlFor={id} className={classes('bw-label', 'label')}>
        {words.newTitle}
      </label>
      <input
        ref={field}
        id={id}
        readOnly
        value={made.key}
        dir="ltr"
        className={classes('bw-input', 'input')}
        aria-describedby={`${id}-lead`}
      />
      <p id={`${id}-lead`} className={classes('bw-hint', 'hint')}>
        {words.newLead}
      </p>
      <button
        type="button"
        className={classes('bw-button bw-secondary', 'button')}
        onClick={() => void copy().catch(() => undefined)}
      >
        {words.copy}
      </button>
      <p role="status" className={classes('bw-hint', 'hint')}>
        {isCopied ? words.copied : ''}
      </p>
    </div>
  )
}

function Lifetime({ look: { classes }, language: { days, words }, daysMax }: PartProps & Pick<Offer, 'daysMax'>) {
  const id = useId()
  const offered = lifetimes.filter((count) => daysMax === 0 || count < daysMax)
  const last = daysMax === 0 ? { value: '', label: words.forever } : { value: String(daysMax), label: days(daysMax) }
  return (
    <div className={classes('bw-field', 'field')}>
      <label htmlFor={id} className={classes('bw-label', 'label')}>
        {words.lifetime}
      </label>
      <select
        id={id}
        name="days"
        className={classes('bw-select', 'select')}
        defaultValue={offered.includes(90) ? 90 : last.value}
      >
        {offered.map((count) => (
          <option key={count} value={count}>
            {days(count)}
          </option>
        ))}
        <option value={last.value}>{last.label}</option>
      </select>
    </div>
  )
}

type CreateFormProps = PartProps & { readonly offer: Offer } & Pick<Keys, 'create' | 'isBusy'>

function CreateForm({ create, isBusy, language, look, offer }: CreateFormProps) {
  const { classes } = look
  const { words } = language
  const id = useId()
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const fields = new FormData(event.currentTarget)
    const days = Number(fields.get('days'))
    const name = fields.get('name')
    create({
      name: typeof name === 'string' ? name.trim() : '',
      scopes: fields.getAll('scopes').map(String),
      // Without a time, the service takes the latest that it allows.
      expiresAt: days === 0 || days === offer.daysMax ? null : new Date(Date.now() + days * dayMs).toISOString(),
    })
  }
  return (
    <form className={classes('bw-form', 'form')} onSubmit={send} aria-busy={isBusy}>
      <div className={classes('bw-field', 'field')}>
        <label htmlFor={id} className={classes('bw-label', 'label')}>
          {words.name}
        </label>
        <input
          id={id}
          name="name"
          required
          maxLength={64}
          pattern=".*\S.*"
          autoComplete="off"
          className={classes('bw-input', 'input')}
          aria-describedby={`${id}-hint`}
        />
        <p id={`${id}-hint`} className={classes('bw-hint', 'hint')}>
          {words.nameHint}
        </p>
      </div>
      {offer.scopes.length > 0 && (
        <fieldset className={classes('bw-field', 'field')} style={{ border: 0, margin: 0, padding: 0 }}>
          <legend className={classes('bw-label', 'label')}>{words.scopes}</legend>
          {offer.scopes.map((scope) => (
            <label key={scope} className={classes('bw-check', 'label')}>
              <input type="checkbox" name="scopes" value={scope} />
              <bdi>{scope}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <Lifetime look={look} language={language} daysMax={offer.daysMax} />
      <button type="submit" className={classes('bw-button bw-primary', 'primaryButton')} aria-disabled={isBusy}>
        {words.create}
      </button>
    </form>
  )
}

function describeState({ expiresAt, lastUsedAt }: UserApiKey, { date, words }: Language): string {
  const end =
    expiresAt === null
      ? words.forever
      : Date.parse(expiresAt) <= Date.now()
        ? words.expired
        : filled(words.validUntil, { time: date(expiresAt) })
  return lastUsedAt === null ? `${end} · ${words.unused}` : end
}

type ListedKeyProps = PartProps & { readonly apiKey: UserApiKey } & Pick<Keys, 'end' | 'isBusy' | 'rotate'>

function ListedKey({ apiKey, end, isBusy, language, look, rotate }: ListedKeyProps) {
  const { classes } = look
  const { words } = language
  const act = (label: string, work: (key: UserApiKey) => void) => (
    <button
      type="button"
      className={classes('bw-button bw-secondary', 'button')}
      aria-disabled={isBusy}
      aria-label={`${label}: ${apiKey.name}`}
      onClick={() => isBusy || work(apiKey)}
    >
      {label}
    </button>
  )
  return (
    <li className={classes('bw-field', 'field')}>
      <b>
        <bdi>{apiKey.name}</bdi>
      </b>
      <code dir="ltr">
        {apiKey.prefix}…{apiKey.last4}
      </code>
      {apiKey.scopes.length > 0 && (
        <p className={classes('bw-hint', 'hint')}>
          <bdi>{apiKey.scopes.join(', ')}</bdi>
        </p>
      )}
      <p className={classes('bw-hint', 'hint')}>{describeState(apiKey, language)}</p>
      <details>
        <summary>{words.change}</summary>
        <p className={classes('bw-hint', 'hint')}>{words.changeHint}</p>
        <div className={classes('bw-form', 'form')}>
          {act(words.replace, rotate)}
          {act(words.end, end)}
        </div>
      </details>
    </li>
  )
}

function ProblemText({
  look: { classes, texts },
  language: { words },
  problem,
}: PartProps & { readonly problem: Problem | undefined }) {
  const { pages } = useBailiwick()
  const isProof = problem === 'prove' || problem === 'second'
  const level = problem === 'second' ? 'second_factor' : 'recent'
  return (
    <p role="alert" className={classes('bw-error', 'error')}>
      {isProof ? `${words.proveLead} ` : problem === 'limit' ? words.limit : problem === 'failed' ? texts.failed : ''}
      {isProof && (
        <a className={classes('bw-link', 'link')} href={pages.verify({ level }, location.href)}>
          {words.prove}
        </a>
      )}
    </p>
  )
}

export function Panel({ appearance, language: wanted, organizationId }: ApiKeysProps) {
  const look = useLook(appearance)
  const language = useLanguage(wanted)
  const { create, end, hasEnded, isBusy, keys, made, offer, problem, rotate } = useKeys(organizationId)
  const { classes, style } = look
  const title = useId()
  if (language === undefined) return <div className={classes('bw bw-card', 'card')} style={style} aria-busy />
  const { words } = language
  return (
    <section
      aria-labelledby={title}
      className={classes('bw bw-card', 'card')}
      style={style}
      lang={language.tag}
      dir={language.direction}
      aria-busy={isBusy}
    >
      <h2 id={title} className={classes('bw-title', 'title')}>
        {words.title}
      </h2>
      <ProblemText look={look} language={language} problem={problem} />
      <p role="status" className={classes('bw-hint', 'hint')}>
        {hasEnded ? words.ended : ''}
      </p>
      {made !== undefined && <MadeKey key={made.key} look={look} language={language} made={made} />}
      {keys !== undefined && keys.length > 0 && (
        <ul className={classes('bw-form', 'form')} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {keys.map((apiKey) => (
            <ListedKey key={apiKey.id} {...{ apiKey, end, isBusy, language, look, rotate }} />
          ))}
        </ul>
      )}
      {/* The key of a form that has succeeded is another one, so that its fields are empty again. */}
      {offer !== undefined && <CreateForm key={`after ${made?.key}`} {...{ create, isBusy, language, look, offer }} />}
    </section>
  )
}
