import { randomBytes } from 'node:crypto'

const prefix = randomBytes(9).toString('base64url')
let count = 0

/** Unique in this process by a counter and across processes by a random prefix; never taken from the caller. */
export const newRequestId = () => `${prefix}-${(count++).toString(36)}`
