import type { Static } from 'typebox'
import { array, boolean, integer, nullableText, nullableTimestamp, object, oneOf, text, timestamp } from '../schema.ts'

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

const severities = ['ok', 'warn', 'fail'] as const

/** What one check of the deployment found. */
export const HealthFinding = object({
  check: text({ description: 'What was checked, such as `database` or `backup`' }),
  status: oneOf(severities, { description: '`warn` will hurt later, `fail` hurts now' }),
  detail: text({ description: 'What was found' }),
  hint: nullableText({ description: 'What to do about it' }),
})

/** What the node that answers found when it checked itself and what it depends on. */
export const DeploymentHealth = object({
  status: oneOf(severities, { description: 'The worst status of all findings' }),
  checkedAt: timestamp(),
  startedAt: timestamp({ description: 'When the node that answers was started' }),
  findings: array(HealthFinding),
})
export type DeploymentHealth = Static<typeof DeploymentHealth>

/** The background work of one kind. */
export const JobKind = object({
  kind: text({ description: 'What the jobs do, such as `webhooks.deliver`' }),
  waiting: integer({ description: 'Jobs that are due and have not been tried yet' }),
  running: integer({ description: 'Jobs that a node is doing now' }),
  retrying: integer({ description: 'Jobs that have failed and will be tried again' }),
  scheduled: integer({ description: 'Jobs that are not due yet' }),
  givenUp: integer({ description: 'Jobs that have failed for good; 1,000 of all kinds are counted at most' }),
  oldestDueAt: nullableTimestamp({ description: 'Since when the job that has waited longest is due' }),
  error: nullableText({
    description: 'Why one of the failed jobs failed, without addresses, tokens and other data of people',
  }),
})

/** The background work of the deployment. */
export const DeploymentJobs = object({
  checkedAt: timestamp(),
  isComplete: boolean({ description: 'Whether all jobs are counted: no more than the 10,000 that are due first are' }),
  kinds: array(JobKind, { description: 'One entry for each kind of which there are jobs' }),
})
export type DeploymentJobs = Static<typeof DeploymentJobs>

export const RetryJobs = object({ kind: text({ minLength: 1, maxLength: 100, description: 'The kind of the jobs' }) })
export const RetriedJobs = object({ jobs: integer({ description: 'How many jobs are tried again, 1,000 at most' }) })
