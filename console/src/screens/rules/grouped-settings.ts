import { type SettingName, settingGroups, tenantAuthSettings } from '@bailiwick/contract'

const settingNames = Object.keys(tenantAuthSettings) as readonly SettingName[]

/** Every setting, by group. */
export const groupedSettings = Object.entries(settingGroups).map(([group, { title, about }]) => ({
  title,
  about,
  settings: settingNames.filter((name) => tenantAuthSettings[name].group === group),
}))
