// LemonLDAP::NG, an OpenID provider by others, as Debian installs it: its portal alone, under plackup, with the settings in a folder of its own
// and its demonstration user Doctor Who.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../process/service-process.ts'
import { isInstalled } from '../installed.ts'
import { newProviderKey } from '../saml/crafted-response.ts'

const portal = '/usr/share/lemonldap-ng/portal'
const modules = ['IO::String', 'String::Random']
const hasModules = () => spawnSync('perl', [...modules.map((name) => `-M${name}`), '-e', '1']).status === 0

const packages = 'liblemonldap-ng-portal-perl libplack-perl libio-string-perl libstring-random-perl'

/** Why it cannot run here; undefined if it can. */
export const missingLemonLdap =
  existsSync(portal) && isInstalled('plackup') && hasModules()
    ? undefined
    : `did not run: there is no LemonLDAP::NG (apt-get install ${packages})`

/** The person whom the portal knows by itself. */
export const doctor = { name: 'dwho', password: 'dwho', email: 'dwho@badwolf.org', domain: 'badwolf.org' }

export const lemonLdapClient = { clientId: 'bailiwick', clientSecret: 'only for this test' }

export interface LemonLdap {
  readonly issuer: string
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

function settings(folder: string, address: string, callbackUri: string) {
  const key = newProviderKey()
  const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = key.publicKey.export({ type: 'spki', format: 'pem' }).toString()
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
    issuerDBOpenIDConnectActivation: 1,
    issuerDBOpenIDConnectPath: '^/oauth2/',
    issuerDBOpenIDConnectRule: 1,
    oidcServiceMetaDataIssuer: address,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
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

/**
 * Starts it for one client.
 * @param callbackUri where that client lets browsers be sent back to.
 * @throws Error unless it answers within some seconds.
 */
export async function startLemonLdap(port: number, callbackUri: string): Promise<LemonLdap> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-lemonldap-'))
  const own = 'lib/Lemonldap/NG/Portal/Captcha'
  for (const inside of ['conf', 'sessions', 'lock', own]) mkdirSync(join(folder, inside), { recursive: true })
  const address = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, 'lemonldap-ng.ini'), perlSettings(folder))
  writeFileSync(join(folder, 'conf/lmConf-1.json'), JSON.stringify(settings(folder, address, callbackUri)))
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
    const answer = await fetch(`${address}/.well-known/openid-configuration`).catch(() => undefined)
    return answer?.ok === true || undefined
  }
  try {
    await until('LemonLDAP::NG answers', 20_000, isUp)
  } catch (error) {
    stop()
    throw error
  }
  return { issuer: address, stop }
}
