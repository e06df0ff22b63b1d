import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Transformation, outputFormats, resizeModes } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import {
  newRows,
  rowCounts,
  statusCounts,
  storedCounter,
  storedEvents,
} from '../../../test/harness/databases/stored.ts'
import {
  createFile,
  createTenant,
  createTransformation,
  transformationBody,
  unique,
} from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

const patch = (service: TestService, id: string, body: object) =>
  service.ok<Transformation>('updateTransformation', { params: { id }, body })

async function issues(service: TestService, body: object): Promise<string[]> {
  const refused = await service.refused('createTransformation', 'validation_failed', { body })
  return (refused.issues ?? []).map(({ path, code }) => `${path} ${code}`)
}

describeService('POST /media/transformations', (service) => {
  it('returns the definition that was sent', async () => {
    const { tenant } = await createTenant(service())
    const body = transformationBody(tenant.id, { description: 'A card' })
    const { id, createdAt, updatedAt, ...rest } = await service().ok<Transformation>('createTransformation', { body })
    assert.deepEqual(rest, body)
    assert.ok(id.startsWith('c') && createdAt === updatedAt)
    assert.equal(await storedCounter(service(), tenant.id, 'transformations'), 4)
  })

  it('accepts every format and resize mode, and numbers at their bounds', async () => {
    const { tenant } = await createTenant(service())
    for (const outputFormat of outputFormats) await createTransformation(service(), tenant.id, { outputFormat })
    for (const outputResizeMode of resizeModes) await createTransformation(service(), tenant.id, { outputResizeMode })
    const numbers = { outputQuality: 0, outputCompression: 0, outputWidth: 0, outputHeight: 0, steps: [] }
    const most = { outputQuality: 100, outputCompression: 100, outputWidth: 8192, outputHeight: 8192 }
    for (const body of [numbers, most, { outputQuality: 79.5, outputCompression: 0.5 }]) {
      const made = await createTransformation(service(), tenant.id, body)
      assert.deepEqual({ ...made, ...body }, made)
    }
  })

  it('refuses numbers beyond their bounds, of another kind, and other formats', async () => {
    const { tenant } = await createTenant(service())
    const body = transformationBody(tenant.id, {
      outputQuality: 100.1,
      outputCompression: -1,
      outputWidth: 8193,
      outputHeight: 1.5,
      outputFormat: 'bmp',
      outputResizeMode: 'fill',
    })
    assert.deepEqual((await issues(service(), body)).toSorted(), [
      '/outputCompression too_small',
      '/outputFormat invalid_value',
      '/outputHeight invalid_type',
      '/outputQuality too_large',
      '/outputResizeMode invalid_value',
      '/outputWidth too_large',
    ])
  })

  it('requires everything but the description', async () => {
    const found = await issues(service(), {})
    const required = Object.keys(transformationBody('')).map((name) => `/${name} required`)
    assert.deepEqual(found.toSorted(), required.toSorted())
  })

  it('has a name of 1 to 64 characters and at most 16 steps', async () => {
    const { tenant } = await createTenant(service())
    const steps = Array.from({ length: 16 }, () => ({ type: 'flip', options: {} }))
    await createTransformation(service(), tenant.id, { name: '\u{1F98A}'.repeat(64), steps })
    const body = transformationBody(tenant.id, { name: 'n'.repeat(65), steps: [...steps, ...steps.slice(0, 1)] })
    assert.deepEqual((await issues(service(), body)).toSorted(), ['/name too_long', '/steps too_many'])
    assert.deepEqual((await issues(service(), { ...body, name: '', steps: [] })).toSorted(), [
      '/name invalid_format',
      '/name too_short',
    ])
  })

  it('refuses a taken name with 409 transformation_name_taken, those it was born with too', async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const { name } = await createTransformation(service(), one.tenant.id)
    for (const taken of [name, 'avatar', 'thumbnail', 'original']) {
      const body = transformationBody(one.tenant.id, { name: taken })
      await service().refused('createTransformation', 'transformation_name_taken', { body })
    }
    await createTransformation(service(), other.tenant.id, { name })
  })

  it('gives a name to one of two hundred simultaneous requests', async () => {
    const { tenant } = await createTenant(service())
    const body = transformationBody(tenant.id)
    const before = await rowCounts(service())
    const answers = await atOnce(200, () => service().call('createTransformation', { body }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 409: 199 })
    assert.deepEqual(await newRows(service(), before), { transformations: 1, events: 1 })
    assert.equal(await storedCounter(service(), tenant.id, 'transformations'), 4)
  })

  it('answers 404 for a tenant that does not exist', async () => {
    await service().refused('createTransformation', 'not_found', { body: transformationBody(newId()) })
  })
})

