// An identity provider by pysaml2, as Debian installs it: it reads our metadata and a request of ours, and makes responses of several kinds.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '../installed.ts'
import type { ProviderKey } from './crafted-response.ts'

const python = '/usr/bin/python3'

/** For tests that need it. */
export const skipWithoutPysaml2 =
  existsSync('/usr/lib/python3/dist-packages/saml2') && existsSync(python) && isInstalled('xmlsec1')
    ? {}
    : { skip: 'did not run: there is no pysaml2 (apt-get install python3-pysaml2 xmlsec1)' }

export interface AskedOfPysaml2 {
  readonly entityId: string
  readonly ssoUrl: string
  readonly key: ProviderKey
  readonly otherKey: ProviderKey
  /** The metadata of the service. */
  readonly metadataXml: string
  /** Where the browser was sent with a request. */
  readonly requestUrl: string
  readonly person: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

export interface AnsweredByPysaml2 {
  /** What it has read from the request and the metadata. */
  readonly requestId: string
  readonly isSigned: boolean
  readonly destination: string
  readonly binding: string
  /** XML by kind. */
  readonly responses: ReadonlyMap<string, string>
}

export function answeredByPysaml2(asked: AskedOfPysaml2): AnsweredByPysaml2 {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-pysaml2-'))
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const pem = ({ privateKey }: ProviderKey) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    const input = {
      entityId: asked.entityId,
      ssoUrl: asked.ssoUrl,
      keyFile: write('key.pem', pem(asked.key)),
      certificateFile: write('certificate.pem', asked.key.certificate),
      otherKeyFile: write('other-key.pem', pem(asked.otherKey)),
      otherCertificateFile: write('other-certificate.pem', asked.otherKey.certificate),
      metadataFile: write('service.xml', asked.metadataXml),
      redirect: new URL(asked.requestUrl).search.slice(1),
      person: asked.person,
      attributes: asked.attributes,
    }
    const script = new URL('pysaml2-provider.py', import.meta.url).pathname
    const output = execFileSync(python, [script], { input: JSON.stringify(input), encoding: 'utf8', stdio: 'pipe' })
    const { responses, ...answer } = JSON.parse(output) as Omit<AnsweredByPysaml2, 'responses'> & {
      readonly responses: Readonly<Record<string, string>>
    }
    const decoded = Object.entries(responses).map(
      ([kind, text]) => [kind, Buffer.from(text, 'base64').toString()] as const,
    )
    return { ...answer, responses: new Map(decoded) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
