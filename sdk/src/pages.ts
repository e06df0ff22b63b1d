import { BailiwickError } from './errors.ts'

interface Page {
  readonly data: readonly unknown[]
  readonly meta: { readonly next: string | null }
}

function checkPage(answer: unknown): Page {
  const { data, meta } = (answer ?? {}) as Partial<Page>
  const next: unknown = meta?.next
  if (!Array.isArray(data) || (next !== null && typeof next !== 'string')) {
    throw new BailiwickError('invalid_response', 'The response is not a page of a list.')
  }
  return answer as Page
}

/**
 * Yields every row from the page at `start` to the last, one page in memory at a time.
 * @throws BailiwickError invalid_response for an answer that is not a page, or if a cursor repeats, which would never end.
 */
export async function* walkPages(
  readPage: (cursor: string | undefined) => Promise<unknown>,
  start?: string,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<string>()
  let cursor = start
  for (;;) {
    if (cursor !== undefined) seen.add(cursor)
    const { data, meta } = checkPage(await readPage(cursor))
    if (meta.next !== null && seen.has(meta.next)) {
      throw new BailiwickError('invalid_response', 'The list leads back to a page that was already read.')
    }
    yield* data
    if (meta.next === null) return
    cursor = meta.next
  }
}
