// The texts of components in other languages, which the service has: its pages show the same. English is part of each component.
import { useEffect, useState } from 'react'
import { useBailiwick } from '../provider.tsx'

type Named = Readonly<Record<string, string>>

export interface ServiceTexts {
  /** The language tag of the texts. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The texts of the panels, those that they share with the forms, and those of the API keys. */
  readonly words?: Named
  readonly forms?: Named
  readonly keys?: Named
}

const english: ServiceTexts = { language: 'en', direction: 'ltr' }
const requested = new Map<string, Promise<ServiceTexts>>()

async function fetchTexts(address: string): Promise<ServiceTexts> {
  const answer = await fetch(address)
  // An older service has no such texts, or not this language.
  return answer.ok ? ((await answer.json()) as ServiceTexts) : english
}

function requestTexts(address: string): Promise<ServiceTexts> {
  let promise = requested.get(address)
  if (promise === undefined) {
    // What could not be fetched is shown in English, and fetched again by the next component.
    promise = fetchTexts(address).catch(() => {
      requested.delete(address)
      return english
    })
    requested.set(address, promise)
  }
  return promise
}

/**
 * @param wanted a BCP 47 tag; by default the language of the page.
 * @returns undefined until the texts are there; nothing but the language for English.
 */
export function useServiceTexts(
  wanted = document.documentElement.lang || navigator.language,
): ServiceTexts | undefined {
  const { baseUrl } = useBailiwick().store.connection
  const [found, setFound] = useState<ServiceTexts>()
  const isEnglish = /^en(?:-|$)/i.test(wanted)
  useEffect(() => {
    if (isEnglish) return undefined
    let isCurrent = true
    const address = new URL(`/pages/panels.${encodeURIComponent(wanted)}.json`, baseUrl).href
    void requestTexts(address).then((texts) => isCurrent && setFound(texts))
    return () => {
      isCurrent = false
    }
  }, [baseUrl, isEnglish, wanted])
  return isEnglish ? english : found
}
