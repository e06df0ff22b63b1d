import { endpoint } from '../../endpoint.ts'
import { DeploymentHealth, DeploymentJobs, RetriedJobs, RetryJobs } from '../../shapes/tenancy/deployment.ts'

const tag = 'Deployment'
const checkedAt = '2026-11-21T08:00:00.000123Z'

export const getDeploymentHealth = endpoint({
  id: 'getDeploymentHealth',
  method: 'GET',
  path: '/deployment/health',
  tag,
  summary: 'Check the deployment',
  description:
    'Only for the operator. Runs the quick checks of `bailiwick doctor` on the node that answers: its settings and its machine, the database, the clock, the master key, the event log, background work and webhooks. The command itself also checks the integrity of the database and the counters.',
  permission: 'operator',
  response: DeploymentHealth,
  errors: [],
  example: {
    response: {
      status: 'warn',
      checkedAt,
      startedAt: '2026-11-14T06:12:41.907311Z',
      findings: [
        { check: 'database', status: 'ok', detail: 'PostgreSQL 17.6', hint: null },
        {
          check: 'backup',
          status: 'warn',
          detail: 'bailiwick backup has never run here',
          hint: 'run bailiwick backup <folder> every day; ignore this if the disk is backed up in another way',
        },
      ],
    },
  },
})

export const getDeploymentJobs = endpoint({
  id: 'getDeploymentJobs',
  method: 'GET',
  path: '/deployment/jobs',
  tag,
  summary: 'Read the state of the background work',
  description:
    'Only for the operator. Jobs send messages, deliver events to webhooks and process files, each at least once and on any node. A failed job is repeated with growing pauses, and given up in the end.',
  permission: 'operator',
  response: DeploymentJobs,
  errors: [],
  example: {
    response: {
      checkedAt,
      isComplete: true,
      kinds: [
        {
          kind: 'webhooks.deliver',
          waiting: 4,
          running: 2,
          retrying: 1,
          scheduled: 0,
          givenUp: 3,
          oldestDueAt: '2026-11-21T07:59:58.112000Z',
          error: 'the receiver answered 503',
        },
      ],
    },
  },
})

export const retryDeploymentJobs = endpoint({
  id: 'retryDeploymentJobs',
  method: 'POST',
  path: '/deployment/jobs/retry',
  tag,
  summary: 'Retry failed jobs now',
  description:
    'Only for the operator. Retries the jobs of one kind that were given up, and those that wait for their next attempt. A job that can no longer succeed, such as one for an expired message, is given up again.',
  permission: 'operator',
  body: RetryJobs,
  response: RetriedJobs,
  errors: [],
  example: { body: { kind: 'webhooks.deliver' }, response: { jobs: 4 } },
})
