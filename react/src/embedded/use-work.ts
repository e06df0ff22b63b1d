// One call at a time, and what it was refused for.
import { useRef, useState } from 'react'
import type { Texts } from '../texts/catalogue.ts'
import { type Problems, type Refusal, noProblems, findProblems } from './problems.ts'

export interface Work {
  readonly isBusy: boolean
  readonly problems: Problems
  /** Does nothing while something is under way, so that a form that is sent twice is sent once. */
  readonly run: (refusal: Refusal, task: () => Promise<void>) => Promise<void>
  readonly clear: () => void
}

export function useWork(texts: Texts): Work {
  const isRunning = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [problems, setProblems] = useState(noProblems)
  const run = async (refusal: Refusal, task: () => Promise<void>) => {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      await task()
      setProblems(noProblems)
    } catch (error) {
      setProblems(findProblems(error, texts, refusal))
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }
  return { isBusy, problems, run, clear: () => setProblems(noProblems) }
}
