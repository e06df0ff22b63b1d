// Finds users by the words of their name, username or address, or the beginning of a number, newest first. Where any of these matches, the matches are counted
// in its index, up to a thousand. If there are no more, they are read and sorted here. If there are more, matches are frequent, so the users
// are walked in the order of the list and filtered, stretch by stretch. If matches turn out to be rare along the way after all, they are few
// enough to be read and sorted too.
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { PageRequest } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type Source, countMatches, matchesMax, matchingSources, sourcesOf, sourcesOfWords } from './search-sources.ts'
import { type UserFilter, isFiltered, isWithin, remainderOf } from './user-filter.ts'
import { type Direction, walk, walkWithin } from './user-walk.ts'

/** How many users are passed over before more is counted: this costs less than counting and reading. */
const passedMax = 2000

export interface Found {
  /** The createdAt of each user on the page. */
  readonly times: readonly string[]
  readonly next: string | null
  readonly prev: string | null
  /** `matchesMax + 1` if there are more than that. */
  readonly total: number
}

class Search {
  readonly #db: Reader
  readonly #tenantId: TenantId
  readonly #filter: UserFilter
  /** The times of the users who were read, newest first. */
  #few: readonly string[] = []
  /** Each of these sources has more matches than were counted. */
  #many: readonly Source[] = []
  /** Whether those have too many matches to be read. */
  #isSettled = false

  constructor(db: Reader, tenantId: TenantId, filter: UserFilter) {
    this.#db = db
    this.#tenantId = tenantId
    this.#filter = filter
  }

  async begin(text: string): Promise<void> {
    const place = [this.#tenantId, text, this.#filter] as const
    const asOne = await matchingSources(this.#db, sourcesOf(...place))
    const sources = [...asOne, ...(await sourcesOfWords(this.#db, ...place))]
    // Only of users who are read is it known how many a filter leaves.
    this.#isSettled = isFiltered(this.#filter)
    await this.#divide(sources, ({ max }) => (this.#isSettled ? max : Math.min(max, matchesMax)))
    // One source alone must match more users than a total counts, whatever the others match.
    if (!this.#isSettled && !this.#many.some(({ isOncePerUser }) => isOncePerUser)) await this.#settle()
  }

  get total(): number {
    return this.#many.length > 0 ? matchesMax + 1 : Math.min(this.#few.length, matchesMax + 1)
  }

  /** Returns the times of the nearest matches, from `start` on; undefined means from the newest. */
  async nearest(direction: Direction, start: string | undefined, count: number): Promise<string[]> {
    const way = { start, direction, count }
    const place = [this.#db, this.#tenantId, this.#filter] as const
    if (!this.#isSettled && this.#many.length > 0) {
      const walked = await walkWithin(passedMax, ...place, this.#isOfMany(), way)
      if (walked !== undefined) return this.#withFew(walked, direction, start, count)
      await this.#settle()
    }
    if (this.#many.length === 0) return this.#withFew([], direction, start, count)
    return this.#withFew(await walk(...place, this.#isOfMany(), way), direction, start, count)
  }

  async #settle(): Promise<void> {
    this.#isSettled = true
    await this.#divide(this.#many, ({ max }) => max)
  }

  async #divide(sources: readonly Source[], limitOf: (source: Source) => number): Promise<void> {
    const { few, many } = await countMatches(this.#db, sources, limitOf)
    const answers = await Promise.all(few.map(({ read }) => read(this.#db)))
    const read = answers.flatMap((rows) =>
      rows.filter((row) => isWithin(this.#filter, row)).map((row) => row.created_at),
    )
    this.#few = [...new Set([...this.#few, ...read])].toSorted().toReversed()
    this.#many = many
  }

  #isOfMany(): Fragment {
    // The sources of several words have one condition.
    const conditions = [...new Set(this.#many.map(({ condition }) => condition))]
    return sql`(${sql.join(conditions, ' OR ')}) ${remainderOf(this.#filter)}`
  }

  #withFew(walked: readonly string[], direction: Direction, start: string | undefined, count: number): string[] {
    const among =
      direction === 'older'
        ? this.#few.filter((time) => start === undefined || time <= start)
        : this.#few.filter((time) => start !== undefined && time > start).toReversed()
    if (walked.length === 0) return among.slice(0, count)
    const sorted = [...new Set([...among.slice(0, count), ...walked])].toSorted()
    return (direction === 'older' ? sorted.toReversed() : sorted).slice(0, count)
  }
}

/** Returns one page of the users whom the text finds. */
export async function searchUsers(
  db: Reader,
  tenantId: TenantId,
  text: string,
  filter: UserFilter,
  { from, perPage }: PageRequest,
): Promise<Found> {
  const search = new Search(db, tenantId, filter)
  await search.begin(text)
  const page = await search.nearest('older', from, perPage + 1)
  const times = page.slice(0, perPage)
  const newer = from === undefined ? [] : await search.nearest('newer', times[0] ?? from, perPage)
  const next = page[perPage] ?? null
  // Words that are each frequent may together be rare, which is known only where the first page is the last.
  const total = from === undefined && next === null ? times.length : search.total
  return { times, next, prev: newer.at(-1) ?? null, total }
}
