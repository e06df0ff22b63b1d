// What every embedded panel does: shows what it has fetched, does one thing at a time, and says what came of it.
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Appearance } from '../appearance.ts'
import { type FormLook, useFormLook } from '../embedded/form-look.ts'
import type { Problems } from '../embedded/problems.ts'
import { useWork } from '../embedded/use-work.ts'
import { useBailiwick } from '../provider.tsx'
import type { TextName } from '../texts/catalogue.ts'
import texts from './texts.json' with { type: 'json' }

export type Words = typeof texts.en

/** How a panel looks and speaks. */
export interface PanelProps {
  readonly appearance?: Appearance | undefined
  /** The language as a BCP 47 tag; by default that of the page. English is shown for one that the component does not have. */
  readonly language?: string | undefined
  /** Other words for single texts. */
  readonly words?: Partial<Words> | undefined
}

export interface Panel {
  readonly look: FormLook
  readonly words: Words
  readonly language: keyof typeof texts
  readonly problems: Problems
  readonly notice: string
  readonly isBusy: boolean
  /** Where the user proves once more who it is, if the last action needs that. */
  readonly proof: string | undefined
  /** Does something, and shows the notice when it is done. A refused code is reported beside the field of that name. */
  readonly act: (
    task: () => Promise<unknown>,
    notice?: string,
    refused?: readonly [field: string, text: TextName],
  ) => void
}

export function usePanel({ appearance, language: wanted, words: own }: PanelProps): Panel {
  const look = useFormLook(appearance)
  const { pages } = useBailiwick()
  const { isBusy, problems, run } = useWork(look.texts)
  const [notice, setNotice] = useState('')
  const [proof, setProof] = useState<string>()
  const tag = wanted ?? (document.documentElement.lang || navigator.language)
  const language = tag.startsWith('de') ? 'de' : 'en'
  const words = useMemo(() => ({ ...texts[language], ...own }), [language, own])
  const act = (
    task: () => Promise<unknown>,
    done = '',
    refused: readonly [string, TextName] = ['code', 'wrongCode'],
  ) => {
    setNotice('')
    setProof(undefined)
    void run(refused, async () => {
      try {
        await task()
        setNotice(done)
      } catch (error) {
        const isSecond = isBailiwickError(error, 'second_factor_required')
        if (isSecond || isBailiwickError(error, 'reauthentication_required')) {
          setProof(pages.verify({ level: isSecond ? 'second_factor' : 'recent' }, location.href))
        }
        throw error
      }
    })
  }
  return { look, words, language, problems, notice, isBusy, proof, act }
}

/** Fetches something when the panel is first shown, and again by the returned function. `failure` is why there is nothing yet. */
export function useFetched<Value>(fetchIt: () => Promise<Value>) {
  const [value, setValue] = useState<Value>()
  const [failure, setFailure] = useState<unknown>()
  const load = useCallback(async () => setValue(await fetchIt()), [fetchIt])
  useEffect(() => {
    load().catch(setFailure)
  }, [load])
  return [value, load, failure] as const
}
