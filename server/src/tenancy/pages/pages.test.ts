import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type PageSettings,
  type SettingsDifference,
  type SettingsVersion,
  type UpdatePageSettings,
  defaultPagesDocument,
  languages,
} from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createFile, createTenant, createUpload } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { newId } from '../../platform/ids.ts'

describeService('GET and PUT /auth/tenants/{id}/pages', (service) => {
  const get = (id: string) => service().ok<PageSettings>('getPages', { params: { id } })
  const put = (id: string, body: UpdatePageSettings) => service().ok<PageSettings>('putPages', { params: { id }, body })
  const readIssues = async (id: string, body: object) => {
    const { issues = [] } = await service().refused('putPages', 'validation_failed', { params: { id }, body })
    return issues.map(({ path, code }) => [path, code])
  }
  const newTenantId = async () => (await createTenant(service())).tenant.id
  const numbers = async (id: string) => {
    const { data } = await service().ok<{ data: SettingsVersion[] }>('listPagesVersions', { params: { id } })
    return data.map(({ version }) => version)
  }

  it('begins with defaults', async () => {
    const id = await newTenantId()
    assert.deepEqual(await get(id), { ...defaultPagesDocument(), darkLogoUri: null, version: 0 })
    assert.deepEqual(await numbers(id), [])
  })

  it('changes what is sent, keeps the rest, and replaces the texts as a whole', async () => {
    const id = await newTenantId()
    const body: UpdatePageSettings = {
      defaultLanguage: 'ar',
      languages: ['ar', 'pt-BR'],
      texts: { ar: { 'signIn.title': 'أهلاً' }, 'pt-BR': { 'signIn.title': 'Olá <b>você</b> & 😀' } },
      termsUri: 'https://acme.example/terms',
      privacyUri: 'https://acme.example/privacy',
      supportUri: 'mailto:help@acme.example',
      layout: 'split',
    }
    const changed = await put(id, body)
    assert.deepEqual(changed, { ...defaultPagesDocument(), ...body, darkLogoUri: null, version: 1 })
    assert.deepEqual(await get(id), changed)
    const texts = { ar: { 'signUp.title': 'x' } }
    assert.deepEqual(await put(id, { texts }), { ...changed, texts, version: 2 })
    assert.deepEqual(await put(id, { texts }), { ...changed, texts, version: 2 }, 'an empty change makes no version')
    assert.equal((await put(id, { termsUri: null })).termsUri, null)
  })

  it('compares versions text by text and goes back to one', async () => {
    const id = await newTenantId()
    await put(id, { texts: { de: { a: '1', b: '2' } } })
    await put(id, { texts: { de: { a: '1', c: '3' } }, layout: 'split' })
    const params = { id, from: '1', to: '2' }
    assert.deepEqual(await service().ok<SettingsDifference[]>('diffPagesVersions', { params }), [
      { setting: 'layout', from: 'centered', to: 'split' },
      { setting: 'texts.de.b', from: '2', to: null },
      { setting: 'texts.de.c', from: null, to: '3' },
    ])
    const restore = (version: string) => service().ok<PageSettings>('restorePagesVersion', { params: { id, version } })
    const restored = await restore('1')
    assert.deepEqual([restored.texts, restored.layout, restored.version], [{ de: { a: '1', b: '2' } }, 'centered', 3])
    assert.deepEqual(await restore('0'), { ...defaultPagesDocument(), darkLogoUri: null, version: 4 })
    assert.deepEqual(await numbers(id), [4, 3, 2, 1])
    await service().refused('restorePagesVersion', 'not_found', { params: { id, version: '5' } })
  })

  it('records one event for each version, with what changed before and after', async () => {
    const id = await newTenantId()
    await put(id, { defaultLanguage: 'fr', texts: { fr: { a: 'b' } } })
    const events = await storedEvents(service(), id, 'tenant.pages_updated')
    assert.deepEqual(
      events.map(({ data }) => data),
      [
        {
          version: 1,
          before: { defaultLanguage: 'en', 'texts.fr.a': null },
          after: { defaultLanguage: 'fr', 'texts.fr.a': 'b' },
        },
      ],
    )
  })

  it('numbers versions without gaps if many change at once', async () => {
    const id = await newTenantId()
    const answers = await atOnce(20, (n) =>
      service().call('putPages', { params: { id }, body: { texts: { en: { a: `${n}` } } } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 20 })
    assert.deepEqual(
      await numbers(id),
      Array.from({ length: 20 }, (_, n) => 20 - n),
    )
  })

  it('accepts three hundred texts in a language, each of 500 characters, and no more', async () => {
    const id = await newTenantId()
    const texts = (count: number, length: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, '😀'.repeat(length)]))
    await put(id, { texts: { de: texts(100, 500) } })
    await put(id, { texts: { de: texts(300, 20) } })
    assert.deepEqual(await readIssues(id, { texts: { de: texts(301, 1) } }), [['/texts/de', 'too_many']])
    assert.deepEqual(await readIssues(id, { texts: { de: texts(1, 501) } }), [['/texts/de/key0', 'too_long']])
    const body = { texts: { de: texts(300, 500) } }
    await service().refused('putPages', 'payload_too_large', { params: { id }, body })
  })

  for (const [what, body, path, code] of [
    ['an unknown language', { defaultLanguage: 'tlh' }, '/defaultLanguage', 'invalid_value'],
    ['a language twice', { languages: ['de', 'de'] }, '/languages', 'duplicate'],
    ['a default that is not offered', { languages: ['de'] }, '/defaultLanguage', 'not_offered'],
    ['texts in an unknown language', { texts: { xx: {} } }, '/texts/xx', 'unknown_property'],
    ['a key with a space', { texts: { de: { 'a b': 'x' } } }, '/texts/de/a b', 'unknown_property'],
    ['a long key', { texts: { de: { ['a'.repeat(65)]: 'x' } } }, `/texts/de/${'a'.repeat(65)}`, 'unknown_property'],
    ['an empty text', { texts: { de: { a: '' } } }, '/texts/de/a', 'too_short'],
    ['a text of two lines', { texts: { de: { a: 'x\ny' } } }, '/texts/de/a', 'invalid_format'],
    ['a text that is no text', { texts: { de: { a: 1 } } }, '/texts/de/a', 'invalid_type'],
    ['a script as an address', { termsUri: 'javascript:alert(1)' }, '/termsUri', 'invalid_format'],
    ['an address without https', { privacyUri: 'http://acme.example' }, '/privacyUri', 'invalid_format'],
    [
      'mail with more than an address',
      { supportUri: 'mailto:a@b.example?bcc=c@d.example' },
      '/supportUri',
      'invalid_format',
    ],
    ['mail to two', { supportUri: 'mailto:a@b.example,c@d.example' }, '/supportUri', 'invalid_format'],
    ['an unknown layout', { layout: 'sideways' }, '/layout', 'invalid_value'],
    ['a layout that is no text', { layout: 5 }, '/layout', 'invalid_type'],
    ['a logo of nobody', { darkLogoId: 'c00000000000' }, '/darkLogoId', 'unknown_reference'],
  ] as const) {
    it(`refuses ${what} and changes nothing`, async () => {
      const id = await newTenantId()
      assert.deepEqual(await readIssues(id, body), [[path, code]])
      assert.equal((await get(id)).version, 0)
    })
  }

  it('shows a complete public file of the tenant as the logo of dark pages, which cannot be deleted meanwhile', async () => {
    const [id, otherId] = [await newTenantId(), await newTenantId()]
    const file = await createFile(service(), id)
    for (const refused of [await createFile(service(), otherId), await createUpload(service(), id)]) {
      assert.deepEqual(await readIssues(id, { darkLogoId: refused.id }), [['/darkLogoId', 'unknown_reference']])
    }
    const hidden = await createFile(service(), id, { access: 'private' })
    assert.deepEqual(await readIssues(id, { darkLogoId: hidden.id }), [['/darkLogoId', 'not_public']])
    const shown = await put(id, { darkLogoId: file.id })
    assert.equal(shown.darkLogoUri, `${service().deps.config.baseUrl}/media/${id}/${file.id}/image?t=original`)
    await service().refused('deleteFile', 'file_in_use', { params: { id: file.id } })
    await put(id, { darkLogoId: null })
    await service().ok('deleteFile', { params: { id: file.id } })
    const params = { id, version: '1' }
    const { issues } = await service().refused('restorePagesVersion', 'validation_failed', { params })
    assert.deepEqual(
      issues?.map(({ path }) => path),
      ['/darkLogoId'],
    )
  })

  it('accepts every language', async () => {
    const id = await newTenantId()
    const texts = Object.fromEntries(languages.map((language) => [language, { greeting: language }]))
    assert.deepEqual((await put(id, { languages: [...languages], texts })).texts, texts)
  })

  it('answers 404 for a tenant that does not exist', async () => {
    const params = { id: newId() }
    await service().refused('getPages', 'not_found', { params })
    await service().refused('putPages', 'not_found', { params, body: {} })
  })
})
