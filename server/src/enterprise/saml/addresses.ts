// The addresses of a connection that its provider knows. They name the tenant by its id, because a slug can change.
import type { Config } from '../../platform/config.ts'

type Addressed = Pick<Config, 'baseUrl'>
interface Place {
  readonly tenant_id: string
  readonly id: string
}

const root = ({ baseUrl }: Addressed, { tenant_id: tenantId, id }: Place) =>
  new URL(`/t/${tenantId}/saml/${id}`, baseUrl).href

/** Our entity id, which is also the address of our metadata. */
export const ownEntityId = (config: Addressed, place: Place) => `${root(config, place)}/metadata`
export const acsUrl = (config: Addressed, place: Place) => `${root(config, place)}/acs`
export const ownSloUrl = (config: Addressed, place: Place) => `${root(config, place)}/slo`
