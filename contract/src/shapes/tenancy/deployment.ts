import type { Static } from 'typebox'
import {
  array,
  boolean,
  integer,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  text,
  timestamp,
} from '../../schema.ts'

/** The public facts about a deployment. */
export const Deployment = object({
  version: text(),
  environment: oneOf(['development', 'production']),
  consolePublicKey: text({
    description: "The public key of the console's own tenant, at which administrators sign in",
  }),
  consoleSignUpEnabled: boolean({
    description:
      'Whether everyone can sign up at the console. If not, only administrators who were invited to a tenant can',
  }),
})
export type Deployment = Static<typeof Deployment>

const severities = ['ok', 'warn', 'fail'] as const

/** What one check of the deployment found. */
export const HealthFinding = object({
  check: text({ description: 'The subject of the check, such as `database` or `backup`' }),
  status: oneOf(severities, { description: '`warn` is a risk for later, `fail` a problem now' }),
  detail: text({ description: 'The result of the check' }),
  hint: nullableText({ description: 'How to solve the problem' }),
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
  kind: text({ description: 'The kind of the jobs, such as `webhooks.deliver`' }),
  waiting: integer({ description: 'Jobs that are due and have not been attempted yet' }),
  running: integer({ description: 'Jobs that are running on a node' }),
  retrying: integer({ description: 'Jobs that have failed and will be retried' }),
  scheduled: integer({ description: 'Jobs that are not due yet' }),
  givenUp: integer({ description: 'Jobs that have failed for good; at most 1,000 of all kinds are counted' }),
  oldestDueAt: nullableTimestamp({ description: 'When the job that has waited longest became due' }),
  error: nullableText({
    description: 'Why one of the failed jobs failed, without addresses, tokens and other personal data',
  }),
})

/** The background work of the deployment. */
export const DeploymentJobs = object({
  checkedAt: timestamp(),
  isComplete: boolean({
    description: 'Whether all jobs are counted; at most the 10,000 jobs that are due first are counted',
  }),
  kinds: array(JobKind, { description: 'One entry for each kind that has jobs' }),
})
export type DeploymentJobs = Static<typeof DeploymentJobs>

/** Which kind of failed jobs is tried again. */
export const RetryJobs = object({ kind: text({ minLength: 1, maxLength: 100, description: 'The kind of the jobs' }) })
/** How many jobs are tried again. */
export const RetriedJobs = object({ jobs: integer({ description: 'How many jobs are retried, at most 1,000' }) })
