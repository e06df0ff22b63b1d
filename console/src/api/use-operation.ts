// Operations as hooks: the answers of reading ones are kept and shared; after a changing one, everything shown is read again.
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
  /** False while the input of the call is not known yet. */
  readonly enabled?: boolean
  /** Shows the answer to the last input until the new one is there: for searches and pages. */
  readonly keepsLast?: boolean
  /** Milliseconds after which it is read again, while the page is visible. */
  readonly everyMs?: number
}

/** An operation that reads. A call is aborted when nobody waits for its answer any more. */
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

/** An operation that changes something; afterwards everything that is shown is read again. */
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
