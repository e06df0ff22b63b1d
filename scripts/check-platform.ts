// Checks that the platform of the server names nothing of a feature above it: no provider of the contract, and no table, constraint or index
// that another wing declares. `npm run check` runs it. Imports upward are refused by check-imports.ts.
import { globSync, readFileSync } from 'node:fs'
import { providerKeys, socialProviders } from '@bailiwick/contract'
import { feature } from '../server/src/platform/platform-feature.ts'
import { features } from '../server/src/service/features.ts'

const listTables = ({ tables = [], sharedTables = [] }: Pick<typeof feature, 'tables' | 'sharedTables'>) => [
  ...tables,
  ...sharedTables,
]
/** Every row of a tenant refers to this table. */
const own = new Set(['tenants', ...listTables(feature).map(({ name }) => name)])
/** The log of events is sealed with the keys of the tenant and of the people in it, and reads both beside its own rows. */
const exceptions = new Set([
  'platform/events/present.ts names FROM users',
  'platform/events/seal-queries.ts names FROM signing_keys',
])
const tables = features.flatMap(listTables).filter(({ name }) => !own.has(name))
const constraints = tables.flatMap(({ options }) => Object.keys(options.refusals ?? {}))
const providers = [...providerKeys, ...providerKeys.map((key) => socialProviders[key].name)]

/** A provider is also part of longer words of a program (`oauthGoogleClientId`), unlike what is cited (`github.com`, Google Cloud). */
const providerPattern = new RegExp(`(?:${providers.join('|')})(?!\\.com| Cloud)`, 'i')
const constraintPattern = new RegExp(`\\b(?:${constraints.join('|')})\\b`)
/** A table is named by SQL; its name alone may be any word. */
const tablePattern = new RegExp(
  `\\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\\s+(?:${tables.map(({ name }) => name).join('|')})\\b`,
)

const files = globSync('server/src/platform/**/*.ts', { exclude: ['**/*.test.ts', '**/migrations/**'] }).toSorted()
const problems = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const found = [providerPattern, constraintPattern, tablePattern].map((each) => each.exec(line)?.[0]).find(Boolean)
      return found === undefined || exceptions.has(`${file.slice('server/src/'.length)} names ${found}`)
        ? []
        : [`${file}:${index + 1} names ${found}`]
    }),
)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Say it where the feature is: in its tables.ts, its feature.ts, or in the contract.')
  process.exit(1)
}
