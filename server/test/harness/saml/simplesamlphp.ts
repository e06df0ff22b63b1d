// SimpleSAMLphp, an identity provider by others, as Debian installs it: PHP's own server, a folder of its own for settings, one user.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../process/service-process.ts'
import { freePort } from '../free-port.ts'
import { isInstalled } from '../installed.ts'
import { newProviderKey } from './crafted-response.ts'

const program = '/usr/share/simplesamlphp/www'

const hasXml = () => spawnSync('php', ['-r', 'exit(extension_loaded("dom") ? 0 : 1);']).status === 0

/** Why it cannot run here; undefined if it can. */
export const missingSimpleSamlPhp =
  existsSync(program) && isInstalled('php') && hasXml()
    ? undefined
    : 'did not run: there is no SimpleSAMLphp (apt-get install simplesamlphp php-cli php-xml)'

export interface SimpleSamlPhp {
  /** Its address for metadata, which is its entity id as well. */
  readonly metadataUri: string
  /** Where a sign-in begins that nobody has asked for. */
  readonly beginAt: (entityId: string) => string
  /** Where its own sign-out begins, which ends at the address. */
  readonly signOutAt: (returnTo: string) => string
  /** Tells it about a service, by the metadata of that service. */
  readonly trust: (metadataXml: string) => void
  readonly stop: () => void
}

const php = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(php).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `[${Object.entries(value)
          .map(([key, each]) => `'${key}' => ${php(each)}`)
          .join(', ')}]`
      : JSON.stringify(value).replaceAll('$', String.raw`\$`)

function settings(folder: string, address: string) {
  return {
    baseurlpath: `${address}/`,
    certdir: `${folder}/`,
    loggingdir: `${folder}/`,
    datadir: `${folder}/`,
    tempdir: `${folder}/tmp`,
    metadatadir: `${folder}/metadata`,
    'metadata.sources': [{ type: 'flatfile' }, { type: 'xml', file: `${folder}/service.xml` }],
    secretsalt: 'only for this test, and gone with it',
    'auth.adminpassword': 'only for this test',
    timezone: 'UTC',
    'logging.level': 3,
    'logging.handler': 'file',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'session.cookie.secure': false,
    'session.phpsession.savepath': `${folder}/sessions`,
    'store.type': 'phpsession',
    'trusted.url.domains': null,
    'language.default': 'en',
  }
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

const hosted = {
  host: '__DEFAULT__',
  privatekey: 'provider.key',
  certificate: 'provider.crt',
  auth: 'people',
  'saml20.sign.response': false,
  // It refuses requests that are not signed with the key of our metadata.
  'validate.authnrequest': true,
  'sign.logout': true,
  'validate.logout': true,
  authproc: {
    3: {
      class: 'saml:AttributeNameID',
      attribute: 'uid',
      Format: persistent,
    },
  },
}

export interface Someone {
  readonly name: string
  readonly password: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/** @throws Error unless it answers within some seconds. */
export async function startSimpleSamlPhp({ name, password, attributes }: Someone): Promise<SimpleSamlPhp> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-simplesamlphp-'))
  for (const inside of ['metadata', 'sessions', 'tmp']) mkdirSync(join(folder, inside))
  const address = `http://localhost:${await freePort()}`
  const key = newProviderKey()
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content)
  write('provider.key', key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  write('provider.crt', key.certificate)
  write('config.php', `<?php $config = ${php(settings(folder, address))};`)
  const people = { 0: 'exampleauth:UserPass', [`${name}:${password}`]: attributes }
  write('authsources.php', `<?php $config = ${php({ people })};`)
  write('metadata/saml20-idp-hosted.php', `<?php $metadata['__DYNAMIC:1__'] = ${php(hosted)};`)
  write('service.xml', '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>')
  const server: ChildProcess = spawn('php', ['-S', new URL(address).host, '-t', program], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder, PHP_CLI_SERVER_WORKERS: '2' },
    stdio: 'ignore',
    detached: true,
  })
  const metadataUri = `${address}/saml2/idp/metadata.php`
  const isUp = async () => {
    const answer = await fetch(metadataUri).catch(() => undefined)
    return answer?.headers.get('content-type')?.includes('xml') === true || undefined
  }
  await until('SimpleSAMLphp answers', 60_000, isUp)
  return {
    metadataUri,
    beginAt: (entityId) =>
      `${address}/saml2/idp/SSOService.php?${new URLSearchParams({ spentityid: entityId, NameIDFormat: persistent, RelayState: 'https://evil.example/' }).toString()}`,
    signOutAt: (returnTo) =>
      `${address}/saml2/idp/initSLO.php?${new URLSearchParams({ RelayState: returnTo }).toString()}`,
    trust: (metadataXml) => write('service.xml', metadataXml),
    stop() {
      // With its workers, which are of its group.
      if (server.pid !== undefined) process.kill(-server.pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
