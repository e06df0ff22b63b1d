// Who has an event stream open on this node. When there is no room, the group that has most makes it for one that has less.
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'

const retryAfterSeconds = 5

export interface StreamPlace {
  readonly credential: string
  readonly ending: AbortController
}

export interface StreamPlaces {
  /** @throws ApiError too_many_streams */
  take(tenantId: TenantId, credential: string): StreamPlace
  release(tenantId: TenantId, place: StreamPlace): void
  /** Ends every stream and gives no more places. */
  end(): void
}

export interface StreamLimits {
  readonly perTenantMax: number
  readonly perNodeMax: number
}

export function createStreamPlaces({ perTenantMax, perNodeMax }: StreamLimits): StreamPlaces {
  /** The streams in the order in which they were opened. */
  const open = new Map<TenantId, Set<StreamPlace>>()
  let total = 0
  let hasEnded = false

  function release(tenantId: TenantId, place: StreamPlace) {
    place.ending.abort()
    const places = open.get(tenantId)
    if (places?.delete(place) !== true) return
    total--
    if (places.size === 0) open.delete(tenantId)
  }

  /**
   * Ends the oldest stream of the largest group if that group has at least two more than the caller's; otherwise clients would only replace
   * each other.
   */
  function makeRoom(tenantId: TenantId, groups: readonly (readonly StreamPlace[])[], own: number): boolean {
    const largest = groups.reduce<readonly StreamPlace[]>((most, each) => (each.length > most.length ? each : most), [])
    const [oldest] = largest
    if (oldest === undefined || largest.length < own + 2) return false
    release(tenantId, oldest)
    return true
  }
  function makeRoomInTenant(tenantId: TenantId, places: ReadonlySet<StreamPlace>, credential: string): boolean {
    const groups = Map.groupBy(places, (place) => place.credential)
    return makeRoom(tenantId, [...groups.values()], groups.get(credential)?.length ?? 0)
  }
  function makeRoomOnNode(own: number): boolean {
    const [largest] = [...open].toSorted(([, one], [, other]) => other.size - one.size)
    return largest !== undefined && makeRoom(largest[0], [[...largest[1]]], own)
  }

  return {
    take(tenantId, credential) {
      const places = open.get(tenantId) ?? new Set()
      const isRoom =
        !hasEnded &&
        (places.size < perTenantMax || makeRoomInTenant(tenantId, places, credential)) &&
        (total < perNodeMax || makeRoomOnNode(places.size))
      if (!isRoom) throw new ApiError('too_many_streams', { retryAfterSeconds })
      const place = { credential, ending: new AbortController() }
      open.set(tenantId, places.add(place))
      total++
      return place
    },
    release,
    end() {
      hasEnded = true
      for (const places of open.values()) for (const { ending } of places) ending.abort()
    },
  }
}
