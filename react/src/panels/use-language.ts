// The texts of a panel in its reader's language: English is part of the panel, and the service has the others, which its pages show as well.
import { useEffect, useState } from 'react'
import { useBailiwick } from '../provider.tsx'
import type { Texts } from '../texts/catalogue.ts'
import texts from './texts.json' with { type: 'json' }

export type Words = Readonly<Record<keyof typeof texts, string>>

export interface PanelLanguage {
  /** The language tag of the texts. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly words: Words
  /** The texts that panels share with the forms. */
  readonly forms: Partial<Texts>
}

const english: PanelLanguage = { language: 'en', direction: 'ltr', words: texts, forms: {} }
const requested = new Map<string, Promise<PanelLanguage>>()

async function fetchLanguage(address: string): Promise<PanelLanguage> {
  const answer = await fetch(address)
  // An older service has no texts for panels, or not this language.
  if (!answer.ok) return english
  const found = (await answer.json()) as PanelLanguage
  return { ...found, words: { ...texts, ...found.words } }
}

function requestLanguage(address: string): Promise<PanelLanguage> {
  let promise = requested.get(address)
  if (promise === undefined) {
    // What could not be fetched is shown in English, and fetched again by the next panel.
    promise = fetchLanguage(address).catch(() => {
      requested.delete(address)
      return english
    })
    requested.set(address, promise)
  }
  return promise
}

/**
 * @param wanted a BCP 47 tag; by default the language of the page.
 * @returns undefined until the texts are there.
 */
export function useLanguage(wanted = document.documentElement.lang || navigator.language): PanelLanguage | undefined {
  const { baseUrl } = useBailiwick().store.connection
  const [found, setFound] = useState<PanelLanguage>()
  const isEnglish = /^en(?:-|$)/i.test(wanted)
  useEffect(() => {
    if (isEnglish) return undefined
    let isCurrent = true
    const address = new URL(`/pages/panels.${encodeURIComponent(wanted)}.json`, baseUrl).href
    void requestLanguage(address).then((language) => isCurrent && setFound(language))
    return () => {
      isCurrent = false
    }
  }, [baseUrl, isEnglish, wanted])
  return isEnglish ? english : found
}
