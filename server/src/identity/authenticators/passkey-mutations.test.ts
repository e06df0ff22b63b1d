// Tries each check of Web Authentication Level 3 §7.1 and §7.2 with an answer that is wrong in exactly one thing. A completely right answer
// is accepted first, and again at the end, so that only this one thing can have caused the refusals.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { it } from 'node:test'
import {
  type AnswerOptions,
  SoftwareAuthenticator,
  cborBytes,
  cborMap,
  cborText,
  flag,
} from '../../../test/harness/browser/software-authenticator.ts'
import { type Person, preparePasskey, signInWithPasskey, signedInPerson } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

type Credential = ReturnType<SoftwareAuthenticator['get']>
interface Mutation {
  readonly answer?: AnswerOptions
  /** A change that is made after signing. */
  readonly change?: (credential: Credential) => unknown
}

const { present, verified, backedUp, attested, extensions } = flag
const otherChallenge = Buffer.alloc(32, 7).toString('base64url')
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const flippedBit = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
const spoiltAt = (name: string, at: number) => (credential: Credential) => {
  const response = credential.response as unknown as Record<string, string>
  const bytes = flippedBit(Buffer.from(response[name] ?? '', 'base64url'), at)
  return { ...credential, response: { ...response, [name]: bytes.toString('base64url') } }
}

/** Wrong in both ceremonies. */
const common: Readonly<Record<string, Mutation>> = {
  'another type': { answer: { type: 'webauthn.other' } },
  'another challenge': { answer: { challenge: otherChallenge } },
  'no challenge': { answer: { challenge: '' } },
  'the origin of another site': { answer: { origin: 'https://evil.example' } },
  'an origin that only begins like ours': { answer: { origin: 'http://localhost.evil.example' } },
  'the origin null': { answer: { origin: 'null' } },
  'a frame on another page': { answer: { clientData: { crossOrigin: true } } },
  'a frame on a named page': { answer: { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } } },
  'a top origin without a frame': { answer: { clientData: { topOrigin: 'https://evil.example' } } },
  'a crossOrigin that is no boolean': { answer: { clientData: { crossOrigin: 'false' } } },
  'another relying party': { answer: { rpId: 'evil.example' } },
  'nobody present': { answer: { flip: present } },
  'backed up, though it cannot be': { answer: { flip: backedUp } },
  'bytes behind the end': { answer: { tail: Buffer.from([0]) } },
  'extensions that are promised and missing': { answer: { flip: extensions } },
  'a different raw id': { answer: { rawId: 'AAAA' } },
  'another kind of credential': { change: (credential) => ({ ...credential, type: 'password' }) },
  'client data that are no JSON': { change: spoiltAt('clientDataJSON', 0) },
}

const assertions: Readonly<Record<string, Mutation>> = {
  ...common,
  'the type of a registration': { answer: { type: 'webauthn.create' } },
  'no user verification': { answer: { flip: verified } },
  'attested data that are promised and missing': { answer: { flip: attested } },
  'a signature with one bit changed': { answer: { spoil: (signature) => flippedBit(signature, signature.length - 1) } },
  'the signature of a stranger': { answer: { spoil: () => sign('sha256', Buffer.from('anything'), stranger) } },
  'no signature': { change: (credential) => ({ ...credential, response: { ...credential.response, signature: '' } }) },
  'client data changed after signing': {
    change: (credential) => {
      const { clientDataJSON } = credential.response as { clientDataJSON: string }
      const text = `${Buffer.from(clientDataJSON, 'base64url').toString().slice(0, -1)},"more":1}`
      return {
        ...credential,
        response: { ...credential.response, clientDataJSON: Buffer.from(text).toString('base64url') },
      }
    },
  },
  'a counter changed after signing': { change: spoiltAt('authenticatorData', 36) },
  'flags changed after signing': { change: spoiltAt('authenticatorData', 32) },
  'a credential that nobody has': { answer: { credentialId: Buffer.alloc(32, 9).toString('base64url') } },
  'no user handle': { answer: { userHandle: null } },
  "another user's handle": { answer: { userHandle: Buffer.from('somebody').toString('base64url') } },
  'a counter that stands still': { answer: { counter: 1 } },
}