describeService('PATCH /media/transformations/{id}', (service) => {
  it('replaces the definition', async () => {
    const { tenant } = await createTenant(service())
    const made = await createTransformation(service(), tenant.id)
    const body = transformationBody(tenant.id, {
      name: unique(),
      description: 'Other',
      outputFormat: 'png',
      outputQuality: 1,
      outputCompression: 2,
      outputWidth: 3,
      outputHeight: 4,
      outputResizeMode: 'stretch',
      steps: [],
    })
    const changed = await patch(service(), made.id, body)
    assert.deepEqual(changed, { ...made, ...body, updatedAt: changed.updatedAt })
    assert.ok(changed.updatedAt > made.updatedAt)
    const { data } = await service().ok<{ data: Transformation[] }>('listTransformations', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(data[0], changed)
  })

  it('keeps the description when it is left out, and unsets it with null', async () => {
    const { tenant } = await createTenant(service())
    const { id, name } = await createTransformation(service(), tenant.id, { description: 'A card' })
    assert.equal((await patch(service(), id, transformationBody(tenant.id, { name }))).description, 'A card')
    const unset = await patch(service(), id, transformationBody(tenant.id, { name, description: null }))
    assert.equal(unset.description, null)
  })

  it("answers 404 where the body names a tenant that is not the record's, and changes nothing", async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const made = await createTransformation(service(), one.tenant.id)
    const before = await rowCounts(service())
    for (const [tenantId, token] of [
      [other.tenant.id, undefined],
      [newId(), undefined],
      [other.tenant.id, one.secretKey],
      [one.tenant.id, other.secretKey],
      [other.tenant.id, other.secretKey],
    ] as const) {
      await service().refused('updateTransformation', 'not_found', {
        params: { id: made.id },
        body: transformationBody(tenantId),
        ...(token === undefined ? {} : { token }),
      })
    }
    assert.deepEqual(await rowCounts(service()), before)
    const { data } = await service().ok<{ data: Transformation[] }>('listTransformations', {
      params: { tenantId: one.tenant.id },
    })
    assert.deepEqual(data[0], made)
  })

  it('refuses a taken name with 409, and accepts its own', async () => {
    const { tenant } = await createTenant(service())
    const [one, other] = [
      await createTransformation(service(), tenant.id),
      await createTransformation(service(), tenant.id),
    ]
    await service().refused('updateTransformation', 'transformation_name_taken', {
      params: { id: one.id },
      body: transformationBody(tenant.id, { name: other.name }),
    })
    await patch(service(), one.id, transformationBody(tenant.id, { name: one.name }))
  })

  it('appends one event with before and after', async () => {
    const { tenant } = await createTenant(service())
    const made = await createTransformation(service(), tenant.id)
    const changed = await patch(service(), made.id, transformationBody(tenant.id, { name: made.name, outputWidth: 1 }))
    const events = await storedEvents(service(), tenant.id)
    assert.deepEqual(
      events.slice(1).map(({ type, subject_id, data }) => [type, subject_id, data]),
      [
        ['transformation.created', made.id, { after: made }],
        ['transformation.updated', made.id, { before: made, after: changed }],
      ],
    )
  })

  it('answers 404 for one that does not exist', async () => {
    const { tenant } = await createTenant(service())
    for (const id of [newId(), 'x', '%']) {
      await service().refused('updateTransformation', 'not_found', {
        params: { id },
        body: transformationBody(tenant.id),
      })
    }
  })
})

