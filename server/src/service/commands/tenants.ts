// Lists tenants, or finds them by a part of their name or slug, or by their id, with what they have.
import type { Config } from '../../platform/config.ts'
import { readCounters } from '../../platform/db/counters.ts'
import { operator } from '../../platform/http/credentials/principal.ts'
import { listTenantPage } from '../../tenancy/tenants/list.ts'
import { type CommandDeps, reading } from '../open-deployment.ts'
import type { Outcome } from '../outcome.ts'
import { columnsText } from './terminal/columns.ts'

export interface TenantsOptions {
  readonly limit: number
}

const perPage = 100
const counted = ['users', 'organizations', 'applications'] as const

async function* found(deps: CommandDeps, text: string | undefined) {
  let cursor: string | undefined
  do {
    const query = {
      perPage: String(perPage),
      ...(text === undefined ? {} : { query: text }),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const page = await listTenantPage(deps, operator, query)
    yield* page.tenants
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
}

/** @param text what to find; all tenants, newest first, unless given. */
export const tenants = (config: Config, text: string | undefined, { limit }: TenantsOptions): Promise<Outcome> =>
  reading(config, async (deps) => {
    const list: (Record<(typeof counted)[number], number> & Readonly<Record<string, string | number>>)[] = []
    let hasMore = false
    for await (const { id, slug, name, environment, createdAt } of found(deps, text)) {
      if (list.length === limit) {
        hasMore = true
        break
      }
      const counters = await readCounters(deps.db, id, counted)
      const [users = 0, organizations = 0, applications = 0] = counted.map((each) => counters.get(each) ?? 0)
      list.push({ id, slug, name, environment, users, organizations, applications, createdAt })
    }
    const rows = list.map((each) => ['id', 'slug', 'name', 'environment', ...counted].map((key) => String(each[key])))
    const titles = ['ID', 'SLUG', 'NAME', 'ENVIRONMENT', 'USERS', 'ORGANIZATIONS', 'APPLICATIONS']
    const more = hasMore ? [`Only the ${limit} newest are listed: name a part of one, or raise --limit.`] : []
    return {
      text: list.length === 0 ? 'There is no such tenant.' : [columnsText(titles, rows), ...more].join('\n'),
      json: { tenants: list, hasMore },
    }
  })
