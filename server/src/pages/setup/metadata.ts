// Saving the metadata of a SAML provider, which the reader pastes or names.
import { type Connection, type SamlConnectionInput, nameIdFormats } from '@bailiwick/contract'
import { updateConnection } from '../../enterprise/connections/connections.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import type { Setup } from './area.ts'

const refused = (errors: Problems['errors']): Problems => ({ errors, status: 422 })

/** Returns what the form switches on or off; single logout is on the form only if the provider offers it. */
function switches(page: PageCall, saml: Connection['saml']): SamlConnectionInput {
  const singleLogout = page.field('singleLogout') === 'on'
  const isChanged = saml !== null && saml.sloUrl !== null && singleLogout !== saml.singleLogout
  return { idpInitiated: page.field('idpInitiated') === 'on', ...(isChanged ? { singleLogout } : {}) }
}

/** Returns what the form says; problems if it says too little or too much. */
function readInput(page: PageCall, { saml }: Connection): SamlConnectionInput | Problems {
  const { text } = page
  const metadataUri = page.field('metadataUri')?.trim()
  const metadataXml = page.field('metadataXml')
  const format = nameIdFormats.find((each) => each === page.field('nameIdFormat')) ?? null
  const common = { nameIdFormat: format, ...switches(page, saml) }
  const isSameUri = metadataXml !== undefined && metadataUri === saml?.metadataUri
  if (metadataXml !== undefined && metadataUri !== undefined && !isSameUri)
    return refused({ metadataXml: text('setup.metadataBoth') })
  if (metadataXml !== undefined) return { metadataXml, ...common }
  if (metadataUri !== undefined) return { metadataUri, ...common }
  return saml?.entityId === null ? refused({ metadataUri: text('setup.metadataMissing') }) : common
}

/** Returns what is wrong with the metadata; undefined once they are saved. */
export async function saveMetadata(
  page: PageCall,
  setup: Setup,
  connection: Connection,
): Promise<Problems | undefined> {
  const saml = readInput(page, connection)
  if ('errors' in saml) return saml
  const field = saml.metadataXml === undefined ? 'metadataUri' : 'metadataXml'
  try {
    await updateConnection(page.deps, setup.tenantId, connection.id, { saml }, setup.caller)
    return undefined
  } catch (error) {
    const { code, issues } = apiErrorOf(error)
    const [issue] = issues
    if (code !== 'validation_failed' || issue === undefined) throw error
    if (issue.code === 'connection_in_use') return refused({ form: page.text('setup.inUse') })
    return refused({ [field]: page.text('setup.metadataWrong', { reason: issue.message }) })
  }
}
