// Rendering outside of the service's own process: what ends a template, and whose turn it is.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { hostileTemplates } from '../../../../test/harness/files/hostile-templates.ts'
import { defaultMessage } from './default-messages.ts'
import { TemplateError } from './liquid.ts'
import { RenderError } from './render-error.ts'
import type { MessageTemplate } from './render-message.ts'
import type { RenderedTask } from './render-process.ts'
import { type Renderer, TemplatePool, type TemplatePoolSettings } from './template-pool.ts'

type Type = MessageTemplate['type']
const order = (type: Type, body: string, variables: object = {}) => ({
  template: { type, subject: null, body },
  variables,
})
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('rendering a tenant’s template', () => {
  // One owner that is never too heavy: its templates are rendered one after the other.
  const pool = new TemplatePool({ heavyMs: Number.POSITIVE_INFINITY, exhaustedMs: Number.POSITIVE_INFINITY })
  after(() => pool.close())

  const refusal = (type: Type, body: string, variables?: object) =>
    pool.render('tenant', order(type, body, variables)).then(
      () => assert.fail('it was rendered'),
      (error: unknown) => (error instanceof TemplateError ? error.message : Promise.reject(error)),
    )

  for (const [what, body] of Object.entries(hostileTemplates)) {
    // Guards: hostile-templates
    it(`leaves the service as it is, whatever it tries: ${what}`, async () => {
      assert.ok(body.length <= 50_000, 'a template can be no longer')
      for (const type of ['email', 'sms'] as const) {
        await pool.render('tenant', order(type, body)).then(
          ({ text, html }) => assert.ok(Buffer.byteLength(html ?? text) <= (type === 'email' ? 262_144 : 1600)),
          (error: unknown) => assert.ok(error instanceof TemplateError, String(error)),
        )
      }
      await pool.check('tenant', { subject: body, body })
      assert.equal((await pool.render('tenant', order('sms', 'still {{ x }}', { x: 'there' }))).text, 'still there')
    })
  }

  // Guards: hostile-templates
  it('ends, by killing its process, when it takes more than a second of the processor', async () => {
    await pool.render('tenant', order('email', 'hello'))
    const before = pool.pids
    assert.equal(before.length, 1)
    const body = hostileTemplates['a condition of thousands of terms over a range'] ?? ''
    let turns = 0
    const state = { isOver: false }
    const said = refusal('email', body).finally(() => (state.isOver = true))
    // The event loop turns meanwhile: it would do so once, were the template rendered in this process. The pauses leave the processor to the
    // template's process, which has a low priority.
    for (; !state.isOver; turns++) await sleep(20)
    assert.equal(await said, 'the body takes longer than 1,000 ms')
    assert.ok(turns > 10, `${turns} turns`)
    assert.deepEqual(before.filter(isThere), [])
  })

  // Guards: hostile-templates
  it('ends, with its process, when it takes more than the memory of that process', async () => {
    await pool.render('tenant', order('email', 'hello'))
    const before = pool.pids
    const body = hostileTemplates['long captured texts without number'] ?? ''
    assert.equal(await refusal('sms', body), 'the body takes more than 64 MB of memory')
    assert.deepEqual(before.filter(isThere), [])
  })

  it('names the part that takes too long', async () => {
    const subject = hostileTemplates['a condition of thousands of terms over a range'] ?? ''
    const template = { type: 'email', subject, body: 'x' } as const
    await assert.rejects(pool.render('tenant', { template, variables: {} }), {
      name: 'TemplateError',
      message: 'the subject takes longer than 1,000 ms',
    })
  })

  const writes = (count: number, what: string) => `{% for i in (1..${count}) %}${what}{% endfor %}`
  for (const [type, unit, most] of [
    ['email', 'bytes', 262_144],
    ['webhook', 'bytes', 262_144],
    ['inapp', 'bytes', 262_144],
    ['sms', 'characters', 1600],
    ['chat', 'characters', 1600],
    ['push', 'characters', 1600],
  ] as const) {
    // Guards: hostile-templates
    it(`gives at most ${most} ${unit} to ${type}`, async () => {
      assert.equal((await pool.render('tenant', order(type, writes(most / 8, '01234567')))).text.length, most)
      const said = `the body produces more than ${most === 1600 ? '1,600 characters' : '262,144 bytes'}`
      assert.equal(await refusal(type, `${writes(most / 8, '01234567')}8`), said)
      const emoji = writes(most / 4, '😀')
      if (unit === 'bytes') assert.equal(await refusal(type, `${emoji}8`), said)
    })
  }

  // Guards: hostile-templates
  it('takes at most 64 KiB of variables', async () => {
    assert.equal(
      await refusal('email', '{{ x }}', { x: 'x'.repeat(65_536) }),
      'has more than 65,536 bytes of variables',
    )
    assert.equal(
      (await pool.render('tenant', order('email', '{{ x }}', { x: 'x'.repeat(65_000) }))).text.length,
      65_000,
    )
  })

  for (const [what, body] of [
    ['a file', "{% include '/etc/passwd' %}"],
    ['a partial', "{% render 'x' %}"],
    ['a layout', "{% layout '../../package.json' %}"],
    ['an unknown filter', '{{ 1 | system }}'],
    ['an open tag', '{% if x %}'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      assert.match(await refusal('email', body), /^the body (?:is not valid Liquid|fails): /)
    })
  }

  it('describes a broken template in a single line', async () => {
    for (const body of [`{% ${'x'.repeat(40_000)} %}`, `{{ 1 | ${'y'.repeat(40_000)} }}`]) {
      assert.ok((await refusal('email', body)).length <= 300)
    }
  })

  // Guards: hostile-templates
  it('knows nothing of the service’s environment', async () => {
    process.env['BAILIWICK_CANARY'] = 'secret-canary'
    const [pid] = pool.pids
    const { readFileSync } = await import('node:fs')
    if (process.platform === 'linux')
      assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'latin1'), /canary|BAILIWICK/)
    delete process.env['BAILIWICK_CANARY']
  })
})