const attestations: Readonly<Record<string, Mutation>> = {
  ...common,
  'the type of a sign-in': { answer: { type: 'webauthn.get' } },
  'no attested data': { answer: { flip: attested } },
  'an algorithm that was not offered': { answer: { algorithm: -47 } },
  'an algorithm that is none': { answer: { algorithm: 0 } },
  'a statement where there is none': {
    answer: { attestationStatement: cborMap([[cborText('sig'), cborBytes(Buffer.alloc(8))]]) },
  },
  'a format that is not accepted': { answer: { format: 'android-safetynet' } },
  'a format that nobody knows': { answer: { format: 'other' } },
  'a self attestation with a wrong signature': {
    answer: {
      format: 'packed',
      attestationStatement: cborMap([
        [cborText('alg'), Buffer.from([0x26])],
        [cborText('sig'), cborBytes(sign('sha256', Buffer.from('anything'), stranger))],
      ]),
    },
  },
  'an id that is not the one in the attested data': {
    change: (credential) => ({ ...credential, id: otherChallenge, rawId: otherChallenge }),
  },
  'an id of 1,024 bytes': { answer: { credentialId: Buffer.alloc(1024, 3).toString('base64url') } },
  'an attestation that is no CBOR': { change: spoiltAt('attestationObject', 0) },
}

describeService('an assertion', (service) => {
  it('is accepted if it is right, and refused if any one thing is wrong', async () => {
    const person = await signedInPerson(service())
    const { key } = await person.addPasskey()
    assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 200)
    for (const [what, mutation] of Object.entries(assertions)) await refusesAssertion(person, key, what, mutation)
    assert.equal((await signInWithPasskey(person.elsewhere(), key)).status, 200)
  })
})

async function refusesAssertion(person: Person, key: SoftwareAuthenticator, what: string, mutation: Mutation) {
  const browser = person.elsewhere()
  const { counter } = key
  const { id, options } = await preparePasskey(browser)
  const credential = key.get(options, mutation.answer)
  const { status, body } = await browser.call('attemptFirstFactor', {
    params: { id },
    body: { strategy: 'security_key', credential: mutation.change?.(credential) ?? credential },
  })
  assert.ok(status === 401 || status === 400, `${what} was answered ${status}`)
  assert.match(body.code ?? '', /^(factor_refused|validation_failed)$/)
  await browser.refused('getProfile', 'unauthenticated')
  key.counter = counter
}

describeService('an attestation', (service) => {
  it('is accepted if it is right, and refused if any one thing is wrong', async () => {
    const person = await signedInPerson(service())
    await person.addPasskey()
    for (const [what, { answer, change }] of Object.entries(attestations)) {
      const credential = new SoftwareAuthenticator().create(await person.passkeyOptions(), answer)
      const changed = change?.(credential) ?? credential
      const { status, body } = await person.browser.call('createPasskey', { body: { credential: changed } })
      assert.equal(status, 400, `${what} was answered ${status}`)
      assert.match(body.code ?? '', /^(passkey_refused|validation_failed)$/)
    }
    await person.addPasskey()
    assert.equal(await passkeysOf(person), 2)
  })

  it('is refused with junk in every place', async () => {
    const person = await signedInPerson(service())
    const right = new SoftwareAuthenticator().create(await person.passkeyOptions())
    const junk: readonly unknown[] = [null, 1, '', 'ä', [], {}, { toString: 1 }, '='.repeat(40_000)]
    const places = ['id', 'rawId', 'type', 'response', 'clientDataJSON', 'attestationObject', 'transports'] as const
    for (const place of places) {
      for (const value of junk) {
        const credential = place in right ? { ...right, [place]: value } : withResponse(right, place, value)
        const { status } = await person.browser.call('createPasskey', { body: { credential } })
        if (place !== 'transports') assert.equal(status, 400, `${place} ${JSON.stringify(value)?.slice(0, 20)}`)
      }
    }
    for (const credential of junk)
      await person.browser.refused('createPasskey', 'validation_failed', { body: { credential } })
  })
})

const withResponse = (credential: { response: object }, name: string, value: unknown) => ({
  ...credential,
  response: { ...credential.response, [name]: value },
})

async function passkeysOf({ browser }: Person) {
  const { passkeys } = await browser.ok<{ passkeys: unknown[] }>('listPasskeys')
  return passkeys.length
}
