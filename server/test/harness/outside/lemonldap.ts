// LemonLDAP::NG, a provider of OpenID Connect and SAML by others, as Debian installs it: its portal alone, under plackup, with the settings in a folder of its own
// and its demonstration user Doctor Who.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../process/service-process.ts'
import { isInstalled } from '../installed.ts'
import { type ProviderKey, newProviderKey } from '../saml/crafted-response.ts'

const portal = '/usr/share/lemonldap-ng/portal'
const modules = ['IO::String', 'String::Random', 'Lasso', 'XML::Simple']
const hasModules = () => spawnSync('perl', [...modules.map((name) => `-M${name}`), '-e', '1']).status === 0

const packages =
  'liblemonldap-ng-portal-perl liblasso-perl libxml-simple-perl libplack-perl libio-string-perl libstring-random-perl'

/** Why it cannot run here; undefined if it can. */
export const missingLemonLdap =
  existsSync(portal) && isInstalled('plackup') && hasModules()
    ? undefined
    : `did not run: there is no LemonLDAP::NG (apt-get install ${packages})`

/** The person whom the portal knows by itself. */
export const doctor = { name: 'dwho', password: 'dwho', email: 'dwho@badwolf.org', domain: 'badwolf.org' }

export const lemonLdapClient = { clientId: 'bailiwick', clientSecret: 'only for this test' }

/** What it serves: a client of OpenID Connect that lets browsers be sent back to an address, or a service by its SAML metadata. */
export type LemonLdapService = { readonly callbackUri: string } | { readonly metadataXml: string }

export interface LemonLdap {
  readonly issuer: string
  /** Where it publishes its metadata, which is its entity id as well. */
  readonly metadataUri: string
  readonly stop: () => void
}

const perlSettings = (folder: string) => `[all]
logLevel = error
[configuration]
type = File
dirName = ${folder}/conf
[portal]
staticPrefix = /static
templateDir = ${portal}/templates
languages = en
`

const application = `use Plack::Builder; use Plack::App::File; use Lemonldap::NG::Portal::Main;
builder {
  mount '/static' => Plack::App::File->new(root => '${portal}/htdocs/static')->to_app;
  mount '/' => Lemonldap::NG::Portal::Main->run({});
};
`

/** The portal does not begin without a module for puzzles, though none is asked for; its own needs a library for pictures. */
const noPuzzles = `package Lemonldap::NG::Portal::Captcha::None;
use Mouse; extends 'Lemonldap::NG::Portal::Main::Plugin';
sub init { 1 }
1;
`

const pem = (key: KeyObject, type: 'pkcs8' | 'spki') =>
  (type === 'pkcs8' ? key.export({ type, format: 'pem' }) : key.export({ type, format: 'pem' })).toString()

/** Its OpenID provider, with one client. */
function oidcSettings(address: string, callbackUri: string, key: ProviderKey) {
  return {
    issuerDBOpenIDConnectActivation: 1,
    issuerDBOpenIDConnectPath: '^/oauth2/',
    issuerDBOpenIDConnectRule: 1,
    oidcServiceMetaDataIssuer: address,
    oidcServicePrivateKeySig: pem(key.privateKey, 'pkcs8'),
    oidcServicePublicKeySig: pem(key.publicKey, 'spki'),
    oidcServiceKeyIdSig: 'one',
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcRPMetaDataOptions: {
      bailiwick: {
        oidcRPMetaDataOptionsClientID: lemonLdapClient.clientId,
        oidcRPMetaDataOptionsClientSecret: lemonLdapClient.clientSecret,
        oidcRPMetaDataOptionsRedirectUris: callbackUri,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsIDTokenForceClaims: 1,
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsUserIDAttr: 'uid',
      },
    },
    oidcRPMetaDataExportedVars: { bailiwick: { email: 'mail', name: 'cn' } },
  }
}

