// The seals of the event log. Each event's hash covers its content as stored and the previous hash, and a checkpoint signs the newest hash.
// Personal data is hashed as sealed, so that erasing a person, and thereby the key, leaves the chain unchanged.
import { type KeyObject, createPublicKey, hash, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { EventRow } from './feed.ts'

export const chainStart = '0'.repeat(64)

const version = 'bailiwick event 1'

/** SHA-256 in hexadecimal. Encoding a JSON array gives each content exactly one text. */
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

/** Signs with ECDSA and SHA-256, off the event loop. */
export async function signCheckpoint(checkpoint: Checkpoint, privateKey: KeyObject): Promise<string> {
  const signature = await signOffThread('sha256', checkpointBytes(checkpoint), privateKey)
  return signature.toString('base64url')
}

/**
 * @param privateKey the key that should have signed. The public key in the database is not used, because whoever can write there can
 * replace it.
 */
export const isSignedBy = (checkpoint: Checkpoint, signature: string, privateKey: KeyObject): boolean =>
  verify('sha256', checkpointBytes(checkpoint), createPublicKey(privateKey), Buffer.from(signature, 'base64url'))