describeService('GET and DELETE /media/transformations/{id}', (service) => {
  it('read one as the answer that made it', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const made = await createTransformation(service(), tenant.id, { description: 'A card' })
    const params = { id: made.id }
    assert.deepEqual(await service().ok('getTransformation', { params }), made)
    assert.deepEqual(await service().ok('getTransformation', { params, token: secretKey }), made)
  })

  it("answer 404 for one that does not exist and for another tenant's, which stays", async () => {
    const [one, other] = [await createTenant(service()), await createTenant(service())]
    const made = await createTransformation(service(), one.tenant.id)
    const before = await rowCounts(service())
    for (const operation of ['getTransformation', 'deleteTransformation'] as const) {
      for (const id of [newId(), 'x', '%']) await service().refused(operation, 'not_found', { params: { id } })
      await service().refused(operation, 'not_found', { params: { id: made.id }, token: other.secretKey })
    }
    assert.deepEqual(await rowCounts(service()), before)
    assert.deepEqual(await service().ok('getTransformation', { params: { id: made.id } }), made)
  })

  it('delete with the deleted one as the answer; reads, lists and changes no longer find it, and its name is free', async () => {
    const { tenant } = await createTenant(service())
    const [kept, made] = [
      await createTransformation(service(), tenant.id),
      await createTransformation(service(), tenant.id),
    ]
    const params = { id: made.id }
    assert.deepEqual(await service().ok('deleteTransformation', { params }), { ...made, deleted: true })
    await service().refused('getTransformation', 'not_found', { params })
    await service().refused('deleteTransformation', 'not_found', { params })
    const body = transformationBody(tenant.id, { name: made.name })
    await service().refused('updateTransformation', 'not_found', { params, body })
    const list = await service().ok<{ data: Transformation[]; meta: { total: number } }>('listTransformations', {
      params: { tenantId: tenant.id },
    })
    assert.deepEqual(list.data[0], kept)
    assert.deepEqual([list.data.length, list.meta.total], [4, 4])
    await service().ok('createTransformation', { body })
  })

  it('delete it from delivery too: addresses and signatures with its name find nothing, though its image had been made', async () => {
    const { tenant } = await createTenant(service())
    const { id, name } = await createTransformation(service(), tenant.id, { steps: [], outputFormat: 'png' })
    const file = await createFile(service(), tenant.id)
    const show = async () => {
      const url = `/api/v0/media/${tenant.id}/${file.id}/image?t=${name}`
      return (await service().request({ method: 'GET', url, headers: { host: 'id.test' } })).status
    }
    assert.equal(await show(), 200)
    await service().ok('deleteTransformation', { params: { id } })
    assert.equal(await show(), 404)
    const refused = await service().refused('signFile', 'validation_failed', {
      params: { id: file.id },
      body: { transformation: name },
    })
    assert.deepEqual(
      refused.issues?.map(({ path }) => path),
      ['/transformation'],
    )
  })

  it('delete it once, with one event and one count, for any number of simultaneous requests', async () => {
    const { tenant } = await createTenant(service())
    const made = await createTransformation(service(), tenant.id)
    const answers = await atOnce(50, () => service().call('deleteTransformation', { params: { id: made.id } }))
    assert.deepEqual(statusCounts(answers), { 200: 1, 404: 49 })
    assert.equal(await storedCounter(service(), tenant.id, 'transformations'), 3)
    const events = await storedEvents(service(), tenant.id, 'transformation.deleted')
    assert.deepEqual(
      events.map(({ subject_type, subject_id, data }) => [subject_type, subject_id, data]),
      [['transformation', made.id, { before: made }]],
    )
  })
})
