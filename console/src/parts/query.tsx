import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isBailiwickError } from '@bailiwick/sdk'
import { Loading, NotFound, Problem } from './states.tsx'

interface QueryProps<Answer> {
  readonly of: UseQueryResult<Answer>
  /** What is asked for, for "There is no such role". */
  readonly what?: string
  readonly children: (answer: Answer) => ReactNode
}

/** The answer to a call; until it is there, that it is loading, and where it fails, why. */
export function Query<Answer>({ of: { data, error, refetch }, what, children }: QueryProps<Answer>) {
  if (data !== undefined) return children(data)
  if (isBailiwickError(error, 'not_found')) return <NotFound {...(what === undefined ? {} : { what })} />
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  return <Loading />
}
