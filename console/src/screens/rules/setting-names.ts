// The names of the sign-in rules on screen. Screens that only name them load no more of the contract than that.
import { labels } from 'virtual:setting-labels'
import { translateMessage } from '../../api/service-messages.ts'

export const nameOfSetting = (name: string): string => labels[name] ?? name

/** Returns a sentence of the contract or of the service, with the names of settings as the console shows them. */
export const withNamesOfSettings = (text: string): string =>
  text.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => (labels[word] === undefined ? word : `“${labels[word]}”`))

/** Returns a reason that the service gives, such as `emailSignInEnabled is off`, in the language and with the names of the console. */
export const readReason = (reason: string): string =>
  // What each way to sign in lacks is beside its own setting.
  withNamesOfSettings(translateMessage(reason.replace(/ \(\w+: .*\)$/s, '')))
