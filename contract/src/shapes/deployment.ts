import type { Static } from 'typebox'
import { object, oneOf, text } from '../schema.ts'

/** What anybody may know of a deployment. */
export const Deployment = object({
  version: text(),
  environment: oneOf(['development', 'production']),
  consolePublicKey: text({ description: "Public key of the console's own tenant, where console users sign in" }),
})
export type Deployment = Static<typeof Deployment>
