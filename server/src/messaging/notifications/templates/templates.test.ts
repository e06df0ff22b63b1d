import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RenderedTemplate, Template } from '@bailiwick/contract'
import { createTenant, unique } from '../../../../test/harness/factories.ts'
import { describeService } from '../../../../test/harness/service.ts'
import { plainText } from '../rendering/plain-text.ts'
import { renderMessage } from '../rendering/render-message.ts'

describe('rendering a message', () => {
  const email = (subject: string, body: string, variables: object) =>
    renderMessage({ type: 'email', subject, body }, variables)

  it('writes values into HTML escaped, and into text as they are', () => {
    const hostile = '<img src=x onerror=alert(1)>'
    const { html, text } = email('Hi', '<p>{{ name }}</p>', { name: hostile })
    assert.equal(html, '<p>&lt;img src=x onerror=alert(1)&gt;</p>')
    assert.equal(text, hostile)
  })

  it('keeps a subject on one line', () => {
    const { subject } = email('Hello {{ name }}', 'x', { name: 'Ada\r\nBcc: victim@example.com' })
    assert.equal(subject, 'Hello Ada Bcc: victim@example.com')
  })

  // Guards: names-as-text
  it('does not render template code in a value', () => {
    assert.equal(email('{{ name }}', 'x', { name: '{{ 7 | times: 7 }}' }).subject, '{{ 7 | times: 7 }}')
  })

  it('shows nothing of the prototype', () => {
    for (const path of ['constructor', '__proto__', 'user.constructor.name', 'user.toString']) {
      assert.equal(email(`[{{ ${path} }}]`, 'x', { user: { name: 'Ada' } }).subject, '[]', path)
    }
  })

  it('converts HTML with its links to text', () => {
    assert.equal(
      plainText('<h1>Hello</h1><p>Go <a class="b" href="https://a.example/?x=1&amp;y=2">here</a>.<br>Bye &lt;3</p>'),
      'Hello\nGo here (https://a.example/?x=1&y=2).\nBye <3',
    )
  })

  it('converts long and broken HTML to text in linear time', () => {
    for (const piece of ['<', '<a href="', '<style', '&lt;', '<p ', '< / p']) plainText(piece.repeat(20_000))
  })
})

describeService('templates', (service) => {
  const create = (tenantId: string, body: object = {}) =>
    service().ok<Template>('createTemplate', {
      body: { tenantId, type: 'email', name: unique(), body: '<p>x</p>', ...body },
    })

  it('of a new tenant can all be rendered', async () => {
    const { tenant } = await createTenant(service(), { name: 'Acme & Sons' })
    const { data } = await service().ok<{ data: Template[] }>('listTemplates', { params: { tenantId: tenant.id } })
    assert.equal(data.length, 6)
    for (const { id, type } of data) {
      const { html, text } = await service().ok<RenderedTemplate>('previewTemplate', {
        params: { id },
        body: { variables: {} },
      })
      assert.equal(html === null, type === 'sms')
      assert.doesNotMatch(text, /\{\{|\}\}/)
      assert.match(text, /Acme|Ada/)
      if (html !== null) assert.doesNotMatch(html, /Acme & Sons/)
    }
  })

  it('are previewed as a draft, which is not stored', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await create(tenant.id, { subject: 'Saved', body: '<p>saved</p>' })
    const preview = (body: object) =>
      service().ok<RenderedTemplate>('previewTemplate', { params: { id }, body: { variables: { n: 7 }, ...body } })
    const draft = await preview({ subject: 'Draft {{ n }}', body: '<p>draft {{ n }}</p>' })
    assert.deepEqual([draft.subject, draft.text], ['Draft 7', 'draft 7'])
    const saved = await preview({})
    assert.deepEqual([saved.subject, saved.text], ['Saved', 'saved'])
    const { issues } = await service().refused('previewTemplate', 'validation_failed', {
      params: { id },
      body: { variables: {}, body: '{% if x %}' },
    })
    assert.equal(issues?.length, 1)
  })

  it('are refused with the place of each mistake if they are not valid Liquid', async () => {
    const { tenant } = await createTenant(service())
    const { issues } = await service().refused('createTemplate', 'validation_failed', {
      body: { tenantId: tenant.id, type: 'email', name: 'broken', subject: '{{ x', body: '{% if x %}' },
    })
    assert.deepEqual(
      issues?.map(({ path, code }) => [path, code]),
      [
        ['/subject', 'invalid_template'],
        ['/body', 'invalid_template'],
      ],
    )
  })

  it('are listed by type with exact totals, changed and deleted', async () => {
    const { tenant } = await createTenant(service())
    const template = await create(tenant.id, { type: 'sms', body: 'Hi' })
    const list = () =>
      service().ok<{ data: Template[]; meta: { total: number } }>('listTemplates', {
        params: { tenantId: tenant.id },
        query: { type: 'sms' },
      })
    assert.deepEqual([(await list()).data[0], (await list()).meta.total], [template, 4])
    await service().refused('updateTemplate', 'validation_failed', {
      params: { id: template.id },
      body: { body: '{% x' },
    })
    const changed = await service().ok<Template>('updateTemplate', {
      params: { id: template.id },
      body: { body: 'Ho' },
    })
    assert.deepEqual([changed.body, changed.name], ['Ho', template.name])
    await service().ok('deleteTemplate', { params: { id: template.id } })
    assert.equal((await list()).meta.total, 3)
  })

  it('are not deleted while the authentication configuration refers to them', async () => {
    const { tenant } = await createTenant(service())
    const id = tenant.auth?.welcomeEmailTemplateId ?? ''
    await service().refused('deleteTemplate', 'template_in_use', { params: { id } })
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { welcomeEmailTemplateId: null } })
    await service().ok('deleteTemplate', { params: { id } })
  })

  it('have names of their own in a tenant', async () => {
    const { tenant } = await createTenant(service())
    await service().refused('createTemplate', 'template_name_taken', {
      body: { tenantId: tenant.id, type: 'email', name: 'welcome', body: 'x' },
    })
  })
})