/** Its SAML provider, with one service. */
function samlSettings(metadataXml: string, key: ProviderKey) {
  const exported = (name: string) => `1;${name};urn:oasis:names:tc:SAML:2.0:attrname-format:basic;`
  return {
    issuerDBSAMLActivation: 1,
    issuerDBSAMLPath: '^/saml/',
    issuerDBSAMLRule: 1,
    // With SAML its cookies are for other sites too, unless this is set, and browsers keep such cookies only where there is TLS: without
    // the cookie it forgets the request while somebody signs in.
    sameSite: 'Lax',
    samlServicePrivateKeySig: pem(key.privateKey, 'pkcs8'),
    samlServicePublicKeySig: key.certificate,
    samlServiceUseCertificateInResponse: 1,
    samlSPMetaDataXML: { bailiwick: { samlSPMetaDataXML: metadataXml } },
    samlSPMetaDataOptions: {
      bailiwick: {
        samlSPMetaDataOptionsNameIDFormat: 'persistent',
        // It refuses requests that are not signed with the key of our metadata.
        samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
        samlSPMetaDataOptionsSignSSOMessage: 1,
      },
    },
    samlSPMetaDataExportedAttributes: { bailiwick: { mail: exported('email'), cn: exported('displayName') } },
  }
}

function settings(folder: string, address: string, served: LemonLdapService) {
  const key = newProviderKey()
  const storage = { Directory: `${folder}/sessions`, LockDirectory: `${folder}/lock` }
  return {
    cfgNum: 1,
    // It says that there is no configuration if this is missing.
    cfgDate: Math.floor(Date.now() / 1000),
    cfgAuthor: 'a test',
    cfgVersion: '2.16.1',
    key: 'only for this test',
    portal: `${address}/`,
    // Browsers keep no cookie for the whole domain localhost.
    domain: '127.0.0.1',
    securedCookie: 0,
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Demo',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    captcha: '::Captcha::None',
    captcha_login_enabled: 0,
    captcha_mail_enabled: 0,
    captcha_register_enabled: 0,
    locationRules: { '127.0.0.1': { default: 'accept' } },
    whatToTrace: '_whatToTrace',
    macros: { _whatToTrace: '$uid' },
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: storage,
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: storage,
    ...('metadataXml' in served
      ? samlSettings(served.metadataXml, key)
      : oidcSettings(address, served.callbackUri, key)),
  }
}

/**
 * Starts it for one client or service.
 * @throws Error unless it answers within some seconds.
 */
export async function startLemonLdap(port: number, served: LemonLdapService): Promise<LemonLdap> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-lemonldap-'))
  const own = 'lib/Lemonldap/NG/Portal/Captcha'
  for (const inside of ['conf', 'sessions', 'lock', own]) mkdirSync(join(folder, inside), { recursive: true })
  const address = `http://127.0.0.1:${port}`
  const metadataUri = `${address}/saml/metadata`
  writeFileSync(join(folder, 'lemonldap-ng.ini'), perlSettings(folder))
  writeFileSync(join(folder, 'conf/lmConf-1.json'), JSON.stringify(settings(folder, address, served)))
  writeFileSync(join(folder, 'portal.psgi'), application)
  writeFileSync(join(folder, own, 'None.pm'), noPuzzles)
  const args = ['-E', 'deployment', '--host', '127.0.0.1', '--port', String(port), join(folder, 'portal.psgi')]
  const server: ChildProcess = spawn('plackup', args, {
    env: {
      ...process.env,
      LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini'),
      PERL5LIB: join(folder, 'lib'),
    },
    stdio: 'ignore',
    detached: true,
  })
  const stop = () => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid)
    rmSync(folder, { recursive: true, force: true })
  }
  const isUp = async () => {
    const answer = await fetch(
      'metadataXml' in served ? metadataUri : `${address}/.well-known/openid-configuration`,
    ).catch(() => undefined)
    return answer?.ok === true || undefined
  }
  try {
    await until('LemonLDAP::NG answers', 60_000, isUp)
  } catch (error) {
    stop()
    throw error
  }
  return { issuer: address, metadataUri, stop }
}
