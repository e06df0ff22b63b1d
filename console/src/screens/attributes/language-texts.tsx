// A text in several languages: English first, and others as they are added.
import { type Language, type TextByLanguage, languages } from '@bailiwick/contract'
import { Labelled } from '../../form/labelled.tsx'

interface LanguageTextsProps {
  readonly label: string
  readonly value: TextByLanguage
  readonly isDisabled: boolean
  readonly isRequired?: boolean
  readonly onChange: (value: TextByLanguage) => void
}

const names = new Intl.DisplayNames('en', { type: 'language' })

interface AddedLanguageProps {
  readonly label: string
  readonly further: readonly Language[]
  readonly isDisabled: boolean
  readonly onAdd: (language: Language) => void
}

function AddedLanguage({ label, further, isDisabled, onAdd }: AddedLanguageProps) {
  return (
    <select
      aria-label={`${label} in another language`}
      value=""
      disabled={isDisabled}
      onChange={({ target }) => {
        const language = further.find((each) => each === target.value)
        if (language !== undefined) onAdd(language)
      }}
    >
      <option value="">{label} in another language …</option>
      {further.map((language) => (
        <option key={language} value={language}>
          {names.of(language)}
        </option>
      ))}
    </select>
  )
}

export function LanguageTexts({ label, value, isDisabled, isRequired = false, onChange }: LanguageTextsProps) {
  const others = languages.filter((language) => language !== 'en' && value[language] !== undefined)
  const used: readonly Language[] = ['en', ...others]
  const further = languages.filter((language) => !used.includes(language))
  const isOnlyEnglish = used.every((language) => language === 'en' || value[language] === '')
  const set = (language: Language, text: string) => {
    const { [language]: _before, ...rest } = value
    // Another language stays visible while it is empty; the form says that a text is missing.
    onChange(text === '' && language === 'en' ? rest : { ...value, [language]: text })
  }
  const remove = (language: Language) => {
    const { [language]: _before, ...rest } = value
    onChange(rest)
  }
  return (
    <>
      <div className="field-row">
        {used.map((language) => (
          <div key={language} className="field">
            <Labelled label={language === 'en' ? label : `${label}, ${names.of(language) ?? language}`}>
              <input
                required={language === 'en' ? isRequired && isOnlyEnglish : true}
                maxLength={200}
                lang={language}
                dir="auto"
                autoComplete="off"
                disabled={isDisabled}
                value={value[language] ?? ''}
                onChange={({ target }) => set(language, target.value)}
              />
            </Labelled>
            {language === 'en' ? null : (
              <button
                type="button"
                className="button small"
                aria-label={`Remove ${label} in ${names.of(language) ?? language}`}
                disabled={isDisabled}
                onClick={() => remove(language)}
              >
                Remove
              </button>
            )}
          </div>
        ))}
      </div>
      <div>
        <AddedLanguage
          label={label}
          further={further}
          isDisabled={isDisabled}
          onAdd={(language) => onChange({ ...value, [language]: '' })}
        />
      </div>
    </>
  )
}
