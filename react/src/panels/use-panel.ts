// What every embedded panel does: shows what it has fetched, does one thing at a time, and says what came of it.
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Appearance } from '../appearance.ts'
import { type FormLook, useFormLook } from '../embedded/form-look.ts'
import type { Problems } from '../embedded/problems.ts'
import { useWork } from '../embedded/use-work.ts'
import { useBailiwick } from '../provider.tsx'
import { type TextName, type Texts, en } from '../texts/catalogue.ts'
import enForms from '../texts/en-forms.json' with { type: 'json' }
import { useServiceTexts } from '../texts/service-texts.ts'
import texts from './texts.json' with { type: 'json' }

export type Words = Readonly<Record<keyof typeof texts, string>>

/** How a panel looks and speaks. */
export interface PanelProps {
  readonly appearance?: Appearance | undefined
  /** The language as a BCP 47 tag, one of those of the hosted pages; by default that of the page. Any other one is shown in English. */
  readonly language?: string | undefined
  /** Other words for single texts. */
  readonly words?: Partial<Words> | undefined
}

export interface Panel {
  readonly look: FormLook
  readonly words: Words
  /** Undefined until the texts of the language have been fetched. */
  readonly language: string | undefined
  /** Of a language that is not the page's. */
  readonly direction: 'ltr' | 'rtl' | undefined
  readonly problems: Problems
  readonly notice: string
  readonly isBusy: boolean
  /** Where the user proves once more who it is, if the last action needs that. */
  readonly proof: string | undefined
  /** Does something, and shows the notice when it is done. A refused code is reported beside the field of that name. */
  readonly act: (
    task: () => Promise<unknown>,
    notice?: string,
    refused?: readonly [field: string | undefined, text: TextName],
  ) => void
}

/** Returns the texts of the language; where the app has words of its own, those. */
function formTexts(own: Texts, forms: Readonly<Record<string, string>> = {}): Texts {
  const usual: Texts = { ...enForms, ...en }
  const others = Object.entries(forms).filter(([name]) => own[name as TextName] === usual[name as TextName])
  return { ...own, ...Object.fromEntries(others) }
}

export function usePanel({ appearance, language: wanted, words: own }: PanelProps): Panel {
  const { pages } = useBailiwick()
  const found = useServiceTexts(wanted)
  const usual = useFormLook(appearance)
  const look = { ...usual, texts: formTexts(usual.texts, found?.forms) }
  const { isBusy, problems, run } = useWork(look.texts)
  const [notice, setNotice] = useState('')
  const [proof, setProof] = useState<string>()
  const words = useMemo(() => ({ ...texts, ...found?.words, ...own }), [found, own])
  const act: Panel['act'] = (task, done = '', refused = ['code', 'wrongCode']) => {
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
  const direction = wanted === undefined ? undefined : found?.direction
  return { look, words, language: found?.language, direction, problems, notice, isBusy, proof, act }
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
