// Values that no other request has.
import { unique } from '../harness/factories.ts'

export const newPhone = () => `+49${Math.random().toString().slice(2, 12)}`
export const newEmail = () => `${unique()}@example.com`
