// Rules of CONTRIBUTING.md, ARCHITECTURE.md and docs/decisions that a text search can decide. Types, lint and `check-imports.ts` check others.

/** Reads the tree; paths are relative to its root. */
export interface Tree {
  readonly files: readonly string[]
  readonly read: (path: string) => string
}

interface Rule {
  /** What the documents say. */
  readonly rule: string
  readonly applies: (path: string) => boolean
  /** Finds a breach in a line. */
  readonly breach: RegExp
  /** Files to which the rule does not apply, and why. */
  readonly except?: Readonly<Record<string, string>>
}

/** The tests of these rules have an example of each breach. */
const isTest = (path: string) => path.endsWith('.test.ts') && !path.startsWith('scripts/rules/')
const isTestCode = (path: string) => isTest(path) || /^(?:server|react|console)\/test\//.test(path)
const isCode = (path: string) => /\.(?:ts|tsx|mjs)$/.test(path) && !path.startsWith('examples/')
const isServer = (path: string) => path.startsWith('server/src/') && !isTest(path)
const isFeature = (path: string) => isServer(path) && !/^server\/src\/(?:platform|service)\//.test(path)
const countsWithinLimit = 'counts the rows of a subquery with a LIMIT'
const runsInBrowser = 'a script for the browser'

export const rules: readonly Rule[] = [
  {
    rule: 'Named exports only',
    applies: isCode,
    breach: /^export default\b/,
    except: {
      'console/vite.config.ts': 'Vite asks for it',
      'scripts/lint/linear-expressions.mjs': 'oxlint asks for it',
      'scripts/testing/report.ts': 'the test runner asks for it',
    },
  },
  {
    rule: 'No barrels except the entries of packages',
    applies: (path) => /^(?:server|console)\/src\//.test(path),
    breach: /^export \* from/,
  },
  { rule: 'Tests do not mock our own modules', applies: isTest, breach: /\bmock\.module\(/ },
  {
    rule: 'No skipped tests, except where the machine lacks what they need',
    applies: isTest,
    breach: /\b(?:it|test|describe|suite)\.(?:skip|only|todo)\(|\b(?:skip|todo|only): true\b/,
  },
  {
    rule: 'Only config.ts reads the environment',
    applies: isServer,
    breach: /\bprocess\.env\b/,
    except: {
      'server/src/service/cli.mjs': 'sets what Node reads before anything is loaded',
      'server/src/service/commands.ts': 'passes it to config.ts',
      'server/src/service/commands/create/add-app-commands.ts': 'passes it to commands that need no configuration',
      'server/src/service/commands/run-service.ts': 'passes it to config.ts',
      'server/src/service/commands/failure.ts': 'prints what config.ts has refused',
    },
  },
  {
    rule: "SQL uses no engine's JSON or date functions, and no lower()",
    applies: isServer,
    breach: /\b(?:jsonb?_\w+|strftime|date_trunc|datetime|lower|julianday|to_timestamp)\(/,
    except: { 'server/src/platform/db/sql.ts': 'joins reads into one statement, for PostgreSQL alone' },
  },
  {
    rule: 'Routes have no SQL',
    applies: (path) => isServer(path) && path.endsWith('/routes.ts'),
    breach: /\bsql`|\bSELECT\b/,
  },
  {
    rule: 'No request counts rows without a bound, except those that it deletes',
    applies: (path) => isServer(path) && !path.startsWith('server/src/service/'),
    breach: /\bCOUNT\(|\bcount\(\*\)/,
    except: {
      'server/src/applications/grants/own-authorizations.ts': countsWithinLimit,
      'server/src/identity/organizations/organization-security.ts': countsWithinLimit,
      'server/src/identity/organizations/queries.ts': 'counts the members of an organization that is deleted',
      'server/src/identity/sessions/queries.ts': countsWithinLimit,
      'server/src/identity/users/active-users.ts': countsWithinLimit,
      'server/src/identity/users/contact-kinds.ts': 'counts the few contacts of one user',
      'server/src/identity/users/search-sources.ts': countsWithinLimit,
      'server/src/identity/users/user-walk.ts': countsWithinLimit,
      'server/src/platform/db/postgresql/servers.ts': 'asks for an extension',
      'server/src/platform/db/sql.ts': 'counts what a write has changed',
      'server/src/platform/http/lists/list-filter.ts': countsWithinLimit,
      'server/src/platform/jobs/backlog.ts': countsWithinLimit,
      'server/src/tenancy/auth-configuration/queries.ts': countsWithinLimit,
      'server/src/tenancy/events/events.ts': countsWithinLimit,
    },
  },
  { rule: 'No request uses OFFSET', applies: isServer, breach: /\bOFFSET\s*(?:\$|\?|\d)/ },
  {
    rule: 'What a tenant makes the service fetch goes through platform/net/',
    applies: (path) => isServer(path) && !path.startsWith('server/src/platform/net/'),
    breach: /(?<![.\w#])fetch\(|from 'undici'|\b(?:request|get|Agent)\b.*\} from 'node:https?'/,
    except: {
      'server/src/platform/telemetry/otlp-exporter.ts': 'the address is the operator’s',
      'server/src/identity/passwords/breached/breached-endpoint.ts': 'the address is the operator’s',
      'server/src/service/commands/create/local-service.ts': 'the address is that of whoever runs the command',
      'server/src/service/commands/init/service.ts': 'the address is that of whoever runs the command',
      'server/src/messaging/notifications/inbox/dev-inbox-style.ts': runsInBrowser,
      'server/src/service/commands/hooks/listen.ts': 'it is a client of the service, on a developer’s machine',
    },
  },
  {
    rule: 'Features take the time from the clock',
    applies: isFeature,
    breach: /\bDate\.now\(\)|\bnew Date\(\)/,
    except: { 'server/src/messaging/notifications/inbox/dev-inbox-style.ts': runsInBrowser },
  },
]

function linesAgainst({ rule, applies, breach, except = {} }: Rule, { files, read }: Tree): string[] {
  return files
    .filter((path) => applies(path) && !(path in except))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, at) =>
          breach.test(line) && !/^\s*(?:\/\/|\*)/.test(line) ? [`${path}:${at + 1}: ${rule}`] : [],
        ),
    )
}

const kebabCase = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/
const oddNames = ({ files }: Tree) =>
  files
    .filter((path) => isCode(path) && !kebabCase.test(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => `${path}: file names are in kebab-case`)

/** Features and migrations do nothing unless a list names them. */
function unlisted({ files, read }: Tree): string[] {
  const sources = files.filter(isServer)
  const imported = sources.flatMap((path) =>
    Array.from(read(path).matchAll(/from '(\.[^']+)'/g), ([, to = '']) => `${path} ${to}`),
  )
  return sources
    .filter((path) => path.endsWith('/feature.ts') || /\/migrations\/\d{4}-[^/]+\.ts$/.test(path))
    .filter((path) => {
      const [name = '', folder = ''] = path.split('/').toReversed()
      return !imported.some(
        (each) =>
          each.endsWith(`/${folder}/${name}`) || (each.includes(`/${folder}/index.ts `) && each.endsWith(`./${name}`)),
      )
    })
    .map((path) => `${path}: no list names it`)
}

/** The descriptions of the contract's shapes are what editors show beside the SDK's types. */
const undescribedShapes = ({ files, read }: Tree): string[] =>
  files
    .filter((path) => path.startsWith('contract/src/shapes/') && !isTest(path))
    .flatMap((path) => {
      const lines = read(path).split('\n')
      return lines.flatMap((line, at) =>
        /^export const [A-Z]/.test(line) && !(lines[at - 1] ?? '').endsWith('*/')
          ? [`${path}:${at + 1}: a shape of the contract has a description`]
          : [],
      )
    })

const escape = /\bas unknown as\b|@ts-(?:expect-error|ignore)\b|(?:oxlint|eslint)-disable/
/** A disabled rule, or an expected error, with words after it. */
const explained = /@ts-expect-error:? \w|-disable(?:-next-line|-line)? [^*]*-- \w/

/**
 * An escape from types or lint says why: after the rule that it disables, or for an assertion in a comment beside it or above it. The
 * assertions of tests need none, because there they make values that the types forbid.
 */
function unexplained({ files, read }: Tree): string[] {
  return files
    .filter((path) => isCode(path) && !path.startsWith('scripts/rules/') && !path.includes('.gen.'))
    .flatMap((path) => {
      const lines = read(path).split('\n')
      return lines.flatMap((line, at) => {
        if (!escape.test(line) || explained.test(line)) return []
        const isAssertion = !/@ts-|-disable/.test(line)
        const isExcused =
          isAssertion && (isTestCode(path) || /\/\/ /.test(line) || /\/\/ |\*\//.test(lines[at - 1] ?? ''))
        return isExcused ? [] : [`${path}:${at + 1}: An escape from types or lint says why`]
      })
    })
}

interface Manifest {
  readonly [kind: string]: unknown
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
/** The budget of docs/decisions/0007-dependency-budget.md. */
const serverPackagesMax = 28

/** A direct dependency needs an exact version and a row in docs/dependencies.md; what is published may name a range of a peer. */
function dependencies({ files, read }: Tree): string[] {
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.replaceAll(/`|\([^)]*\)/g, '').trim()))
  const hasRow = (name: string, version: string) =>
    rows.some(
      ([, names = '', versions = '']) => names.split(', ').includes(name) && versions.split(', ').includes(version),
    )
  const problemsOf = (path: string, [name, version]: readonly [string, string]) => {
    if (/^(?:@bailiwick\/|bailiwick$)/.test(name)) return []
    if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) return [`${path}: ${name} needs an exact version, not ${version}`]
    return hasRow(name, version) ? [] : [`${path}: ${name} ${version} has no row in docs/dependencies.md`]
  }
  return files
    .filter((path) => /^(?:[\w-]+\/)?package\.json$/.test(path))
    .flatMap((path) => {
      const manifest = JSON.parse(read(path)) as Manifest
      return kinds
        .flatMap((kind) => Object.entries((manifest[kind] ?? {}) as Readonly<Record<string, string>>))
        .flatMap((dependency) => problemsOf(path, dependency))
    })
}

