// Every table, as the features declare them. A test fails for a table that no feature names, so that the author of a new one decides what an
// export contains and what the erasure of a tenant removes: the table's own declaration says so.
import type { TableFacts } from '../../platform/db/table.ts'
import { features } from '../features.ts'

/** The tables with rows of tenants. A table that is referred to comes before those that refer to it. */
export const tenantTables: readonly TableFacts[] = features.flatMap(({ tables = [] }) => tables)

/** The tables that hold no data of a tenant. */
export const otherTables: readonly TableFacts[] = features.flatMap(({ sharedTables = [] }) => sharedTables)
