// The other library: better-auth as its documentation sets it up, on the same engine with the same settings, hashing passwords with the
// same parameters. Its own rate limits are off, because the requests that it is compared with have none.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { hash, verify } from '@node-rs/argon2'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins/jwt'
import { oidcProvider } from 'better-auth/plugins/oidc-provider'
import { organization } from 'better-auth/plugins/organization'
import { Pool } from 'pg'
import type { Store } from '../data/store.ts'
import type { ClientCredentials } from '../load/codes.ts'
import { answerQuestions } from './child-process.ts'

/** The same parameters as in the service's `crypto/password.ts`. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const poolSize = 10

function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  return database
}

export interface BetterAuthQuestion {
  readonly store: Store
  /** An application that it knows and that redeems codes. */
  readonly application: ClientCredentials & { readonly redirectUri: string }
}

/** Its own OpenID provider, with ID tokens that are signed as the service signs them. */
function openIdProvider({ clientId, clientSecret, redirectUri }: BetterAuthQuestion['application']) {
  return [
    jwt({ disableSettingJwtHeader: true, jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oidcProvider({
      loginPage: '/sign-in',
      requirePKCE: true,
      useJWTPlugin: true,
      trustedClients: [
        {
          clientId,
          clientSecret,
          name: 'App',
          type: 'web',
          redirectUrls: [redirectUri],
          disabled: false,
          skipConsent: true,
          metadata: null,
        },
      ],
    }),
  ]
}

async function start({ store, application }: BetterAuthQuestion): Promise<number> {
  const { databaseUrl, sqliteFile, operatorKey } = store
  const options = {
    database:
      databaseUrl === undefined ? openSqlite(sqliteFile) : new Pool({ connectionString: databaseUrl, max: poolSize }),
    baseURL: 'http://127.0.0.1',
    secret: operatorKey,
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      password: {
        hash: (password) => hash(password, argon2),
        verify: ({ hash: known, password }) => verify(known, password),
      },
    },
    plugins: [organization(), ...openIdProvider(application)],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  } satisfies BetterAuthOptions
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  const handle = toNodeHandler(betterAuth(options))
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

answerQuestions(start)
