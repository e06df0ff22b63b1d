// The names of the sign-in rules on screen. Screens that only name them load no more of the contract than that.
import { labels } from 'virtual:setting-labels'

export const nameOfSetting = (name: string): string => labels[name] ?? name

/** Returns a sentence of the contract or of the service, with the names of settings as the console shows them. */
export const withNamesOfSettings = (text: string): string =>
  text.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => (labels[word] === undefined ? word : `“${labels[word]}”`))
