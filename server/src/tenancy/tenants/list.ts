// GET /tenants: a bare array of all tenants that the caller may see, streamed; or one page of it.
import { type Environment, foldCase } from '@bailiwick/contract'
import { machineTime } from '../../platform/clock.ts'
import { streamOf } from '../../platform/http/answer.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Principal } from '../../platform/http/credentials/principal.ts'
import { countNarrowed } from '../../platform/http/lists/list-filter.ts'
import {
  type PageQuery,
  pageRequest,
  selectPage,
  selectPageAndTotal,
  selectRows,
} from '../../platform/http/lists/page.ts'
import type { TenantId } from '../../platform/ids.ts'
import { ownTurn } from '../../platform/turns/loop-turns.ts'
import type { Deps } from '../deps.ts'
import { presentTenantInList } from './present.ts'
import { type DomainRow, type TenantRow, type Visibility, selectDomainsOf, tenantSource } from './queries.ts'

/** How many rows are read at a time while streaming. */
const batchSize = 200

export interface TenantListQuery extends PageQuery {
  readonly query?: string
  readonly environment?: Environment
}

function visibleTo({ clock }: Deps, principal: Principal): Visibility {
  switch (principal.type) {
    case 'operator':
      return { type: 'all' }
    case 'secret_key':
    case 'api_key':
    case 'application':
      return { type: 'one', tenantId: principal.tenantId }
    case 'console_user':
      return {
        type: 'of_member',
        userTenantId: principal.tenantId,
        userId: principal.userId,
        now: machineTime(clock),
      }
    case 'anonymous':
      throw notFound()
  }
}

async function present({ db }: Deps, rows: readonly TenantRow[]) {
  const byTenant = new Map<TenantId, DomainRow[]>()
  if (rows.length > 0) {
    for (const domain of await selectDomainsOf(
      db,
      rows.map((row) => row.id),
    )) {
      const known = byTenant.get(domain.tenant_id)
      if (known === undefined) byTenant.set(domain.tenant_id, [domain])
      else known.push(domain)
    }
  }
  return rows.map((row) => presentTenantInList(row, byTenant.get(row.id) ?? []))
}

function sourceOf(deps: Deps, principal: Principal, query: TenantListQuery) {
  const text = query.query === undefined ? undefined : foldCase(query.query)
  return tenantSource({ visibility: visibleTo(deps, principal), text, environment: query.environment })
}

/** One page, and the cursors of its neighbours. */
export async function listTenantPage(deps: Deps, principal: Principal, query: TenantListQuery) {
  const page = await selectPage<TenantRow>(deps.db, sourceOf(deps, principal, query), pageRequest(query))
  return { tenants: await present(deps, page.rows), next: page.next, prev: page.prev }
}

/** Returns one page, with the number of tenants, counted up to 1,001. */
export async function listCountedTenants(deps: Deps, principal: Principal, query: TenantListQuery) {
  const list = sourceOf(deps, principal, query)
  return selectPageAndTotal<TenantRow>(deps.db, list, countNarrowed(list), pageRequest(query))
}

async function* jsonArray(deps: Deps, principal: Principal, query: TenantListQuery): AsyncGenerator<string> {
  const source = sourceOf(deps, principal, query)
  let from: string | undefined
  let separator = '['
  do {
    await ownTurn()
    const page = await selectRows<TenantRow>(deps.db, source, { from, perPage: batchSize })
    const tenants = await present(deps, page.rows)
    if (tenants.length > 0) {
      yield separator + JSON.stringify(tenants).slice(1, -1)
      separator = ','
    }
    from = page.next ?? undefined
  } while (from !== undefined)
  yield separator === '[' ? '[]' : ']'
}

/** Yields all of them as a stream of JSON text. */
export const streamTenants = (deps: Deps, principal: Principal, query: TenantListQuery) =>
  streamOf(jsonArray(deps, principal, query))
