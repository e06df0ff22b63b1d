// Where the icon and the logo of a tenant are seen.
import type { Config } from '../../platform/config.ts'

/** Every new tenant has transformations of these names. Whoever renames one sets the file again, which makes the address anew. */
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
