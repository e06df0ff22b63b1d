// A passkey that the user of a page has added.
import type { Page } from 'playwright-core'
import type { TestService } from '../../server/test/harness/service.ts'

/** As an account page would, by the frontend interface. */
export const addPasskey = (page: Page, publicKey: string, port: number) =>
  page.evaluate(`(async () => {
    const call = async (path, body) => {
      const response = await fetch('http://localhost:${port}/frontend/api/v0' + path, { method: 'POST', credentials: 'include',
        headers: { 'content-type': 'application/json', 'x-public-key': '${publicKey}' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()).data
    }
    const { publicKeyOptions } = await call('/user/passkeys/options')
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(publicKeyOptions)
    const credential = await navigator.credentials.create({ publicKey })
    await call('/user/passkeys', { credential: credential.toJSON() })
  })()`)

/** As an administrator would. */
export async function removePasskey(service: TestService, userId: string): Promise<void> {
  const params = { id: userId }
  const factors = await service.ok<{ id: string; type: string }[]>('listUserAuthenticators', { params })
  const id = factors.find(({ type }) => type === 'passkey')?.id ?? ''
  await service.ok('deleteUserAuthenticator', { params: { userId, id } })
}
