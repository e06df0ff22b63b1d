// The names of the sign-in rules on screen, which come from the contract.
import { type SettingName, settingGroups, tenantAuthSettings } from '@bailiwick/contract'

const settingNames = Object.keys(tenantAuthSettings) as readonly SettingName[]

/** Every setting, by group. */
export const groupedSettings = Object.entries(settingGroups).map(([group, { title, about }]) => ({
  title,
  about,
  settings: settingNames.filter((name) => tenantAuthSettings[name].group === group),
}))

const isSetting = (name: string): name is SettingName => Object.hasOwn(tenantAuthSettings, name)

export const nameOfSetting = (name: string): string => (isSetting(name) ? tenantAuthSettings[name].label : name)

/** Returns a sentence of the contract or of the service, with the names of settings as the console shows them. */
export const withNamesOfSettings = (text: string): string =>
  text.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => (isSetting(word) ? `“${nameOfSetting(word)}”` : word))
