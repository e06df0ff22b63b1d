// What an administrator says of a provider, held to what can be used.
import { isWebUri, samlCertificatesMax } from '@bailiwick/contract'
import { invalid } from '../../../platform/http/api-error.ts'
import type { Deps } from '../../deps.ts'
import { certificateValue } from '../keys/certificates.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { MetadataProblem, type ProviderMetadata, readProviderMetadata } from './read-metadata.ts'

/** @throws ApiError validation_failed */
export const certificateValues = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.map((text, n) => {
      const value = certificateValue(text)
      if (value === undefined)
        throw invalid(
          `/saml/certificates/${n}`,
          'certificate',
          'must be an X.509 certificate of an RSA key with 2,048 bits or more, or of an EC key (P-256, P-384, P-521)',
        )
      return value
    }),
  ),
]

/** Metadata are held to the rules of the settings that they replace. */
function assertStorable({ entityId, ssoUrl, certificates }: ProviderMetadata) {
  if (entityId === '' || entityId.length > 1024) throw new MetadataProblem('name an entity id that is not usable')
  if (!isWebUri(ssoUrl)) throw new MetadataProblem('name an address for sign-in that is not an https URL')
  if (certificates.length > samlCertificatesMax)
    throw new MetadataProblem(`have more than ${samlCertificatesMax} certificates; enter the ones in use instead`)
}

/**
 * Returns what metadata say: those that were pasted, else those at the address.
 * @throws ApiError validation_failed
 */
export async function providerFromMetadata(
  deps: Pick<Deps, 'egress'>,
  tenantId: string,
  xml: string | undefined,
  uri: string | undefined,
): Promise<ProviderMetadata> {
  try {
    const provider = readProviderMetadata(xml ?? (await fetchMetadata(deps, tenantId, uri ?? '')))
    assertStorable(provider)
    return provider
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    throw invalid(xml === undefined ? '/saml/metadataUri' : '/saml/metadataXml', 'metadata', error.message)
  }
}
