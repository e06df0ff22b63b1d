// The addresses of a tenant's icon and logo.
import type { Config } from '../../platform/config.ts'

/** Every new tenant has transformations of these names. If one is renamed, setting the file again makes a new address. */
const shownAs = { iconId: 'thumbnail', logoId: 'original', darkLogoId: 'original' } as const
export type ShownName = keyof typeof shownAs

export function shownAddress(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  tenantId: string,
  name: ShownName,
  fileId: string,
): string {
  const path = [tenantId, fileId].map(encodeURIComponent).join('/')
  return `${baseUrl}/media/${path}/image?t=${shownAs[name]}`
}
