// Each provider's request as its documentation describes it, and the meaning of its answers. The requests go to a server on this machine in
// place of the provider's.
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { ChannelProvider, ChannelType } from '@bailiwick/contract'
import { Webhook } from 'standardwebhooks'
import { createClock } from '../../../platform/clock.ts'
import { type Egress, createEgress } from '../../../platform/net/egress.ts'
import type { Deps } from '../../deps.ts'
import type { OutgoingMessage, Settings } from './provider.ts'
import { providers } from './providers.ts'

interface Call {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describe('providers over HTTP', () => {
  let server: Server
  let calls: Call[] = []
  let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '{}' }
  let asked: string[] = []
  let deps: Deps
  before(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        calls.push({ url: request.url ?? '', headers: request.headers, body })
        response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const real = createEgress({ isPrivateAllowed: true })
    const egress: Egress = {
      ...real,
      request: (url, request) => {
        asked.push(url)
        const { pathname, search } = new URL(url)
        return real.request(`http://127.0.0.1:${port}${pathname}${search}`, request)
      },
    }
    const clock = createClock(() => Date.parse('2026-11-20T22:49:43Z'))
    deps = { egress, clock } as unknown as Deps
  })
  after(() => void server.close())

  const messageOf = (type: ChannelType): OutgoingMessage => ({
    id: 'c0123456789abcdefghijklmn',
    tenantId: 'c1123456789abcdefghijklmn',
    purpose: 'sign_in',
    type,
    to: type === 'email' ? 'ada@example.com' : '+4930123456',
    senderName: 'Acme "Best" <x@y.example>\r\nBcc: z@y.example',
    subject: type === 'email' ? 'Hello' : null,
    text: 'Your code is 123456',
    html: type === 'email' ? '<p>123456</p>' : null,
  })
  const signal = new AbortController().signal
  const send = (provider: ChannelProvider, settings: Settings, over: Partial<OutgoingMessage> = {}) => {
    calls = []
    asked = []
    const type = (provider.split('_')[0] ?? '') as ChannelType
    return providers[provider]({ deps, settings, signal, message: { ...messageOf(type), ...over } })
  }
  /** The one request that was made. */
  async function requestOf(provider: ChannelProvider, settings: Settings, over: Partial<OutgoingMessage> = {}) {
    const result = await send(provider, settings, over)
    const [call] = calls
    assert.ok(call !== undefined && calls.length === 1)
    const isJson = call.headers['content-type']?.startsWith('application/json') === true
    const body: unknown = isJson ? JSON.parse(call.body) : Object.fromEntries(new URLSearchParams(call.body))
    return { result, url: asked[0], authorization: call.headers.authorization, headers: call.headers, body }
  }
  const sender = '"Acme Best x@y.example Bcc: z@y.example" <no-reply@acme.example>'
  const mail = { apiKey: 'key', from: 'no-reply@acme.example' }

  it('email_resend', async () => {
    const { result, url, authorization, headers, body } = await requestOf('email_resend', mail)
    assert.deepEqual([result, url, authorization], [{ kind: 'sent' }, 'https://api.resend.com/emails', 'Bearer key'])
    assert.equal(headers['idempotency-key'], 'c0123456789abcdefghijklmn')
    const said = { subject: 'Hello', text: 'Your code is 123456', html: '<p>123456</p>' }
    assert.deepEqual(body, { from: sender, to: ['ada@example.com'], ...said })
  })

  it('email_postmark', async () => {
    const { url, headers, body } = await requestOf('email_postmark', mail)
    assert.deepEqual([url, headers['x-postmark-server-token']], ['https://api.postmarkapp.com/email', 'key'])
    assert.deepEqual(body, {
      From: sender,
      To: 'ada@example.com',
      Subject: 'Hello',
      TextBody: 'Your code is 123456',
      HtmlBody: '<p>123456</p>',
      MessageStream: 'outbound',
      TrackOpens: false,
      TrackLinks: 'None',
      Metadata: { 'message-id': 'c0123456789abcdefghijklmn' },
    })
  })

