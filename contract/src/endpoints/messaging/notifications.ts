import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, oneOf, optional, page, pageQuery, plainId, recordBasis } from '../../schema.ts'
import { Channel, CreateChannel, UpdateChannel, channelTypes } from '../../shapes/messaging/channel.ts'
import {
  CloneAllTemplates,
  CloneTemplates,
  ClonedAllTemplates,
  ClonedTemplates,
  CreateTemplate,
  PreviewTemplate,
  RenderedTemplate,
  Template,
  TemplateContent,
  UpdateTemplate,
  UpdateTemplateContent,
} from '../../shapes/messaging/template.ts'

const tag = 'Notifications'
const params = object({ id: plainId() })
const onChannel = { params: { id: sample.channel.id } }
const onTemplate = { params: { id: sample.template.id } }

export const createChannel = endpoint({
  id: 'createChannel',
  method: 'POST',
  path: '/notifications/channels',
  tag,
  summary: 'Create a channel through which messages are sent',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateChannel,
  response: Channel,
  errors: ['not_found', 'channel_name_taken', 'channel_key_taken'],
  example: {
    body: {
      tenantId: sample.tenantId,
      name: 'Transactional mail',
      key: 'mail',
      type: 'email',
      provider: 'email_resend',
      providerSettings: { apiKey: 're_kept_sealed', from: 'hello@acme.example' },
    },
    response: sample.channel,
  },
})

export const listChannels = endpoint({
  id: 'listChannels',
  method: 'GET',
  path: '/tenants/{tenantId}/notifications/channels',
  tag,
  summary: 'List the channels of a tenant',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Channel),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.channel) },
})

export const getChannel = endpoint({
  id: 'getChannel',
  method: 'GET',
  path: '/notifications/channels/{id}',
  tag,
  summary: 'Read a channel, with masked secrets',
  permission: 'config:read',
  tenant: { locates: 'channels', by: 'params.id' },
  params,
  response: Channel,
  errors: ['not_found'],
  example: { ...onChannel, response: sample.channel },
})

export const updateChannel = endpoint({
  id: 'updateChannel',
  method: 'PUT',
  path: '/notifications/channels/{id}',
  tag,
  summary: 'Change a channel',
  description:
    'Properties that the body leaves out stay as they are. `providerSettings` is replaced as a whole; a secret that is sent in its masked form is kept.',
  permission: 'config:write',
  tenant: { locates: 'channels', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateChannel,
  response: Channel,
  errors: ['not_found', 'channel_name_taken', 'channel_key_taken', 'changed_meanwhile'],
  example: { ...onChannel, body: { enabled: true }, response: sample.channel },
})

export const deleteChannel = endpoint({
  id: 'deleteChannel',
  method: 'DELETE',
  path: '/notifications/channels/{id}',
  tag,
  summary: 'Delete a channel that the authentication configuration does not use',
  permission: 'config:write',
  tenant: { locates: 'channels', by: 'params.id' },
  params,
  response: Channel,
  errors: ['not_found', 'channel_in_use'],
  example: { ...onChannel, response: sample.channel },
})

export const createTemplate = endpoint({
  id: 'createTemplate',
  method: 'POST',
  path: '/notifications/templates',
  tag,
  summary: 'Create a message template in Liquid',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: CreateTemplate,
  response: Template,
  errors: ['not_found', 'template_name_taken'],
  example: {
    body: {
      tenantId: sample.tenantId,
      type: 'email',
      name: 'receipt',
      subject: 'Thank you',
      body: '<p>{{ user.name }}</p>',
    },
    response: sample.template,
  },
})

export const cloneTemplates = endpoint({
  id: 'cloneTemplates',
  method: 'POST',
  path: '/notifications/templates/clone',
  tag,
  summary: 'Copy message templates to another tenant',
  description:
    'Copies all templates of a tenant, at most 200, or the named ones, in one step. Requires the permission to read the configuration of the one tenant and to change that of the other.',
  permission: 'config:write',
  tenant: { from: 'body.toTenantId' },
  alsoReads: { from: 'body.tenantId', permission: 'config:read' },
  body: CloneTemplates,
  response: ClonedTemplates,
  errors: ['not_found', 'template_name_taken'],
  example: {
    body: { tenantId: sample.tenantId, toTenantId: 'cmi8b4m1x9p6t2s5g7j3k0w1y', overwrite: true },
    response: {
      templates: [{ id: sample.template.id, name: sample.template.name, type: 'email', outcome: 'overwritten' }],
    },
  },
})

export const listTemplates = endpoint({
  id: 'listTemplates',
  method: 'GET',
  path: '/tenants/{tenantId}/notifications/templates',
  tag,
  summary: 'List the message templates of a tenant',
  permission: 'config:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: object({ ...pageQuery.properties, type: optional(oneOf(channelTypes)) }),
  response: page(Template),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, query: { type: 'email' }, response: pageOf(sample.template) },
})

