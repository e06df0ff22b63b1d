// What the seals of the event log are made of: each event's hash covers its content as stored and the hash before it, and a
// checkpoint signs the newest one. What is sealed of a person is hashed as sealed, so that erasing the person, whose key
// goes, leaves the chain as it was.
import { type KeyObject, createPublicKey, hash, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { EventRow } from './feed.ts'

export const chainStart = '0'.repeat(64)

const version = 'bailiwick event 1'

/** SHA-256 in hexadecimal. JSON of an array leaves one text for one content. */
export function sealHash(previous: string, sequence: number, event: Omit<EventRow, 'transaction_id'>): string {
  const content = [
    version,
    previous,
    sequence,
    event.position,
    event.tenant_id,
    event.id,
    event.type,
    event.actor_type,
    event.actor_id,
    event.subject_type,
    event.subject_id,
    event.data,
    event.personal,
    event.personal_user_id,
    event.ip,
    event.ua,
    event.created_at,
  ]
  return hash('sha256', JSON.stringify(content), 'hex')
}

export interface Checkpoint {
  readonly tenantId: string
  readonly sequence: number
  readonly hash: string
  readonly signedAt: string
}

const checkpointBytes = ({ tenantId, sequence, hash: head, signedAt }: Checkpoint) =>
  Buffer.from(JSON.stringify(['bailiwick checkpoint 1', tenantId, sequence, head, signedAt]))

const signOffThread = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** ECDSA with SHA-256, off the event loop. */
export async function signCheckpoint(checkpoint: Checkpoint, privateKey: KeyObject): Promise<string> {
  const signature = await signOffThread('sha256', checkpointBytes(checkpoint), privateKey)
  return signature.toString('base64url')
}

/** @param privateKey the one that should have signed: the public one in the database is anybody's to replace. */
export const isSignedBy = (checkpoint: Checkpoint, signature: string, privateKey: KeyObject): boolean =>
  verify('sha256', checkpointBytes(checkpoint), createPublicKey(privateKey), Buffer.from(signature, 'base64url'))
