// Sends a message at a tenant's request: with its own template and channel, to any valid address.
import {
  type Issue,
  type SendMessage,
  type SentMessage,
  type TestMessage,
  canonicalEmail,
  canonicalPhone,
  foldCase,
  isEmail,
  isPhone,
} from '@bailiwick/contract'
import { eventStatement } from '../../../platform/events/append.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import { type ChannelRow, selectChannel, selectChannelNamed } from '../channel-queries.ts'
import type { MessageRow } from '../message-queries.ts'
import { presentMessage } from '../messages/messages.ts'
import { type MessageVariables, queuedMessage } from '../messages/queue-message.ts'
import { type TemplateRow, selectTemplate, selectTemplateByName } from '../template-queries.ts'
import { isAddress } from './attempt-message.ts'

const validMinutesMax = 24 * 60

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message })

/**
 * Returns the address in the form in which users' addresses are stored. Text that is not an address is returned unchanged, and refused
 * later.
 */
function canonical(type: ChannelRow['type'], to: string): string {
  if ((type === 'sms' || type === 'chat') && isPhone(to)) return canonicalPhone(to)
  return type === 'email' && isEmail(to) ? canonicalEmail(to) : to
}

interface Asked {
  readonly template: TemplateRow | undefined
  readonly channel: ChannelRow | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly to: string | readonly string[]
  /** The paths of these values in the request, for issues. */
  readonly paths: { readonly template: string; readonly channel: string }
}

/** Checks the variables that the service itself uses. The others are only for the template. */
function variableIssues(variables: Asked['variables']): Issue[] {
  const issues: Issue[] = []
  const { expiresInMinutes: minutes, language } = variables
  if (minutes !== undefined && !(typeof minutes === 'number' && minutes > 0 && minutes <= validMinutesMax)) {
    issues.push(
      issue('/variables/expiresInMinutes', 'invalid_value', `must be a number above 0, and at most ${validMinutesMax}`),
    )
  }
  if (language !== undefined && typeof language !== 'string') {
    issues.push(issue('/variables/language', 'invalid_value', 'must be a language tag such as de-AT'))
  }
  return issues
}

function recipientIssues(type: ChannelRow['type'], recipients: readonly string[], isList: boolean): Issue[] {
  return recipients.flatMap((address, at) => {
    const path = isList ? `/input/to/${at}` : '/input/to'
    if (!isAddress(type, address)) return issue(path, 'invalid_value', `is not an address to which ${type} can be sent`)
    return recipients.indexOf(address) === at ? [] : issue(path, 'duplicate', 'is the same address as an earlier one')
  })
}

/** @throws ApiError validation_failed with all problems. */
function checked({ template, channel, variables, to, paths }: Asked) {
  const issues: Issue[] = []
  if (template === undefined) issues.push(issue(paths.template, 'unknown_reference', 'is not a template of the tenant'))
  if (channel === undefined) issues.push(issue(paths.channel, 'unknown_reference', 'is not a channel of the tenant'))
  else if (channel.enabled === 0) issues.push(issue(paths.channel, 'invalid_value', 'must be an enabled channel'))
  if (template && channel && template.type !== channel.type) {
    issues.push(
      issue(
        paths.template,
        'invalid_value',
        `must be a template for ${channel.type}, like the channel; this template is for ${template.type}`,
      ),
    )
  }
  const recipients = channel === undefined ? [] : [to].flat().map((each) => canonical(channel.type, each))
  if (channel !== undefined) issues.push(...recipientIssues(channel.type, recipients, Array.isArray(to)))
  issues.push(...variableIssues(variables))
  if (issues.length > 0 || template === undefined || channel === undefined) {
    throw new ApiError('validation_failed', { issues })
  }
  return { template, channel, recipients, isList: Array.isArray(to), variables: variables as MessageVariables }
}

/** Queues a message for each recipient: all of them or none. */
async function queue(
  deps: Deps,
  asked: ReturnType<typeof checked>,
  purpose: string,
  actor: Actor,
): Promise<SentMessage> {
  const { db, clock, personal } = deps
  const { template, channel, recipients, isList, variables } = asked
  const { tenant_id: tenantId } = channel
  const queued = await db.transaction(async (tx) => {
    const rows: MessageRow[] = []
    for (const to of recipients) {
      const message = {
        tenantId,
        channelType: channel.type,
        channelId: channel.id,
        to,
        userId: null,
        variables,
        purpose,
      }
      const { row, statements } = queuedMessage(deps, tx, { ...message, template: { id: template.id } })
      const event = eventStatement(clock, personal, {
        tenantId,
        type: 'message.queued',
        actor,
        subjectId: row.id,
        data: { purpose, templateId: template.id, channelId: channel.id },
      })
      await tx.runAll([...statements, event])
      rows.push(row)
    }
    return rows
  })
  const messages = queued.map((row) => presentMessage(deps, row))
  const [first] = messages
  if (first === undefined) throw new Error('a write resolved without a message')
  return isList ? { ...first, messages } : first
}

/** @throws ApiError not_found; validation_failed if template, channel, address or variables cannot be used. */
export async function sendMessage(deps: Deps, tenantId: TenantId, input: SendMessage, actor: Actor) {
  const { db } = deps
  await getTenant(deps, tenantId)
  const template =
    (await selectTemplate(db, tenantId, input.template)) ?? (await selectTemplateByName(db, tenantId, input.template))
  const channel = await selectChannelNamed(db, tenantId, input.channel, foldCase(input.channel))
  const paths = { template: '/template', channel: '/channel' }
  const asked = checked({ template, channel, variables: input.variables, to: input.input.to, paths })
  return queue(deps, asked, 'send', actor)
}

const sampleVariables = {
  code: '123456',
  link: 'https://example.com/verify',
  expiresInMinutes: 10,
  user: { name: 'Ada' },
}

type TestInput = Omit<TestMessage, 'variables'> & { readonly variables: Record<string, unknown> }

/** @throws ApiError not_found; validation_failed if channel, address or variables cannot be used. */
export async function testMessage(deps: Deps, tenantId: TenantId, input: TestInput, actor: Actor) {
  const { db } = deps
  const template = await selectTemplate(db, tenantId, input.templateId)
  if (template === undefined) throw new ApiError('not_found')
  const channel = await selectChannel(db, tenantId, input.channelId)
  const paths = { template: '/templateId', channel: '/channelId' }
  const variables = { ...sampleVariables, ...input.variables }
  return queue(deps, checked({ template, channel, variables, to: input.input.to, paths }), 'test', actor)
}
