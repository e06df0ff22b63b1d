// Operations as hooks: reading ones are kept and shared, changing ones make what is shown be read anew.
import {
  type UseMutationResult,
  type UseQueryResult,
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from './client.ts'
import type { AnswerOf, InputOf, OperationId } from './operations.ts'

interface ReadOptions {
  /** False while what the call needs is not known. */
  readonly enabled?: boolean
  /** Shows the answer to the last input until the new one is there: for searches and pages. */
  readonly keepsLast?: boolean
  /** Reads again so often while the page is visible. */
  readonly everyMs?: number
}

/** An operation that reads. A call whose answer nobody waits for any more is ended. */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { enabled = true, keepsLast = false, everyMs }: ReadOptions = {},
): UseQueryResult<AnswerOf<Id>> {
  return useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => call(id, { ...input, signal }),
    enabled,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
}

interface ChangeOptions<Id extends OperationId> {
  readonly onDone?: (answer: AnswerOf<Id>) => void
}

/** An operation that changes something; afterwards everything that is shown is read anew. */
export function useChange<Id extends OperationId>(
  id: Id,
  { onDone }: ChangeOptions<Id> = {},
): UseMutationResult<AnswerOf<Id>, Error, InputOf<Id>> {
  const client = useQueryClient()
  return useMutation<AnswerOf<Id>, Error, InputOf<Id>>({
    mutationFn: (input) => call(id, input),
    onSuccess: (answer) => {
      void client.invalidateQueries()
      onDone?.(answer)
    },
  })
}