describe('the processes that render templates', () => {
  it('start with the first template of a tenant’s own, and not for the service’s wording', async () => {
    const pool = new TemplatePool()
    const email = defaultMessage('verification-code', 'email')
    const { text } = await pool.render('a', {
      template: { type: 'email', subject: email.subject, body: email.body },
      variables: { code: '123456' },
    })
    assert.match(text, /123456/)
    assert.deepEqual(pool.pids, [])
    await pool.render('a', order('email', 'own'))
    assert.equal(pool.pids.length, 1)
    await pool.close()
  })

  it('end when they have been idle for a while', async () => {
    const pool = new TemplatePool({ idleMs: 1 })
    await pool.render('a', order('email', 'own'))
    while (pool.pids.length > 0) await new Promise((resolve) => void setTimeout(resolve, 5))
    await pool.close()
  })

  it('end with the service, and what is under way fails', async () => {
    const pool = new TemplatePool()
    const slow = pool.render('a', order('email', hostileTemplates['a list of lists'] ?? ''))
    const pids = pool.pids
    assert.equal(pids.length, 1)
    const failed = assert.rejects(slow, { name: 'RenderError', code: 'closed' })
    await pool.close()
    await failed
    assert.deepEqual(pids.filter(isThere), [])
    await assert.rejects(pool.render('a', order('email', 'own')), { code: 'closed' })
  })

  it('are replaced when they end by themselves, and callers try their tasks again', async () => {
    const pool = new TemplatePool()
    const slow = pool.render('a', order('email', hostileTemplates['a list of lists'] ?? ''))
    for (const pid of pool.pids) process.kill(pid, 'SIGKILL')
    await assert.rejects(slow, { name: 'RenderError', code: 'lost' })
    assert.equal((await pool.render('a', order('email', 'own'))).text, 'own')
    await pool.close()
  })
})

/** A pool whose templates end when the test says so. */
function controlled(settings: Partial<TemplatePoolSettings> = {}) {
  let now = 0
  const started: string[] = []
  const running = new Map<string, { resolve: (task: RenderedTask) => void; reject: (error: Error) => void }>()
  const start = (): Renderer => ({
    pid: undefined,
    gone: new Promise(() => {}),
    end() {},
    run: (task) =>
      new Promise((resolve, reject) => {
        const name = task.type === 'render' ? task.template.body : ''
        started.push(name)
        running.set(name, { resolve, reject })
      }),
  })
  const pool = new TemplatePool({ processes: 2, start, now: () => now, ...settings })
  const refused: string[] = []
  return {
    started,
    refused,
    pass: (ms: number) => (now += ms),
    submit: (owner: string, ...names: string[]) => {
      for (const name of names) {
        pool.render(owner, order('email', name)).catch((error: unknown) => {
          if (error instanceof RenderError) refused.push(name)
        })
      }
    },
    end: async (name: string, usedMs: number) => {
      const message = { subject: null, html: '', text: '', shownSubject: null }
      running.get(name)?.resolve({ result: { type: 'rendered', message }, usedMs })
      await nextTurn()
    },
    kill: async (name: string) => {
      running.get(name)?.reject(new TemplateError('body', 'takes longer than 1,000 ms'))
      await nextTurn()
    },
  }
}