  it('email_sendgrid', async () => {
    answer = { status: 202, body: '' }
    const { result, url, authorization, body } = await requestOf('email_sendgrid', mail)
    answer = { status: 200, body: '{}' }
    assert.deepEqual(
      [result, url, authorization],
      [{ kind: 'sent' }, 'https://api.sendgrid.com/v3/mail/send', 'Bearer key'],
    )
    assert.deepEqual(body, {
      personalizations: [{ to: [{ email: 'ada@example.com' }] }],
      from: { email: 'no-reply@acme.example', name: 'Acme Best x@y.example Bcc: z@y.example' },
      subject: 'Hello',
      content: [
        { type: 'text/plain', value: 'Your code is 123456' },
        { type: 'text/html', value: '<p>123456</p>' },
      ],
      custom_args: { message_id: 'c0123456789abcdefghijklmn' },
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
      },
    })
  })

  it('email_mailgun, in both regions', async () => {
    const settings = { ...mail, domain: 'mg.acme.example' }
    const { url, authorization, body } = await requestOf('email_mailgun', settings)
    assert.equal(url, 'https://api.mailgun.net/v3/mg.acme.example/messages')
    assert.equal(authorization, `Basic ${Buffer.from('api:key').toString('base64')}`)
    assert.deepEqual(body, {
      from: sender,
      to: 'ada@example.com',
      subject: 'Hello',
      text: 'Your code is 123456',
      html: '<p>123456</p>',
      'h:Message-Id': '<c0123456789abcdefghijklmn@mg.acme.example>',
      'o:tracking': 'no',
    })
    const { url: european } = await requestOf('email_mailgun', { ...settings, region: 'eu' })
    assert.equal(european, 'https://api.eu.mailgun.net/v3/mg.acme.example/messages')
  })

  const aws = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'eu-central-1' }

  it('email_aws_ses, signed', async () => {
    const { url, authorization, headers, body } = await requestOf('email_aws_ses', { ...aws, from: mail.from })
    assert.equal(url, 'https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails')
    assert.match(
      authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20261120\/eu-central-1\/ses\/aws4_request, .*Signature=[\da-f]{64}$/,
    )
    assert.equal(headers['x-amz-date'], '20261120T224943Z')
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
    assert.deepEqual(body, {
      FromEmailAddress: sender,
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: {
        Simple: { Subject: utf8('Hello'), Body: { Text: utf8('Your code is 123456'), Html: utf8('<p>123456</p>') } },
      },
    })
  })

  it('sms_aws_sns, signed, under a name or a number', async () => {
    const { url, authorization, body } = await requestOf('sms_aws_sns', { ...aws, from: 'Acme' })
    assert.equal(url, 'https://sns.eu-central-1.amazonaws.com/')
    assert.match(authorization ?? '', /\/eu-central-1\/sns\/aws4_request/)
    const sent = {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: '+4930123456',
      Message: 'Your code is 123456',
      'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
    }
    assert.deepEqual(body, {
      ...sent,
      'MessageAttributes.entry.2.Name': 'AWS.SNS.SMS.SenderID',
      'MessageAttributes.entry.2.Value.DataType': 'String',
      'MessageAttributes.entry.2.Value.StringValue': 'Acme',
    })
    assert.deepEqual((await requestOf('sms_aws_sns', aws)).body, sent)
    const numbered = (await requestOf('sms_aws_sns', { ...aws, from: '+15550100' })).body as Record<string, string>
    assert.equal(numbered['MessageAttributes.entry.2.Name'], 'AWS.MM.SMS.OriginationNumber')
  })

  it('sms_twilio, from a number or a messaging service', async () => {
    const settings = { accountSid: 'AC1', apiKey: 'token', from: '+15550100' }
    const { url, authorization, body } = await requestOf('sms_twilio', settings)
    assert.equal(url, 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json')
    assert.equal(authorization, `Basic ${Buffer.from('AC1:token').toString('base64')}`)
    assert.deepEqual(body, { To: '+4930123456', Body: 'Your code is 123456', From: '+15550100' })
    const service = `MG${'0'.repeat(32)}`
    const { body: byService } = await requestOf('sms_twilio', { ...settings, from: service })
    assert.deepEqual(byService, { To: '+4930123456', Body: 'Your code is 123456', MessagingServiceSid: service })
  })

  it('sms_vonage, whose answers say in their body how it went', async () => {
    const settings = { apiKey: 'key', apiSecret: 'secret', from: 'Acme' }
    const statuses = [
      ['0', 'sent'],
      ['1', 'failed'],
      ['4', 'refused'],
    ] as const
    for (const [status, kind] of statuses) {
      answer = { status: 200, body: JSON.stringify({ 'message-count': '1', messages: [{ status }] }) }
      assert.equal((await send('sms_vonage', settings)).kind, kind)
    }
    answer = { status: 200, body: 'not what it says' }
    const { result, url, body } = await requestOf('sms_vonage', settings)
    assert.deepEqual([result.kind, url], ['failed', 'https://rest.nexmo.com/sms/json'])
    const said = { text: 'Your code is 123456', type: 'text', 'client-ref': 'c0123456789abcdefghijklmn' }
    assert.deepEqual(body, { api_key: 'key', api_secret: 'secret', from: 'Acme', to: '4930123456', ...said })
    const { body: unicode } = await requestOf('sms_vonage', settings, { text: 'Dein Code für Käse' })
    assert.equal((unicode as { type: string }).type, 'unicode')
    answer = { status: 200, body: '{}' }
  })

  it('sms_messagebird', async () => {
    const { url, authorization, body } = await requestOf('sms_messagebird', { apiKey: 'key', from: 'Acme' })
    assert.deepEqual([url, authorization], ['https://rest.messagebird.com/messages', 'AccessKey key'])
    assert.deepEqual(body, {
      originator: 'Acme',
      recipients: ['4930123456'],
      body: 'Your code is 123456',
      datacoding: 'auto',
      reference: 'c0123456789abcdefghijklmn',
    })
  })

  it('chat_whatsapp, which says with 400 that it is too busy', async () => {
    const settings = { apiKey: 'key', from: '106540352242922' }
    const { url, authorization, body } = await requestOf('chat_whatsapp', settings)
    assert.deepEqual([url, authorization], ['https://graph.facebook.com/v25.0/106540352242922/messages', 'Bearer key'])
    assert.deepEqual(body, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+4930123456',
      type: 'text',
      text: { preview_url: false, body: 'Your code is 123456' },
    })
    answer = { status: 400, body: JSON.stringify({ error: { code: 130_429 } }) }
    assert.equal((await send('chat_whatsapp', settings)).kind, 'failed')
    answer = { status: 400, body: JSON.stringify({ error: { code: 131_026 } }) }
    assert.equal((await send('chat_whatsapp', settings)).kind, 'refused')
    answer = { status: 200, body: '{}' }
  })

  it('webhook, signed as Standard Webhooks say', async () => {
    const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
    const settings = { url: 'https://acme.example/messages', secret }
    const { url, headers, body } = await requestOf('webhook', settings, { type: 'sms', to: '+4930123456' })
    assert.equal(url, 'https://acme.example/messages')
    const seconds = Date.parse('2026-11-20T22:49:43Z') / 1000
    assert.equal(headers['webhook-timestamp'], String(seconds))
    const signed = new Webhook(secret).sign('c0123456789abcdefghijklmn', new Date(seconds * 1000), calls[0]?.body ?? '')
    assert.equal(headers['webhook-signature'], signed)
    const { data } = body as { data: object }
    const said = { subject: null, text: 'Your code is 123456', html: null }
    assert.deepEqual(data, { id: 'c0123456789abcdefghijklmn', type: 'sms', to: '+4930123456', ...said })
  })

  const outcomes = [
    [400, 'refused'],
    [401, 'refused'],
    [422, 'refused'],
    [302, 'refused'],
    [409, 'failed'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const
  for (const [status, kind] of outcomes) {
    it(`an answer of ${status} means ${kind}`, async () => {
      answer = { status, body: 'because', headers: { 'retry-after': '120' } }
      const result = await send('email_resend', mail)
      answer = { status: 200, body: '{}' }
      assert.deepEqual(result, {
        kind,
        reason: `The provider answered ${status}.`,
        detail: 'because',
        holdMs: 120_000,
      })
    })
  }
})