export const getTemplate = endpoint({
  id: 'getTemplate',
  method: 'GET',
  path: '/notifications/templates/{id}',
  tag,
  summary: 'Read a message template',
  permission: 'config:read',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  response: Template,
  errors: ['not_found'],
  example: { ...onTemplate, response: sample.template },
})

export const updateTemplate = endpoint({
  id: 'updateTemplate',
  method: 'PUT',
  path: '/notifications/templates/{id}',
  tag,
  summary: 'Change a message template',
  permission: 'config:write',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateTemplate,
  response: Template,
  errors: ['not_found', 'template_name_taken', 'changed_meanwhile'],
  example: { ...onTemplate, body: { subject: 'Thank you' }, response: sample.template },
})

export const deleteTemplate = endpoint({
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/notifications/templates/{id}',
  tag,
  summary: 'Delete a message template that the authentication configuration does not use',
  permission: 'config:write',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  response: Template,
  errors: ['not_found', 'template_in_use'],
  example: { ...onTemplate, response: sample.template },
})

export const previewTemplate = endpoint({
  id: 'previewTemplate',
  method: 'POST',
  path: '/notifications/templates/{id}/preview',
  tag,
  summary: 'Render a message from this template',
  description:
    'Variables that are left out have sample values; tenant and brand are the real ones. `subject` and `body` replace those of the template for this preview only.',
  permission: 'config:read',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  body: PreviewTemplate,
  response: RenderedTemplate,
  errors: ['not_found'],
  example: {
    ...onTemplate,
    body: { variables: { user: { name: 'Ada' } } },
    response: { subject: 'Thank you', html: '<p>Ada</p>', text: 'Ada' },
  },
})

const sampleContent = { subject: sample.template.subject, body: sample.template.body }

export const getTemplateContent = endpoint({
  id: 'getTemplateContent',
  method: 'GET',
  path: '/notifications/templates/{id}/content',
  tag,
  summary: 'Read the subject and body of a message template',
  permission: 'config:read',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  response: TemplateContent,
  errors: ['not_found'],
  example: { ...onTemplate, response: sampleContent },
})

export const updateTemplateContent = endpoint({
  id: 'updateTemplateContent',
  method: 'PUT',
  path: '/notifications/templates/{id}/content',
  tag,
  summary: 'Change the subject and body of a message template',
  description: 'Properties that the body leaves out stay as they are.',
  permission: 'config:write',
  tenant: { locates: 'templates', by: 'params.id' },
  params,
  body: UpdateTemplateContent,
  response: TemplateContent,
  errors: ['not_found'],
  example: { ...onTemplate, body: { subject: 'Thank you' }, response: sampleContent },
})

export const cloneAllTemplates = endpoint({
  id: 'cloneAllTemplates',
  method: 'POST',
  path: '/notifications/templates/clone-all-to-tenant',
  tag,
  summary: 'Copy all message templates to another tenant, replacing those of the same names',
  description:
    'The same as cloning templates with `overwrite`. Requires the permission to read the configuration of the one tenant and to change that of the other.',
  permission: 'config:write',
  tenant: { from: 'body.toTenantId' },
  alsoReads: { from: 'body.fromTenantId', permission: 'config:read' },
  body: CloneAllTemplates,
  response: ClonedAllTemplates,
  errors: ['not_found', 'template_name_taken'],
  example: {
    body: { fromTenantId: sample.tenantId, toTenantId: 'cmi8b4m1x9p6t2s5g7j3k0w1y' },
    response: { successes: [sample.template.id], failures: [] },
  },
})