describe('turns of templates', () => {
  it('leave a process for others, however many one tenant has waiting', async () => {
    const { submit, started } = controlled()
    submit('storm', 's1', 's2', 's3')
    await nextTurn()
    assert.deepEqual(started, ['s1'])
    submit('quiet', 'q1')
    await nextTurn()
    assert.deepEqual(started, ['s1', 'q1'])
  })

  // Guards: hostile-templates
  it('leave a process for others, however many tenants are killed again and again', async () => {
    const { submit, started, kill } = controlled()
    for (const owner of ['a', 'b', 'c']) submit(owner, `${owner}1`, `${owner}2`, `${owner}3`, `${owner}4`)
    await nextTurn()
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) await kill(name)
    const before = started.length
    assert.equal(new Set(started).size - 6, 1, 'of those that are heavy, one is rendered at a time')
    submit('quiet', 'q1')
    await nextTurn()
    assert.deepEqual(started.slice(before), ['q1'])
  })

  // Guards: hostile-templates
  it('are with the tenant that has used the least lately', async () => {
    const { submit, started, end, pass } = controlled()
    submit('much', 'm1')
    submit('little', 'l1')
    await nextTurn()
    submit('much', 'm2', 'm3')
    submit('little', 'l2', 'l3')
    await end('m1', 1000)
    await end('l1', 100)
    assert.deepEqual(started.slice(2), ['m2', 'l2'])
    submit('new', 'n1')
    await end('m2', 10)
    assert.deepEqual(started.slice(4), ['n1'])
    await end('n1', 10)
    await end('l2', 10)
    assert.deepEqual(started.slice(5), ['m3', 'l3'])
    pass(60_000)
    submit('much', 'm4')
    submit('little', 'l4')
    await end('m3', 0)
    await end('l3', 0)
    assert.deepEqual(started.slice(7), ['m4', 'l4'], 'what was used a minute ago is forgiven')
  })

  it('are refused where many of a tenant wait already, few where it has used much', async () => {
    const { submit, refused, kill } = controlled({ waitingOfOwnerMax: 6, waitingOfHeavyMax: 2 })
    const names = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']
    submit('storm', ...names)
    await nextTurn()
    assert.deepEqual(refused, ['s8'])
    await kill('s1')
    await kill('s2')
    assert.deepEqual(refused.splice(0), ['s8', 's7', 's6', 's5'], 'the newest give up')
    submit('storm', 's9', 's10')
    submit('quiet', 'q1', 'q2')
    await nextTurn()
    assert.deepEqual(refused, ['s10'])
  })

  // Guards: hostile-templates
  it('are refused a tenant whose templates were killed again and again, until enough is forgiven', async () => {
    const { submit, started, refused, kill, pass } = controlled()
    for (const name of ['s1', 's2', 's3', 's4']) {
      submit('storm', name)
      await nextTurn()
      await kill(name)
    }
    assert.deepEqual(refused, [])
    submit('storm', 's5', 's6')
    await nextTurn()
    await kill('s5')
    assert.deepEqual(refused, ['s6'], 'what waits gives up')
    submit('storm', 's7')
    submit('quiet', 'q1')
    await nextTurn()
    assert.deepEqual([refused, started.at(-1)], [['s6', 's7'], 'q1'])
    pass(12_500)
    submit('storm', 's8')
    await nextTurn()
    assert.deepEqual([refused, started.at(-1)], [['s6', 's7'], 's8'])
  })

  it('are refused where too many of all tenants wait', async () => {
    const { submit, refused } = controlled({ waitingMax: 2 })
    for (const owner of ['a', 'b', 'c', 'd', 'e']) submit(owner, owner)
    await nextTurn()
    assert.deepEqual(refused, ['e'])
  })
})
