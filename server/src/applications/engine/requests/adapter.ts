// The engine's adapter: passes every call to the store of the request.
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { paths } from '../paths.ts'
import { currentTenancy } from '../tenancy.ts'

export class StoreAdapter implements Adapter {
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#model === 'Client') return undefined
    const { store, issuer } = currentTenancy()
    const payload = await store.find(this.#model, id)
    if (payload === undefined || this.#model !== 'Interaction') return payload
    return { ...payload, returnTo: `${issuer.id}${paths.authorization}/${id}` }
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return currentTenancy().store.findByUid(uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return currentTenancy().store.findByUserCode(userCode)
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    currentTenancy().store.upsert(this.#model, id, payload)
  }

  async consume(id: string): Promise<void> {
    currentTenancy().store.consume(this.#model, id)
  }

  async destroy(id: string): Promise<void> {
    currentTenancy().store.destroy(this.#model, id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    currentTenancy().store.revokeFamily(grantId)
  }
}
