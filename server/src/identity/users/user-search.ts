// Finds users by the words of their name, username or address, or the beginning of a number, newest first. Where any of these matches, the matches are counted
// in its index, up to a thousand. If there are no more, they are read and sorted here. If there are more, matches are frequent, so the users
// are walked in the order of the list and filtered, stretch by stretch. If matches turn out to be rare along the way after all, they are few
// enough to be read and sorted too.
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { PageRequest } from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import {
  type Source,
  conditionOfWords,
  countMatches,
  matchesMax,
  matchingSources,
  sourcesOf,
  sourcesOfWords,
} from './search-sources.ts'
import { type UserFilter, isFiltered, isWithin, remainderOf } from './user-filter.ts'
import { type Walked, type Way, walk, walkedMax } from './user-walk.ts'

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

export interface SearchRequest {
  readonly tenantId: TenantId
  readonly text: string
  readonly filter: UserFilter
  readonly passed?: number
}

const isOfUsers = ({ isOncePerUser }: Source) => isOncePerUser

class Search {
  readonly #db: Reader
  readonly #tenantId: TenantId
  readonly #filter: UserFilter
  readonly #walkedMax: number
  /** The times of the users who were read, newest first. */
  #few: readonly string[] = []
  /** Each of these sources has more matches than were counted. */
  #many: readonly Source[] = []
  /** Whether those have too many matches to be read. */
  #isSettled = false
  /** What finds the words of the text one by one, as long as it is not among the sources. */
  #ofWords: { readonly condition: Fragment | undefined; readonly read: () => Promise<Source[]> } | undefined

  constructor(db: Reader, tenantId: TenantId, filter: UserFilter, passed: number) {
    this.#db = db
    this.#tenantId = tenantId
    this.#filter = filter
    this.#walkedMax = passed
  }

  async begin(text: string): Promise<void> {
    const place = [this.#tenantId, text, this.#filter] as const
    const asOne = await matchingSources(this.#db, sourcesOf(...place))
    const readWords = () => sourcesOfWords(this.#db, ...place)
    const countedMax = ({ max }: Source) => (this.#isSettled ? max : Math.min(max, matchesMax))
    // Only of users who are read is it known how many a filter leaves.
    this.#isSettled = isFiltered(this.#filter)
    if (this.#isSettled || !asOne.some(isOfUsers)) await this.#divide([...asOne, ...(await readWords())], countedMax)
    else {
      await this.#divide(asOne, countedMax)
      if (this.#many.some(isOfUsers)) {
        // The users are walked anyway: how frequent the single words are need not be counted.
        this.#ofWords = { condition: conditionOfWords(...place), read: readWords }
        return
      }
      const words = await readWords()
      if (words.length > 0) await this.#divide([...this.#many, ...words], countedMax)
    }
    // One source alone must match more users than a total counts, whatever the others match.
    if (!this.#isSettled && !this.#many.some(isOfUsers)) await this.#settle()
  }

  get total(): number {
    return this.#many.length > 0 ? matchesMax + 1 : Math.min(this.#few.length, matchesMax + 1)
  }

  /** Returns the times of the nearest matches. */
  async nearest(way: Way): Promise<Walked> {
    if (this.#many.length === 0) return this.#withFew({ times: [] }, way)
    if (!this.#isSettled) {
      const walked = await this.#walk(way, passedMax)
      if (walked !== undefined) return this.#withFew(walked, way)
      await this.#settle()
    }
    return this.#withFew((this.#many.length === 0 ? undefined : await this.#walk(way)) ?? { times: [] }, way)
  }

  async #walk(way: Way, expectedMax?: number): Promise<Walked | undefined> {
    const place = { tenantId: this.#tenantId, filter: this.#filter }
    return walk(this.#db, place, this.#isOfMany(), way, {
      // A page that begins where this one stopped must reach this one's beginning, before its own last user.
      walkedMax: way.direction === 'older' ? this.#walkedMax : this.#walkedMax - 1,
      ...(expectedMax !== undefined && { expectedMax }),
    })
  }

  async #settle(): Promise<void> {
    this.#isSettled = true
    const words = (await this.#ofWords?.read()) ?? []
    this.#ofWords = undefined
    await this.#divide([...this.#many, ...words], ({ max }) => max)
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
    if (this.#ofWords?.condition !== undefined) conditions.push(this.#ofWords.condition)
    return sql`(${sql.join(conditions, ' OR ')}) ${remainderOf(this.#filter)}`
  }

  #withFew({ times, stoppedAt }: Walked, { start, direction, count }: Way): Walked {
    const isOlder = direction === 'older'
    const isAhead = (time: string) =>
      isOlder ? start === undefined || time <= start : start !== undefined && time > start
    const isReached = (time: string) => stoppedAt === undefined || (isOlder ? time >= stoppedAt : time <= stoppedAt)
    const few = isOlder ? this.#few : this.#few.toReversed()
    const among = few.filter((time) => isAhead(time) && isReached(time)).slice(0, count)
    const sorted = times.length === 0 ? among : [...new Set([...among, ...times])].toSorted()
    const page = (times.length > 0 && isOlder ? sorted.toReversed() : sorted).slice(0, count)
    return stoppedAt === undefined || page.length === count ? { times: page } : { times: page, stoppedAt }
  }
}

/**
 * Returns one page of the users whom the text finds. It has fewer, or none, where as many users as allowed have been passed over: then
 * `next` continues after those.
 * @param passed how many users may be passed over, if not {@link walkedMax}.
 */
export async function searchUsers(
  db: Reader,
  { tenantId, text, filter, passed = walkedMax }: SearchRequest,
  { from, perPage }: PageRequest,
): Promise<Found> {
  const search = new Search(db, tenantId, filter, passed)
  await search.begin(text)
  const page = await search.nearest({ direction: 'older', start: from, count: perPage + 1 })
  const next = page.times[perPage] ?? page.stoppedAt ?? null
  // The one where the walk has stopped is the first of the next page, if it is a match.
  const times = page.times.slice(0, perPage).filter((time) => time !== next)
  const newer: Walked =
    from === undefined ? { times: [] } : await search.nearest({ direction: 'newer', start: from, count: perPage })
  // Words that are each frequent may together be rare, which is known only where the first page is the last.
  const total = from === undefined && next === null ? times.length : search.total
  return { times, next, prev: newer.stoppedAt ?? newer.times.at(-1) ?? null, total }
}
