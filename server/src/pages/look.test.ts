// The tenant's logos and layout on its pages.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../test/harness/browser/page-browser.ts'
import { createFile, createTenant } from '../../test/harness/factories.ts'
import { type TestService, describeService } from '../../test/harness/service.ts'

async function home(service: TestService) {
  const { tenant } = await createTenant(service)
  const params = { id: tenant.id }
  const [logo, darkLogo] = [await createFile(service, tenant.id), await createFile(service, tenant.id)]
  const addressOf = ({ id }: { readonly id: string }) =>
    `${service.deps.config.baseUrl}/media/${tenant.id}/${id}/image?t=original`
  return {
    setLogo: () => service.ok('updateTenant', { params, body: { logoId: logo.id } }),
    setBrand: (body: object) => service.ok('putTenantBrand', { params, body }),
    setPages: (body: object) => service.ok('putPages', { params, body }),
    open: () => new PageBrowser(service).open(`/t/${tenant.slug}/sign-in`),
    name: tenant.name,
    logo: addressOf(logo),
    darkLogo: addressOf(darkLogo),
    darkLogoId: darkLogo.id,
  }
}

describeService("a tenant's pages", (service) => {
  it('show its name or its logo, on dark pages the logo for those, and may load both', async () => {
    const { setLogo, setBrand, setPages, open, name, logo, darkLogo, darkLogoId } = await home(service())
    const shown = async () => {
      const { document, headers } = await open()
      const mark = document.querySelector('.mark')
      const source = mark?.querySelector('source')
      const policy = String(headers['content-security-policy']).split('; ')
      return {
        text: mark?.textContent.trim(),
        logo: mark?.querySelector('img')?.getAttribute('src'),
        dark: [source?.getAttribute('srcset'), source?.getAttribute('media')],
        pictures: policy.find((part) => part.startsWith('img-src')),
      }
    }
    const none = [undefined, undefined]
    const pictures = `img-src 'self' ${new URL(logo).origin}`
    await setPages({ darkLogoId })
    assert.deepEqual(await shown(), { text: name, logo: undefined, dark: none, pictures })
    await setLogo()
    const inDark = [darkLogo, '(prefers-color-scheme: dark)']
    assert.deepEqual(await shown(), { text: '', logo, dark: inDark, pictures })
    // With such a brand everybody gets light pages.
    await setBrand({ primary: '#0a0' })
    assert.deepEqual(await shown(), { text: '', logo, dark: none, pictures })
    await setBrand({ primary: '#0a0', darkPrimary: '#0f0' })
    assert.deepEqual((await shown()).dark, inDark)
    await setPages({ darkLogoId: null })
    assert.deepEqual((await shown()).dark, none)
  })

  it('have one column, or two if the tenant wants so', async () => {
    const { setPages, open } = await home(service())
    const layout = async () => (await open()).document.querySelector('body')?.getAttribute('class')
    assert.equal(await layout(), 'centered')
    await setPages({ layout: 'split' })
    assert.equal(await layout(), 'split')
  })
})