function overBudget({ files, read }: Tree): string[] {
  const path = 'server/package.json'
  if (!files.includes(path)) return []
  const names = Object.keys((JSON.parse(read(path)) as Manifest)['dependencies'] ?? {})
  const { length } = names.filter((name) => !name.startsWith('@bailiwick/'))
  return length > serverPackagesMax ? [`${path}: ${length} packages; the budget is ${serverPackagesMax}`] : []
}

/** What is published is compiled first, so npm must refuse to publish the sources. */
const publishable = ({ files, read }: Tree): string[] =>
  files
    .filter((path) => /^[\w-]+\/package\.json$/.test(path) && (JSON.parse(read(path)) as Manifest)['private'] !== true)
    .map((path) => `${path}: a workspace is private`)

/** A decision that names a file is read beside it. */
const missingFiles = ({ files, read }: Tree): string[] =>
  files
    .filter((path) => path.startsWith('docs/decisions/'))
    .flatMap((path) =>
      Array.from(read(path).matchAll(/`(\w[\w./-]*\/[\w.-]+\.(?:ts|tsx|mjs))`/g), ([, named = '']) => named)
        .filter((named) => !files.some((each) => each === named || each.endsWith(`/${named}`)))
        .map((named) => `${path}: ${named} does not exist`),
    )

/** Returns each breach of a rule, with its place. */
export const breaches = (tree: Tree): string[] => [
  ...rules.flatMap((rule) => linesAgainst(rule, tree)),
  ...oddNames(tree),
  ...unlisted(tree),
  ...unexplained(tree),
  ...undescribedShapes(tree),
  ...dependencies(tree),
  ...overBudget(tree),
  ...publishable(tree),
  ...missingFiles(tree),
]

/** Returns the exceptions that are needed no longer. */
export const idleExceptions = ({ files, read }: Tree): string[] =>
  rules.flatMap(({ rule, breach, except = {} }) =>
    Object.keys(except)
      .filter(
        (path) =>
          !files.includes(path) ||
          !read(path)
            .split('\n')
            .some((line) => breach.test(line)),
      )
      .map((path) => `${path}: is no longer an exception from "${rule}"`),
  )
