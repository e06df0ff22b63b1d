// The texts, dates and lengths of time of the list of keys in one language.
import { useMemo } from 'react'
import { useServiceTexts } from '../texts/service-texts.ts'
import texts from './texts.json' with { type: 'json' }

export type Words = Readonly<Record<keyof typeof texts, string>>

export interface Language {
  readonly tag: string
  readonly words: Words
  readonly direction: 'ltr' | 'rtl'
  readonly date: (at: string) => string
  readonly days: (count: number) => string
}

/**
 * @param wanted a BCP 47 tag; by default the language of the page.
 * @returns undefined until its texts have been fetched.
 */
export function useLanguage(wanted: string | undefined): Language | undefined {
  const found = useServiceTexts(wanted)
  return useMemo(() => {
    if (found === undefined) return undefined
    const { direction, keys, language: tag } = found
    const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
    const days = new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' })
    return {
      tag,
      words: { ...texts, ...keys },
      direction,
      date: (at: string) => dates.format(new Date(at)),
      days: (count: number) => days.format(count),
    }
  }, [found])
}
