// Messages in the address of a redirect (SAML Bindings 2.0 section 3.4): ours, signed with the key of the connection, and the provider's. The
// signature covers the characters of the query as they were sent.
import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { SamlRefusal } from '../saml-refusal.ts'
import { isSignatureAlgorithm, isSignedBy, rsaSha256 } from '../signatures/algorithms.ts'
import { fromBase64 } from '../xml/base64.ts'
import { charactersMax } from '../xml/read-xml.ts'

export type MessageName = 'SAMLRequest' | 'SAMLResponse'

interface OwnMessage {
  readonly name: MessageName
  readonly xml: string
  readonly relayState: string | null
  readonly privateKey: KeyObject
}

/** In another thread: a signature takes half a millisecond. */
const signAside = promisify(sign)

/** Returns the address at the provider to which the browser is sent. */
export async function redirectUrl(address: string, { name, xml, relayState, privateKey }: OwnMessage): Promise<string> {
  // Of our own messages, which are short: another thread would take longer.
  const compressed = deflateRawSync(xml)
  const query = [
    `${name}=${encodeURIComponent(compressed.toString('base64'))}`,
    ...(relayState === null ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    `SigAlg=${encodeURIComponent(rsaSha256)}`,
  ].join('&')
  const signature = (await signAside('sha256', Buffer.from(query), privateKey)).toString('base64')
  const separator = address.includes('?') ? '&' : '?'
  return `${address}${separator}${query}&Signature=${encodeURIComponent(signature)}`
}

const unusual = (message: string) => new SamlRefusal('not_a_response', message)

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', '%20'))
  } catch {
    throw unusual('The query of the address is malformed.')
  }
}

/** Returns the parameters that a message has, each as it was sent. */
function rawParameters(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = '', ...value] = pair.split('=')
    if (found.has(name)) throw unusual('A parameter of the message occurs twice.')
    found.set(name, value.join('='))
  }
  return found
}

function inflated(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      inflateRawSync(fromBase64(text) ?? Buffer.alloc(0), { maxOutputLength: charactersMax }),
    )
  } catch {
    throw unusual('The message is not compressed as it should be.')
  }
}

export interface RedirectedMessage {
  readonly name: MessageName
  readonly xml: string
  readonly relayState: string | null
}

/**
 * Returns the message in a query, whose signature one of the keys has made.
 * @param query as it was sent, without the question mark.
 * @throws SamlRefusal
 */
export function readRedirect(query: string, keys: readonly KeyObject[]): RedirectedMessage {
  const raw = rawParameters(query)
  const names = (['SAMLRequest', 'SAMLResponse'] as const).filter((each) => raw.has(each))
  const [name] = names
  if (name === undefined || names.length > 1) throw unusual('The address has no message, or two.')
  const [algorithm, signature] = [raw.get('SigAlg'), raw.get('Signature')]
  if (algorithm === undefined || signature === undefined)
    throw new SamlRefusal('unsigned', 'The message is not signed.')
  if (!isSignatureAlgorithm(decoded(algorithm)))
    throw new SamlRefusal('algorithm_refused', 'The signature uses an algorithm that is not accepted, such as SHA-1.')
  const signedNames = [name, ...(raw.has('RelayState') ? ['RelayState'] : []), 'SigAlg']
  const signed = Buffer.from(signedNames.map((each) => `${each}=${raw.get(each) ?? ''}`).join('&'))
  const value = fromBase64(decoded(signature)) ?? Buffer.alloc(0)
  if (!keys.some((key) => isSignedBy(key, decoded(algorithm), signed, value)))
    throw new SamlRefusal('signature_wrong', 'The signature was not made with a certificate of this connection.')
  const relayState = raw.get('RelayState')
  return {
    name,
    xml: inflated(decoded(raw.get(name) ?? '')),
    relayState: relayState === undefined ? null : decoded(relayState),
  }
}
