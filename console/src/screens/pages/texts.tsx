// The tenant's own wording: the service's texts in a language, filtered as one types, with the tenant's replacements.
import type { Language, PageSettings, UpdatePageSettings } from '@bailiwick/contract'
import { catalogueOf, languageOf } from '@bailiwick/pages/texts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { useChange } from '../../api/use-operation.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { isSame } from '../../form/form-state.ts'
import { Section } from '../../parts/page.tsx'
import { Loading, Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { languageOptions } from '../brand/brand-values.ts'

const shownMax = 30
type Own = Readonly<Record<string, string>>

export function Texts({ settings }: { readonly settings: PageSettings }) {
  const [language, setLanguage] = useState<Language>(settings.defaultLanguage)
  return (
    <Section
      title="Texts"
      about="Your wording in place of the service's, by language. What is left empty stays as it is."
    >
      <label className="filter">
        Language
        <select value={language} onChange={({ target }) => setLanguage(target.value as Language)}>
          {languageOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
              {settings.texts[value as Language] === undefined ? '' : ' (changed)'}
            </option>
          ))}
        </select>
      </label>
      <TextsOfLanguage key={language} settings={settings} language={language} />
    </Section>
  )
}

interface Text {
  readonly key: string
  readonly text: string
}

/** Returns the texts with these words, in the service's wording or the tenant's; without words, the changed ones and those of the sign-in. */
function findTexts(catalogue: object, own: Own, search: string): readonly Text[] {
  const texts = Object.entries(catalogue).flatMap(([key, text]: [string, unknown]) =>
    typeof text === 'string' ? [{ key, text }] : [],
  )
  const wanted = search.trim().toLowerCase()
  return texts.filter(({ key, text }) =>
    wanted === ''
      ? own[key] !== undefined || key.startsWith('signIn.')
      : `${key} ${text} ${own[key] ?? ''}`.toLowerCase().includes(wanted),
  )
}

interface TextListProps {
  readonly texts: readonly Text[]
  readonly own: Own
  readonly language: Language
  readonly isDisabled: boolean
  readonly onChange: (key: string, value: string) => void
}

function TextList({ texts, own, language, isDisabled, onChange }: TextListProps) {
  return (
    <>
      <ul className="texts">
        {texts.slice(0, shownMax).map(({ key, text }) => (
          <li key={key}>
            <label className="field">
              <span className="label">{text}</span>
              <code className="quiet">{key}</code>
              <input
                value={own[key] ?? ''}
                placeholder={text}
                maxLength={500}
                lang={language}
                disabled={isDisabled}
                onChange={({ target }) => onChange(key, target.value)}
              />
            </label>
          </li>
        ))}
      </ul>
      {texts.length > shownMax ? <p className="quiet">{texts.length - shownMax} more: search to find them.</p> : null}
      {texts.length === 0 ? <p className="quiet">No text has these words.</p> : null}
    </>
  )
}

function TextsOfLanguage({ settings, language }: { readonly settings: PageSettings; readonly language: Language }) {
  const { id } = useTenant()
  const saved: Own = settings.texts[language] ?? {}
  const [own, setOwn] = useState<Own>(saved)
  const [search, setSearch] = useState('')
  const right = useMayCall('putPages')
  const change = useChange('putPages', { onDone: () => toast('The texts are saved.') })
  const { data: catalogue } = useQuery({
    queryKey: ['texts', language],
    queryFn: () => catalogueOf(languageOf(language)),
    staleTime: Infinity,
  })
  if (catalogue === undefined) return <Loading />
  const found = findTexts(catalogue, own, search)
  const isUnchanged = isSame(sorted(own), sorted(saved))
  const { [language]: _replaced, ...others } = settings.texts
  const body: UpdatePageSettings = { texts: Object.keys(own).length === 0 ? others : { ...others, [language]: own } }
  const query = { ifVersion: String(settings.version) }
  const set = (key: string, value: string) => {
    const { [key]: _old, ...rest } = own
    setOwn(value === '' ? rest : { ...rest, [key]: value })
  }
  return (
    <>
      <label className="field">
        <span className="label">Find a text</span>
        <input type="search" value={search} maxLength={100} onChange={({ target }) => setSearch(target.value)} />
      </label>
      <TextList texts={found} own={own} language={language} isDisabled={!right.isAllowed} onChange={set} />
      <Refusal error={change.error} />
      <div className="actions">
        <ActionButton
          right={unlessPrevented(right, isUnchanged ? 'Nothing is changed.' : undefined)}
          isPrimary
          onClick={() => change.mutate({ params: { id }, query, body })}
        >
          Save texts
        </ActionButton>
      </div>
      <CodePanel state={{ operationId: 'putPages', params: { id }, query: {}, body }} />
    </>
  )
}

const sorted = (texts: Own) =>
  Object.fromEntries(Object.entries(texts).toSorted(([one], [other]) => (one < other ? -1 : 1)))
