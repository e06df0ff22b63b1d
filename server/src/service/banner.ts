// What is printed once the service listens: addresses that answer where they are printed.
import type { Config } from '../platform/config.ts'
import { hostedOrigin } from '../tenancy/tenants/hosted-pages.ts'

type Shown = Pick<Config, 'env' | 'baseUrl' | 'dataDir' | 'databaseUrl' | 'port'>

/** An address that means "all of this machine" is none that a browser can open. */
const reachable = (url: string) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

/** @param listensAt the address that the service listens on. */
export function banner(config: Shown, listensAt: string): string {
  const { env, baseUrl, dataDir, databaseUrl } = config
  const url = reachable(listensAt)
  // In production only the public host is answered; without a base URL of its own a deployment is where it listens.
  const isDefaultBase = baseUrl === `http://127.0.0.1:${config.port}/api/v0`
  const api = env === 'production' ? baseUrl : `${url}/api/v0`
  const pages = hostedOrigin(env === 'development' && isDefaultBase ? { env, baseUrl: `${url}/api/v0` } : config)
  const lines = [
    `Bailiwick (${env}) is ready.`,
    `  API        ${api}`,
    `  Console    ${pages}/console`,
    `  Docs       ${pages}/docs`,
    `  Pages      ${pages}/t/{tenant}/sign-in (where users sign in; {tenant} is a slug or an id)`,
    `  Database   ${databaseUrl === undefined ? `SQLite in ${dataDir}/` : 'PostgreSQL'}`,
  ]
  if (env === 'production') lines.push(`  Listens    ${url} (/livez and /readyz answer here)`)
  else {
    lines.push(
      `  Messages   ${url}/dev/inbox (messages of tenants without a channel)`,
      '  Callers on this machine act as the operator without a credential: development only, never behind a proxy.',
    )
  }
  return lines.join('\n')
}
