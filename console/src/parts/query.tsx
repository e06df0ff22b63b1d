import { isBailiwickError } from '@bailiwick/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading, NotFound, Problem } from './states.tsx'

interface QueryProps<Answer> {
  readonly of: UseQueryResult<Answer>
  /** The name of what is requested, for "There is no such role". */
  readonly what?: string
  readonly children: (answer: Answer) => ReactNode
}

/** Shows the answer to a call; a loading indicator until it arrives, and the reason if the call fails. */
export function Query<Answer>({ of: { data, error, refetch }, what, children }: QueryProps<Answer>) {
  if (data !== undefined) return children(data)
  if (isBailiwickError(error, 'not_found')) return <NotFound {...(what === undefined ? {} : { what })} />
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  return <Loading />
}
