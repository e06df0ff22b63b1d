// How message templates that use as many resources as they can affect the requests of other tenants.
import { setTimeout as sleep } from 'node:timers/promises'
import { hostileTemplates } from '@bailiwick/server/test/harness/files/hostile-templates.ts'
import type { TenantAccess } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { bodyText, requestBytes } from '../load/request.ts'
import { compare, p99s, takeTurns } from '../load/rounds.ts'
import { steady } from '../load/steady.ts'
import { type ResultRow, atMost, milliseconds, ratioRow } from '../results.ts'
import type { World } from '../world.ts'

/** More previews than the service allows to wait. */
const atOnce = 16
const api = '/api/v0/notifications/templates'

const post = ({ secretKey }: TenantAccess, path: string, body: object) =>
  requestBytes({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${secretKey}` },
    body: JSON.stringify(body),
  })

/** The requests that preview each hostile template, as an e-mail and as a text message. */
async function previews(port: number, tenant: TenantAccess): Promise<Buffer[]> {
  const connection = await HttpConnection.open(port)
  const requests: Buffer[] = []
  for (const [index, body] of Object.values(hostileTemplates).entries()) {
    for (const type of ['email', 'sms']) {
      const template = { tenantId: tenant.id, type, name: `hostile-${type}-${index}`, body }
      // Some are too large even to be parsed, and a tenant that uses many resources has to wait.
      for (let isBusy = true; isBusy;) {
        const { status, bytes } = await connection.send(post(tenant, api, template))
        isBusy = status === 429
        if (isBusy) await sleep(1000)
        else if (status === 200) {
          const { id } = JSON.parse(bodyText(bytes)) as { id: string }
          requests.push(post(tenant, `${api}/${id}/preview`, { variables: {} }))
        } else if (status !== 400) throw new Error(`a template was answered with ${status}`)
      }
    }
  }
  connection.close()
  return requests
}

export async function measureTemplates(world: World): Promise<ResultRow[]> {
  const { dataset, server } = await world.running('small')
  const { port } = server
  const { cookies } = await createPeople(dataset, port)
  const checks = cookies.map((cookie) =>
    requestBytes({
      method: 'GET',
      path: '/frontend/api/v0/user/profile',
      headers: { 'x-public-key': dataset.main.publicKey, cookie },
    }),
  )
  let checked = 0
  const next = () => checks[checked++ % checks.length] ?? Buffer.alloc(0)
  const hostile = await previews(port, dataset.console)
  const { perSecond, ...pace } = world.settings.hostile.flood
  const outcome = { rendered: 0, ended: 0, waiting: 0 }
  let asked = 0

  const storm = async (seconds: number) => {
    const [startedAt, count] = [performance.now(), Math.ceil(perSecond * seconds)]
    let begun = 0
    const lane = async () => {
      const connection = await HttpConnection.open(port)
      while (begun < count) {
        const dueAt = startedAt + (begun++ / count) * seconds * 1000
        await sleep(Math.max(0, dueAt - performance.now()))
        const { status } = await connection.send(hostile[asked++ % hostile.length] ?? Buffer.alloc(0))
        if (status === 200) outcome.rendered++
        else if (status === 400) outcome.ended++
        else if (status === 429 || status === 503) outcome.waiting++
        else throw new Error(`a preview answered ${status}`)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }

  const contestants = [steady(port, next, storm), steady(port, next, async () => {})]
  const [beside = [], none = []] = await takeTurns(contestants, pace)
  const { rendered, ended, waiting } = outcome
  const measure = `p99 of session checks beside ${perSecond} hostile templates a second (${ended} refused, ${rendered} rendered, ${waiting} sent back to wait)`
  return [
    ratioRow(compare(p99s(beside), p99s(none)), {
      engine: world.engine,
      unit: milliseconds,
      measure,
      against: 'without them',
      budget: atMost(1.5),
    }),
  ]
}
