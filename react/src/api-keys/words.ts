// The texts, dates and lengths of time of the list of keys in one language.
import texts from './texts.json' with { type: 'json' }

export type Words = typeof texts.en

export interface Language {
  readonly tag: string
  readonly words: Words
  readonly isRightToLeft: boolean
  readonly date: (at: string) => string
  readonly days: (count: number) => string
}

type Tag = keyof typeof texts

/** Languages that are known by another tag here. */
const others: Readonly<Record<string, Tag>> = { no: 'nb', nn: 'nb', pt: 'pt-BR', zh: 'zh-Hans' }
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he'])

function findTag(wanted: string): Tag {
  const [base = ''] = wanted.split('-')
  const found = [wanted, others[base] ?? base].find((tag) => Object.hasOwn(texts, tag))
  return (found ?? 'en') as Tag
}

/** @param wanted a BCP 47 tag; by default the language of the page. */
export function findLanguage(wanted = document.documentElement.lang || navigator.language): Language {
  const tag = findTag(wanted)
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const days = new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return {
    tag,
    words: { ...texts.en, ...texts[tag] },
    isRightToLeft: rightToLeft.has(tag),
    date: (at) => dates.format(new Date(at)),
    days: (count) => days.format(count),
  }
}
