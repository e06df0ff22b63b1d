// The texts that users read, in every language: where their files are, and how they are held to the English ones.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

export type Text = string | Readonly<Record<string, string>>
export type Texts = Readonly<Record<string, Text>>

export interface TextFolder {
  readonly about: string
  readonly folder: string
  /** The English files; every other file of the folder is one language, named by its tag. */
  readonly english: readonly string[]
}

export const textFolders: readonly TextFolder[] = [
  { about: 'hosted pages', folder: 'pages/src/texts', english: ['en.json'] },
  { about: 'messages', folder: 'server/src/messaging/notifications/texts', english: ['en.json'] },
  { about: 'React components', folder: 'react/src/texts', english: ['en.json', 'en-forms.json'] },
]

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(repository, folder, file), 'utf8')) as Texts

export const englishTexts = ({ folder, english }: TextFolder): Texts =>
  Object.assign({}, ...english.map((file) => read(folder, file))) as Texts

/** Returns every language but English by its tag. */
export const translations = ({ folder, english }: TextFolder): ReadonlyMap<string, Texts> =>
  new Map(
    readdirSync(join(repository, folder))
      .filter((file) => file.endsWith('.json') && !english.includes(file))
      .toSorted()
      .map((file) => [file.slice(0, -'.json'.length), read(folder, file)]),
  )

const forms = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

/** Returns the names in braces, such as `count`, each once. */
export const placeholders = (text: Text): readonly string[] =>
  [
    ...new Set(forms(text).flatMap((form) => Array.from(form.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name))),
  ].toSorted()

const markup = (form: string): readonly string[] => form.match(/<[^>]*>|&\w+;/g)?.toSorted() ?? []

const isSame = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n')

/** Returns what is wrong with the plural forms of a text: each number needs one, and the grammar knows no others. */
function pluralProblems(tag: string, text: Readonly<Record<string, string>>): readonly string[] {
  const rules = new Intl.PluralRules(tag)
  const possible = new Set([...rules.resolvedOptions().pluralCategories, 'other'])
  // Of whole numbers from 1. Without a form for none or millions, `other` is shown, which reads well.
  const needed = new Set(['other', ...Array.from({ length: 1000 }, (_, index) => rules.select(index + 1))])
  return [
    ...Object.keys(text)
      .filter((category) => !possible.has(category as Intl.LDMLPluralRule))
      .map((category) => `has the plural form "${category}", which ${tag} does not have`),
    ...[...needed]
      .filter((category) => text[category] === undefined)
      .map((category) => `lacks the plural form "${category}"`),
  ]
}

function formProblems(form: string): readonly string[] {
  const problems: string[] = []
  if (form === '' || form !== form.trim()) problems.push('is empty, or begins or ends with a space')
  if (form !== form.normalize('NFC')) problems.push('is not in Unicode normalization form C')
  if (/[\n\r\t]/.test(form)) problems.push('contains a line break or a tab')
  return problems
}

function textProblems(tag: string, text: Text, english: Text): readonly string[] {
  if (typeof text !== typeof english) {
    return [
      typeof english === 'string'
        ? 'has plural forms, but English has one text'
        : 'has no plural forms, but English has',
    ]
  }
  const problems = forms(text).flatMap(formProblems)
  if (!isSame(placeholders(text), placeholders(english))) {
    problems.push(
      `fills in {${placeholders(text).join('}, {')}}, but English fills in {${placeholders(english).join('}, {')}}`,
    )
  }
  const [first = ''] = forms(english)
  if (forms(text).some((form) => !isSame(markup(form), markup(first)))) problems.push('has other markup than English')
  return typeof text === 'string' ? problems : [...problems, ...pluralProblems(tag, text)]
}

export interface Findings {
  /** Keys that this language does not have yet, and for which English is shown. */
  readonly missing: readonly string[]
  /** What must be corrected, each as a sentence that begins with the key. */
  readonly problems: readonly string[]
}

/** Compares the texts of one language with the English ones. */
export function compareTexts(tag: string, texts: Texts, english: Texts): Findings {
  const problems = Object.entries(texts).flatMap(([key, text]) => {
    const original = Object.hasOwn(english, key) ? english[key] : undefined
    if (original === undefined) return [`${key} is not a key of the English texts`]
    return textProblems(tag, text, original).map((problem) => `${key} ${problem}`)
  })
  return { missing: Object.keys(english).filter((key) => !Object.hasOwn(texts, key)), problems }
}
