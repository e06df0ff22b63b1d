import type { Static } from 'typebox'
import { boolean, object, oneOf, text } from '../schema.ts'

/** The public facts about a deployment. */
export const Deployment = object({
  version: text(),
  environment: oneOf(['development', 'production']),
  consolePublicKey: text({ description: "Public key of the console's own tenant, where console users sign in" }),
  consoleSignUpEnabled: boolean({
    description: 'Whether everybody may sign up at the console; where not, only people who were invited to a tenant',
  }),
})
export type Deployment = Static<typeof Deployment>
