// The frame of a tenant's page, whoever shows it: the hosted pages themselves, or the authorization server.
import type { PagesDocument } from '@bailiwick/contract'
import { type Frame, textOf } from '@bailiwick/pages'
import type { Config } from '../../platform/config.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { assets, brandPath } from '../assets.ts'
import { darkLogoUri } from '../logos.ts'
import { type PageLanguages, overridesOf } from './language.ts'

export interface FramePlace {
  readonly config: Pick<Config, 'baseUrl'>
  readonly tenant: TenantEntry
  readonly settings: PagesDocument
  readonly languages: PageLanguages
  /** The beginning of the paths of the tenant's pages. */
  readonly root: string
  readonly address: string
  readonly formToken: string
  readonly timezone?: string
}

export function tenantFrame({ config, tenant, settings, languages, ...place }: FramePlace): Frame {
  const { language, texts, offered } = languages
  const { style, script, icon } = assets()
  const brand = brandPath(tenant)
  return {
    ...place,
    text: textOf(language.tag, texts, overridesOf(settings, language)),
    language,
    languages: offered,
    tenant: {
      name: tenant.row.name,
      logoUri: tenant.row.logo_uri,
      darkLogoUri: darkLogoUri(config, tenant),
      layout: settings.layout,
      homeUri: tenant.auth.homeUri,
    },
    icon: tenant.row.icon_uri ?? icon.path,
    styles: brand === undefined ? [style.path] : [style.path, place.root + brand],
    script: script.path,
    links: settings,
  }
}
